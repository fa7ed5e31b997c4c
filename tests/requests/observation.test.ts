import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBusiness } from '../builders.ts'
import { requestsTo, sendTo } from '../client.ts'
import { createServerDatabase, openTestDatabase } from '../database.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { freePort } from '../free-port.ts'
import { findPostgres } from '../postgres.ts'
import { startServer, type TestServer } from '../server.ts'
import { COMPILE_CACHE, prepareDatabase, SHORT_LIVED } from '../server-process.ts'

const TOKEN = 'a-token-for-metrics'
const folder = mkdtempSync(join(tmpdir(), 'jubilee-observation-'))
let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const { get } = requestsTo(() => server)

/** Parses the text format as strictly as Prometheus does. */
async function metricsOf(from: TestServer): Promise<Map<string, number>> {
  const text = await (await sendTo(from, '/metrics')).text()
  const found = new Map<string, number>()
  const typed = new Set<string>()
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-z_:][a-z0-9_:]*) .+$/.exec(line)
    if (comment?.[1] === 'TYPE') typed.add(comment[2] ?? '')
    if (comment) continue
    const sample =
      /^([a-z_:][a-z0-9_:]*?)(_bucket|_sum|_count)?(\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+\})? (\S+)$/.exec(
        line,
      )
    expect(sample, line).not.toBeNull()
    const [, name = '', part = '', labels = '', value = ''] = sample ?? []
    expect(typed.has(name) || typed.has(name + part), line).toBe(true)
    expect(Number.isFinite(Number(value)), line).toBe(true)
    expect(found.has(name + part + labels), line).toBe(false)
    found.set(name + part + labels, Number(value))
  }
  return found
}

describe('/health', () => {
  it('reports that the process is alive and ready', async () => {
    const live = await get('/health/live')
    expect([live.status, await live.text()]).toEqual([200, 'ok'])
    const ready = await get('/health/ready')
    expect(ready.status).toBe(200)
    expect(ready.headers.get('cache-control')).toBe('no-store')
    expect(await ready.json()).toEqual({
      ready: true,
      stopping: false,
      parts: { database: 'ok', migrations: 'ok', files: 'ok' },
    })
  })

  it('fails its readiness check while files can’t be stored, and recovers on its own', async () => {
    const { fileStore } = server.services.config
    if (fileStore.kind !== 'disk') throw new Error('expected files on the disk')
    const files = fileStore.folder
    await server.services.files.put('a.webp', { bytes: new Uint8Array([1]), contentType: 'image/webp' })
    renameSync(files, `${files}-away`)
    writeFileSync(files, 'in the way')
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 10_000 }).toBe(503)
    const answer = await get('/health/ready')
    expect(await answer.json()).toMatchObject({ ready: false, parts: { files: 'down', database: 'ok' } })
    expect((await get('/health/live')).status).toBe(200)
    rmSync(files)
    renameSync(`${files}-away`, files)
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 10_000 }).toBe(200)
  })

  it('fails its readiness check once shutdown has begun', async () => {
    const stopped = await startServer({ openDatabase: openTestDatabase })
    stopped.services.stopping.abort()
    const answer = await sendTo(stopped, '/health/ready')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ ready: false, stopping: true, parts: { database: 'ok' } })
    expect((await sendTo(stopped, '/health/live')).status).toBe(200)
    await stopped.close()
  })
})

