import { connect } from 'node:net'
import { type ComponentType, createElement, Fragment } from 'react'
import type { ServerBuild } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { logIn, type RequestOptions, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'

type Line = { route?: string; status?: number }

let server: TestServer
const cookies = new Map<string, string>()
const ACCOUNTS = ['nobody', 'customer', 'vendor', 'operator'] as const
const requests: Line[] = []
const errors: [fields: object, message: string][] = []

const INJECTED = '<script>document.title = "not ours"</script>'

/** Injects a script into every page's content, and makes robots.txt answer 500 without throwing. */
function changePages(pages: ServerBuild): ServerBuild {
  const robots = Object.values(pages.routes).find((route) => route?.path === 'robots.txt')
  const frame = pages.routes['routes/site/layout']
  if (!robots || !frame) throw new Error('no robots.txt, or no frame')
  const Frame = frame.module.default as ComponentType<object>
  const injected = createElement('script', {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it stands for a hole in a page.
    dangerouslySetInnerHTML: { __html: 'document.title = "not ours"' },
  })
  return {
    ...pages,
    routes: {
      ...pages.routes,
      [robots.id]: { ...robots, module: { loader: () => new Response('down', { status: 500 }) } as never },
      [frame.id]: {
        ...frame,
        module: {
          ...frame.module,
          default: (props: object) => createElement(Fragment, null, injected, createElement(Frame, props)),
        },
      },
    },
  }
}

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true, listen: true, changePages })
  server.services.log.info = (fields: object) => void requests.push(fields)
  server.services.log.error = (fields: object, message: string) => void errors.push([fields, message])
  for (const account of ACCOUNTS.slice(1)) {
    cookies.set(account, await logIn(server, `${account}@jubilee.example`))
  }
})
afterAll(() => server.close())
beforeEach(() => {
  requests.length = 0
  errors.length = 0
})

const { send } = requestsTo(() => server)

