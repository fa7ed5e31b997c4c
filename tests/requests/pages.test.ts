import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let customerCookies = ''

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  customerCookies = await logIn(server, 'customer@jubilee.example')
})
afterAll(() => server.close())

const { get } = requestsTo(() => server)

const tags = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found ?? '')
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]

const CATEGORIES = [
  ['/venues', 'Venues'],
  ['/photographers', 'Photographers'],
  ['/hairdressers', 'Hairdresser'],
  ['/sounds-dj', 'Sounds &amp; DJ'],
  ['/catering', 'Catering'],
  ['/videographers', 'Videographers'],
  ['/event-planners', 'Event Planners'],
  ['/extras', 'Extras'],
] as const

/** Public pages that search engines index. */
const PUBLIC = [
  '/',
  '/venues-vendors',
  ...CATEGORIES.map(([path]) => path),
  '/business/harbour-light-pavilion',
  '/venues/in/williamstown-vic',
  '/events',
  '/vendors',
  '/vendorsprofile?id=demo-hamish-boyd',
  '/list-your-business',
  '/advice-support',
  '/help',
  '/help/withdraw-or-cancel',
]

/** Public pages that search engines must not index. */
const QUIET = [
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/undo-email-change',
  '/not-me',
  '/logout',
  '/account-closed',
  '/newsletter',
  '/newsletter/unsubscribe',
  '/reviews/end',
  '/alerts',
  '/cart',
  '/payment',
]

const GUARDED = [
  '/my-profile',
  '/my-bookings',
  '/notifications',
  '/settings-privacy',
  '/confirm-deactivation',
  '/confirm-deletion',
  '/userdashboard/user',
  '/dashboard',
  '/dashboard/register-business',
  '/dashboard/bookings',
]

/** Expects what every document must have. */
function expectWhole(html: string) {
  expect(html).toContain('<html lang="en-AU"')
  expect(tags(html, /<title>([^<]*)<\/title>/g)).toEqual([expect.stringMatching(/\S/)])
  expect(tags(html, /(<h1[ >])/g)).toHaveLength(1)
  expect(html).toContain('name="viewport"')
}

describe('public pages', () => {
  it.each([...PUBLIC, '/login', '/signup'])(
    '%s is complete, with a description and its own canonical address',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      const html = await answer.text()
      expectWhole(html)
      expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toMatch(/Jubilee/)
      expect(meta(html, 'description')?.length).toBeGreaterThan(20)
      expect(meta(html, 'robots')).toBeUndefined()
      expect(canonical(html)).toBe(new URL(path, server.origin).href)
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self' 'sha256-")
    },
  )

  it.each(QUIET)('%s is complete and asks search engines not to index it', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expectWhole(html)
    expect(meta(html, 'robots')).toContain('noindex')
    expect(canonical(html)).toBeUndefined()
  })

  it.each([...PUBLIC, '/cart'])('%s contains nothing of the visitor', async (path) => {
    const [nobody, customer] = await Promise.all([get(path), get(path, { cookie: customerCookies })])
    expect(customer.headers.getSetCookie()).toEqual([])
    expect(await customer.text()).toBe(await nobody.text())
  })

  it.each(CATEGORIES)(
    '%s lists cards with name, category tag, description, price and image',
    async (path, name) => {
      const html = await (await get(path)).text()
      const cards = tags(html, /<article([\s\S]*?)<\/article>/g)
      expect(cards.length).toBeGreaterThan(5)
      for (const card of cards) {
        expect(card).toMatch(/<a [^>]*href="\/business\/[\w-]+"[^>]*>[^<]+<\/a>/)
        expect(card).toContain(`>${name}</span>`)
        expect(card).toMatch(/line-clamp-2[^>]*>[^<]{20,}/)
        expect(card).toMatch(/\$[\d,]+\.\d{2}<\/span>|Price on request/)
        // A listing without an image shows the placeholder.
        expect(card).toMatch(/<img [^>]*src="\/illustrations\/|<svg [^>]*data-placeholder/)
      }
    },
  )

  it.each(['/', '/business/harbour-light-pavilion', '/advice-support'])(
    '%s doesn’t say that prices include GST, since a vendor may not be registered for it',
    async (path) => {
      const html = await (await get(path)).text()
      expect(html.match(/[^.>]*GST[^.<]*/g)).toEqual(
        expect.arrayContaining([expect.stringMatching(/including any GST/)]),
      )
      expect(html.match(/[^.>]*GST included(?! where it applies)[^.<]*/g)).toBeNull()
    },
  )

  it('a budget is split without a script, and only for who asked', async () => {
    const split = await (await get('/advice-support?budget=25%2C000&guests=90')).text()
    expect(split).toContain('$9,500.00')
    const to = /href="(\/catering\?[^"]*)"/.exec(split)?.[1]?.replaceAll('&amp;', '&')
    expect(to).toBe('/catering?budget=9500&guests=90')
    expect((await get(to ?? '')).status).toBe(200)
    const plain = await (await get('/advice-support')).text()
    expect(plain).toContain('38%')
    expect(plain).not.toContain('$9,500.00')
  })

  it('the help is searched without a script, and an unknown article is a 404', async () => {
    const found = await (await get('/help?q=Refunds')).text()
    expect(found).toContain('href="/help/refunds"')
    expect(found).toContain('value="Refunds"')
    expect(found).toContain('<meta name="robots" content="noindex"')
    const nothing = await (await get('/help?q=%3Cxylophone%3E')).text()
    expect(nothing).toContain('No article mentions ‘&lt;xylophone&gt;’.')
    expect(nothing).toContain('href="/help/withdraw-or-cancel"')
    for (const path of ['/help/no-such-article', '/help/refunds/more', `/help/${'a'.repeat(300)}`])
      expect((await get(path)).status, path).toBe(404)
  })

  it('a search without results says so and offers close matches', async () => {
    const answer = await get('/catering?q=no-such-word-anywhere')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('0 businesses')
    expect(html).toContain('Nothing matches all of that')
    expect(html).toContain('Close matches')
  })
})

