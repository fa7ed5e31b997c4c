import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tests/free-port.ts'
import { serverSettings } from '../../tests/server-process.ts'
import { type Child, processTree, RUN_SERVER, startChild } from '../measure.ts'

/** The product in two processes under a first one, which can be killed like any program. */
export type Product = {
  port: number
  start(): Promise<void>
  /** Kills one of the processes that serve; resolves once it is dead. @returns how long until all serve again, in ms */
  killOne(): Promise<{ untilReady: Promise<number> }>
  /** Kills the first process and those below it at the same moment, and starts them anew. */
  killAll(): Promise<{ untilReady: Promise<number> }>
  /** What it logged as errors, by message, with how often. */
  errors: Map<string, number>
  stop(): Promise<void>
}

const PROCESSES = 2
const READY_WITHIN_MS = 60_000

/** @param env beside what every server of a test is started with */
export async function createProduct(options: {
  folder: string
  databaseUrl: string
  env: Record<string, string>
}): Promise<Product> {
  const port = await freePort()
  const metricsPort = await freePort()
  const errors = new Map<string, number>()
  let child: Child | null = null
  const supervisor = () => child?.pid ?? 0

  async function start(): Promise<void> {
    child = await startChild(RUN_SERVER, {
      env: {
        ...serverSettings({ folder: options.folder, databaseUrl: options.databaseUrl }, port),
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        WEB_CONCURRENCY: String(PROCESSES),
        METRICS_PORT: String(metricsPort),
        TRUSTED_PROXY: '1',
        LOG_LEVEL: 'error',
        ...options.env,
      },
      isReady: / is at .+/,
    })
    const { stdout } = child.process
    if (!stdout) return
    createInterface({ input: stdout }).on('line', (line) => {
      if (!line.startsWith('{"level":50')) return
      const about = parseQuery(line)
      errors.set(about, (errors.get(about) ?? 0) + 1)
    })
  }

  async function isReady(slot: number): Promise<boolean> {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`http://127.0.0.1:${metricsPort + slot}/health/ready`, { signal }).catch(
      () => null,
    )
    return answer?.status === 200
  }

  async function untilReady(since: number): Promise<number> {
    for (;;) {
      const all = await Promise.all(Array.from({ length: PROCESSES }, (_, slot) => isReady(slot)))
      const ms = performance.now() - since
      if (all.every(Boolean) || ms > READY_WITHIN_MS) return ms
      await pause(100)
    }
  }

  return {
    port,
    errors,
    start,
    async killOne() {
      const [victim = 0] = processTree(supervisor())
        .slice(1)
        .toSorted(() => Math.random() - 0.5)
      const since = performance.now()
      killAtOnce([victim])
      while (isAlive(victim)) await pause(10)
      return { untilReady: untilReady(since) }
    },
    async killAll() {
      const since = performance.now()
      const all = processTree(supervisor())
      killAtOnce(all)
      while (all.some(isAlive)) await pause(10)
      await start()
      return { untilReady: untilReady(since) }
    },
    stop: async () => child?.stop(),
  }
}

/** kill -9 of each. One that has ended meanwhile is what was wanted. */
export function killAtOnce(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** One that is dead and waits to be noticed by who started it is not. */
function isAlive(id: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

function parseQuery(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    // Which queue, worker and port it was makes no other error of it.
    const why = err?.message?.replace(/ \(Queue: .*\)|:\d+$/, '')
    return [msg, why].filter(Boolean).join(': ')
  } catch {
    return line.slice(0, 200)
  }
}
