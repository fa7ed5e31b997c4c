import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BOUNDARY,
  countOf,
  FORM,
  type HostileCase,
  MULTIPART,
  multipart,
  post,
  type Target,
} from './target.ts'

const MB = 1_048_576
const ASK = '/business/harbour-light-pavilion/ask'
const file = 'name="files"; filename="a.pdf"'

/** Opens bodies of 49 MB, sends most of each, and counts the responses after a while. */
async function openBodies({ origin }: Target, count: number): Promise<string> {
  const half = Buffer.alloc(40 * MB, 'x')
  const statuses: string[] = Array(count).fill('waits')
  const open = Array.from({ length: count }, (_, at) => {
    const one = request(`${origin}${ASK}`, {
      method: 'POST',
      headers: { origin, 'content-length': 49 * MB, ...MULTIPART },
    })
    one.on('response', (answer) => {
      statuses[at] = String(answer.statusCode)
      answer.resume()
    })
    one.on('error', () => undefined)
    one.write(half)
    return one
  })
  await pause(3_000)
  for (const one of open) one.destroy()
  return countOf(statuses)
}

/** Bodies as such: their length, their parts and their pace. */
export const BODY_CASES: readonly HostileCase[] = [
  {
    name: '50 MB of part headers',
    send: (target) => post(target, ASK, `--${BOUNDARY}\r\n${'x-a: b\r\n'.repeat((49 * MB) / 8)}`, MULTIPART),
  },
  {
    name: 'a file name of 40 MB',
    send: (target) =>
      post(
        target,
        ASK,
        multipart([{ header: `name="files"; filename="${'a'.repeat(40 * MB)}"`, value: 'x' }]),
        MULTIPART,
      ),
  },
  {
    name: 'a file name of 4 kB of backslashes and quotes',
    send: (target) =>
      post(
        target,
        ASK,
        multipart([{ header: `name="files"; filename="${'%22\\'.repeat(1_000)}"`, value: 'x' }]),
        MULTIPART,
      ),
  },
  {
    name: '500,000 parts',
    send: (target) =>
      post(
        target,
        ASK,
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="body"\r\n\r\nx\r\n`.repeat(500_000),
        MULTIPART,
      ),
  },
  {
    name: '40 MB of beginnings of the boundary',
    send: (target) =>
      post(
        target,
        ASK,
        multipart([{ header: file, value: `\r\n--${BOUNDARY.slice(0, -1)}`.repeat((40 * MB) / 31) }]),
        MULTIPART,
      ),
  },
  { name: 'thirty open bodies of 49 MB', send: (target) => openBodies(target, 30) },
  {
    name: 'a body of one byte a millisecond',
    async send({ origin }) {
      const one = request(`${origin}/login`, {
        method: 'POST',
        headers: { origin, 'content-length': 60_000, ...FORM },
      })
      const status = new Promise<string>((resolve, reject) => {
        one.on('response', (answer) => resolve(String(answer.statusCode)))
        one.on('error', reject)
      })
      let isAnswered = false
      void status.finally(() => {
        isAnswered = true
      })
      for (let sent = 0; sent < 50_000 && !isAnswered; sent++) {
        one.write('x')
        await pause(1)
      }
      one.destroy()
      return status
    },
  },
  {
    name: 'a megabyte in chunks of one byte',
    async send({ origin }) {
      const one = request(`${origin}${ASK}`, { method: 'POST', headers: { origin, ...MULTIPART } })
      const status = new Promise<string>((resolve, reject) => {
        one.on('response', (answer) => resolve(String(answer.statusCode)))
        one.on('error', reject)
      })
      for (let sent = 0; sent < MB; sent++) if (!one.write('x') && sent % 1_000 === 0) await pause(0)
      one.end()
      return status
    },
  },
  { name: '8 MB of form to /login', send: (target) => post(target, '/login', 'email=x&'.repeat(MB), FORM) },
]