describe('every response', () => {
  it.each([
    ['a page of the cache', '/venues', 200],
    ['a page for one visitor', '/login', 200],
    ['an unknown path', '/nothing', 404],
    ['an address that can’t be read', '/a%00b', 400],
    ['a redirect', '/VENUES', 308],
    ['an answer to a script', '/api/session', 200],
    ['a file', '/favicon.svg', 200],
    ['an operators’ page, to nobody', '/operations', 404],
  ])('carries the security headers: %s', async (_what, path, status) => {
    const { headers, status: answered } = await send(path)
    expect(answered).toBe(status)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toMatch(/^(strict-origin-when-cross-origin|no-referrer)$/)
    expect(headers.get('permissions-policy')).toContain('camera=()')
    if (headers.get('content-type')?.startsWith('text/html'))
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('a cache', () => {
  /** The only routes whose responses caches may store, with their Cache-Control. All others are private. */
  const PUBLIC = new Map([
    ['/', 'no-cache'],
    ['/venues-vendors', 'no-cache'],
    ...['venues', 'photographers', 'hairdressers', 'sounds-dj', 'catering'].map(
      (path) => [`/${path}`, 'no-cache'] as const,
    ),
    ...['videographers', 'event-planners', 'extras'].map((path) => [`/${path}`, 'no-cache'] as const),
    ['/:category/in/:place', 'no-cache'],
    ['/services/:service', 'no-cache'],
    ['/services/:service/in/:place', 'no-cache'],
    ['/business/:id', 'no-cache'],
    ['/events', 'no-cache'],
    ['/vendors', 'no-cache'],
    ['/vendorsprofile', 'no-cache'],
    ['/advice-support', 'no-cache'],
    ['/help/:article?', 'no-cache'],
    ['/list-your-business', 'no-cache'],
    ['/manifest.webmanifest', 'public, max-age=3600'],
    ['/sitemap.xml', 'public, max-age=3600'],
    ['/sitemaps/:part', 'public, max-age=3600'],
    ['/api/places', 'public, max-age=3600'],
    ['/api/suggestions', 'public, max-age=60'],
    ['/api/map', 'public, max-age=60'],
    ['/api/count', 'public, max-age=60'],
    ['/api/password-policy', 'public, max-age=300'],
    ['/illustrations/:scene/:seed/:ratio?', 'public, max-age=31536000, immutable'],
  ])
  const concrete = (path: string) =>
    path
      .replace('/vendorsprofile', '/vendorsprofile?id=demo-hamish-boyd')
      .replace(':category', 'venues')
      .replace(':service', 'florist')
      .replace(':place', 'williamstown-vic')
      .replace('/business/:id', '/business/harbour-light-pavilion')
      .replace(':scene/:seed/:ratio?', 'not-found/page/4x3?w=320')
      .replace(':part', 'pages.xml')
      .replace(':article?', 'refunds')
      .replace(/:\w+\??|\*/, 'no-such-thing')
  const cacheOf = ({ headers }: Response) => headers.get('cache-control') ?? ''

  it.each(builtRoutes)('may store $path only if the list allows it', async ({ path, isPage }) => {
    const address = concrete(path)
    const [pathname = '', query = ''] = address.split('?')
    const data = pathname === '/' ? '/_root.data' : `${pathname}.data`
    const targets = (isPage ? [pathname, data] : [pathname]).flatMap((target) => [
      `${target}?${query}`,
      `${target}?${query}&extra=1`,
    ])
    for (const target of targets) {
      for (const account of ACCOUNTS) {
        const headers = { cookie: cookies.get(account) ?? '', accept: 'text/html' }
        const answer = await send(target, { headers })
        const about = `${answer.status} ${target} as ${account}`
        const allowed = answer.status === 200 ? PUBLIC.get(path) : undefined
        if (target === targets[0] && PUBLIC.has(path)) expect(answer.status, about).toBe(200)
        if (allowed) expect(cacheOf(answer), about).toBe(allowed)
        else expect(cacheOf(answer), about).toContain('no-store')
        await answer.body?.cancel()
      }
    }
    const written = await send(address, { method: 'POST' })
    expect(cacheOf(written), `POST ${written.status}`).toContain('no-store')
  })

  it.each([
    ['/nothing-here', {}],
    ['/VENUES', {}],
    ['/%', {}],
    [`/venues?q=${'x'.repeat(9_000)}`, {}],
    ['/business/no-such-business', {}],
    ['/assets/none.js', {}],
    ['/venues', { method: 'POST', headers: { origin: undefined } }],
    ['/login', { method: 'POST', headers: { origin: 'https://evil.example' } }],
    ['/login', { body: 'x'.repeat(70_000), headers: { origin: undefined } }],
    ['/login', { fields: { 'email[1]': 'x' }, headers: { origin: undefined } }],
    ['/login', { method: 'PUT', headers: { origin: undefined } }],
    ['/robots.txt', {}],
    ['/files/no/such.webp', {}],
    ['/illustrations/no/such/4x3', {}],
    ['/calendar-feed/nope.ics', {}],
  ] as [string, RequestOptions][])('may not store a refusal, failure or redirect: %s', async (path, init) => {
    const answer = await send(path, init)
    expect(answer.status).toBeGreaterThanOrEqual(300)
    expect(cacheOf(answer)).toContain('no-store')
  })
})

describe('a path in another spelling', () => {
  it.each([
    ['/VENUES', '/venues'],
    ['/Photographers', '/photographers'],
    ['/%76enues', '/venues'],
    ['/%56ENUES/', '/venues/'],
    ['/Venues.data', '/venues.data'],
    ['/VENUES?q=Big+Barn&place=x', '/venues?q=Big+Barn&place=x'],
    ['/Dashboard/List-Business/AbC/Edit', '/dashboard/list-business/AbC/edit'],
    ['/Business/Harbour-Light', '/business/Harbour-Light'],
    ['/BUSINESS/%48arbour', '/business/%48arbour'],
    ['/Bookings/AbC-1/Receipt.PDF', '/bookings/AbC-1/receipt.pdf'],
    ['/venues/IN/Williamstown', '/venues/in/Williamstown'],
    ['/Files/A/B.webp', '/files/A/B.webp'],
    ['/ILLUSTRATIONS/Not-Found/Page/4x3', '/illustrations/Not-Found/Page/4x3'],
    ['/UserDashboard/Anything/Else', '/userdashboard/Anything/Else'],
    ['/Robots.txt', '/robots.txt'],
    ['/API/Session', '/api/session'],
    ['/Legal/terms-of-service.pdf', '/legal/terms-of-service.pdf'],
    ['/%4Cegal/privacy-policy.pdf', '/legal/privacy-policy.pdf'],
  ])('redirects from %s to %s', async (sent, wanted) => {
    const answer = await send(sent)
    expect([answer.status, answer.headers.get('location')]).toEqual([308, wanted])
    const again = await send(wanted)
    expect(again.status).not.toBe(308)
  })

  it.each([
    '/business/Harbour-Light-Pavilion',
    '/Nothing/Here',
    '//VENUES',
    '//evil.example/IN/x',
    '/business/%2e%2e%2fVENUES',
    '/calendar-feed/AbC.ICS',
  ])(
    'answers 404 without a redirect where only a parameter differs, or no route matches: %s',
    async (path) => {
      const answer = await send(path)
      expect(answer.status).toBe(404)
    },
  )

  it('keeps the method and body of a form', async () => {
    const fields = { email: 'customer@jubilee.example', password: 'celebrate' }
    const answer = await send('/LOGIN?next=/CART', { fields })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/login?next=/CART'])
  })

  it('opens after signing in, in any script, but never leads off the site', async () => {
    const cookie = cookies.get('customer') ?? ''
    for (const [next, wanted] of [
      ['/%E2%80%8B', '/%E2%80%8B'],
      ['%E2%80%8B', '/'],
      ['/zo%C3%AB%3Fq%3D%F0%9F%8E%82', '/zo%C3%AB?q=%F0%9F%8E%82'],
      ['/..//evil.example', '/'],
    ]) {
      for (const page of ['/login', '/signup']) {
        expect((await send(`${page}?next=${next}`)).status).toBe(200)
        const answer = await send(`${page}?next=${next}`, { cookie })
        expect([answer.status, answer.headers.get('location')]).toEqual([302, wanted])
      }
      const answer = await send(`/login?next=${next}`, {
        fields: { email: 'vendor@jubilee.example', password: 'celebrate' },
      })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, wanted])
    }
  })
})

describe('the content security policy', () => {
  it.each(['/', '/venues', '/login', '/nothing-here', '/my-bookings'])(
    'allows only the scripts of our document, none in its content: %s',
    async (path) => {
      const cookie = path === '/my-bookings' ? (cookies.get('customer') ?? '') : ''
      const answer = await send(path, { cookie })
      const html = await answer.text()
      expect(html).toContain(INJECTED)
      expect(html).not.toContain(' nonce=')
      const policy = answer.headers.get('content-security-policy') ?? ''
      const allowed = new Set(policy.match(/'sha256-[^']+'/g))
      const inline = [...html.matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g)]
      const hashes = await Promise.all(
        inline.map(async ([whole, code = '']) => {
          const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))
          return { whole, hash: `'sha256-${Buffer.from(digest).toString('base64')}'` }
        }),
      )
      expect(hashes.length).toBeGreaterThan(4)
      const refused = hashes.filter(({ hash }) => !allowed.has(hash))
      expect(refused.map(({ whole }) => whole)).toEqual([INJECTED])
      expect(allowed.size).toBe(new Set(hashes.map(({ hash }) => hash)).size - 1)
    },
  )
})