describe('the frame of a page', () => {
  const open = async (path: string, cookie = '') =>
    (await get(path, { cookie })).text().then((html) => ({
      html,
      header: /<header class="site-header"[\s\S]*?<\/header>/.exec(html)?.[0] ?? '',
      footer: /<footer class="site-footer[\s\S]*?<\/footer>/.exec(html)?.[0] ?? '',
    }))
  // Keeps the page out of the cache, so each document is rendered.
  let documents = 0
  const rendered = (path: string, cookie = '') => open(`${path}?rendered=${++documents}`, cookie)

  it('stays the same in each document of a path', async () => {
    for (const path of ['/venues', '/login', '/photographers']) {
      const [first, second, third] = [await rendered(path), await rendered(path), await rendered(path)]
      expect(first.header, path).toContain('site-drawer')
      expect(second.header, path).toBe(first.header)
      expect(third.footer, path).toBe(first.footer)
    }
  })

  it('marks the links of its own path', async () => {
    const marked = (header: string) =>
      tags(header, /<a (?=[^>]*aria-current)[^>]*href="([^"]*)"/g).filter(
        (path, at, all) => all.indexOf(path) === at,
      )
    for (let round = 0; round < 2; round++) {
      expect(marked((await rendered('/venues')).header)).toEqual(['/venues'])
      expect(marked((await rendered('/venues/in/geelong')).header)).toEqual(['/venues'])
      expect(marked((await rendered('/venues-vendors')).header)).toEqual(['/venues-vendors'])
      expect(marked((await rendered('/login')).header)).toEqual([])
    }
  })

  it('shows a slim footer where people work, and the whole one elsewhere', async () => {
    for (let round = 0; round < 2; round++) {
      expect((await rendered('/my-profile', customerCookies)).footer).toContain('site-footer-slim')
      expect((await rendered('/login')).footer).not.toContain('site-footer-slim')
    }
  })

  it('contains nothing of a signed-in person, nor does that of the next visitor', async () => {
    const own = await rendered('/my-profile', customerCookies)
    expect(own.html).toContain('customer@jubilee.example')
    expect(own.header + own.footer).not.toContain('customer@')
    expect((await rendered('/login')).html).not.toContain('customer@')
  })
})

describe('the parts that documents share', () => {
  let documents = 0
  // Keeps the page out of the cache, so each document is rendered.
  const render = async (path: string) =>
    (await get(`${path}${path.includes('?') ? '&' : '?'}rendered=${++documents}`)).text()
  const articles = (html: string) => html.match(/<article[\s\S]*?<\/article>/g) ?? []

  it('belong to one search alone', async () => {
    const plain = articles(await render('/venues'))
    const asked = articles(await render('/venues?guests=40&date=2099-03-07'))
    for (const card of asked) expect(card).toContain('?date=2099-03-07&amp;guests=40')
    for (const card of plain) expect(card).not.toContain('guests=40')
    expect(articles(await render('/venues'))).toEqual(plain)
  })

  it('fit the form of a search, which keeps what was chosen', async () => {
    const chosen = (html: string) => tags(html, /<option value="([^"]*)" selected=""/g)
    expect(chosen(await render('/venues?diet=kosher'))).toContain('kosher')
    expect(chosen(await render('/venues'))).not.toContain('kosher')
    expect(chosen(await render('/venues?diet=kosher'))).toContain('kosher')
    expect(chosen(await render('/venues?diet=halal'))).not.toContain('kosher')
  })
})

