import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, findPostgres, startPostgres } from '../../../tests/postgres.ts'
import { openPostgres, type PostgresConnection } from './postgres.server.ts'
import { openReplica, type ReadReplica } from './replica.server.ts'

const programs = findPostgres()
if (!programs) process.stdout.write('No PostgreSQL server on this machine: a replica is not tested.\n')

const MAX_LAG_MS = 10_000

describe.skipIf(!programs)('a replica', () => {
  let primary: Cluster
  let standby: Awaited<ReturnType<Cluster['startStandby']>>
  let onPrimary: PostgresConnection
  let onStandby: PostgresConnection
  let replica: ReadReplica
  let nowMs: number
  let lines: string[]
  const opened: ReadReplica[] = []

  beforeAll(async () => {
    primary = await startPostgres(programs ?? '')
    onPrimary = openPostgres(primary.url, () => {})
    await sql`create table things (name text primary key)`.execute(onPrimary.db)
    standby = await primary.startStandby()
    onStandby = openPostgres(standby.url, () => {})
  }, 60_000)
  afterAll(async () => {
    for (const each of opened) await each.close()
    await onStandby.close()
    await onPrimary.close()
    standby.stop()
    primary.stop()
  })
  beforeEach(async () => {
    nowMs = 0
    lines = []
    replica = open(standby.url)
    await untilState('ok')
  })

  /** Opens a replica whose clock stands still, so only the test decides how late it is. */
  function open(url: string, of = onPrimary): ReadReplica {
    const one = openReplica({
      url,
      primary: of.db,
      maxLagMs: MAX_LAG_MS,
      elapsedMs: () => nowMs,
      log: {
        warn: (fields, message) => lines.push(`${(fields as { replica: string }).replica}: ${message}`),
      },
    })
    opened.push(one)
    return one
  }

  const untilState = (state: string) =>
    expect
      .poll(
        async () => {
          await replica.check()
          return replica.status().state
        },
        { timeout: 20_000 },
      )
      .toBe(state)
  const write = (name: string) => sql`insert into things values (${name})`.execute(onPrimary.db)
  const has = (name: string, on: Pick<ReadReplica, 'read'> = replica) =>
    on.read(async (db) => {
      const { rows } = await sql`select from things where name = ${name}`.execute(db)
      return rows.length > 0
    })
  const readsStandby = () =>
    replica.read(async (db) => {
      const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)
      return rows[0]?.is
    })
  const stopReplay = () => sql`select pg_wal_replay_pause()`.execute(onStandby.db)
  const startReplay = () => sql`select pg_wal_replay_resume()`.execute(onStandby.db)

  it('answers reads with its own data, however little old they are', async () => {
    await stopReplay()
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          state: string
        }>`select pg_get_wal_replay_pause_state() as state`.execute(onStandby.db)
        return rows[0]?.state
      })
      .toBe('paused')
    try {
      await write('written while replay is paused')
      nowMs += MAX_LAG_MS - 1
      await replica.check()
      expect(await readsStandby()).toBe(true)
      expect(await has('written while replay is paused')).toBe(false)

      nowMs += 2
      await replica.check()
      expect(replica.status()).toMatchObject({ state: 'late', lagMs: MAX_LAG_MS + 1 })
      expect(await has('written while replay is paused')).toBe(true)
    } finally {
      await startReplay()
    }
    await untilState('ok')
    expect(await readsStandby()).toBe(true)
    expect(await has('written while replay is paused')).toBe(true)
    expect(lines).toEqual([
      'ok: searches read the replica',
      'late: searches read the primary, not the replica',
      'ok: searches read the replica',
    ])
  })

  it('never becomes late while the primary is idle', async () => {
    await untilState('ok')
    nowMs += 100 * MAX_LAG_MS
    await untilState('ok')
  })

  it('becomes late once no check has told the age of its data within the limit', () => {
    expect(replica.status().state).toBe('ok')
    nowMs += MAX_LAG_MS + 1
    expect(replica.status().state).toBe('late')
  })

  it('loses no read when it stops, and is read again a while after it is back', async () => {
    await write('there before the stop')
    standby.halt()
    expect(await has('there before the stop')).toBe(true)
    expect(replica.status()).toMatchObject({ state: 'down', reads: { answered: 0, failed: 1, skipped: 0 } })
    expect(await has('there before the stop')).toBe(true)
    expect(replica.status().reads).toEqual({ answered: 0, failed: 1, skipped: 1 })
    standby.start()
    await replica.check()
    expect(replica.status().state).toBe('down')
    nowMs += 10_000
    await untilState('ok')
    expect(await readsStandby()).toBe(true)
    expect(lines).toEqual([
      'ok: searches read the replica',
      'down: searches read the primary, not the replica',
      'ok: searches read the replica',
    ])
  })

  it('answers again after it refuses one statement, and counts as down once a statement times out', async () => {
    const refused = await replica.read(async (db) => {
      const { rows } = await sql<{ one: number }>`insert into things values ('only on the primary')
        returning 1 as one`.execute(db)
      return rows.length
    })
    expect(refused).toBe(1)
    expect(await readsStandby()).toBe(true)

    const slow = await replica.read(async (db) => {
      const { rows } = await sql<{ is: boolean }>`
        select pg_is_in_recovery() as is from pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)`.execute(
        db,
      )
      return rows[0]?.is
    })
    expect(slow).toBe(false)
    expect(replica.status()).toMatchObject({ state: 'down', reads: { answered: 1, failed: 2 } })
  })

  it('passes on what a read throws that is no failure', async () => {
    const redirect = new Response(null, { status: 302 })
    let runs = 0
    const thrown = replica.read(async () => {
      runs++
      throw redirect
    })
    await expect(thrown).rejects.toBe(redirect)
    expect(runs).toBe(1)
  })

  it('leaves its reads to the primary when it has no connection left', async () => {
    // Ten reads hold every connection until they are given up, half a second after the next has waited long enough for one.
    const sleepers = Array.from({ length: 10 }, () =>
      replica.read((db) =>
        db.connection().execute(async (own) => {
          await sql`select set_config('statement_timeout', '0', false)`.execute(own)
          return sql`select pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)`.execute(own)
        }),
      ),
    )
    expect(await readsStandby()).toBe(false)
    await Promise.all(sleepers)
  })

  it('needs no privileges of its role', async () => {
    await sql`create role searcher login`.execute(onPrimary.db)
    const asSearcher = (url: string) => url.replace('jubilee@', 'searcher@')
    const own = openPostgres(asSearcher(primary.url), () => {})
    try {
      const one = open(asSearcher(standby.url), own)
      await expect
        .poll(
          async () => {
            await one.check()
            return one.status().state
          },
          { timeout: 20_000 },
        )
        .toBe('ok')
      await one.close()
    } finally {
      await own.close()
    }
  })

  it('leaves its reads to the primary when it is another database or the primary itself', async () => {
    const stranger = open(primary.url)
    await stranger.check()
    expect(stranger.status().state).toBe('foreign')
    const other = await startPostgres(programs ?? '')
    try {
      const otherStandby = await other.startStandby()
      try {
        const foreign = open(otherStandby.url)
        await foreign.check()
        expect(foreign.status().state).toBe('foreign')
        await write('only here')
        expect(await has('only here', foreign)).toBe(true)
      } finally {
        otherStandby.stop()
      }
    } finally {
      other.stop()
    }
  }, 60_000)
})
