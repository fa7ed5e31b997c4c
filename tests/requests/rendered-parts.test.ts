import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { forbiddenReads, partsRendered, refuseNextRendering } from '../part-guard.ts'
import { keptParts, startServer, type TestServer } from '../server.ts'

/** Pages that together show every part. */
const PAGES = [
  '/',
  '/venues',
  '/venues-vendors',
  '/venues-vendors?q=garden',
  '/venues?guests=40&date=2099-03-07',
  '/venues?diet=kosher',
  '/venues?diet=halal',
  '/venues/in/williamstown-vic',
  '/business/harbour-light-pavilion',
  '/vendors',
  '/vendorsprofile?id=demo-hamish-boyd',
  '/list-your-business',
  '/cart',
  '/no/such/page',
]
const PRIVATE_PAGES = ['/my-profile', '/shortlist', '/userdashboard/user', '/settings-privacy']
const EMAIL = 'customer@jubilee.example'

let server: TestServer
let customerCookies = ''

beforeAll(async () => {
  // Its clock stands: some pages say how long is left.
  const now = new Date()
  server = await startServer({ openDatabase: openTestDatabase, demo: true, now: () => now })
  customerCookies = await logIn(server, EMAIL)
})
afterAll(() => server.close())

let documents = 0
/** The parameter keeps the page out of the cache, so that each document is rendered. */
const render = async (path: string, cookie = '') => {
  const address = `${path}${path.includes('?') ? '&' : '?'}rendered=${++documents}`
  const html = await (await sendTo(server, address, { cookie })).text()
  expect(html.endsWith('</html>')).toBe(true)
  // The only difference between two documents.
  return html.replaceAll(/rendered=\d+/g, '')
}

const sources = globSync('app/**/*.tsx').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
/** The components that are rendered once. */
const components = sources.flatMap(({ text }) =>
  [...text.matchAll(/ inside=\{(\w+)\}/g)].map(([, name]) => name ?? ''),
)

describe('the parts that documents share', () => {
  it.each(PAGES)('leave %s as it is without them, for anyone', async (path) => {
    refuseNextRendering()
    const without = await render(path)
    // A whole document would be a long message.
    for (const cookie of ['', customerCookies, ''])
      expect((await render(path, cookie)) === without, `with '${cookie}'`).toBe(true)
  })

  it.each(PRIVATE_PAGES)('leave %s as it is without them', async (path) => {
    refuseNextRendering()
    const without = await render(path, customerCookies)
    for (let round = 0; round < 2; round++)
      expect((await render(path, customerCookies)) === without, `round ${round}`).toBe(true)
  })

  it.each(PAGES)('all stay in memory once %s has been rendered', async (path) => {
    await render(path)
    const before = partsRendered()
    await render(path, customerCookies)
    expect(partsRendered()).toBe(before)
  })

  it('each appear on one of these pages', () => {
    expect(components.length).toBeGreaterThan(10)
    // The build numbers functions of one name.
    const kept = new Set([...keptParts.keys()].map((key) => key.split(' ', 1)[0]?.replace(/\$\d+$/, '')))
    expect(components.filter((name) => !kept.has(name))).toEqual([])
  })

  it('hold nothing of a signed-in person', async () => {
    const own = await Promise.all(PRIVATE_PAGES.map((path) => render(path, customerCookies)))
    expect(own.some((html) => html.includes(EMAIL))).toBe(true)
    for (const [key, html] of keptParts) expect((key + html).includes(EMAIL), key).toBe(false)
  })

  it('read no context, clock or id', () => {
    expect(partsRendered()).toBeGreaterThan(components.length)
    expect(forbiddenReads).toEqual([])
    // These read a context without a hook, which the guard can't notice.
    const unnoticed = sources.filter(({ text }) => /\.Consumer\b|\bcontextType\b/.test(text))
    expect(unnoticed.map(({ path }) => path)).toEqual([])
  })
})
