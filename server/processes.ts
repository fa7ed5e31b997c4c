import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../app/log.server.ts'
import { MEMORY_FLAGS } from './memory-settings.ts'
import { createPagePost } from './page-sharing.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A process that served this long did not end for the same reason as the one before it. */
const STEADY_AFTER_MS = 60_000

/** One of the first processes ended before it could serve. It has printed the reason itself. */
class ProcessDidNotStart extends Error {
  constructor(ended: string) {
    super(`A process ended before it could serve: ${ended}.`)
    this.name = 'ProcessDidNotStart'
  }
}

/**
 * Runs the product in several processes that share one port, and resolves once all of them serve
 * (docs/decisions/0014-several-processes.md). A process that ends is replaced. SIGHUP replaces all processes, one after
 * another. SIGTERM and SIGINT end all of them, and then this process.
 * @param options.file the file that each process runs; it sends 'ready' once it serves
 * @param options.metricsPort the first process's port; the others use the ports after it
 * @throws ProcessDidNotStart when a process ends before it serves, at the start alone
 */
export async function superviseProcesses(options: {
  count: number
  file: string
  metricsPort: number | null
  log: Log
}): Promise<void> {
  const { log, metricsPort } = options
  // Processes accept connections from the kernel's own queue for the port. If this process handed them out, one on its
  // way to a killed process would never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // 'advanced' sends the bytes of cached pages as they are.
  cluster.setupPrimary({ exec: options.file, execArgv: MEMORY_FLAGS, args: [], serialization: 'advanced' })
  const sharePages = createPagePost()
  const serving = new Map<number, { worker: Worker; since: number }>()
  const pauses = new Map<number, number>()
  let stopping = false
  let replacing = Promise.resolve()

  async function start(slot: number): Promise<void> {
    const worker = cluster.fork(metricsPort ? { METRICS_PORT: String(metricsPort + slot) } : {})
    const ended = new Promise<string>((resolve) =>
      worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)),
    )
    const end = await Promise.race([
      ended,
      new Promise<null>((resolve) => worker.once('message', () => resolve(null))),
    ])
    if (end !== null) throw new ProcessDidNotStart(end)
    serving.set(slot, { worker, since: performance.now() })
    sharePages(worker)
    ended.then((how) => replaceEnded(slot, worker, how))
  }

  async function replaceEnded(slot: number, worker: Worker, how: string): Promise<void> {
    const one = serving.get(slot)
    // The process was stopped on purpose.
    if (stopping || one?.worker !== worker) return
    serving.delete(slot)
    const wasSteady = performance.now() - one.since > STEADY_AFTER_MS
    let pauseMs = wasSteady ? FIRST_PAUSE_MS : (pauses.get(slot) ?? FIRST_PAUSE_MS)
    while (!stopping && !serving.has(slot)) {
      log.error({ slot, processId: worker.process.pid, ended: how, pauseMs }, 'a process ended')
      await pause(pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      pauses.set(slot, pauseMs)
      if (stopping) return
      await start(slot).catch((error: Error) => log.error({ slot, err: error }, 'a process did not start'))
    }
  }

  /** Replaces every process. A new one serves before the old one is stopped, so that capacity never drops. */
  async function replaceAll(): Promise<void> {
    for (const [slot, { worker }] of [...serving]) {
      // The old process has ended in the meantime, so its replacement is already new.
      if (stopping || serving.get(slot)?.worker !== worker) continue
      try {
        await start(slot)
      } catch (error) {
        log.error({ slot, err: error }, 'a new process did not start: the old ones continue')
        return
      }
      const ended = once(worker, 'exit')
      worker.process.kill('SIGTERM')
      await ended
    }
    log.info({ processes: serving.size }, 'all processes were replaced')
  }

  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ends = await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit')
        worker.process.kill('SIGTERM')
        const [code] = await ended
        return code === 0
      }),
    )
    process.exit(ends.every(Boolean) ? 0 : 1)
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // One after another, because the first one migrates the database and reports any problem with the settings.
  for (let slot = 0; slot < options.count; slot++) await start(slot)
  process.on('SIGHUP', () => {
    replacing = replacing.then(replaceAll)
  })
}