describe('pages for signed-in people', () => {
  it.each(GUARDED)('%s redirects guests to /login and back', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`)
  })

  it.each(GUARDED)('%s is complete for a customer, and not publicly cached', async (path) => {
    const answer = await get(path, { cookie: customerCookies })
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expectWhole(html)
    expect(meta(html, 'robots')).toContain('noindex')
    expect(answer.headers.get('cache-control') ?? '').not.toContain('public')
  })

  it('/dashboard/list-business asks guests to log in', async () => {
    const html = await (await get('/dashboard/list-business')).text()
    expectWhole(html)
    expect(html).toContain('Please log in to list your business.')
  })

  it.each(['/userdashboard', '/userdashboard/nothing', '/userdashboard/a/b'])(
    'any other path of the group redirects to its overview: %s',
    async (path) => {
      const answer = await get(path, { cookie: customerCookies })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe('/userdashboard/user')
    },
  )
})

describe('redirects and unknown paths', () => {
  it.each([
    ['/vendorsprofile', '/vendors'],
    ['/addservice', '/login?next=%2Fdashboard%2Flist-business%2Fnew'],
  ])('%s redirects to %s', async (path, target) => {
    const answer = await get(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(target)
  })

  it.each([
    ['/no/such/screen', 'This page isn’t here'],
    ['/business/no-such-business', 'Business not found.'],
    ['/vendorsprofile?id=nobody', 'This vendor isn’t here'],
    ['/book/no-such-business', 'Vendor not found!'],
    ['/success', 'We can’t find this payment'],
    ['/bookings/no-such-link', 'There is no booking at this address'],
  ])('%s answers 404 with a complete page', async (path, heading) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    const html = await answer.text()
    expectWhole(html)
    expect(html).toContain(heading)
    expect(meta(html, 'robots')).toContain('noindex')
  })
})

describe('shared links', () => {
  it.each(['/', '/catering', '/business/harbour-light-pavilion'])(
    '%s has a real preview image',
    async (path) => {
      const html = await (await get(path)).text()
      for (const name of ['title', 'description', 'image']) {
        expect(meta(html, `og:${name}`), name).toBeTruthy()
        expect(meta(html, `twitter:${name}`), name).toBe(meta(html, `og:${name}`))
      }
      expect(meta(html, 'og:url')).toBe(new URL(path, server.origin).href)
      expect(meta(html, 'twitter:card')).toBe('summary_large_image')
      const address = new URL((meta(html, 'og:image') ?? '').replaceAll('&amp;', '&'))
      expect(address.origin).toBe(server.origin)
      const image = await server.fetch(new Request(address))
      expect(image.status).toBe(200)
      expect(image.headers.get('content-type')).toBe('image/jpeg')
      expect([...new Uint8Array(await image.arrayBuffer()).slice(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    },
  )

  it('a business has one title for its page and its seoTitle for sharing', async () => {
    const html = await (await get('/business/harbour-light-pavilion')).text()
    expect(html).toContain('<title>Harbour Light Pavilion | Jubilee</title>')
    expect(meta(html, 'og:title')).toBe('Harbour Light Pavilion | Venues | Jubilee')
    expect([...(meta(html, 'description') ?? '')]).toHaveLength(150)
  })
})

describe('the legal documents', () => {
  it.each(['/legal/terms-of-service.pdf', '/legal/privacy-policy.pdf', '/legal/vendor-agreement.pdf'])(
    '%s is a real PDF',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(bytes.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
      const pages = Number(/\/Type \/Pages[\s\S]*?\/Count (\d+)/.exec(bytes.toString('latin1'))?.[1])
      expect(pages).toBeGreaterThanOrEqual(1)
    },
  )

  it.each(['legal/terms-of-service.md', 'legal/privacy-policy.md', 'legal/vendor-agreement.md'])(
    '%s says that it is a sample',
    (path) => {
      expect(readFileSync(path, 'utf8')).toMatch(/sample/i)
    },
  )
})
