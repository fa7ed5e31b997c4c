import { gunzipSync } from 'node:zlib'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import routes from '../../app/routes.ts'
import { aBusiness, aUser } from '../builders.ts'
import { logIn, requestsTo } from '../client.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer, type TestServer, unlistedPaths } from '../server.ts'

let server: TestServer
const cookies = { customer: '', vendor: '', operator: '' }

/** A listing's name that tries to close the script around it. */
const HOSTILE_NAME = '</script><script>alert(1)</script>\u2028 <!-- & "Shed"'

beforeAll(async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true })
  const { db } = server.services
  const owner = (await aUser(db)).id
  const at = new Date()
  const place_id = 'melbourne-vic'
  await aBusiness(db, { id: 'gone-garden', user_id: owner, place_id, deleted_at: at })
  await aBusiness(db, { id: 'hidden-house', user_id: owner, place_id, hidden_at: at })
  await aBusiness(db, {
    id: 'hostile-shed',
    user_id: owner,
    place_id: 'broome-wa',
    name: HOSTILE_NAME,
    // Keeps it from the top of a list, since it has no picture.
    created_at: new Date(0),
  })
  for (const role of ['customer', 'vendor', 'operator'] as const) {
    cookies[role] = await logIn(server, `${role}@jubilee.example`)
  }
})
afterAll(() => server.close())

const { get } = requestsTo(() => server)
const read = async (path: string) => (await get(path)).text()

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '')
const plain = (html: string) =>
  html
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
const titleOf = (html: string) => plain(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '')
const canonicalOf = (html: string) => plain(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? '')
const isLeftOut = (html: string) => html.includes('<meta name="robots" content="noindex"/>')
const linksOf = (html: string) => new Set(all(html, /<a [^>]*href="([^"]*)"/g).map(plain))
const locsOf = (xml: string) => all(xml, /<loc>([^<]*)<\/loc>/g).map(plain)

type Thing = { [name: string]: unknown; '@type': string | string[] }

/** The page's structured data. A script ends at its first end tag, as in a browser. */
async function dataOf(path: string): Promise<Thing[]> {
  const html = await read(path)
  return all(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs).map((text) => JSON.parse(text))
}

/** The properties that Google and schema.org require of each type. */
const REQUIRED: Record<string, readonly string[]> = {
  LocalBusiness: ['name', 'address', 'url', 'geo', 'description'],
  EventVenue: ['name', 'address', 'url', 'geo'],
  PostalAddress: ['addressLocality', 'addressRegion', 'addressCountry'],
  GeoCoordinates: ['latitude', 'longitude'],
  GeoCircle: ['geoMidpoint', 'geoRadius'],
  LocationFeatureSpecification: ['name', 'value'],
  AggregateRating: ['ratingValue', 'reviewCount', 'bestRating', 'worstRating'],
  Review: ['author', 'reviewRating', 'reviewBody', 'datePublished'],
  Rating: ['ratingValue', 'bestRating', 'worstRating'],
  Person: ['name'],
  BreadcrumbList: ['itemListElement'],
  ItemList: ['name', 'itemListElement'],
  ListItem: ['position', 'name'],
  WebSite: ['name', 'url', 'potentialAction'],
  SearchAction: ['target', 'query-input'],
  EntryPoint: ['urlTemplate'],
  Organization: ['name', 'url', 'logo'],
}

