import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../shared/time-units.ts'
import { type CalendarReaderOptions, createCalendarReader } from './http.server.ts'

const WINDOW = { from: new Date('2026-09-01T00:00:00Z'), until: new Date('2028-09-01T00:00:00Z') }
const ZONE = 'Australia/Melbourne'
const CALENDAR = readFileSync(new URL('../../../tests/calendars/google.ics', import.meta.url))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a calendar server on this machine. */
async function serve(answer: RequestListener): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const plain = (_: IncomingMessage, response: ServerResponse) => response.end(CALENDAR)

/** A reader that allows this machine's own server and is otherwise as in the product. */
const reader = (options: Partial<CalendarReaderOptions> = {}) =>
  createCalendarReader({
    userAgent: 'Jubilee',
    ownUidSuffix: null,
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
    ...options,
  })

const read = (url: string, options: Partial<CalendarReaderOptions> = {}, etag: string | null = null) =>
  reader(options).read(url, WINDOW, ZONE, etag)

const refused = (reason: string) => ({ ok: false, reason })

describe('reading a calendar', () => {
  it('ignores the content type', async () => {
    const { url, requests } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(CALENDAR),
    )
    const answer = await read(`${url}/private-abc/basic.ics?x=1`)
    expect(answer).toMatchObject({ ok: true, unchanged: false })
    expect(answer.ok && answer.events.length).toBe(6)
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/private-abc/basic.ics?x=1' })
    expect(requests[0]?.headers['user-agent']).toBe('Jubilee')
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decompresses %s', async (encoding, pack) => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(CALENDAR)),
    )
    expect(await read(url)).toMatchObject({ ok: true })
  })

  it('returns no events while the server answers 304', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"one"' }).end(CALENDAR)
    })
    const first = await read(url)
    if (!first.ok) throw new Error(first.reason)
    expect(await read(url, {}, first.etag)).toEqual({
      ok: true,
      unchanged: true,
      etag: first.etag,
      events: [],
    })
    expect(requests.map((each) => each.headers['if-none-match'])).toEqual([undefined, '"one"'])
  })

  it('recognises an unchanged text without an ETag', async () => {
    const { url } = await serve(plain)
    const first = await read(url)
    if (!first.ok) throw new Error(first.reason)
    expect(await read(url, {}, first.etag)).toMatchObject({ ok: true, unchanged: true })
  })

  it('parses the same text again on another day or for another zone', async () => {
    const { url } = await serve((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end()
      else response.writeHead(200, { etag: '"one"' }).end(CALENDAR)
    })
    const first = await read(url)
    if (!first.ok) throw new Error(first.reason)
    const tomorrow = { ...WINDOW, from: new Date(WINDOW.from.getTime() + DAY_MS) }
    expect(await reader().read(url, tomorrow, ZONE, first.etag)).toMatchObject({ ok: true, unchanged: false })
    expect(await reader().read(url, WINDOW, 'Australia/Perth', first.etag)).toMatchObject({
      ok: true,
      unchanged: false,
    })
  })

  it('parses the text again when the given etag is not one of ours', async () => {
    const { url } = await serve(plain)
    expect(await read(url, {}, '"an old ETag"')).toMatchObject({ ok: true, unchanged: false })
  })

  it('leaves out an invitation that the owner in the address has declined', async () => {
    const lines = ['BEGIN:VEVENT', 'DTSTART:20270313T000000Z', 'DURATION:PT1H']
    const answer = 'ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.com'
    const text = ['BEGIN:VCALENDAR', ...lines, answer, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')
    const { url } = await serve((_, response) => response.end(text))
    expect(await read(`${url}/ical/kim%40example.com/private-abc/basic.ics`)).toMatchObject({ events: [] })
    expect(await read(`${url}/ical/basic.ics`)).toMatchObject({ events: [{}] })
  })
})

