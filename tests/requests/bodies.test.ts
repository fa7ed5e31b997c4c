import { readdirSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  BODY_WINDOW_MS,
  LARGE_BODIES_IN_FLIGHT,
  MAX_BODY_BYTES,
  MIN_BODY_BYTES_PER_WINDOW,
} from '../../app/shared/body-limits.ts'
import { logIn } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'

const MB = 1_048_576
const ASK = '/business/harbour-light-pavilion/ask'
let server: TestServer
let vendor = ''
const opened = new Set<ReturnType<typeof request>>()

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    demo: true,
    listen: true,
    // X-Forwarded-For names the sender.
    env: { TRUSTED_PROXY: '1', INBOUND_MAIL: '' },
  })
  vendor = await logIn(server, 'vendor@jubilee.example')
})
afterAll(() => server.close())
afterEach(() => {
  for (const one of opened) one.destroy()
  opened.clear()
})

type Sent = { method?: string; headers?: Record<string, string>; agent?: Agent }

/** Sends a request's head and the beginning of its body. `answer` resolves with the head of the response. */
function open(path: string, body: string | Buffer, { method = 'POST', headers = {}, agent }: Sent = {}) {
  const one = request(`${server.origin}${path}`, {
    method,
    headers: { origin: server.origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(agent ? { agent } : {}),
  })
  opened.add(one)
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    one.on('response', resolve)
    one.on('error', reject)
  })
  answer.catch(() => undefined)
  one.write(body)
  return { answer, end: () => one.end(), destroy: () => one.destroy() }
}

/** Sends a whole request and reads the whole response. */
async function send(path: string, body: string | Buffer, sent: Sent = {}) {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const one = open(path, body, { ...sent, headers: { ...length, ...sent.headers } })
  one.end()
  const answer = await one.answer
  const text = await textOf(answer)
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return text
}

const concrete = (path: string) => path.replace(/:\w+\??/g, 'none').replace('*', 'none')
const paths = [
  ...new Set([
    ...builtRoutes.map(({ path }) => concrete(path)),
    '/nope',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/LOGIN',
    '/%ff',
  ]),
]
const temporaryFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`jubilee-body-${process.pid}-`))

describe('a refusal of a body that has not arrived', () => {
  it.each(paths)('%s ends its connection', async (path) => {
    for (const method of ['POST', 'GET']) {
      // Longer than any route accepts.
      const headers = { 'content-length': String(60 * MB) }
      const answer = await open(path, 'x'.repeat(1_000), { method, headers }).answer
      expect([method, answer.headers.connection], `${answer.statusCode}`).toEqual([method, 'close'])
    }
  })

  it('reaches a client that sends everything before it reads', async () => {
    for (const [path, status] of [
      ['/login', 413],
      ['/api/upload', 401],
      ['/nope', 405],
      ['/webhooks/payments', 413],
    ] as const) {
      const answer = await send(path, Buffer.alloc(8 * MB, 'x'))
      expect([path, answer.status]).toEqual([path, status])
    }
  })

  it('says what is wrong to senders who may not attach, before their files arrive', async () => {
    const headers = { 'content-length': String(5 * MB), 'content-type': 'multipart/form-data; boundary=x' }
    const ask = async (path: string, more: Record<string, string> = {}) =>
      (await open(path, 'x', { headers: { ...headers, ...more } }).answer).statusCode
    expect(await ask('/api/upload')).toBe(401)
    expect(await ask('/my-profile')).toBe(302)
    expect(await ask('/messages/none')).toBe(302)
    expect(await ask('/conversations/no-such-link')).toBe(404)
    expect(await ask('/webhooks/mail')).toBe(404)
    expect(await ask('/login')).toBe(413)
  })
})