describe('/metrics', () => {
  it('answers local requests only, none forwarded by a proxy', async () => {
    expect((await get('/metrics')).status).toBe(200)
    expect((await get('/metrics', { address: '127.0.0.1' })).status).toBe(404)
  })

  it('refuses a foreign host name that resolves to this machine', async () => {
    const foreign = new Request('http://rebound.example:3000/metrics', {
      headers: { host: 'rebound.example:3000' },
    })
    expect((await server.fetch(foreign)).status).toBe(404)
  })

  it('answers nobody without a token where people use a public address, except on a port of its own', async () => {
    const env = {
      PUBLIC_URL: 'https://market.example',
      SECRET: 'only-for-this-test-only-for-this-test',
      PAYMENTS: 'sandbox',
      MAIL: 'outbox',
      METRICS_PORT: String(await freePort()),
    }
    const open = await startServer({ openDatabase: openTestDatabase, env })
    // As an ordinary proxy on this machine sends it.
    const asked = () => new Request('http://localhost:3000/metrics')
    expect((await open.fetch(asked())).status).toBe(404)
    expect((await open.fetchObservation(asked())).status).toBe(200)
    const forwarded = new Request(asked(), { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect((await open.fetchObservation(forwarded)).status).toBe(404)
    await open.close()
  })

  it('reports the longest pause of the event loop', async () => {
    const found = await metricsOf(server)
    const longest = found.get('nodejs_eventloop_delay_max_seconds') ?? -1
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeGreaterThanOrEqual(found.get('nodejs_eventloop_delay_p99_seconds') ?? 0)
  })

  it('requires the token when one is set', async () => {
    const guarded = await startServer({ openDatabase: openTestDatabase, env: { METRICS_TOKEN: TOKEN } })
    const ask = async (headers: Record<string, string>) =>
      (await sendTo(guarded, '/metrics', { headers })).status
    expect(await ask({ authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.7' })).toBe(200)
    expect(await ask({})).toBe(404)
    expect(await ask({ authorization: `Bearer ${TOKEN}x` })).toBe(404)
    expect(await ask({ authorization: TOKEN })).toBe(404)
    await guarded.close()
  })

  it('counts requests by route and status, never by full address', async () => {
    const names = {
      missing: 'jubilee_http_requests_total{route="/business/:id",status="4xx"}',
      home: 'jubilee_http_requests_total{route="/",status="2xx"}',
      homeTimes: 'jubilee_http_request_duration_seconds_count{route="/"}',
    }
    const before = await metricsOf(server)
    await get('/business/nothing-called-one')
    await get('/business/nothing-called-two')
    await get('/business/nothing-called-three.data')
    await get('/no-such-thing-at-all')
    await get('/')
    const after = await metricsOf(server)
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(more(names.missing)).toBe(3)
    expect(more(names.home)).toBe(1)
    expect(more(names.homeTimes)).toBe(1)
    expect([...after.keys()].join()).not.toMatch(/nothing-called|no-such-thing/)
  })

  it('reports payments, jobs and live connections', async () => {
    // Counts from the database are cached for a while, so this needs a fresh process.
    const fresh = await startServer({ openDatabase: openTestDatabase })
    const { db, jobs, liveUpdates } = fresh.services
    const business = await aBusiness(db)
    await bookAndPay(fresh.services, {
      businessId: business.id,
      amountCents: 45_500,
      booking: aBookingForm(),
    })
    const mail = { messageId: 'x', to: 'kim@example.com', subject: 's', text: 't', html: 'h' }
    const startAfter = new Date(Date.now() + 3_600_000)
    await db.transaction().execute((tx) => jobs.enqueue(tx, 'send-mail', mail, { startAfter }))
    const now = new Date()
    await db
      .insertInto('proofs')
      .values({ id: 'p', began_at: now, ended_at: now, difference_count: 3, checks: '[]' })
      .execute()
    const stop = liveUpdates.subscribe(['booking:x', 'booking:y'], () => {})
    const metrics = await metricsOf(fresh)
    expect(metrics.get('jubilee_payments{state="paid"}')).toBe(1)
    expect(metrics.get('jubilee_payments_stuck')).toBe(0)
    expect(metrics.get('jubilee_refunds_overdue')).toBe(0)
    expect(metrics.get('jubilee_disputes_due')).toBe(0)
    expect(metrics.get('jubilee_ledger_differences')).toBe(3)
    expect(metrics.get('jubilee_jobs{name="send-mail",state="waiting"}')).toBeGreaterThanOrEqual(1)
    expect(metrics.get('jubilee_live_connections')).toBe(1)
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    stop()
    stop()
    expect((await metricsOf(fresh)).get('jubilee_live_connections')).toBe(0)
    await fresh.close()
  })
})

describe('the log', () => {
  it('identifies requests by id and route, without secrets or personal data', async () => {
    const port = String(await freePort())
    const origin = `http://localhost:${port}`
    const dataFolder = join(folder, 'logged')
    await prepareDatabase(dataFolder)
    const child = spawn(process.execPath, [...SHORT_LIVED, 'server/start.ts'], {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: dataFolder,
        PORT: port,
        LOG_LEVEL: 'info',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
      },
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    try {
      await expect.poll(() => output, { timeout: 80_000 }).toContain(`is at ${origin}`)
      // A server that stops waits for connections that may be used again.
      const connection = 'close'
      const answer = await fetch(
        `${origin}/bookings/secrettokensecrettokensecrettoken?email=kim@example.com`,
        {
          headers: { connection },
        },
      )
      const requestId = answer.headers.get('x-request-id')
      await fetch(`${origin}/login`, {
        method: 'POST',
        headers: { origin, connection },
        body: new URLSearchParams({ email: 'kim@example.com', password: 'not the password' }),
      })
      await expect.poll(() => output, { timeout: 10_000 }).toContain('"route":"/login"')
      const lines = output.split('\n').filter((line) => line.startsWith('{'))
      const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(logged.find((line) => line.requestId === requestId)).toMatchObject({
        route: '/bookings/:linkToken',
        method: 'GET',
        status: 404,
        ms: expect.any(Number),
      })
      expect(lines.join('\n')).not.toMatch(/secrettoken|kim@example|not the password/)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }, 120_000)
})

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write(
    'No PostgreSQL server on this machine: readiness without its database is not tested.\n',
  )

describe.skipIf(!hasPostgres)('a server on PostgreSQL', () => {
  let proxy: Server
  let onPostgres: TestServer
  let isCut = false
  const sockets = new Set<Socket>()

  beforeAll(async () => {
    const databaseUrl = await createServerDatabase()
    const { port } = new URL(databaseUrl)
    proxy = createServer((socket) => {
      if (isCut) return socket.destroy()
      const onward = connect(Number(port), '127.0.0.1')
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        sockets.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      }
      return socket
    })
    const proxyPort = await freePort()
    await new Promise<void>((resolve) => proxy.listen(proxyPort, '127.0.0.1', resolve))
    onPostgres = await startServer({
      env: {
        DATABASE_URL: databaseUrl.replace(port, String(proxyPort)),
        SECRET: 'only-for-this-test-only-for-this-test',
        PAYMENTS: 'sandbox',
        MAIL: 'outbox',
        LOG_LEVEL: 'silent',
      },
    })
  })
  afterAll(async () => {
    isCut = false
    await onPostgres.close()
    proxy.close()
  })

  it('comes with a runbook in docs/operate.md for every alert, and no other', () => {
    const alerts = readFileSync('deploy/alerts.yaml', 'utf8').match(/(?<=alert: )\w+/g) ?? []
    const runbooks = readFileSync('docs/operate.md', 'utf8').match(/(?<=`)Jubilee[A-Z]\w+(?=`)/g) ?? []
    expect(alerts.length).toBeGreaterThan(8)
    expect([...new Set(runbooks)].toSorted()).toEqual(alerts.toSorted())
  })

  it('exports every metric that the dashboard and the alerts use', async () => {
    const text = await (await sendTo(onPostgres, '/metrics')).text()
    const given = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) =>
      kind === 'histogram' ? `${name}_bucket` : name,
    )
    for (const file of ['deploy/grafana-dashboard.json', 'deploy/alerts.yaml']) {
      const asked = readFileSync(file, 'utf8').match(/\b(jubilee|process|nodejs)(_[a-z0-9]+)+\b/g) ?? []
      expect(asked.length, file).toBeGreaterThan(8)
      for (const name of asked) expect(given, `${name} in ${file}`).toContain(name)
    }
  })

  it('stays alive without its database, but not ready, still exports its own metrics, and recovers', async () => {
    const status = async () => (await sendTo(onPostgres, '/health/ready')).status
    expect(await status()).toBe(200)
    const before = await metricsOf(onPostgres)
    expect(before.get('jubilee_database_pool_connections{state="open"}')).toBeGreaterThan(0)
    expect(before.has('jubilee_payments_stuck')).toBe(true)
    isCut = true
    for (const socket of sockets) socket.destroy()
    await expect.poll(status, { timeout: 20_000 }).toBe(503)
    expect(await (await sendTo(onPostgres, '/health/ready')).json()).toMatchObject({
      parts: { database: 'down', migrations: 'down', files: 'ok' },
    })
    expect((await sendTo(onPostgres, '/health/live')).status).toBe(200)
    expect(
      (await metricsOf(onPostgres)).get('jubilee_http_requests_total{route="/health/ready",status="5xx"}'),
    ).toBeGreaterThan(0)
    isCut = false
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
  })
})