/** Expects a known type with its required properties of every object, and absolute addresses. */
function expectValid(value: unknown): void {
  if (Array.isArray(value)) {
    for (const part of value) expectValid(part)
    return
  }
  if (typeof value === 'string' && /^(\/|http)/.test(value)) {
    expect(value).toMatch(/^https:\/\/schema\.org$|^http:\/\/localhost:\d+\//)
  }
  if (typeof value !== 'object' || value === null) return
  const thing = value as Thing
  // A reference to another object has nothing but its @id.
  if (Object.keys(thing).join() === '@id') return
  for (const type of [thing['@type']].flat()) {
    expect(Object.keys(REQUIRED)).toContain(type)
    for (const name of REQUIRED[type] ?? []) {
      expect(thing[name], `${name} of ${type}`).not.toBe('')
      expect(thing, type).toHaveProperty([name])
    }
  }
  for (const part of Object.values(thing)) expectValid(part)
}

describe('robots.txt', () => {
  it('lets crawlers read public pages and names the sitemap', async () => {
    const answer = await get('/robots.txt')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const lines = (await answer.text()).split('\n')
    expect(lines).toContain('User-agent: *')
    expect(lines).toContain(`Sitemap: ${server.origin}/sitemap.xml`)
    const closed = lines.filter((line) => line.startsWith('Disallow: ')).map((line) => line.slice(10))
    for (const path of ['/dashboard', '/my-bookings', '/cart', '/payment', '/api/', '/operations']) {
      expect(closed).toContain(path)
    }
    for (const path of [
      '/',
      '/venues',
      '/catering/in/geelong-vic',
      '/business/a',
      '/files/a',
      '/assets/a.js',
    ]) {
      expect(closed.filter((beginning) => path.startsWith(beginning))).toEqual([])
    }
  })

  it('covers every route as public or private', () => {
    const pathsOf = (entries: RouteConfigEntry[], parent: string): string[] =>
      entries.flatMap((entry) => {
        const path = entry.path ? `${parent}/${entry.path}` : parent
        return [...(entry.path || entry.index ? [path || '/'] : []), ...pathsOf(entry.children ?? [], path)]
      })
    const isUnlisted = (path: string) => unlistedPaths.some((beginning) => path.startsWith(beginning))
    const open = pathsOf(routes, '').filter((path) => !isUnlisted(path) && !path.endsWith('/in/:place'))
    // A new route belongs here, or in a layout that declares `unlisted`.
    expect(open.sort()).toEqual(
      [
        '/',
        '/*',
        '/advice-support',
        '/book/:id',
        '/business/:id',
        // Declares `unlisted` itself, since a public path begins as its own does.
        '/business/:id/ask',
        // Mail programs and their servers fetch it.
        '/business/:id/picture',
        '/cards/*',
        '/catering',
        '/event-planners',
        '/events',
        '/extras',
        '/files/*',
        '/forgot-password',
        '/hairdressers',
        '/help/:article?',
        '/legal/:document',
        '/list-your-business',
        '/illustrations/:scene/:seed/:ratio?',
        '/login',
        '/manifest.webmanifest',
        '/newsletter',
        '/photographers',
        '/robots.txt',
        '/services/:service',
        '/signup',
        '/sitemap.xml',
        '/sitemaps/:part',
        '/sounds-dj',
        '/vendors',
        '/vendorsprofile',
        '/venues',
        '/venues-vendors',
        '/videographers',
      ].sort(),
    )
  })
})

describe('indexing', () => {
  it.each([
    '/outbox',
    '/bookings/no-such-link',
    '/bookings/no-such-link/receipt.pdf',
    '/bookings/no-such-link/calendar.ics',
    '/api/session',
    '/cart',
    '/dashboard',
    '/webhooks/payments',
  ])('%s is refused by its X-Robots-Tag', async (path) => {
    expect((await get(path)).headers.get('x-robots-tag')).toBe('noindex')
  })

  it.each([
    '/',
    '/venues',
    '/business/harbour-light-pavilion',
    '/book/harbour-light-pavilion',
    '/login',
    '/robots.txt',
    '/sitemap.xml',
  ])('%s is allowed', async (path) => {
    const answer = await get(path)
    expect(answer.headers.get('x-robots-tag')).toBeNull()
    expect(isLeftOut(await answer.text())).toBe(false)
  })

  it('the page to ask a business is refused by its robots tag', async () => {
    expect(isLeftOut(await read('/business/harbour-light-pavilion/ask'))).toBe(true)
  })

  it('the booking form’s canonical address is its business page', async () => {
    const page = canonicalOf(await read('/business/harbour-light-pavilion'))
    expect(page).toMatch(/\/business\/harbour-light-pavilion$/)
    expect(canonicalOf(await read('/book/harbour-light-pavilion'))).toBe(page)
  })

  it.each([
    ['customer', '/my-profile'],
    ['customer', '/my-bookings'],
    ['customer', '/notifications'],
    ['customer', '/settings-privacy'],
    ['customer', '/settings-privacy/activity'],
    ['customer', '/confirm-deactivation'],
    ['customer', '/confirm-deletion'],
    ['customer', '/userdashboard/user'],
    ['vendor', '/dashboard'],
    ['vendor', '/dashboard/register-business'],
    ['vendor', '/dashboard/list-business'],
    ['vendor', '/dashboard/list-business/new'],
    ['vendor', '/dashboard/bookings'],
    ['operator', '/operations'],
    ['operator', '/operations/payments'],
    ['operator', '/operations/bookings'],
    ['operator', '/operations/search'],
    ['operator', '/operations/comparison'],
    ['operator', '/operations/reviews'],
    ['operator', '/operations/accounts'],
    ['operator', '/operations/listings'],
    ['operator', '/operations/log'],
  ] as const)('as a %s, %s is refused, and its title ends with the brand', async (role, path) => {
    const answer = await get(path, { cookie: cookies[role] })
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(titleOf(html)).toMatch(/^\S.* \| Jubilee$/)
    expect(isLeftOut(html)).toBe(true)
  })
})

describe('the sitemap', () => {
  it('lists every indexable page and no other', async () => {
    const answer = await get('/sitemap.xml')
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const parts = locsOf(await answer.text())
    expect(parts).toEqual(
      ['pages', 'places', 'businesses', 'services'].map((part) => `${server.origin}/sitemaps/${part}.xml`),
    )
    const [pages = [], places = [], businesses = [], services = []] = await Promise.all(
      parts.map(async (part) => locsOf(await read(part))),
    )
    const listed = await server.services.db
      .selectFrom('businesses')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('hidden_at', 'is', null)
      .orderBy('id')
      .execute()
    expect(businesses).toEqual(listed.map(({ id }) => `${server.origin}/business/${id}`))
    expect(pages).toContain(`${server.origin}/`)
    expect(pages).toContain(`${server.origin}/sounds-dj`)
    expect(places).toContain(`${server.origin}/venues/in/williamstown-vic`)
    expect(services).toContain(`${server.origin}/services/florist`)
    expect(services).toContain(`${server.origin}/services/florist/in/daylesford-vic`)
    // The demo has no fireworks.
    expect(services.filter((address) => address.includes('/fireworks'))).toEqual([])

    // Each exists, with this as its canonical address.
    const some = [
      ...pages,
      ...places.filter((_, n) => n % 12 === 0),
      ...services.filter((_, n) => n % 12 === 0),
      ...businesses.filter((_, n) => n % 20 === 0),
    ]
    for (const address of some) {
      const page = await get(address)
      expect(page.status, address).toBe(200)
      const html = await page.text()
      expect(canonicalOf(html)).toBe(address)
      expect(isLeftOut(html), address).toBe(false)
    }
  })

  it('lists pages that each have a title of their own', async () => {
    const pages = locsOf(await read('/sitemaps/pages.xml'))
    const titles = await Promise.all(pages.map(async (address) => titleOf(await read(address))))
    expect(titles).toContain('List your business | Jubilee')
    expect(titles).toContain('List your business · Help | Jubilee')
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })

  it('gives the date of a page’s last change', async () => {
    const [, changed = ''] =
      /<loc>[^<]*\/business\/hostile-shed<\/loc><lastmod>([^<]*)<\/lastmod>/.exec(
        await read('/sitemaps/businesses.xml'),
      ) ?? []
    expect(Number.isNaN(Date.parse(changed))).toBe(false)
  })

  it('splits businesses into ranges', async () => {
    const found = locsOf(await read('/sitemaps/businesses.xml?after=assay-room&to=barrel-room-disco'))
    expect(found[0]).not.toContain('assay-room')
    expect(found.at(-1)).toBe(`${server.origin}/business/barrel-room-disco`)
  })

  it('comes compressed like any other response', async () => {
    const answer = await get('/sitemaps/businesses.xml', { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toContain('</urlset>')
  })

  it.each(['/sitemaps/other.xml', '/sitemaps/businesses.xml?after=%27;--', '/sitemaps/businesses.xml?to='])(
    '%s answers 404',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )
})

describe('structured data', () => {
  it.each([
    ['/', ['WebSite', 'Organization']],
    ['/venues-vendors', ['ItemList']],
    ['/catering', ['BreadcrumbList', 'ItemList']],
    ['/venues/in/williamstown-vic', ['BreadcrumbList', 'ItemList']],
    ['/vendorsprofile?id=demo-hamish-boyd', ['BreadcrumbList', 'ItemList']],
    ['/business/harbour-light-pavilion', ['EventVenue,LocalBusiness', 'BreadcrumbList']],
    ['/business/banksia-moving-pictures', ['LocalBusiness', 'BreadcrumbList']],
  ])('%s has %j with their required properties', async (path, types) => {
    const data = await dataOf(path)
    expect(data.map((thing) => String(thing['@type']))).toEqual(types)
    for (const thing of data) {
      expect(thing['@context']).toBe('https://schema.org')
      expectValid(thing)
    }
  })

  it('a business has the rating that its page shows, or none without reviews', async () => {
    const [venue] = await dataOf('/business/harbour-light-pavilion')
    const { db } = server.services
    const ratings = await db
      .selectFrom('reviews')
      .select('rating')
      .where('business_id', '=', 'harbour-light-pavilion')
      .where('approved', '=', true)
      .execute()
    const mean = ratings.reduce((sum, { rating }) => sum + rating, 0) / ratings.length
    expect(venue?.aggregateRating).toMatchObject({
      ratingValue: Math.round(mean * 10) / 10,
      reviewCount: ratings.length,
    })
    expect(venue?.review).toHaveLength(ratings.length)
    const [without] = await dataOf('/business/hostile-shed')
    expect(without).not.toHaveProperty('aggregateRating')
    expect(without).not.toHaveProperty('review')
  })

  it('lists businesses by their own addresses, in page order', async () => {
    const html = await read('/catering')
    const [, list] = await dataOf('/catering')
    const items = (list?.itemListElement ?? []) as { url: string }[]
    const addresses = items.map(({ url }) => new URL(url).pathname)
    const shown = all(html, /<a [^>]*href="(\/business\/[\w-]+)"/g)
    expect(addresses).toEqual([...new Set(shown)])
  })

  it('a listing’s text can neither close its script nor become one', async () => {
    const answer = await get('/business/hostile-shed')
    const html = await answer.text()
    expect(html).not.toContain('<script>alert')
    const data = await dataOf('/business/hostile-shed')
    expect(data[0]?.name).toBe(HOSTILE_NAME)
    // Structured data is never executed, so the policy allows only the other scripts.
    const scripts = all(html, /<script(?![^>]*\ssrc=)(?![^>]*ld\+json)[^>]*>(.*?)<\/script>/gs)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy.match(/'sha256-/g)).toHaveLength(new Set(scripts).size)
  })
})

describe('canonical addresses', () => {
  it.each([
    ['/?utm_source=letter&fbclid=x', '/'],
    ['/venues?utm_source=letter', '/venues'],
    ['/business/harbour-light-pavilion?gclid=x', '/business/harbour-light-pavilion'],
    ['/venues/in/williamstown-vic?page=4&ref=x', '/venues/in/williamstown-vic'],
    ['/venues-vendors?category=Catering', '/venues-vendors'],
    ['/catering?place=VIC', '/catering'],
    ['/vendors?page=1&x=y', '/vendors'],
  ])('%s has the canonical address %s', async (path, kept) => {
    const html = await read(path)
    expect(canonicalOf(html)).toBe(new URL(kept, server.origin).href)
    expect(isLeftOut(html)).toBe(false)
  })

  it('a later page of a list has its own canonical address', async () => {
    const next = plain(/<a [^>]*rel="next"[^>]*>/.exec(await read('/venues-vendors'))?.[0] ?? '')
    const address = /href="([^"]*)"/.exec(next)?.[1] ?? ''
    expect(address).toMatch(/^\/venues-vendors\?after=/)
    const html = await read(address)
    expect(canonicalOf(html)).toBe(new URL(address, server.origin).href)
    expect(isLeftOut(html)).toBe(false)
  })

  it.each(['/venues-vendors?q=garden', '/catering?place=Nowhere', '/catering?q=cheap+pills'])(
    '%s has none and is not indexed',
    async (path) => {
      const html = await read(path)
      expect(isLeftOut(html)).toBe(true)
      expect(canonicalOf(html)).toBe('')
    },
  )

  it.each([
    ['gone-garden', 410],
    ['hidden-house', 410],
    ['no-such-business', 404],
  ])('an absent business is not indexed: %s answers %i', async (id, status) => {
    const answer = await get(`/business/${id}`)
    expect(answer.status).toBe(status)
    const html = await answer.text()
    expect(isLeftOut(html)).toBe(true)
    expect(html).toContain('Business not found.')
    expect(html).not.toContain('ld+json')
  })
})

describe('a landing page', () => {
  it('describes its listings in its own words', async () => {
    const html = await read('/venues/in/williamstown-vic')
    expect(titleOf(html)).toBe('Venues in Williamstown, VIC | Jubilee')
    expect(plain(html)).toContain('1 venue is listed in Williamstown, and 1 more within 25 km.')
    expect(html).toContain('Harbour Light Pavilion')
    expect(html).toMatch(/Brunswick, VIC[^a-z]*· [^a-z]*about 12 km away/)
  })

  it('carries a unique title and description', async () => {
    const places = locsOf(await read('/sitemaps/places.xml')).slice(0, 25)
    const heads = await Promise.all(
      places.map(async (address) => {
        const html = await read(address)
        return [titleOf(html), /<meta name="description" content="([^"]*)"/.exec(html)?.[1]]
      }),
    )
    expect(new Set(heads.map(([title]) => title)).size).toBe(places.length)
    expect(new Set(heads.map(([, description]) => description)).size).toBe(places.length)
  })

  it('gets links from its category, its businesses and its neighbours', async () => {
    const path = '/venues/in/williamstown-vic'
    expect(linksOf(await read('/venues'))).toContain(path)
    expect(linksOf(await read('/business/harbour-light-pavilion'))).toContain(path)
    expect(linksOf(await read('/venues/in/brunswick-vic'))).toContain(path)
    const own = linksOf(await read(path))
    expect(own).toContain('/venues')
    expect(own).toContain('/venues/in/brunswick-vic')
  })

  it('with only nearby listings is for people, not for search engines', async () => {
    const answer = await get('/venues/in/footscray-vic')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(plain(html)).toContain('No venue is listed in Footscray itself yet.')
    expect(isLeftOut(html)).toBe(true)
    expect(await read('/sitemaps/places.xml')).not.toContain('/venues/in/footscray-vic')
  })

  it.each([
    '/venues/in/birdsville-qld',
    '/venues/in/no-such-place',
    '/venues/in/Williamstown-VIC',
    '/venues/in/%27',
  ])('%s answers 404', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(isLeftOut(await answer.text())).toBe(true)
  })

  it('disappears with its last business', async () => {
    const { db } = server.services
    await aBusiness(db, { id: 'last-hall', place_id: 'birdsville-qld' })
    expect((await get('/venues/in/birdsville-qld')).status).toBe(200)
    await db.updateTable('businesses').set({ hidden_at: new Date() }).where('id', '=', 'last-hall').execute()
    expect((await get('/venues/in/birdsville-qld')).status).toBe(404)
    expect(await read('/sitemaps/places.xml')).not.toContain('birdsville')
  })
})