describe('the address checks', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    // A name that resolves to this machine.
    'http://localhost/',
    'file:///etc/passwd',
    'ftp://example.com/calendar.ics',
    'javascript:alert(1)',
    'data:text/calendar,BEGIN:VCALENDAR',
    'https://example.com:8443/calendar.ics',
    'http://example.com:22/',
    'calendar.ics',
    '',
  ])('refuse %s in the product', async (url) => {
    const product = createCalendarReader({ userAgent: 'Jubilee', ownUidSuffix: null })
    expect(await product.read(url, WINDOW, ZONE, null)).toEqual(refused('refused_address'))
  })

  it('treat webcal as https', async () => {
    const ports: number[] = []
    const isAllowedPort = (port: number) => {
      ports.push(port)
      return false
    }
    for (const url of [
      'webcal://example.com/a.ics',
      'WEBCAL://example.com/a.ics',
      'webcals://example.com/a.ics',
    ])
      expect(await read(url, { isAllowedPort })).toEqual(refused('refused_address'))
    expect(ports).toEqual([443, 443, 443])
  })

  it('run each time a connection is opened', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url === '/moved') response.end(CALENDAR)
      else response.writeHead(302, { location: '/moved' }).end()
    })
    const named = url.replace('127.0.0.1', 'localhost')
    const asked: string[] = []
    const isAllowedAddress = (address: string) => {
      asked.push(address)
      return requests.length === 0
    }
    expect(await read(named, { isAllowedAddress })).toEqual(refused('refused_address'))
    expect(requests).toHaveLength(1)
    expect(asked.length).toBeGreaterThan(1)
    for (const address of asked) expect(['127.0.0.1', '::1']).toContain(address)
  })

  it('refuse a name if one of its addresses is refused', async () => {
    const { url, requests } = await serve(plain)
    const named = url.replace('127.0.0.1', 'localhost')
    expect(await read(named, { isAllowedAddress: (address) => address !== '127.0.0.1' })).toEqual(
      refused('refused_address'),
    )
    expect(requests).toHaveLength(0)
  })
})

describe('redirects', () => {
  const chain = (length: number, end: RequestListener): RequestListener => {
    return (request, response) => {
      const step = Number(request.url?.slice(1))
      if (step >= length) end(request, response)
      else
        response.writeHead([301, 302, 303, 307, 308][step % 5] as number, { location: `/${step + 1}` }).end()
    }
  }

  it('work up to three times', async () => {
    const three = await serve(chain(3, plain))
    expect(await read(`${three.url}/0`)).toMatchObject({ ok: true })
    const four = await serve(chain(4, plain))
    expect(await read(`${four.url}/0`)).toEqual(refused('http_error'))
    expect(four.requests).toHaveLength(4)
  })

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'gopher://x/',
  ])('can’t lead to %s', async (location) => {
    const { url } = await serve((_, response) => response.writeHead(302, { location }).end())
    expect(await read(url)).toEqual(refused('refused_address'))
  })

  it('can’t lead to another port', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:6379/' }).end(),
    )
    const own = Number(new URL(url).port)
    expect(await read(url, { isAllowedPort: (port) => port === own })).toEqual(refused('refused_address'))
  })
})

