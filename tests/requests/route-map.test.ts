import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_PAGE_PATTERNS } from '../../app/routes/public-pages.ts'
import { logIn, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { builtRoutes, startServer, type TestServer, unlistedPaths } from '../server.ts'

let server: TestServer
let customer = ''

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  customer = await logIn(server, 'customer@jubilee.example')
})
afterAll(() => server.close())

type Route = (typeof builtRoutes)[number]

describe('the route map', () => {
  const cacheOf = ({ path, isCacheable, isNotStored }: Route) => {
    if (PUBLIC_PAGE_PATTERNS.has(path)) return 'page cache'
    if (isCacheable) return 'cacheable'
    return isNotStored ? 'private, no-store' : 'no-store'
  }
  const rows = [
    ['path', 'methods', 'guard', 'cache', 'search engines'],
    ...builtRoutes
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
      .map((route) => [
        route.path,
        [route.hasLoader ? 'GET' : '', route.hasAction ? 'POST' : ''].filter(Boolean).join(' '),
        route.guard,
        cacheOf(route),
        route.isUnlisted ? 'unlisted' : 'listed',
      ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))

  it('gives each route one line', async () => {
    const robots = ['', 'robots.txt keeps crawlers out of:', ...unlistedPaths]
    const map = [...lines, ...robots].map((line) => line.trimEnd()).join('\n')
    await expect(`${map}\n`).toMatchFileSnapshot('route-map.txt')
  })
})

describe('a guarded route', () => {
  const concrete = (path: string) => path.replace(/:\w+\??/g, 'none')
  const { get, post } = requestsTo(
    () => server,
    () => ({ headers: { accept: 'text/html', origin: server.origin } }),
  )
  const nothing = { intent: 'none' }
  const dataOf = (path: string, id: string) => `${path}.data?_routes=${encodeURIComponent(id)}`
  const signIn = (path: string) => `/login?next=${encodeURIComponent(path)}`
  const guarded = builtRoutes
    .filter(({ guard }) => guard !== 'everybody')
    .map((route) => ({ ...route, path: concrete(route.path), formPath: concrete(route.formPath) }))

  it('carries one of six guards', () => {
    expect(guarded.length).toBeGreaterThan(20)
    expect(new Set(guarded.map(({ guard }) => guard)).size).toBe(6)
  })

  it.each(guarded.filter(({ guard }) => guard.startsWith('signed in')))(
    '$path redirects guests to /login and back, for its page and its data',
    async ({ path, id }) => {
      const page = await get(path)
      expect([page.status, page.headers.get('location')]).toEqual([302, signIn(path)])
      const data = await get(dataOf(path, id))
      expect(data.status).toBe(202)
      expect(await data.text()).toContain(signIn(path))
    },
  )

  it.each(guarded.filter(({ guard, hasAction }) => guard === 'signed in' && hasAction))(
    '$path redirects a guest’s form to /login',
    async ({ path }) => {
      const answer = await post(path, nothing)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, signIn(path)])
    },
  )

  it.each(guarded.filter(({ guard, hasAction }) => /read|email/.test(guard) && hasAction))(
    '$path refuses a guest’s form with 401 or a redirect to /login',
    async ({ formPath }) => {
      expect([401, 302]).toContain((await post(formPath, nothing)).status)
    },
  )

  it.each(guarded.filter(({ guard }) => guard === 'operator'))(
    '$path answers 404 to guests and customers',
    async ({ path, id, hasAction }) => {
      for (const as of ['', customer]) {
        const page = await get(path, { cookie: as })
        expect(page.status).toBe(404)
        const html = await page.text()
        // A file has no frame to show its refusal in.
        if (path.startsWith('/operations/export/') || path.startsWith('/operations/tax/')) {
          expect(html).toBe('Not found')
          continue
        }
        expect(html).toContain('This page isn’t here')
        expect(html).toContain('<footer')
        const data = await get(dataOf(path, id), { cookie: as })
        expect(data.status).toBe(404)
        expect(await data.text()).toContain('Not found')
        if (hasAction) expect((await post(path, nothing, { cookie: as })).status).toBe(404)
      }
    },
  )

  it.each(guarded.filter(({ guard }) => guard === 'this machine' || guard === 'printed key'))(
    '$path answers 404 to requests that a proxy has forwarded, and under another host’s name',
    async ({ path, hasAction, isPage }) => {
      const forwarded = { headers: { 'x-forwarded-for': '198.18.0.1', ...server.keyHeader } }
      for (const request of [
        new Request(`${server.origin}${path}`, forwarded),
        new Request(`http://rebound.example${path}`, { headers: server.keyHeader }),
        ...(isPage ? [new Request(`${server.origin}${path}.data`, forwarded)] : []),
        ...(hasAction
          ? [
              new Request(`${server.origin}${path}`, {
                method: 'POST',
                body: '{}',
                headers: { ...forwarded.headers, origin: server.origin, 'content-type': 'application/json' },
              }),
            ]
          : []),
      ])
        expect((await server.fetch(request)).status, `${request.method} ${request.url}`).toBe(404)
    },
  )

  it.each(guarded.filter(({ guard }) => guard === 'printed key'))(
    '$path answers 404 to this machine’s own requests without the printed key',
    async ({ path, hasAction, isPage }) => {
      expect((await get(path)).status).toBe(404)
      if (isPage) expect((await get(`${path}.data`)).status).toBe(404)
      if (hasAction) expect((await post(path, nothing)).status).toBe(404)
    },
  )
})
