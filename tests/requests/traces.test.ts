import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aBookingForm, aBusiness } from '../builders.ts'
import { requestsTo, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'
import { startServerProcess } from '../server-process.ts'

/** Traces as an OTLP collector receives them, over HTTP on this machine. */

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
/** A server that stops waits for connections that may be used again. */
const CLOSE = { connection: 'close' }
/** The caller of requests that only the last look at everything is about. */
const OTHER_CALLER = '00-1af7651916cd43dd8448eb211c80319d-c7ad6b7169203332-01'
const SERVER_KIND = 2
const CLIENT_KIND = 3
const CONSUMER_KIND = 5
const ERROR_STATUS = 2

type Value = { stringValue?: string; intValue?: number | string }
type Attributes = { key: string; value: Value }[]
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attributes
  status?: { code?: number }
  startTimeUnixNano: string
  endTimeUnixNano: string
}
type Sent = {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: SentSpan[] }[] }[]
}

/** Every address with a parameter, from the router's table, with a secret in each parameter's place. */
const PARAMETER = 'secretparametersecretparameter'
const addressesWithParameters = builtRoutes
  .filter(({ path }) => /[:*]/.test(path))
  .map(({ path }) => path.replaceAll(/:\w+\??|\*/g, PARAMETER))

/** Starts a server that records every request. */
async function startCollector() {
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = () => received.flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    resources: () => sent().map(({ resource }) => readAttributes(resource.attributes)),
    spans: () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readAttributes(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'jubilee-traces-'))
let collector: Awaited<ReturnType<typeof startCollector>>
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(async () => {
  await collector.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('tracing with a collector', () => {
  let server: TestServer
  let businessId: string
  let spans: SentSpan[]
  let logId: string

  beforeAll(async () => {
    server = await startServer({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=one%20key',
        OTEL_SERVICE_NAME: 'jubilee-test',
        LOG_LEVEL: 'silent',
      },
    })
    businessId = (await aBusiness(server.services.db)).id
    const { send: ask } = requestsTo(() => server)
    const booked = await ask('/create-payment-intent', {
      headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
      json: {
        amount: 45_500,
        submitKey: 'a-submit-key-that-names-one-press',
        businessId,
        booking: aBookingForm({ date: '2037-03-14' }),
      },
    })
    expect(booked.status).toBe(200)
    logId = booked.headers.get('x-request-id') ?? ''
    await ask('/bookings/secrettokensecrettokensecrettoken?email=kim@example.com')
    await ask('/venues-vendors?q=kims+secret+party', { headers: { traceparent: 'nonsense' } })
    await ask('/health/ready')
    await ask('/no/such/page', { method: 'KIM' })
    expect(addressesWithParameters.length).toBeGreaterThan(30)
    for (const path of addressesWithParameters)
      for (const method of ['GET', 'POST'])
        await ask(path, { method, headers: { traceparent: OTHER_CALLER } })
    await server.services.db.transaction().execute((tx) =>
      server.services.jobs.enqueue(tx, 'send-mail', {
        messageId: '<traced@localhost>',
        to: 'kim@example.com',
        subject: 'Hello Kim Lee',
        text: '',
        html: '',
      }),
    )
    await vi.waitFor(async () => expect(await server.services.outbox?.list(5)).toHaveLength(1), 20_000)
    // A graceful shutdown sends the remaining spans.
    await server.close()
    spans = collector.spans()
  })

  const named = (name: string) => {
    const found = spans.find((span) => span.name === name)
    if (!found) throw new Error(`No span ${name} among ${spans.map((span) => span.name)}`)
    return found
  }
  const under = (parent: SentSpan) => spans.filter((span) => span.parentSpanId === parent.spanId)

  it('reports a request under its caller’s span, with its database statements as children', () => {
    const request = named('POST /create-payment-intent')
    expect(request).toMatchObject({
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      kind: SERVER_KIND,
    })
    expect(readAttributes(request.attributes)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/create-payment-intent',
      'http.response.status_code': 200,
      'jubilee.request_id': logId,
    })
    const statements = under(request)
    expect(statements.length).toBeGreaterThan(5)
    for (const statement of statements) {
      expect(statement).toMatchObject({ traceId: CALLER.traceId, kind: CLIENT_KIND })
      expect(Number(statement.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(statement.startTimeUnixNano))
    }
    const insert = statements.find(({ name }) => name === 'insert payments')
    const { 'db.query.text': text } = readAttributes(insert?.attributes ?? [])
    expect(text).toMatch(/^insert into "payments" .*\$1, \$2/)
  })

  it('starts a new trace for a missing or malformed traceparent', () => {
    const search = named('GET /venues-vendors')
    expect(search.parentSpanId ?? '').toBe('')
    expect(search.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(search.traceId).not.toBe(CALLER.traceId)
    expect(under(search).length).toBeGreaterThan(0)
  })

  it('names routes by pattern and unknown methods as _OTHER, and leaves health checks out', () => {
    expect(readAttributes(named('GET /bookings/:linkToken').attributes)).toMatchObject({
      'http.response.status_code': 404,
    })
    const requests = spans.filter(
      ({ kind, traceId }) => kind === SERVER_KIND && !OTHER_CALLER.includes(traceId),
    )
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /create-payment-intent',
      'GET /bookings/:linkToken',
      'GET /venues-vendors',
      expect.stringMatching(/^_OTHER( \/\*)?$/),
    ])
  })

  it('reports a job and its outgoing calls', () => {
    const job = named('job send-mail')
    expect(job.kind).toBe(CONSUMER_KIND)
    expect(job.parentSpanId ?? '').toBe('')
    expect(under(job).map(({ name }) => name)).toContain('mail send')
    expect(named('mail send').status?.code ?? 0).not.toBe(ERROR_STATUS)
  })

  it('sends no personal data, no secrets and no parameters of statements', () => {
    const everything = collector.received.map(({ body }) => body).join('\n')
    expect(everything.length).toBeGreaterThan(1_000)
    for (const secret of [
      'kim@example.com',
      'Kim Lee',
      '0411 222 333',
      'secrettoken',
      PARAMETER,
      'a-submit-key',
      'secret party',
      'secret+party',
      businessId,
    ])
      expect(everything, secret).not.toContain(secret)
  })

  it('posts to the standard path with the configured headers, as one service instance', () => {
    for (const { path, headers } of collector.received) {
      expect(path).toBe('/v1/traces')
      expect(headers).toMatchObject({ 'api-key': 'one key', 'content-type': 'application/json' })
    }
    const instances = new Set(collector.resources().map((resource) => resource['service.instance.id']))
    expect(instances.size).toBe(1)
    expect(collector.resources()[0]).toMatchObject({
      'service.name': 'jubilee-test',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'process.pid': process.pid,
    })
  })
})