describe('a client that disconnects', () => {
  /** Sends a request on its own connection and closes it before the server can respond. */
  const sendAndLeave = (head: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.origin).port), 'localhost')
      socket.on('close', () => resolve())
      socket.on('error', () => {})
      socket.write(`${head}\r\nhost: localhost\r\n\r\n`, () => setImmediate(() => socket.destroy()))
    })

  it.each([
    ['/illustrations/:scene/:seed/:ratio?', '/illustrations/not-found/page/4x3?w=1280&f=avif'],
    ['/my-bookings', '/my-bookings'],
  ])('counts as 499 in the log and metrics, not as a failure: %s', async (route, path) => {
    await sendAndLeave(`GET ${path} HTTP/1.1\r\ncookie: ${cookies.get('customer')}`)
    await expect.poll(() => requests, { timeout: 20_000 }).toContainEqual(expect.objectContaining({ route }))
    expect(requests.filter((line) => line.route === route).map(({ status }) => status)).toEqual([499])
    expect(errors).toEqual([])
    const metrics = await (await send('/metrics')).text()
    expect(metrics).not.toContain(`jubilee_http_requests_total{route="${route}",status="5xx"}`)
    expect(metrics).toContain(`jubilee_http_requests_total{route="${route}",status="4xx"}`)
  })
})

it('logs an error for every 500, even without an exception', async () => {
  expect((await send('/robots.txt')).status).toBe(500)
  expect(errors).toEqual([
    [
      { method: 'GET', route: '/robots.txt', requestId: expect.any(String) },
      'status 500 without a logged error',
    ],
  ])
})
