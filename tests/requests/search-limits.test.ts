import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { COUNT_LIMIT, SEARCH_LIMIT, SUGGESTION_LIMIT } from '../../app/features/search/rules.ts'
import { MINUTE_MS } from '../../app/shared/time-units.ts'
import { MAX_CONCURRENT_RENDERS, MAX_RENDERS_WAITING } from '../../server/app.ts'
import { aBusiness, aClock } from '../builders.ts'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** The limits on searches and suggestions per address and minute, and the responses beyond them. */

const clock = aClock('2026-11-20T01:00:15Z')
let server: TestServer

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1' },
    now: clock.now,
  })
  await aBusiness(server.services.db, { name: 'Tide House' })
})
afterAll(() => server.close())
beforeEach(() => clock.forward(MINUTE_MS))

const { get } = requestsTo(
  () => server,
  () => ({ address: '203.0.113.7' }),
)

/** Sends a number of requests, 20 at a time. Returns the statuses of the responses. */
async function askOften(path: string, times: number): Promise<Set<number>> {
  const seen = new Set<number>()
  for (let left = times; left > 0; left -= 20) {
    const answers = await Promise.all(Array.from({ length: Math.min(20, left) }, () => get(path)))
    for (const { status } of answers) seen.add(status)
  }
  return seen
}

it('refuses further searches until the next minute, with the form still filled in', async () => {
  const search = '/venues-vendors?guests=90&place=Geelong%2C+VIC&q=tide'
  expect(await askOften(search, SEARCH_LIMIT.max)).toEqual(new Set([200]))

  const refused = await get(search)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('45')
  const html = await refused.text()
  expect(html).toContain('Many searches came from your network just now.')
  expect(html).toContain('value="tide, 90 guests, in Geelong VIC"')
  expect(html).toMatch(/name="guests"[^>]*value="90"|value="90"[^>]*name="guests"/)
  expect(html).toContain('href="/venues-vendors?guests=90&amp;place=Geelong%2C+VIC&amp;q=tide"')
  expect(html).not.toContain('Tide House')
  // A typed query is not parsed here, but shown again as it was typed.
  const typed = await get('/venues?q=garden%2C+90+guests')
  expect(typed.status).toBe(429)
  expect(await typed.text()).toContain('value="garden, 90 guests"')
  // The limit holds for other spellings and client-side navigation. Capitals are redirected first.
  expect((await get('/Venues-Vendors/?q=tide')).status).toBe(308)
  for (const path of ['/venues-vendors/?q=tide', '/catering?q=tide', '/venues-vendors.data?q=tide'])
    expect((await get(path)).status, path).toBe(429)
  expect((await get('/venues-vendors.data?q=tide')).headers.get('content-type')).toContain('text/x-script')

  expect((await get(search, { address: '203.0.113.8' })).status).toBe(200)
  clock.forward(MINUTE_MS)
  expect((await get(search)).status).toBe(200)
}, 120_000)

it('leaves other pages alone, and neither counts nor refuses a cached list', async () => {
  expect((await get('/venues')).status).toBe(200)
  expect(await askOften('/venues', SEARCH_LIMIT.max + 10)).toEqual(new Set([200]))
  expect((await get('/venues-vendors?q=tide')).status).toBe(200)
  await askOften('/venues-vendors?q=tide', SEARCH_LIMIT.max)
  expect((await get('/venues-vendors?q=tide')).status).toBe(429)
  for (const path of [
    '/',
    '/venues',
    '/events',
    '/login',
    '/cart',
    '/api/suggestions?q=ti',
    '/api/places?q=g',
  ])
    expect((await get(path)).status, path).toBe(200)
}, 120_000)

it.each([
  ['/api/suggestions?q=tide+house+and+garden', { categories: [], businesses: [], places: [] }],
  ['/api/places?q=geelong', { places: [] }],
])(
  '%s is empty past its limit, and that response is not cached',
  async (path, nothing) => {
    expect(await askOften(path, SUGGESTION_LIMIT.max)).toEqual(new Set([200]))
    const refused = await get(path)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(refused.headers.get('retry-after')).toBe('45')
    expect(await refused.json()).toEqual(nothing)
    expect((await get('/venues-vendors?q=tide')).status).toBe(200)
  },
  120_000,
)

it('refuses to count what filters find past a limit of its own, and no search for it', async () => {
  const count = '/api/count?list=/venues&q=tide'
  expect(await askOften(count, COUNT_LIMIT.max)).toEqual(new Set([200]))
  const refused = await get('/api/count?list=/venues&q=house')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(await refused.json()).toEqual({ text: null })
  expect((await get('/venues-vendors?q=tide')).status).toBe(200)
}, 120_000)

it('runs few searches at once, queues a limited number, and answers 503 beyond that', async () => {
  const room = MAX_CONCURRENT_RENDERS + MAX_RENDERS_WAITING
  const askAll = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        get(`/api/suggestions?q=tide+${index}`, { address: `198.51.100.${index % 250}` }),
      ),
    )
  const statusesOf = (answers: Response[]) => new Set(answers.map(({ status }) => status))
  expect(statusesOf(await askAll(room / 2))).toEqual(new Set([200]))
  const answers = await askAll(room * 2)
  expect(statusesOf(answers)).toEqual(new Set([200, 503]))
  expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('5')
  expect(statusesOf(await askAll(1))).toEqual(new Set([200]))
}, 120_000)

it('answers suggestions before the pages that wait', async () => {
  const answered: string[] = []
  const ask = async (path: string, address: string) => {
    expect((await get(path, { address: address })).status).toBe(200)
    answered.push(path)
  }
  const pages = Array.from({ length: 60 }, (_, index) =>
    ask(`/venues-vendors?q=tide+${index}`, `198.51.100.${index}`),
  )
  await Promise.all([
    ...pages,
    ask('/api/suggestions?q=tide+house+gar', '198.51.100.200'),
    ask('/api/places?q=geelong', '198.51.100.200'),
  ])
  for (const path of ['/api/suggestions?q=tide+house+gar', '/api/places?q=geelong'])
    expect(answered.indexOf(path), path).toBeLessThan(pages.length / 2)
}, 120_000)

it('answers searches and other pages in turn, however many of one kind wait', async () => {
  const answered: string[] = []
  const ask = async (path: string, index: number, status: number) => {
    expect((await get(path, { address: `198.51.100.${index}` })).status).toBe(status)
    answered.push(path)
  }
  // They are neither compressed nor cached, so they answer in the order in which they were rendered.
  const pages = Array.from({ length: 200 }, (_, index) => ask(`/business/nobody-${index}`, index, 404))
  const searches = ['turn', 'corner'].map((word) => `/venues-vendors?q=tide+${word}`)
  await Promise.all([...pages, ...searches.map((path, index) => ask(path, 200 + index, 200))])
  for (const path of searches) expect(answered.indexOf(path), path).toBeLessThan(pages.length / 2)
}, 120_000)