describe('a landing page of a service', () => {
  it('lists its vendors, with its uses and how it is priced, and the places where they are', async () => {
    const html = await read('/services/florist')
    expect(titleOf(html)).toBe('Florists | Jubilee')
    expect(plain(html)).toContain('Often booked for weddings, memorials and engagements.')
    expect(plain(html)).toContain('Usually priced by the hour.')
    expect(html).toContain('Wild Hedge Flowers')
    expect(html).not.toContain('Plait & Pine')
    expect(linksOf(html)).toContain('/services/florist/in/daylesford-vic')
    expect(linksOf(html)).toContain('/extras?service=florist')
  })

  it('in a place lists those based near it, then those who travel there', async () => {
    const html = await read('/services/florist/in/fitzroy-vic')
    expect(titleOf(html)).toBe('Florists near Fitzroy, VIC | Jubilee')
    expect(isLeftOut(html)).toBe(false)
    const travelled = await read('/services/celebrant/in/williamstown-vic')
    expect(titleOf(travelled)).toBe('Celebrants for Williamstown, VIC | Jubilee')
    expect(plain(travelled)).toContain('None is based near Williamstown yet, but one travels there.')
    expect(plain(travelled)).toMatch(/Travels to Williamstown \(\d+ km\)/)
    // It repeats the page of the vendor's own place.
    expect(isLeftOut(travelled)).toBe(true)
  })

  it.each([
    '/services/fireworks',
    '/services/florist/in/birdsville-qld',
    '/services/florist/in/no-such-place',
    '/services/no-such-service',
    '/services/constructor',
    '/services/Florist/in/%27',
  ])('%s answers 404', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(isLeftOut(await answer.text())).toBe(true)
  })

  it('appears with its first vendor, and goes with the last', async () => {
    const { db } = server.services
    expect((await get('/services/fireworks')).status).toBe(404)
    await aBusiness(db, {
      id: 'last-rocket',
      category: 'Extras',
      place_id: 'birdsville-qld',
      services_offered: ['Fireworks'],
    })
    expect((await get('/services/fireworks')).status).toBe(200)
    expect(await read('/sitemaps/services.xml')).toContain('/services/fireworks/in/birdsville-qld')
    await db
      .updateTable('businesses')
      .set({ hidden_at: new Date() })
      .where('id', '=', 'last-rocket')
      .execute()
    expect((await get('/services/fireworks')).status).toBe(404)
    expect(await read('/sitemaps/services.xml')).not.toContain('fireworks')
  })
})

