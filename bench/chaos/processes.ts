import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tests/free-port.ts'
import { serverSettings } from '../../tests/server-process.ts'
import { type Child, processTree, RUN_SERVER, startChild } from '../measure.ts'

/** The product with two serving processes under a first one, all of which can be killed. */
export type Product = {
  port: number
  start(): Promise<void>
  /** Kills one of the serving processes; resolves once it is dead. @returns the time until all serve again, in ms */
  killOne(): Promise<{ untilReady: Promise<number> }>
  /** Kills the first process and its descendants at the same moment, and restarts them. */
  killAll(): Promise<{ untilReady: Promise<number> }>
  /** The number of logged errors by message. */
  errors: Map<string, number>
  stop(): Promise<void>
}

const PROCESSES = 2
const READY_WITHIN_MS = 60_000

/** @param options.env added to the settings of every test server */
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
      const message = readMessage(line)
      errors.set(message, (errors.get(message) ?? 0) + 1)
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

/** Kills each process with -9. A process that has already exited is no error. */
export function killAtOnce(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Whether a process runs. A zombie, which only waits for its parent, doesn't. */
function isAlive(id: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

/** The message and error of a line of the log. */
function readMessage(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    // Queue, worker and port don't make it a different error.
    const why = err?.message?.replace(/ \(Queue: .*\)|:\d+$/, '')
    return [msg, why].filter(Boolean).join(': ')
  } catch {
    return line.slice(0, 200)
  }
}