describe('an unavailable collector', () => {
  it('breaks no request, does not hold up shutdown, and is logged once, without a parameter of an address', async () => {
    const path = join(folder, 'away.log')
    const place = { folder: join(folder, 'away'), databaseUrl: null }
    const { origin, child, ended } = await startServerProcess(place, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      LOG_LEVEL: 'info',
    })
    child.stdout?.on('data', (chunk) => appendFileSync(path, chunk))
    const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
    const problems = () => lines().filter((line) => line.includes('traces can’t be sent'))
    const look = () => fetch(`${origin}/bookings/nobodysbookingnobodysbooking`, { headers: CLOSE })
    for (let index = 0; index < 150; index++) expect((await look()).status).toBe(404)
    await expect.poll(problems, { timeout: 20_000 }).toHaveLength(1)
    for (let index = 0; index < 50; index++) expect((await look()).status).toBe(404)
    for (const address of addressesWithParameters)
      for (const method of ['GET', 'POST'])
        await (await fetch(`${origin}${address}`, { method, headers: { ...CLOSE, origin } })).text()
    const metrics = await (await fetch(`${origin}/metrics`, { headers: CLOSE })).text()
    expect(metrics).toContain('jubilee_')
    expect(metrics).not.toContain(PARAMETER)
    const request = lines()
      .map((line) => JSON.parse(line))
      .find((line) => line.msg === 'request')
    expect(request.traceId).toMatch(/^[0-9a-f]{32}$/)
    const from = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toBeNull()
    expect(child.exitCode).toBe(0)
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(problems()).toHaveLength(1)
    const requests = lines().filter((line) => line.includes('"msg":"request"'))
    expect(requests.length).toBeGreaterThan(2 * addressesWithParameters.length)
    expect(lines().filter((line) => line.includes(PARAMETER))).toEqual([])
  }, 120_000)
})

describe('tracing without a collector', () => {
  /** Returns the list of modules that a server process loads. */
  async function modulesOf(name: string, env: Record<string, string>): Promise<string> {
    const list = join(folder, `${name}.txt`)
    const hook = join(folder, `${name}.mjs`)
    writeFileSync(
      hook,
      `import { appendFileSync } from 'node:fs'
       import { registerHooks } from 'node:module'
       registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context) } })`,
    )
    const place = { folder: join(folder, name), databaseUrl: null }
    const { origin, child, ended } = await startServerProcess(place, {
      NODE_OPTIONS: `--import ${hook}`,
      ...env,
    })
    expect((await fetch(`${origin}/venues-vendors?q=garden`, { headers: CLOSE })).status).toBe(200)
    child.kill('SIGTERM')
    await ended
    return readFileSync(list, 'utf8')
  }

  it('loads no OpenTelemetry SDK', async () => {
    const [without, withCollector] = await Promise.all([
      modulesOf('without', {}),
      modulesOf('with', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    ])
    expect(withCollector).toMatch(/node_modules\/@opentelemetry\/sdk-trace\//)
    expect(without).toContain('node_modules/kysely/')
    // The account library loads the OpenTelemetry API on its own. Without an SDK that does nothing.
    expect(without).not.toMatch(/@opentelemetry\/(?!api\/)|opentelemetry\.server/)
  }, 120_000)

  it('creates no spans', async () => {
    const server = await startServer({ openDatabase: openTestDatabase })
    expect(server.services.traces.isOn).toBe(false)
    const answer = await sendTo(server, '/venues-vendors?q=garden', {
      headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
    })
    expect(answer.status).toBe(200)
    await server.close()
  })
})
