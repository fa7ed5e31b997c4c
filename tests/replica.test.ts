import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { newId } from '../app/shared/ids.ts'
import { aBusiness, aPlace } from './builders.ts'
import { sendTo, signUp } from './client.ts'
import { type Cluster, findPostgres, startPostgres } from './postgres.ts'
import { startServer, type TestServer } from './server.ts'

/** The built product on a PostgreSQL whose standby answers searches with words. */

const programs = findPostgres()
if (!programs) process.stdout.write('No PostgreSQL server on this machine: a replica is not tested.\n')

/** A day within the booking horizon, on which `aBusiness` is free. */
const DAY = '2026-12-12'
const NOW = new Date('2026-11-20T01:00:00Z')
/** How long the server leaves a standby alone that has failed to answer. */
const REST_MS = 10_000

describe.skipIf(!programs)('a server with DATABASE_READ_URL', () => {
  let primary: Cluster
  let standby: Awaited<ReturnType<Cluster['startStandby']>>
  let onPrimary: PostgresConnection
  let onStandby: PostgresConnection
  let server: TestServer
  let business: Awaited<ReturnType<typeof aBusiness>>
  let vendor: string

  beforeAll(async () => {
    primary = await startPostgres(programs ?? '')
    standby = await primary.startStandby()
    onPrimary = openPostgres(primary.url, () => {})
    onStandby = openPostgres(standby.url, () => {})
    server = await startServer({
      now: () => NOW,
      env: {
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: standby.url,
        // Tests decide when the standby is late. No pause of a busy machine does.
        DATABASE_READ_LAG_SECONDS: '3600',
        SECRET: 'only-for-this-test-only-for-this-test',
        PAYMENTS: 'sandbox',
        MAIL: 'outbox',
        LOG_LEVEL: 'silent',
      },
    })
    business = await aBusiness(onPrimary.db, { place_id: (await aPlace(onPrimary.db)).id })
    await aBusiness(onPrimary.db, { name: 'Another Garden' })
    vendor = (await signUp(server, 'ines@example.com')).cookie
  }, 120_000)
  beforeEach(async () => {
    await untilReplica('ok')
    await caughtUp()
  }, 60_000)
  afterAll(async () => {
    await server?.close()
    await onStandby.close()
    await onPrimary.close()
    standby.stop()
    primary.stop()
  })

  const get = (path: string, cookie = '') =>
    sendTo(server, path, { cookie, headers: { accept: 'text/html' } })
  /** Whether a list has the business. Its structured data leave out what it offers instead. */
  const lists = async (path: string, cookie?: string) => {
    const answer = await get(path, cookie)
    expect(answer.status).toBe(200)
    const [, structured = ''] = (await answer.text()).split('application/ld+json')
    return (structured.split('</script>')[0] ?? '').includes(`/business/${business.id}`)
  }
  const untilReplica = (state: string) =>
    expect
      .poll(async () => (await (await get('/health/ready')).json()).replica, { timeout: 40_000 })
      .toBe(state)

  async function caughtUp() {
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(
      onPrimary.db,
    )
    await expect
      .poll(
        async () => {
          const { rows: there } = await sql<{ is: boolean }>`
            select pg_last_wal_replay_lsn() >= ${rows[0]?.lsn}::pg_lsn as is`.execute(onStandby.db)
          return there[0]?.is
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  }

  /** Runs work while the standby shows the past. */
  async function whileReplayIsPaused(work: () => Promise<void>) {
    await sql`select pg_wal_replay_pause()`.execute(onStandby.db)
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          state: string
        }>`select pg_get_wal_replay_pause_state() as state`.execute(onStandby.db)
        return rows[0]?.state
      })
      .toBe('paused')
    try {
      await work()
    } finally {
      await sql`select pg_wal_replay_resume()`.execute(onStandby.db)
      await caughtUp()
    }
  }

  /** Moves the clock by which the server measures time, until the test ends. */
  function skips(ms: number): void {
    const now = performance.now.bind(performance)
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
    onTestFinished(() => spy.mockRestore())
  }

  const rename = (name: string) =>
    onPrimary.db.updateTable('businesses').set({ name }).where('id', '=', business.id).execute()

  it('searches words on the standby, and everything else on the primary', async () => {
    await whileReplayIsPaused(async () => {
      await rename('Zanzibar Hall')
      expect(await lists('/venues-vendors?q=zanzibar')).toBe(false)
      expect(await lists('/venues?q=zanzibar')).toBe(false)
      // The list of all, and its order by price, which the triggers of the primary keep current.
      expect(await (await get('/venues-vendors')).text()).toContain('Zanzibar Hall')
      expect(await (await get('/venues?sort=price')).text()).toContain('Zanzibar Hall')
      expect(await (await get(`/business/${business.id}`)).text()).toContain('Zanzibar Hall')
      // An account sees at once what it has just changed.
      expect(await lists('/venues-vendors?q=zanzibar', vendor)).toBe(true)
    })
    expect(await lists('/venues-vendors?q=zanzibar')).toBe(true)
  })

  it('reads the map of a search with words on the standby', async () => {
    const map = async (query: string) =>
      (await (await get(`/api/map?${query}`)).json()).groups.reduce(
        (sum: number, { count }: { count: number }) => sum + count,
        0,
      )
    const before = await map('q=garden')
    await whileReplayIsPaused(async () => {
      await aBusiness(onPrimary.db, { place_id: business.place_id, name: 'A Third Garden' })
      expect(await map('q=garden')).toBe(before)
      expect(await map('category=Venues')).toBeGreaterThan(before)
    })
    expect(await map('q=garden')).toBe(before + 1)
  })

  it('reads free times on the primary, so it never offers a day that has just been taken', async () => {
    await rename('Corella House')
    await caughtUp()
    const search = `/venues-vendors?date=${DAY}&q=corella`
    expect(await lists(search)).toBe(true)
    await whileReplayIsPaused(async () => {
      const during = `[${DAY}T00:00:00+11:00,2026-12-13T12:00:00+11:00)`
      await onPrimary.db
        .insertInto('slots')
        .values({
          ...{ id: newId(), business_id: business.id, kind: 'block', during, event: during },
          ...{ time_zone: 'Australia/Melbourne', is_exclusive: false, expires_at: null },
          ...{ payment_id: null, booking_id: null, created_at: NOW },
        })
        .execute()
      expect(await lists(search)).toBe(false)
      expect(await lists('/venues-vendors?q=corella')).toBe(true)
    })
  })

  it('searches on the primary while the standby is stopped, stays ready, and returns to it', async () => {
    const readsOf = async () => {
      const text = await (await get('/metrics')).text()
      const totalOf = (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1],
        )
      return {
        used: totalOf('jubilee_replica_used'),
        answered: totalOf('jubilee_replica_reads_total{outcome="answered"}'),
        skipped: totalOf('jubilee_replica_reads_total{outcome="skipped"}'),
      }
    }
    await rename('Lorikeet Loft')
    await caughtUp()
    standby.halt()
    expect(await lists('/venues-vendors?q=lorikeet')).toBe(true)
    await untilReplica('down')
    expect((await get('/health/ready')).status).toBe(200)
    const during = await readsOf()
    expect(during.used).toBe(0)
    expect(await lists('/venues-vendors?q=lorikeet')).toBe(true)
    const after = await readsOf()
    expect(after.answered).toBe(during.answered)
    expect(after.skipped).toBeGreaterThan(during.skipped)

    standby.start()
    skips(REST_MS)
    await untilReplica('ok')
    // It opens before it has replayed again what it had replayed, which the limit of this test allows.
    await caughtUp()
    expect(await lists('/venues-vendors?q=lorikeet')).toBe(true)
    expect((await readsOf()).answered).toBeGreaterThan(after.answered)
  }, 90_000)
})