describe('pictures', () => {
  it.each([
    '/',
    '/venues',
    '/venues-vendors',
    '/venues/in/williamstown-vic',
    '/business/harbour-light-pavilion',
    '/events',
  ])('%s preloads its first picture and lazy-loads the others', async (path) => {
    const html = await read(path)
    const preloads = all(html, /<link rel="preload" as="image" ([^>]*)>/gi)
    const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`, 'i').exec(tag)?.[1]
    // A phone's first picture may be another than a wide screen's. Each screen preloads one.
    const media = preloads.map((preload) => attribute(preload, 'media'))
    if (preloads.length > 1) expect(media.toSorted()).toEqual(['(width &gt;= 769px)', '(width &lt; 769px)'])
    else expect(media).toEqual([undefined])
    for (const preload of preloads) {
      expect(attribute(preload, 'type')).toBe('image/avif')
      expect(attribute(preload, 'fetchpriority')).toBe('high')
      // It must match the source that the browser will choose for the picture.
      const [source] = all(html, /<source ([^>]*image\/avif[^>]*)>/g).filter(
        (each) => attribute(each, 'srcset') === attribute(preload, 'imagesrcset'),
      )
      expect(attribute(source ?? '', 'sizes')).toBe(attribute(preload, 'imagesizes'))
    }
    const images = all(html, /<img ([^>]*)>/g)
    const eager = images.filter((image) => attribute(image, 'loading') !== 'lazy')
    expect(eager).toHaveLength(1)
    expect(attribute(eager[0] ?? '', 'fetchpriority')).toBe('high')
    const [source = ''] = all(
      html.slice(0, html.indexOf(eager[0] ?? '')),
      /<source ([^>]*image\/avif[^>]*)>/g,
    ).slice(-1)
    expect(preloads.map((preload) => attribute(preload, 'imagesrcset'))).toContain(
      attribute(source, 'srcset'),
    )
    for (const image of images) {
      expect(attribute(image, 'width'), image).toMatch(/^\d+$/)
      expect(attribute(image, 'height'), image).toMatch(/^\d+$/)
    }
  })

  it('can be drawn on demand, and browsers cache them for a year', async () => {
    for (const path of [
      '/illustrations/venue-bay-pavilion/harbour-light-pavilion-1?w=320&f=avif',
      '/illustrations/hero-1/front/3x2?w=320&f=webp',
    ]) {
      const answer = await get(path)
      expect(answer.status, path).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it.each([
    ['an unknown seed', 'venue-bay-pavilion/no-such-seed-1', ''],
    ['another scene’s seed', 'venue-woolshed/harbour-light-pavilion-1', ''],
    ['a shape that no page uses', 'venue-bay-pavilion/harbour-light-pavilion-1', '/1x1'],
    ['the site’s seed with a listing’s scene', 'venue-bay-pavilion/front', '/3x2'],
    ['an unknown scene', 'no-such-scene/front', '/3x2'],
    ['an unknown shape', 'hero-1/front', '/constructor'],
  ])('can’t be drawn or stored for %s', async (_, picture, shape) => {
    const answer = await get(`/illustrations/${picture}${shape}?w=320&f=webp`)
    expect(answer.status).toBe(404)
    const key = `illustrations/${picture}/${shape.slice(1) || '3x2'}-320.webp`
    expect(await server.services.files.read(key)).toBeNull()
  })
})
