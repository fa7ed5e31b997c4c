import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { aBusiness } from './builders.ts'
import { aSignUp, cookiesOf, sendTo } from './client.ts'
import { type Cluster, findPostgres, startPostgres } from './postgres.ts'
import { startServerProcess } from './server-process.ts'

/** Real server processes whose PostgreSQL stops, comes back, is overloaded, or fails over to its standby. */

const programs = findPostgres()
if (!programs)
  process.stdout.write('No PostgreSQL server on this machine: an unavailable database is not tested.\n')

const HTML = { accept: 'text/html' }

describe.skipIf(!programs)('a server whose database fails', () => {
  let folder: string
  const clusters: Cluster[] = []
  const connections: PostgresConnection[] = []
  let server: Awaited<ReturnType<typeof startServerProcess>> | null = null

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jubilee-away-'))
  })
  afterEach(async () => {
    server?.child.kill('SIGKILL')
    await server?.ended
    server = null
    for (const connection of connections.splice(0)) await connection.close()
    for (const cluster of clusters.splice(0)) cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function open(cluster: Cluster): PostgresConnection {
    const connection = openPostgres(cluster.url, () => {})
    connections.push(connection)
    return connection
  }

  async function startAll(addressOf: (cluster: Cluster) => Promise<string>) {
    const cluster = await startPostgres(programs ?? '')
    clusters.push(cluster)
    const connection = open(cluster)
    await migrate(connection, 'database/migrations')
    const business = await aBusiness(connection.db)
    server = await startServerProcess({ folder, databaseUrl: await addressOf(cluster) })
    return { cluster, connection, businessId: business.id, origin: server.origin }
  }

  const readiness = async (origin: string) => (await fetch(`${origin}/health/ready`)).status
  const register = (origin: string, email: string) =>
    sendTo({ origin }, '/signup', { fields: aSignUp(email), headers: HTML })
  /** Requests an uncached page: a parameter that no page reads makes it render for this request alone. */
  const look = (origin: string, businessId: string, nth: number) =>
    fetch(`${origin}/business/${businessId}?nth=${nth}`, { headers: HTML })

  it('explains a stopped database on every page without delay, and recovers on its own', async () => {
    const { cluster, businessId, origin } = await startAll(async ({ url }) => url)
    expect((await look(origin, businessId, 0)).status).toBe(200)
    const kept = await (await fetch(`${origin}/business/${businessId}`)).text()
    const vendor = cookiesOf(await register(origin, 'vendor@example.com'))
    cluster.halt()
    await expect.poll(() => readiness(origin), { timeout: 20_000 }).toBe(503)
    expect((await fetch(`${origin}/health/live`)).status).toBe(200)
    // Those that arrive together share a statement, so all of them must learn why it failed.
    const views = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${origin}/api/view`, { method: 'POST', headers: { origin }, body: businessId }),
      ),
    )
    expect(views.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    const shown = await fetch(`${origin}/business/${businessId}`)
    expect([shown.status, await shown.text()]).toEqual([200, kept])

    const answer = await look(origin, businessId, 1)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(await answer.text()).toContain('Back in a moment')
    // A live list shows the failure in its own frame.
    const bookings = await fetch(`${origin}/dashboard/bookings`, { headers: { ...HTML, cookie: vendor } })
    expect([bookings.status, bookings.headers.get('retry-after')]).toEqual([503, '5'])
    const list = await bookings.text()
    expect(list).toContain('Error loading bookings')
    expect(list).toMatch(/<nav aria-label="Dashboard"/)
    // A sign-out fails and keeps the session.
    const leaving = await fetch(`${origin}/logout`, {
      method: 'POST',
      headers: { origin, ...HTML, cookie: vendor },
      redirect: 'manual',
    })
    expect([leaving.status, leaving.headers.getSetCookie()]).toEqual([503, []])
    const write = await register(origin, 'ines@example.com')
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '5'])
    const data = await fetch(`${origin}/business/${businessId}.data?nth=1`)
    expect(data.status).toBe(503)
    const many = await Promise.all(Array.from({ length: 200 }, (_, nth) => look(origin, businessId, nth)))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([503]))

    cluster.start()
    await expect.poll(() => readiness(origin), { timeout: 20_000 }).toBe(200)
    expect((await look(origin, businessId, 2)).status).toBe(200)
    const back = await fetch(`${origin}/dashboard/bookings`, { headers: { ...HTML, cookie: vendor } })
    expect([back.status, (await back.text()).includes('Error loading bookings')]).toEqual([200, false])
    expect((await register(origin, 'ines@example.com')).status).toBe(302)
  }, 120_000)

  it('queues a limited number of requests while the database is overloaded, answers 503 to the others, and recovers', async () => {
    const { connection, businessId, origin } = await startAll(async ({ url }) => url)
    expect((await look(origin, businessId, 0)).status).toBe(200)
    const statuses: number[] = []
    let asked: Promise<void>[] = []
    await connection.db.transaction().execute(async (tx) => {
      await sql`lock table businesses in access exclusive mode`.execute(tx)
      asked = Array.from({ length: 250 }, async (_, nth) => {
        const answer = await look(origin, businessId, nth)
        await answer.text()
        statuses.push(answer.status)
      })
      // Ten requests hold a connection. Of the others, a hundred wait for one, for at most five seconds.
      await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(240)
      expect(new Set(statuses)).toEqual(new Set([503]))
    })
    await Promise.all(asked)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await look(origin, businessId, 1)).status).toBe(200)
  }, 120_000)

  it('continues on the standby after a failover with reads, writes, sessions, cached pages and jobs', async () => {
    let standby: Awaited<ReturnType<Cluster['startStandby']>> | undefined
    const { cluster, connection, businessId, origin } = await startAll(async (primary) => {
      standby = await primary.startStandby()
      clusters.push(standby)
      const hosts = [standby, primary].map(({ url }) => new URL(url).host)
      return `postgres://jubilee@${hosts.join(',')}/postgres?target_session_attrs=read-write`
    })
    if (!standby) throw new Error('There is no standby.')
    const before = await register(origin, 'before@example.com')
    expect(before.status).toBe(302)
    const cookie = cookiesOf(before)
    const kept = async () => {
      const answer = await fetch(`${origin}/business/${businessId}`)
      return { isKept: answer.headers.get('cache-status') === 'pages; hit', text: await answer.text() }
    }
    await expect.poll(async () => (await kept()).isKept, { timeout: 20_000 }).toBe(true)
    const { lsn } = await connection.db
      .selectNoFrom(sql<string>`pg_current_wal_lsn()`.as('lsn'))
      .executeTakeFirstOrThrow()
    const there = open(standby)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ caughtUp: boolean }>`
          select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as "caughtUp"`.execute(there.db)
        return rows[0]?.caughtUp
      })
      .toBe(true)

    cluster.halt()
    await expect.poll(() => readiness(origin), { timeout: 20_000 }).toBe(503)
    expect((await register(origin, 'between@example.com')).status).toBe(503)

    standby.promote()
    await expect.poll(() => readiness(origin), { timeout: 20_000 }).toBe(200)
    const session = await fetch(`${origin}/api/session`, { headers: { cookie } })
    expect(await session.json()).toMatchObject({ user: { email: 'before@example.com' } })
    expect((await register(origin, 'after@example.com')).status).toBe(302)
    const emails = await there.db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', '%e%@example.com')
      .execute()
    expect(emails.map(({ email }) => email)).toEqual(
      expect.arrayContaining(['before@example.com', 'after@example.com']),
    )
    expect(emails.map(({ email }) => email)).not.toContain('between@example.com')
    await expect.poll(async () => (await kept()).isKept, { timeout: 20_000 }).toBe(true)
    await there.db
      .updateTable('businesses')
      .set({ name: 'The Other Hall' })
      .where('id', '=', businessId)
      .execute()
    await expect.poll(async () => (await kept()).text, { timeout: 10_000 }).toContain('The Other Hall')
    const outbox = join(folder, 'outbox')
    const mails = () =>
      readdirSync(outbox)
        .map((name) => readFileSync(join(outbox, name), 'utf8'))
        .join()
    await expect.poll(mails, { timeout: 30_000 }).toContain('after@example.com')
  }, 180_000)
})