describe('limits', () => {
  it('apply to the bytes that arrive', async () => {
    const { url } = await serve((_, response) => {
      response.write('BEGIN:VCALENDAR\r\n')
      const line = `X-FILL:${'x'.repeat(65_000)}\r\n`
      const more = () => {
        while (!response.destroyed) if (!response.write(line)) return response.once('drain', more)
      }
      more()
    })
    expect(await read(url)).toEqual(refused('too_large'))
  })

  it('apply to the decompressed size of a small response', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'BEGIN:VEVENT\r\n'), { level: 9 })
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const before = process.memoryUsage().arrayBuffers
    expect(await read(url)).toEqual(refused('too_large'))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024)
  })

  it('allow exactly the maximum size', async () => {
    const { url } = await serve(plain)
    const limits = (bytes: number) => ({ limits: { bytes } })
    expect(await read(url, limits(CALENDAR.length))).toMatchObject({ ok: true })
    expect(await read(url, limits(CALENDAR.length - 1))).toEqual(refused('too_large'))
  })

  it('apply to early hints, which never end', async () => {
    const { url } = await serve((request) => {
      const { socket } = request
      const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
      const more = () => {
        while (!socket.destroyed) if (!socket.write(hint)) return socket.once('drain', more)
      }
      more()
    })
    expect(await read(url)).toEqual(refused('too_large'))
  })

  it('apply to compressed bytes that unpack to nothing', async () => {
    // A stored block of no bytes, again and again.
    const empty = Buffer.alloc(64_000 - (64_000 % 5), Buffer.from([0, 0, 0, 0xff, 0xff]))
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write(gzipSync('BEGIN:VCALENDAR').subarray(0, 10))
      const more = () => {
        while (!response.destroyed) if (!response.write(empty)) return response.once('drain', more)
      }
      more()
    })
    expect(await read(url)).toEqual(refused('too_large'))
  })

  it.each([
    ['never answers', () => {}],
    [
      'answers a byte now and then',
      (_: IncomingMessage, response: ServerResponse) => {
        const timer = setInterval(() => response.write('B'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'redirects late, again and again',
      (_: IncomingMessage, response: ServerResponse) => {
        setTimeout(() => response.writeHead(302, { location: '/' }).end(), 200)
      },
    ],
  ] satisfies [string, RequestListener][])('end a server that %s', async (_, answer) => {
    const { url } = await serve(answer)
    expect(await read(url, { limits: { fetchMs: 500 } })).toEqual(refused('too_slow'))
  })

  it('end a recurrence rule on which the library loops for ever', async () => {
    const { url } = await serve((_, response) =>
      response.end(
        [
          ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:never', 'DTSTART:20270101T000000Z', 'DURATION:PT1H'],
          ...['RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'END:VEVENT', 'END:VCALENDAR'],
        ].join('\r\n'),
      ),
    )
    expect(await read(url, { limits: { readMs: 500 } })).toEqual(refused('too_slow'))
  })
})

describe('a failed reading', () => {
  it.each([400, 401, 403, 404, 410, 429, 500, 503, 204, 206])(
    'returns http_error for status %i',
    async (status) => {
      const { url } = await serve((_, response) => response.writeHead(status).end())
      expect(await read(url)).toEqual(refused('http_error'))
    },
  )

  it('returns http_error for a redirect without a location and an unrequested 304', async () => {
    const redirect = await serve((_, response) => response.writeHead(302).end())
    expect(await read(redirect.url)).toEqual(refused('http_error'))
    const same = await serve((_, response) => response.writeHead(304).end())
    expect(await read(same.url)).toEqual(refused('http_error'))
  })

  it('returns unreachable when no server is listening', async () => {
    const { url } = await serve(plain)
    for (const close of closing.splice(0)) await close()
    expect(await read(url)).toEqual(refused('unreachable'))
  })

  it('returns unreachable for a name that does not resolve', async () => {
    expect(await read('https://calendar.invalid/a.ics')).toEqual(refused('unreachable'))
  })

  it('returns unreachable when the connection breaks', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100000' })
      response.write('BEGIN:VCALENDAR\r\n', () => response.destroy())
    })
    expect(await read(url)).toEqual(refused('unreachable'))
  })

  it('returns unreachable when the server does not speak HTTP', async () => {
    const { url } = await serve((request) => {
      request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')
    })
    expect(await read(url)).toEqual(refused('unreachable'))
  })

  it.each([
    ['a web page', {}, '<!doctype html><title>Sign in</title>'],
    ['an empty body', {}, ''],
    ['a body that isn’t compressed as declared', { 'content-encoding': 'gzip' }, 'BEGIN:VCALENDAR'],
    ['truncated compression', { 'content-encoding': 'gzip' }, gzipSync(CALENDAR).subarray(0, 500)],
    ['an unknown compression', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(CALENDAR))],
  ])('returns not_a_calendar for %s', async (_, headers, body) => {
    const { url } = await serve((_request, response) => response.writeHead(200, headers).end(body))
    expect(await read(url)).toEqual(refused('not_a_calendar'))
  })
})
