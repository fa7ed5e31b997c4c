import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, requestsTo, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'

const actionRoutes = builtRoutes.filter(({ hasAction }) => hasAction)
let server: TestServer
const cookies = new Map<string, string>()
const ACCOUNTS = ['nobody', 'customer', 'vendor', 'operator'] as const

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  for (const account of ACCOUNTS.slice(1)) {
    cookies.set(account, await logIn(server, `${account}@jubilee.example`))
  }
})
afterAll(() => server.close())

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const { send } = requestsTo(
  () => server,
  () => ({ headers: { accept: 'text/html', ...server.keyHeader } }),
)

/** A concrete path of the route. Its parameters are well-formed, but need not exist. */
const concrete = (path: string) =>
  path
    .replace(':linkToken', 'A'.repeat(43))
    .replace(':bookingId', 'no-such-booking')
    .replace(/:id\??/, 'harbour-light-pavilion')

// The parser rejects a shorter boundary.
const BOUNDARY = 'a-boundary-of-27-characters'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const part = (disposition: string, value: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
const multipart = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`

const ATTACKS: [name: string, body: string, type: string][] = [
  ['an index of eight digits', 'email[50000000]=x', FORM],
  ['the largest index of an array', 'email[4294967294]=x', FORM],
  ['an index in a list', 'images[4294967294]=x&hours[50000000].opens=x&weekly.mon[50000000].opens=x', FORM],
  ['a name that repeats 8,000 times', 'email=x&'.repeat(8_000), FORM],
  ['201 fields', 'email=x&'.repeat(200), FORM],
  ['names in 10,000 levels', `a${'.a'.repeat(10_000)}=x`, FORM],
  ['brackets in 10,000 levels', `a${'[0]'.repeat(10_000)}=x`, FORM],
  ['a name that no schema has', 'no-such-field=x', FORM],
  ['a name and its own index', 'email=x&email[0]=x', FORM],
  ['the prototype', '__proto__=x&__proto__.polluted=x&constructor.prototype.polluted=x', FORM],
  ['an intent of the form library', '__intent__=%7B%22type%22%3A%22insert%22%7D', FORM],
  ['250 parts', multipart(part('name="email"', 'x').repeat(250)), MULTIPART],
  ['an index in a part', multipart(part('name="email[50000000]"', 'x')), MULTIPART],
  ['JSON in 10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, JSON_TYPE],
]

const TAKE_FILES = new Set([
  '/api/upload',
  '/my-profile',
  '/business/:id/ask',
  '/conversations/:linkToken',
  '/messages/:id?',
  '/dashboard/disputes/:id',
  '/dashboard/inbox/:id?',
])

describe('every action', () => {
  it('appears in the built routes', () => {
    expect(actionRoutes.length).toBeGreaterThanOrEqual(29)
  })

  it.each(actionRoutes)(
    '$path refuses hostile field names from every account',
    async ({ path, formPath, isPage }) => {
      for (const [name, body, type] of ATTACKS) {
        const statuses: number[] = []
        for (const account of ACCOUNTS) {
          const answer = await send(concrete(formPath), {
            body,
            cookie: cookies.get(account) ?? '',
            headers: { 'content-type': type },
          })
          statuses.push(answer.status)
          const text = await answer.text()
          if (isPage && answer.status === 400 && text.includes('<title>That didn’t work'))
            expect(text).toContain('This form arrived incomplete. Go back and send it again.')
        }
        const about = `${name}: ${statuses}`
        // Redirects to the sign-in, and refusals of a caller who may not write here.
        for (const status of statuses)
          expect([204, 302, 400, 401, 404, 405].includes(status), about).toBe(true)
        // At least one account gets past the guard to the form.
        if (isPage || path === '/api/upload') expect(statuses, about).toContain(400)
      }
    },
  )

  it.each(actionRoutes)(
    '$path refuses a body over 64 kB, unless it takes files',
    async ({ path, formPath, isPage }) => {
      // The route of a webhook limits its body itself.
      if (TAKE_FILES.has(path) || path.startsWith('/webhooks/')) return
      const chunks = () =>
        new ReadableStream({
          start(controller) {
            for (let count = 0; count < 70; count++) controller.enqueue(Buffer.alloc(1_024, 'x'))
            controller.close()
          },
        })
      const bodies: (() => [BodyInit, Record<string, string>])[] = [
        () => ['email=x&'.repeat(40_000), { 'content-type': FORM, 'content-length': '320000' }],
        () => [chunks(), { 'content-type': FORM, 'transfer-encoding': 'chunked' }],
        () => ['['.repeat(65_537), { 'content-type': JSON_TYPE, 'content-length': '65537' }],
      ]
      for (const makeBody of bodies) {
        const statuses: number[] = []
        for (const account of ACCOUNTS) {
          const [body, headers] = makeBody()
          const cookie = cookies.get(account) ?? ''
          const answer = await send(concrete(formPath), { body, cookie, headers })
          statuses.push(answer.status)
          // The page's guard may redirect first.
          if (answer.status !== 413) continue
          const text = await answer.text()
          expect(text).toContain('This is too large to send. Go back, shorten it and send it again.')
          if (isPage) expect(text).toContain('<header')
        }
        expect(statuses).toContain(413)
        for (const status of statuses) expect([302, 404, 413]).toContain(status)
      }
    },
  )

  it('/my-profile and /api/upload accept files over 64 kB, but no text fields of that size', async () => {
    const usual = { cookie: cookies.get('vendor') ?? '', headers: { 'content-type': MULTIPART } }
    const sent = async (path: string, disposition: string) =>
      (await send(path, { ...usual, body: multipart(part(disposition, 'x'.repeat(70_000))) })).status
    await expect(sent('/my-profile', 'name="displayName"')).resolves.toBe(413)
    await expect(sent('/api/upload', 'name="businessName"')).resolves.toBe(413)
    // The body is read, then refused: it is no image and names no intent.
    await expect(sent('/my-profile', 'name="photo"; filename="a.png"')).resolves.toBe(400)
    await expect(sent('/api/upload', 'name="file"; filename="a.png"')).resolves.toBe(400)
  })
})

it('a refused form is answered inside the frame of the site', async () => {
  for (const [body, status, text] of [
    ['email[50000000]=x', 400, 'This form arrived incomplete. Go back and send it again.'],
    ['x'.repeat(70_000), 413, 'This is too large to send. Go back, shorten it and send it again.'],
  ] as const) {
    const answer = await send('/login', { body, headers: { 'content-type': FORM } })
    expect(answer.status).toBe(status)
    const html = await answer.text()
    expect(html).toContain(text)
    expect(html).toContain('<header')
    expect(html).toContain('<footer')
  }
})

it('only the modules that limit a body’s size read it', () => {
  const readers = ['app', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      // Client middleware runs in the browser, on its own page's requests.
      .filter((file) => file !== 'shell/keep-page.ts')
      .filter((file) => {
        // A client action runs in the browser, on its own page's requests.
        const code = readFileSync(join(folder, file), 'utf8').replace(
          /export async function clientAction[\s\S]*?\n}\n/,
          '',
        )
        return /\.formData\(|\brequest(\.clone\(\))?\.((json|text|arrayBuffer|blob|bytes)\(|body\?)/.test(
          code,
        )
      })
      .map((file) => join(folder, file)),
  )
  expect(readers.sort()).toEqual(['app/shared/form.ts', 'app/shared/json-body.ts'])
})

describe('an address', () => {
  it('may have at most 50 parameters and 8,000 characters', async () => {
    const statusOf = async (path: string) => (await sendTo(server, path)).status
    await expect(statusOf(`/advice-support?${'q=a&'.repeat(49)}q=a`)).resolves.toBe(200)
    await expect(statusOf(`/advice-support?${'q=a&'.repeat(50)}q=a`)).resolves.toBe(414)
    await expect(statusOf(`/advice-support?q=${'a'.repeat(7_997)}`)).resolves.toBe(200)
    await expect(statusOf(`/advice-support?q=${'a'.repeat(7_998)}`)).resolves.toBe(414)
    await expect(statusOf(`/api/places?q=${'a'.repeat(9_000)}`)).resolves.toBe(414)
  })
})
