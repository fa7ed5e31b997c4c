import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../../tests/database.ts'
import { createJobs } from './pg-boss.server.ts'

declare module './port.ts' {
  interface JobData {
    'scheduled-in-test': Record<string, never>
    'queued-in-test': Record<string, never>
  }
}

it.each([
  { until: true, outcome: 'run once the hold ends' },
  { until: false, outcome: 'are dropped, if the hold ends so' },
])('scheduled jobs wait while they are held, queued ones don’t, and they $outcome', async ({ until }) => {
  const connection = await openEmbeddedDatabase()
  const jobs = createJobs(connection, (error) => {
    throw error
  })
  const ran: string[] = []
  jobs.handle('scheduled-in-test', async () => void ran.push('scheduled'))
  jobs.schedule('scheduled-in-test', '0 0 1 1 *', {})
  jobs.handle('queued-in-test', async () => void ran.push('queued'))
  const held = Promise.withResolvers<boolean>()
  jobs.holdSchedules(held.promise)
  try {
    await jobs.start()
    await connection.db.transaction().execute(async (tx) => {
      await jobs.runSchedules(tx)
      await jobs.enqueue(tx, 'queued-in-test', {})
    })
    await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['queued'])
    const running = async () => (await jobs.count()).find(({ name }) => name === 'scheduled-in-test')?.state
    await expect.poll(running, { timeout: 20_000 }).toBe('running')
    held.resolve(until)
    await expect.poll(running, { timeout: 20_000 }).toBeUndefined()
    expect(ran).toEqual(until ? ['queued', 'scheduled'] : ['queued'])
  } finally {
    await jobs.stop(1_000)
    await connection.close()
  }
})

it('a schedule that is run again before its job has begun queues no second one', async () => {
  const connection = await openEmbeddedDatabase()
  const jobs = createJobs(connection, (error) => {
    throw error
  })
  const began = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let runs = 0
  jobs.handle('scheduled-in-test', async () => {
    runs += 1
    began.resolve()
    await end.promise
  })
  jobs.schedule('scheduled-in-test', '0 0 1 1 *', {})
  const runSchedules = () => connection.db.transaction().execute((tx) => jobs.runSchedules(tx))
  try {
    await jobs.start()
    await runSchedules()
    await began.promise
    // One runs. Of three more, one waits for it, since it may have passed what is to be done now.
    for (let times = 0; times < 3; times++) await runSchedules()
    const waiting = async () => (await jobs.count()).find(({ state }) => state === 'waiting')?.count
    expect(await waiting()).toBe(1)
    end.resolve()
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(2)
    await expect.poll(() => jobs.count(), { timeout: 20_000 }).toEqual([])
  } finally {
    end.resolve()
    await jobs.stop(1_000)
    await connection.close()
  }
})

it('a scheduled job’s failure counts until a later run succeeds, and a queued one’s for good', async () => {
  const connection = await openEmbeddedDatabase()
  const jobs = createJobs(connection, () => {})
  jobs.handle('scheduled-in-test', async () => {})
  jobs.schedule('scheduled-in-test', '0 0 1 1 *', {})
  jobs.handle('queued-in-test', async () => {})
  const completed = async (name: string) => {
    const { rows } = await sql`
      select from jobs.job where name = ${name} and state = 'completed'`.execute(connection.db)
    return rows.length
  }
  const failed = async () => (await jobs.count()).filter(({ state }) => state === 'failed')
  try {
    await jobs.start()
    const run = async (times: number) => {
      await connection.db.transaction().execute(async (tx) => {
        await jobs.runSchedules(tx)
        await jobs.enqueue(tx, 'queued-in-test', {})
      })
      for (const name of ['scheduled-in-test', 'queued-in-test'])
        await expect.poll(() => completed(name), { timeout: 20_000 }).toBe(times)
    }
    await run(1)
    await sql`update jobs.job set state = 'failed' where state = 'completed'`.execute(connection.db)
    expect((await failed()).map(({ name }) => name)).toEqual(['queued-in-test', 'scheduled-in-test'])
    await run(1)
    expect((await failed()).map(({ name }) => name)).toEqual(['queued-in-test'])
  } finally {
    await jobs.stop(1_000)
    await connection.close()
  }
})

it('a job that waits while the product is stopped for months is not deleted', async () => {
  const connection = await openEmbeddedDatabase()
  const jobs = createJobs(connection, (error) => {
    throw error
  })
  jobs.handle('queued-in-test', async () => {})
  try {
    await jobs.start()
    await jobs.stop(1_000)
    // A queue of an earlier version keeps jobs for two weeks.
    await sql`update jobs.queue set retention_seconds = 1209600`.execute(connection.db)
    await connection.db.transaction().execute((tx) => jobs.enqueue(tx, 'queued-in-test', {}))
    const { rows } = await sql<{ years: number }>`
      select extract(year from age(keep_until, now()))::int as years from jobs.job
      where name = 'queued-in-test'`.execute(connection.db)
    expect(rows.map(({ years }) => years)).toEqual([expect.toSatisfy((years: number) => years >= 3)])
  } finally {
    await connection.close()
  }
})
