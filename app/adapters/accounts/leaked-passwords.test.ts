import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLeakLookup } from './leaked-passwords.server.ts'

const LEAKED = 'correct horse battery staple'
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const PADDING = `${'0'.repeat(34)}1:0`

type Asked = { path: string; padding: string | undefined; agent: string | undefined }

let url: string
let asked: Asked[] = []
let problems: unknown[] = []
let answer: (response: ServerResponse, asked: Asked) => void

const server = createServer((request: IncomingMessage, response) => {
  const { 'add-padding': padding, 'user-agent': agent } = request.headers
  const about = { path: request.url ?? '', padding: padding as string | undefined, agent }
  asked.push(about)
  answer(response, about)
})

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  problems = []
  answer = (response) => response.end(`${PADDING}\r\n${hashOf(LEAKED).slice(5)}:42\r\n`)
})

const lookup = (options: { url?: string; timeLimitMs?: number } = {}) =>
  createLeakLookup({
    url,
    userAgent: 'Jubilee',
    fetchRange: fetch,
    onUnavailable: (error) => void problems.push(error),
    ...options,
  })

describe('the look-up of leaked passwords', () => {
  it('finds a leaked password by the first five digits of its hash, with padding', async () => {
    expect(await lookup()(LEAKED)).toBe(true)
    expect(asked).toEqual([
      { path: `/range/${hashOf(LEAKED).slice(0, 5)}`, padding: 'true', agent: 'Jubilee' },
    ])
    expect(problems).toEqual([])
  })

  it('finds it by an address without the last slash', async () => {
    expect(await lookup({ url: url.slice(0, -1) })(LEAKED)).toBe(true)
  })

  it('finds nothing for a password whose hash isn’t in the range', async () => {
    expect(await lookup()('under the jacaranda')).toBe(false)
    expect(problems).toEqual([])
  })

  it('takes an entry with a count of 0 for padding', async () => {
    answer = (response) => response.end(`${hashOf(LEAKED).slice(5)}:0`)
    expect(await lookup()(LEAKED)).toBe(false)
    expect(problems).toEqual([])
  })

  it.each<[string, typeof answer]>([
    ['an error', (response) => response.writeHead(503).end('busy')],
    ['a page of a proxy', (response) => response.end('<html>Sign in to this network</html>')],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a broken connection', (response) => response.destroy()],
    ['an endless answer', (response) => response.end(`${PADDING}\r\n`.repeat(60_000))],
  ])('lets the password through after %s, and reports it', async (_what, how) => {
    answer = how
    expect(await lookup()(LEAKED)).toBe(false)
    expect(problems).toHaveLength(1)
    expect(asked).toHaveLength(1)
  })

  it('lets the password through when the service is silent, or stops in the middle', async () => {
    answer = () => {}
    expect(await lookup({ timeLimitMs: 50 })(LEAKED)).toBe(false)
    answer = (response) => void response.write(`${PADDING}\r\n`)
    expect(await lookup({ timeLimitMs: 50 })(LEAKED)).toBe(false)
    expect(problems).toHaveLength(2)
  })

  it('lets the password through when nothing listens there', async () => {
    expect(await lookup({ url: 'http://127.0.0.1:9/range/' })(LEAKED)).toBe(false)
    expect(problems).toHaveLength(1)
  })
})
