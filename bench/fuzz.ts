import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../app/routes.ts'
import { freePort } from '../tests/free-port.ts'
import { memoryMb, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- fuzz`: twenty thousand invalid requests over every route and method, as a stranger and as each kind of
 * account. No response may be 5xx, reveal internals, leak memory, take more than two seconds or let another site's write
 * through. FUZZ_SEED repeats a run, FUZZ_REQUESTS shortens it.
 */

const REQUESTS = Number(process.env.FUZZ_REQUESTS) || 20_000
const SLOW_MS = 2_000
const SLOWEST_LISTED = 10
const AT_ONCE = 12
/** Huge bodies are rare, because each is copied several times on its way. */
const HUGE_EVERY = 400
const ANSWER_MS = 60_000
const SIGN_IN_EVERY = 1_000
const SETTLE_MS = 10_000
/** The product with a small heap, which a leak would fill. On SIGUSR2 it collects its garbage. */
const RUN_SERVER = [
  '--max-old-space-size=256',
  '--expose-gc',
  '--input-type=module',
  '--eval',
  "process.on('SIGUSR2', () => gc()); await (await import('./server/run.ts')).run()",
]

const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
  'get',
  'BREW',
]
const ODD = [
  '',
  '0',
  '-1',
  '1e400',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  'constructor',
  '__proto__',
  '\u0000',
  'a\u0000b',
  '%00',
  '%',
  '%E0%A4%A',
  '../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  "' or 1=1 --",
  '"><script>alert(1)</script>',
  '{{7*7}}',
  '\ud800',
  '🎉',
  'x'.repeat(5_000),
  '9'.repeat(400),
  '2037-02-31',
  '0000-00-00',
  '275760-09-13',
  '24:61',
  'melbourne-vic',
  'harbour-light-pavilion',
  'venues',
  'customer@jubilee.example',
  'javascript:alert(1)',
  '//evil.example',
  'constructor',
  '__proto__',
  'toString',
  '\r\nset-cookie: a=b',
  '＜',
  'NaN',
  '-0',
  '1.5',
]
const NAMES = [
  'email',
  'password',
  'displayName',
  'name',
  'date',
  'time',
  'start',
  'end',
  'guests',
  'amount',
  'businessId',
  'booking',
  'clientSecret',
  'submitKey',
  'intent',
  'id',
  'q',
  'place',
  'near',
  'sort',
  'page',
  'after',
  'seen',
  'category',
  'occasion',
  'price',
  'next',
  'token',
  'subject',
  'file',
  'images',
  'services',
  'weekly',
  'state',
  'reason',
  'rating',
  'text',
  'abn',
  'acn',
  'phone',
  'url',
  '__proto__',
  'constructor',
  'a[b][c]',
  'a.b',
  '',
  'bookingTypes',
  'businessName',
  'currentPassword',
  'decision',
  'description',
  'fromTime',
  'hours',
  'location',
  'newPassword',
  'note',
  'photo',
  'seen',
  'servicesOffered',
  'session',
  'tags',
  'weekly.mon',
  '__intent__',
  '__state__',
  'List-Unsubscribe',
]
/** Endings of field names: the notations of form libraries, and indexes that are expensive to honour. */
const NAME_ENDINGS = [
  '[0]',
  '[]',
  '[1][2][3]',
  '[0].opens',
  '.mon[3].closes',
  '[50000000]',
  '[4294967294]',
  '[4294967295]',
  '[9007199254740993]',
  '[-1]',
  '[1e9]',
  '[00]',
  '[length]',
  '.length',
  '.__proto__.x',
  '.constructor.prototype.x',
  '[__proto__][x]',
  '[',
  ']',
  '..',
  '[0',
  '[50000000].opens',
  '[50000000][50000000]',
]
/** The longest repeated field, in characters, so that the whole body stays below the maximum length of a string. */
const MAX_REPEATED = 200
/** Numbers of fields in one form: within the limit, just above it, and as many as a body holds. */
const REPEATS = [1, 2, 5, 199, 200, 201, 1_000, 8_000, 40_000]
const DEPTHS = [2, 10, 100, 10_000]
/** Origins of other sites, some of which resemble ours. */
const FOREIGN_ORIGINS = [
  'null',
  'https://evil.example',
  ':::',
  'http://localhost',
  'http://localhost:1',
  'https://localhost',
  'http://localhost.evil.example',
  'http://evil.example#localhost',
  'http://localhost@evil.example',
  'file://',
  'chrome-extension://abcdef',
  'javascript:alert(1)',
]
const LEAK =
  /node_modules|\bat [\w.<>]+ \(|file:\/\/|\/server\/index\.js|build\/server|syntax error at|violates \w+ constraint|relation "|\bselect .+ from "|\[object Object\]/i
const BOUNDARY = 'a-boundary-of-27-characters'
const ACCOUNTS = [null, 'customer', 'vendor', 'operator'] as const

/** A random number generator with the same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function pathsOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path ? `${above}/${entry.path}` : above
    return [...(entry.file.includes('layout') ? [] : [path || '/']), ...pathsOf(entry.children ?? [], path)]
  })
}

export async function run(): Promise<Row[]> {
  const seed = Number(process.env.FUZZ_SEED) || Math.floor(Date.now() / 1_000)
  const random = createRandom(seed)
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One
  const chance = (share: number) => random() < share
  const paths = [
    ...pathsOf(routes),
    '/health/live',
    '/health/ready',
    '/metrics',
    '/assets/none.js',
    '/favicon.svg',
  ]
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-fuzz-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const errors: string[] = []
  const server = await startChild(RUN_SERVER, {
    env: { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error', NODE_ENV: 'production' },
    isReady: / is at .+/,
  })
  server.process.stdout?.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line.startsWith('{"level":5')) errors.push(line)
  })
  let cookies = new Map<string, string>()

  async function signIn(): Promise<void> {
    cookies = new Map()
    for (const who of ACCOUNTS) {
      if (!who) continue
      const answer = await fetch(`${origin}/login`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ email: `${who}@jubilee.example`, password: 'celebrate' }),
        redirect: 'manual',
      })
      await answer.text()
      cookies.set(
        who,
        answer.headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; '),
      )
    }
  }

  /** Capitalises or percent-encodes some or all letters of a path. */
  function respell(path: string): string {
    const share = pick([0.1, 0.5, 1])
    return path.replaceAll(/[a-z]/g, (letter) => {
      if (!chance(share)) return letter
      const code = (letter.codePointAt(0) ?? 0).toString(16)
      return pick([letter.toUpperCase(), `%${code}`, `%${code.toUpperCase()}`])
    })
  }

  function makeName(): string {
    const name = pick(NAMES)
    if (chance(0.5)) return name
    if (chance(0.1)) return `${name || 'a'}${pick(['.a', '[0]', '[a]', '[50000000]']).repeat(pick(DEPTHS))}`
    return name + pick(NAME_ENDINGS)
  }

  /** A form that may repeat a name, so that a cost that grows with each repeat shows. */
  function makeForm(): string {
    const fields = Array.from(
      { length: 6 },
      () => `${encodeURIComponent(makeName())}=${encodeURIComponent(pick(ODD).toWellFormed())}`,
    )
    return chance(0.3) ? `${pick(fields).slice(0, MAX_REPEATED)}&`.repeat(pick(REPEATS)) : fields.join('&')
  }

  function makeParts(): string {
    const part = (longest: number) => {
      const name = makeName().slice(0, longest)
      const file = chance(0.3) ? `; filename="${pick(ODD).slice(0, longest)}"` : ''
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${pick(ODD).slice(0, longest)}\r\n`
    }
    const parts = chance(0.3)
      ? part(MAX_REPEATED).repeat(pick(REPEATS))
      : Array.from({ length: 4 }, () => part(Number.POSITIVE_INFINITY)).join('')
    return `${parts}--${BOUNDARY}--\r\n`
  }

  function makeTarget(): string {
    const known = pick(paths)
    const path = (chance(0.15) ? respell(known) : known).replaceAll(/:\w+\??|\*/g, () =>
      chance(0.5)
        ? pick(['harbour-light-pavilion', 'venues', 'melbourne-vic', '1', 'a'])
        : encodeURIComponent(pick(ODD).toWellFormed()),
    )
    const suffix = chance(0.2) ? '.data' : ''
    const query = chance(0.5)
      ? `?${Array.from({ length: chance(0.05) ? 60 : 1 + Math.floor(random() * 4) }, () => `${encodeURIComponent(makeName())}=${chance(0.9) ? encodeURIComponent(pick(ODD).toWellFormed()) : pick(['%', '%zz', '+', '&&', '=='])}`).join('&')}`
      : ''
    const target = `${path}${suffix}${query}`
    return chance(0.02)
      ? pick([
          `http://evil.example${target}`,
          `//evil.example${target}`,
          `${target}\u0000`,
          '*',
          target.replace('/', '\\'),
        ])
      : target
  }

  function makeValue(depth = 0): unknown {
    if (depth > 4 || chance(0.6)) return chance(0.3) ? pick([0, -1, 1e308, null, true, []]) : pick(ODD)
    if (chance(0.5)) return Array.from({ length: 3 }, () => makeValue(depth + 1))
    return Object.fromEntries(Array.from({ length: 4 }, () => [pick(NAMES), makeValue(depth + 1)]))
  }

  function makeBody(nth: number): { type: string; bytes: Buffer } {
    if (nth % HUGE_EVERY === 0)
      return { type: 'application/json', bytes: Buffer.alloc(13 * 1024 * 1024, '[') }
    const kind = Math.floor(random() * 9)
    switch (kind) {
      case 0:
        return { type: 'application/json', bytes: Buffer.from(JSON.stringify(makeValue())) }
      case 1:
        return {
          type: 'application/json',
          bytes: Buffer.from(
            pick([
              '',
              '{',
              '[',
              '"',
              '{"a":',
              '[['.repeat(50_000),
              '{"a":'.repeat(50_000),
              '\u0000',
              '1e999',
            ]),
          ),
        }
      case 2:
        return {
          type: 'application/x-www-form-urlencoded',
          bytes: Buffer.from(pick([makeForm(), '%', 'a=%00', '&'.repeat(20_000), 'a='.repeat(20_000)])),
        }
      case 3:
        return {
          type: pick([
            'multipart/form-data; boundary=x',
            'multipart/form-data',
            'multipart/form-data; boundary=',
          ]),
          bytes: Buffer.from(
            pick([
              `--x\r\ncontent-disposition: form-data; name="${pick(NAMES)}"; filename="${pick(ODD)}"\r\ncontent-type: image/png\r\n\r\n${pick(ODD)}\r\n--x--\r\n`,
              '--x\r\n\r\n--x--',
              '--x',
              `--x\r\ncontent-disposition: form-data; name="${pick(NAMES)}"\r\n\r\n${pick(ODD)}\r\n--x--\r\n`,
            ]),
          ),
        }
      case 4:
        return {
          type: pick([
            'text/plain',
            'text/html',
            'image/png',
            'application/octet-stream',
            'x',
            '',
            ';;',
            'application/json; charset=utf-7',
          ]),
          bytes: Buffer.from([0, 255, 254, 192, 128, 0, 10]),
        }
      case 5:
      case 6:
        return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(makeForm()) }
      case 7:
        return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: Buffer.from(makeParts()) }
      default:
        return { type: 'application/json', bytes: gzipSync('{"a":1}') }
    }
  }

  function makeHeaders(): { headers: string[]; isForeign: boolean } {
    const who = pick(ACCOUNTS)
    const cookie = who ? cookies.get(who) : null
    const headers = [
      chance(0.97)
        ? `host: localhost:${port}`
        : pick(['host: ', 'host: [::1', 'host: a b', 'host: evil.example', 'x: y']),
    ]
    const isForeign = chance(0.15)
    if (!isForeign) headers.push(`origin: ${origin}`)
    else
      headers.push(
        chance(0.8)
          ? `origin: ${pick(FOREIGN_ORIGINS)}`
          : `sec-fetch-site: ${pick(['cross-site', 'same-site', 'none', 'x'])}`,
      )
    if (cookie)
      headers.push(
        `cookie: ${cookie}${chance(0.1) ? `; ${pick(['a=%', '=', ';;;', `x=${'y'.repeat(4_000)}`])}` : ''}`,
      )
    const odd = [
      'accept: text/html',
      'accept: */*;q=x',
      'accept-encoding: br;q=0, gzip;q=nope',
      'accept-encoding: identity',
      'if-none-match: *',
      'if-none-match: W/"',
      'if-modified-since: never',
      'range: bytes=5-1',
      'range: bytes=0-0,-1',
      'x-forwarded-for: ::, 1',
      'x-forwarded-proto: gopher',
      'accept-language: \u00ff',
      'expect: 100-continue',
      'upgrade: websocket',
      'content-encoding: gzip',
      'stripe-signature: t=1,v1=x',
      'authorization: Bearer x',
      `referer: ${pick(['x', 'javascript:1', origin])}`,
      'x-http-method-override: DELETE',
      'purpose: prefetch',
      `x-long: ${'z'.repeat(9_000)}`,
    ]
    for (let more = Math.floor(random() * 3); more > 0; more--) headers.push(pick(odd))
    return { headers, isForeign }
  }

  function makeRequest(nth: number): { line: string; bytes: Buffer[]; isForeignWrite: boolean } {
    const method = pick(METHODS)
    const line = `${method} ${makeTarget()} HTTP/1.${chance(0.98) ? 1 : 0}`
    const { headers, isForeign } = makeHeaders()
    const bytes: Buffer[] = []
    if (!['GET', 'HEAD'].includes(method) || chance(0.05)) {
      const body = makeBody(nth)
      headers.push(`content-type: ${body.type}`)
      if (chance(0.9)) {
        headers.push(`content-length: ${body.bytes.length}`)
        bytes.push(body.bytes)
      } else {
        headers.push('transfer-encoding: chunked')
        bytes.push(
          Buffer.from(`${body.bytes.length.toString(16)}\r\n`),
          body.bytes,
          Buffer.from(body.bytes.length === 0 || chance(0.8) ? '\r\n0\r\n\r\n' : 'zz'),
        )
      }
    }
    const isWrite = !['GET', 'HEAD', 'OPTIONS', 'get'].includes(method)
    return {
      line,
      // The webhook checks the provider's signature instead of the origin.
      isForeignWrite: isForeign && isWrite && !/webhooks/i.test(decodeOr(line)),
      bytes: [Buffer.from(`${line}\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`), ...bytes],
    }
  }

  /** @returns the response and its status, 0 if the connection was closed without one */
  function send({ bytes }: { bytes: Buffer[] }): Promise<{ status: number; text: string }> {
    return new Promise((resolve) => {
      const socket = connect(port, 'localhost')
      const chunks: Buffer[] = []
      let length = 0
      const timer = setTimeout(() => {
        chunks.unshift(Buffer.from('HTTP/1.1 599 no response in time\r\n'))
        socket.destroy()
      }, ANSWER_MS)
      socket.on('data', (chunk) => {
        length += chunk.length
        if (length < 500_000) chunks.push(chunk)
        // A live stream doesn't end.
        if (/^HTTP\/1\.1 200[\s\S]*text\/event-stream[\s\S]*retry/.test(chunk.toString('latin1')))
          socket.destroy()
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearTimeout(timer)
        const text = Buffer.concat(chunks).toString()
        resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text })
      })
      for (const part of bytes) socket.write(part)
    })
  }

  const slowest: { ms: number; status: number; line: string }[] = []
  let slow = 0
  const noteTime = (ms: number, status: number, line: string) => {
    if (ms > SLOW_MS) slow++
    slowest.push({ ms: Math.round(ms), status, line: line.slice(0, 120) })
    slowest.sort((one, other) => other.ms - one.ms)
    slowest.length = Math.min(slowest.length, SLOWEST_LISTED)
  }
  const statuses = new Map<number, number>()
  const wrong = new Map<string, string>()
  let sent = 0
  const memory: number[] = []
  const held: string[] = []
  /** Notes the heap and buffers in use after a garbage collection. */
  const noteHeld = async () => {
    server.process.kill('SIGUSR2')
    await pause(1_000)
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const mb = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]) / 1024 / 1024
    held.push((mb('nodejs_heap_size_used_bytes') + mb('nodejs_external_memory_bytes')).toFixed(0))
  }
  const client = async () => {
    while (sent < REQUESTS) {
      const nth = ++sent
      if (nth % SIGN_IN_EVERY === 1) await signIn()
      if (nth % (REQUESTS / 5) === 0) {
        memory.push(Math.round(memoryMb(server.pid).now))
        await noteHeld()
      }
      const request = makeRequest(nth)
      const started = performance.now()
      const { status, text } = await send(request)
      noteTime(performance.now() - started, status, request.line)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const leak = LEAK.exec(text.slice(text.indexOf('\r\n\r\n')))?.[0]
      const isLetIn = request.isForeignWrite && status >= 200 && status < 400
      if (status < 500 && !leak && !isLetIn) continue
      const route = request.line.split('?')[0]?.slice(0, 120) ?? ''
      wrong.set(
        `${status} ${leak ?? ''}${isLetIn ? 'from another site' : ''} ${route.split('/').slice(0, 3).join('/')}`,
        `${request.line.slice(0, 400)} ${request.bytes[0]?.toString().slice(request.line.length, 900)}`,
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    await pause(SETTLE_MS)
    memory.push(Math.round(memoryMb(server.pid).now))
    await noteHeld()
    for (const { ms, status, line } of slowest)
      process.stderr.write(`${ms} ms: ${status} ${JSON.stringify(line)}\n`)
    const lives = (await fetch(`${origin}/health/ready`)).status === 200
    for (const [what, request] of wrong) process.stderr.write(`${what}\n    ${JSON.stringify(request)}\n`)
    for (const line of new Set(
      errors.map((one) => one.replace(/^.*?"(?=err|msg)/, '').replace(/"requestId":"[^"]+"/, '')),
    ))
      process.stderr.write(`logged: ${line.slice(0, 600)}\n`)
    const count = (from: number) =>
      [...statuses]
        .filter(([status]) => Math.floor(status / 100) === from)
        .reduce((sum, [, times]) => sum + times, 0)
    return [
      { what: `requests (seed ${seed})`, result: String(sent) },
      { what: 'responses 2xx, 3xx, 4xx, closed without one', result: [2, 3, 4, 0].map(count).join(', ') },
      { what: 'responses 5xx', result: String(count(5)), aim: '0' },
      { what: `responses after ${SLOW_MS} ms`, result: String(slow), aim: '0' },
      {
        what: 'the slowest responses (ms)',
        result: slowest.map(({ ms }) => ms).join(', '),
        aim: `under ${SLOW_MS}`,
      },
      { what: 'kinds of invalid responses, leaks included', result: String(wrong.size), aim: '0' },
      { what: 'lines of the log at error level', result: String(errors.length), aim: '0' },
      {
        what: 'memory of the process after each fifth and at rest (MB)',
        result: memory.join(', '),
      },
      {
        what: 'heap and buffers in use at the same times (MB)',
        result: held.join(', '),
        aim: 'back to the start',
      },
      { what: 'ready at the end', result: lives ? 'yes' : 'no', aim: 'yes' },
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
