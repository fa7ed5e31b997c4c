import { fromKysely, fromPglite, PgBoss } from 'pg-boss'
import type { PgliteConnection } from '../database/pglite.server.ts'
import type { PostgresConnection } from '../database/postgres.server.ts'
import type { JobData, JobName, Jobs } from './port.ts'

// A mail server that is down for a day must not lose a mail: 12 tries, from half a minute to an hour apart.
const queueOptions = {
  retryLimit: 12,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 3_600,
  // What a process had in hand when it died is handed out again after a minute or two, not after fifteen.
  heartbeatSeconds: 30,
  notify: true,
}

// A NOTIFY that comes while a worker is busy wakes nobody, so the next look must not be half a minute away.
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 }

const STOP_TIMEOUT_MS = 10_000

/**
 * Background work on the product's own database, so that a job and what it is about commit together.
 * @param report told of every error and of every job that failed; the job is tried again
 */
export function createJobs(
  connection: PgliteConnection | PostgresConnection,
  report: (error: unknown, about: string) => void,
): Jobs {
  const boss = new PgBoss({
    ...(connection.kind === 'pglite'
      ? { db: fromPglite(connection.pglite), backend: 'pglite' as const }
      : { connectionString: connection.url, max: 4 }),
    schema: 'jobs',
    useListenNotify: true,
  })
  boss.on('error', (error) => report(error, 'job queue'))
  const handlers = new Map<JobName, (data: never) => Promise<void>>()
  const schedules: { name: JobName; cron: string; data: object }[] = []

  return {
    async enqueue(tx, name, data, options) {
      await boss.send(name, data as object, { ...options, db: fromKysely(tx) })
    },
    handle(name, work) {
      handlers.set(name, work as (data: never) => Promise<void>)
    },
    schedule(name, cron, data) {
      schedules.push({ name, cron, data: data as object })
    },
    async start() {
      await boss.start()
      for (const [name, work] of handlers) {
        await boss.createQueue(name, queueOptions)
        await boss.work<JobData[JobName]>(name, polling, async (jobs) => {
          for (const job of jobs) {
            try {
              await work(job.data as never)
            } catch (error) {
              report(error, `job ${name}`)
              throw error
            }
          }
        })
      }
      for (const { name, cron, data } of schedules) await boss.schedule(name, cron, data)
    },
    async stop() {
      await boss.stop({ graceful: true, close: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}