describe('a connection', () => {
  it.each(paths)('takes its next request after a small body to %s', async (path) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const first = await send(path, '{"a": 1}', {
          method,
          agent,
          headers: { 'content-type': 'application/json' },
        })
        expect(first.status, method).toBeGreaterThanOrEqual(200)
        const next = await send('/health/live', '', { method: 'GET', agent })
        expect([next.status, next.text], method).toEqual([200, 'ok'])
      }
    } finally {
      agent.destroy()
    }
  })

  it.each(['/', '/venues', '/login', '/health/live', '/favicon.ico'])(
    'answers 400 to two Host headers for %s',
    async (path) => {
      const { port } = new URL(server.origin)
      const socket = connect(Number(port), 'localhost')
      const first = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nhost: evil.example\r\n\r\n`)
      expect((await first).slice(0, 12)).toBe('HTTP/1.1 400')
      socket.destroy()
    },
  )
})

describe('a body under the minimum rate', () => {
  afterEach(() => vi.useRealTimers())

  it('ends with 408, and a faster one does not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const before = vi.getTimerCount()
    const headers = { 'content-length': '60000' }
    const slow = open('/login', 'email=', { headers })
    const fast = open('/login', `email=${'x'.repeat(MIN_BODY_BYTES_PER_WINDOW)}`, { headers })
    await expect.poll(() => vi.getTimerCount() - before).toBe(2)
    let isFastAnswered = false
    void fast.answer.then(
      () => {
        isFastAnswered = true
      },
      () => undefined,
    )
    await vi.advanceTimersByTimeAsync(BODY_WINDOW_MS)
    const answer = await slow.answer
    expect([answer.statusCode, answer.headers.connection]).toEqual([408, 'close'])
    expect(await textOf(answer)).toContain('This took too long to arrive.')
    expect(isFastAnswered).toBe(false)
  })
})

describe('the bodies in flight', () => {
  const large = { 'content-length': String(49 * MB), 'content-type': 'multipart/form-data; boundary=x' }
  const openFrom = (address: string) => open(ASK, 'x', { headers: { ...large, 'x-forwarded-for': address } })
  const isWaiting = (one: ReturnType<typeof open>) =>
    Promise.race([one.answer.then((answer) => answer.statusCode), settled().then(() => 'waits')])
  /** Resolves once the server has answered a request that was sent later. */
  const settled = () =>
    send('/health/live', '', { method: 'GET', headers: { 'x-forwarded-for': '198.18.9.9' } })

  it('stay within the limits of an address (429) and of the process (503), and make room when they end', async () => {
    const held: ReturnType<typeof open>[] = []
    const perAddress = Math.floor(LARGE_BODIES_IN_FLIGHT.address / (49 * MB))
    const perProcess = Math.floor(LARGE_BODIES_IN_FLIGHT.process / (49 * MB))
    for (let count = 0; count < perProcess; count++) {
      const one = openFrom(`198.18.1.${Math.floor(count / perAddress)}`)
      expect(await isWaiting(one)).toBe('waits')
      held.push(one)
    }
    const another = await openFrom('198.18.1.0').answer
    expect([another.statusCode, another.headers.connection, another.headers['retry-after']]).toEqual([
      429,
      'close',
      '5',
    ])
    expect(await textOf(another)).toContain('from your network')
    const stranger = await openFrom('198.18.2.1').answer
    expect([stranger.statusCode, stranger.headers['retry-after']]).toEqual([503, '5'])
    // Forms have a budget of their own.
    expect((await send('/login', 'email=x', { headers: { 'x-forwarded-for': '198.18.1.0' } })).status).toBe(
      400,
    )
    for (const one of held) one.destroy()
    await expect.poll(async () => isWaiting(openFrom('198.18.2.2')), { timeout: 10_000 }).toBe('waits')
  })
})

describe('a large body', () => {
  const BOUNDARY = 'a-boundary-of-27-characters'
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const form = (size: number) =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="kind"\r\n\r\nlisting\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
      ),
      Buffer.alloc(size, 'x'),
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ])

  it('leaves no file behind after a refusal, a response or a disconnect', async () => {
    const outcome = await send('/api/upload', form(2 * MB), { headers: { ...headers, cookie: vendor } })
    expect([400, 415, 422]).toContain(outcome.status)
    expect(temporaryFolders()).toEqual([])
    const tooLong = open('/api/upload', form(MB), {
      headers: { ...headers, cookie: vendor, 'transfer-encoding': 'chunked' },
    })
    await expect.poll(() => temporaryFolders().length, { timeout: 10_000 }).toBe(1)
    tooLong.destroy()
    await expect.poll(temporaryFolders, { timeout: 10_000 }).toEqual([])
    const endless = open('/api/upload', Buffer.alloc(13 * MB, 'x'), {
      headers: { ...headers, cookie: vendor, 'transfer-encoding': 'chunked' },
    })
    expect((await endless.answer).statusCode).toBe(413)
    await expect.poll(temporaryFolders, { timeout: 10_000 }).toEqual([])
  })

  it('gets 400 if it consists of part headers or has a long file name', async () => {
    const part = `--${BOUNDARY}\r\n`
    for (const body of [
      `${part}${'x-a: b\r\n'.repeat(100_000)}`,
      `${part}content-disposition: form-data; name="file"; filename="${'a'.repeat(MB)}"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
      `${`${part}content-disposition: form-data; name="file"\r\n\r\n\r\n`.repeat(10_000)}--${BOUNDARY}--\r\n`,
      `${part}\r\n${'\r\n'.repeat(500_000)}`,
    ]) {
      const answer = await send('/api/upload', body, { headers: { ...headers, cookie: vendor } })
      expect([answer.status, answer.text.slice(0, 80)]).toEqual([400, expect.any(String)])
    }
  })

  it('arrives in full, up to 64 kB through memory and beyond through the disk', async () => {
    const size = (bytes: number) => form(bytes - form(0).length)
    for (const bytes of [MAX_BODY_BYTES, MAX_BODY_BYTES + 1, 2 * MAX_BODY_BYTES, 3 * MAX_BODY_BYTES + 7]) {
      const answer = await send('/api/upload', size(bytes), { headers: { ...headers, cookie: vendor } })
      // Read in full: it is no picture.
      expect([bytes, answer.status]).toEqual([bytes, 415])
    }
  })
})
