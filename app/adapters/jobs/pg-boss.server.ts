import { sql } from 'kysely'
import { type ConstructorOptions, type Db, fromKysely, fromPglite, PgBoss } from 'pg-boss'
import type { PgliteConnection } from '../database/pglite.server.ts'
import type { DatabaseTransaction } from '../database/port.ts'
import type { PostgresConnection } from '../database/postgres.server.ts'
import type { JobData, JobName, JobState, Jobs } from './port.ts'

// The library deletes waiting jobs after two weeks, so the mails of a product that was stopped for longer would be lost.
const WAITS_SECONDS = 5 * 365 * 86_400

// A mail server that is down for some hours must not lose a mail: 12 retries, from half a minute to an hour apart.
const queueOptions = {
  retentionSeconds: WAITS_SECONDS,
  retryLimit: 12,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 3_600,
  // The jobs of a process that died are handed out again after a minute or two instead of fifteen.
  heartbeatSeconds: 30,
  notify: true,
}

// A new job wakes its worker by NOTIFY, also a busy one. Only a job that is due later waits for the next poll: each queue of an
// idle process asks the database so often.
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 }

const MAX_CONNECTIONS = 4
const SCHEMA = 'jobs'

type Connection = PgliteConnection | PostgresConnection

/** A pending job, as stored in a backup. */
export type WaitingJob = { id: string; name: string; data: object; startAfter: string }

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/**
 * Background jobs on the product's own database, so that a job commits together with the data that it is about.
 * @param report called with every error, including those of failed jobs, which are retried
 * @param around wraps the work of each job
 */
export function createJobs(
  connection: Connection,
  report: (error: unknown, about: string) => void,
  around: (name: JobName, work: () => Promise<void>) => Promise<void> = (_name, work) => work(),
): Jobs {
  const queueDatabase = databaseFor(connection)
  const boss = new PgBoss({ ...queueDatabase.options, useListenNotify: true })
  boss.on('error', (error) => report(error, 'job queue'))
  const handlers = new Map<JobName, (data: never) => Promise<void>>()
  const schedules: { name: JobName; cron: string; data: object }[] = []
  let held = Promise.resolve(true)

  return {
    async enqueue(tx, name, data, options) {
      // Named for each job too: queues of earlier versions keep their own limit.
      await boss.send(name, data as object, {
        ...options,
        retentionSeconds: WAITS_SECONDS,
        db: fromKysely(tx),
      })
    },
    handle(name, work) {
      handlers.set(name, work as (data: never) => Promise<void>)
    },
    schedule(name, cron, data) {
      schedules.push({ name, cron, data: data as object })
    },
    holdSchedules(until) {
      held = until
    },
    async runSchedules(tx) {
      const { rows: waiting } = await sql<{ name: string }>`
        select name from ${sql.table(`${SCHEMA}.job`)} where state = 'created' and start_after <= now()`.execute(
        tx,
      )
      for (const { name, data } of schedules) {
        // A clock that is moved many times in a row would queue jobs faster than they run.
        if (!waiting.some((job) => job.name === name)) await boss.send(name, data, { db: fromKysely(tx) })
      }
    },
    async count() {
      const { rows } = await sql<{ name: string; state: JobState; count: number }>`
        select name, state, count(*)::int as count from (
          select name, case state when 'active' then 'running' when 'failed' then 'failed' else 'waiting' end as state
          from ${sql.table(`${SCHEMA}.job`)} job
          where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_pgboss%'
            and not (state = 'failed' and exists (
              select from ${sql.table(`${SCHEMA}.job`)} later
              where later.name = job.name and later.state = 'completed' and later.completed_on > job.completed_on
                and job.name in (select name from ${sql.table(`${SCHEMA}.schedule`)})))
        ) x group by name, state order by name, state`.execute(connection.db)
      return rows
    },
    async start() {
      await boss.start()
      for (const [name, work] of handlers) {
        await boss.createQueue(name, queueOptions)
        // Fills the library's cache of this queue, which creating it has emptied. The first `enqueue` would otherwise read the
        // queue outside its own transaction, and the embedded database lets such a query wait for the transaction's end.
        await boss.findJobs(name, { id: NO_JOB })
        let worker = ''
        worker = await boss.work<JobData[JobName]>(name, polling, async (jobs) => {
          for (const job of jobs) {
            // Fetch the next job without a pause. A backlog would otherwise take two seconds per job.
            boss.notifyWorker(worker)
            if (schedules.some((scheduled) => scheduled.name === name) && !(await held)) continue
            await around(name, async () => {
              try {
                await work(job.data as never)
              } catch (error) {
                report(error, `job ${name}`)
                throw error
              }
            })
          }
        })
      }
      for (const { name, cron, data } of schedules) await boss.schedule(name, cron, data)
    },
    async stop(limitMs) {
      await boss.stop({ graceful: true, close: true, timeout: limitMs })
      await queueDatabase.close()
    },
  }
}

/**
 * The queue's pending and running jobs. The rest of the queue's tables is private to its library, which also creates
 * them.
 */
export async function listWaitingJobs(tx: DatabaseTransaction): Promise<WaitingJob[]> {
  const { rows: there } = await sql<{ found: boolean }>`
    select to_regclass(${`${SCHEMA}.job`}) is not null as found`.execute(tx)
  if (!there[0]?.found) return []
  const { rows } = await sql<WaitingJob>`
    select id::text as id, name, data, start_after::text as "startAfter" from ${sql.table(`${SCHEMA}.job`)}
    where state < 'completed' and name not like '\\_\\_pgboss%' order by created_on, id`.execute(tx)
  return rows
}

/**
 * Creates the queue in a database that has none and fills it with pending jobs. The jobs keep their ids, and their
 * retries start again.
 */
export async function fillJobQueue(connection: Connection, jobs: readonly WaitingJob[]): Promise<void> {
  const queueDatabase = databaseFor(connection)
  const boss = new PgBoss({ ...queueDatabase.options, supervise: false, schedule: false })
  await boss.start()
  try {
    for (const [name, waiting] of Map.groupBy(jobs, (job) => job.name)) {
      await boss.createQueue(name, queueOptions)
      await boss.insert(
        name,
        waiting.map(({ id, data, startAfter }) => ({
          id,
          data,
          startAfter,
          retentionSeconds: WAITS_SECONDS,
        })),
      )
    }
  } finally {
    await boss.stop({ graceful: false, close: true })
    await queueDatabase.close()
  }
}

/** The queue's database. On PostgreSQL it has its own connections, so that jobs continue while requests wait. */
function databaseFor(connection: Connection): { options: ConstructorOptions; close(): Promise<void> } {
  if (connection.kind === 'pglite') {
    return {
      options: { db: fromPglite(connection.pglite), backend: 'pglite', schema: SCHEMA },
      close: async () => {},
    }
  }
  const pool = connection.openSecondPool(MAX_CONNECTIONS)
  const db: Db = {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onMessage, onReconnect) {
      const close = await connection.listen(channel, { onMessage, onLost: () => {}, onReconnect })
      onReconnect()
      return { close }
    },
  }
  return { options: { db, schema: SCHEMA }, close: pool.close }
}
