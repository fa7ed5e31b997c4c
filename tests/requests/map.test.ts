import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEEKDAYS } from '../../app/features/availability/rules.ts'
import type { MapAnswer } from '../../app/features/search/browser/map-client.ts'
import { MAX_CARDS, MAX_GROUPS } from '../../app/features/search/map-queries.server.ts'
import { SEARCH_LIMIT } from '../../app/features/search/rules.ts'
import { aBusiness, aPlace, setsAvailability } from '../builders.ts'
import { nextAddress, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** The map of a list: '/api/map' with the parameters of the list's address. */

let server: TestServer
/** Around Hobart, where the other tests list nothing. */
const TASMANIA = '-43.7_144_-40.5_149'

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1' },
    now: () => new Date('2026-11-20T01:00:00Z'),
  })
  const { db } = server.services
  const inHobart = { place_id: 'hobart-tas', category: 'Venues' as const }
  await aBusiness(db, { ...inHobart, name: 'Tide House', price_cents: 8_400, price_unit: 'perPerson' })
  await aBusiness(db, { ...inHobart, name: 'Harbour Shed', price_cents: 4_500, price_unit: 'perHour' })
  await aBusiness(db, { ...inHobart, name: 'Ask Us', price_cents: 0 })
  await aBusiness(db, {
    place_id: 'launceston-tas',
    category: 'Catering',
    name: 'Gorge Kitchen',
    price_cents: 3_500,
    price_unit: 'perPerson',
  })
  await aBusiness(db, { ...inHobart, name: 'Gone House', deleted_at: new Date() })
  await aBusiness(db, { ...inHobart, name: 'Hidden House', hidden_at: new Date() })
})
afterAll(() => server.close())

const findMap = (parameters: Record<string, string> | string, address = nextAddress()) =>
  sendTo(server, `/api/map?${new URLSearchParams(parameters)}`, { address })

async function groupsOf(parameters: Record<string, string>) {
  const answer = await findMap(parameters)
  expect(answer.status).toBe(200)
  const { groups, isPart } = (await answer.json()) as MapAnswer
  return { groups, isPart, counts: Object.fromEntries(groups.map(({ placeId, count }) => [placeId, count])) }
}

async function cardsOf(parameters: Record<string, string>): Promise<string[]> {
  const { businesses } = (await (await findMap(parameters)).json()) as { businesses: { name: string }[] }
  return businesses.map(({ name }) => name).sort()
}

describe('the suburbs of a list', () => {
  it('have the number of their listings, and no price without guests or hours', async () => {
    const { groups, isPart } = await groupsOf({ bounds: TASMANIA })
    expect(groups).toEqual([
      {
        placeId: 'hobart-tas',
        name: 'Hobart',
        state: 'TAS',
        latitude: expect.closeTo(-42.88, 1),
        longitude: expect.closeTo(147.33, 1),
        count: 3,
        price: null,
      },
      expect.objectContaining({ placeId: 'launceston-tas', count: 1 }),
    ])
    expect(isPart).toBe(false)
  })

  it('leave out deleted and hidden listings', async () => {
    const { counts } = await groupsOf({ bounds: TASMANIA })
    expect(counts['hobart-tas']).toBe(3)
    expect(await cardsOf({ bounds: TASMANIA, at: 'hobart-tas' })).toEqual([
      'Ask Us',
      'Harbour Shed',
      'Tide House',
    ])
  })

  it('name no person, no address and no time', async () => {
    const text = await (await findMap({ bounds: TASMANIA })).text()
    expect(text).not.toMatch(/email|phone|user|created|street/i)
  })

  it.each<[Record<string, string>, Record<string, number>]>([
    [{ category: 'Catering' }, { 'launceston-tas': 1 }],
    [{ q: 'tide' }, { 'hobart-tas': 1 }],
    [{ q: 'tdie house' }, { 'hobart-tas': 1 }],
    [{ q: '???' }, {}],
    [{ min: '50' }, { 'hobart-tas': 1 }],
    [{ max: '50', per: 'perHour' }, { 'hobart-tas': 1 }],
    [{ bounds: '-41.6_147_-41.3_147.3' }, { 'launceston-tas': 1 }],
    [{ bounds: '-41_113_-40.9_154' }, {}],
    [{ place: 'Hobart, TAS', bounds: '' }, { 'hobart-tas': 3 }],
    [{ place: 'Hobart, TAS', near: '5', bounds: '' }, { 'hobart-tas': 3 }],
    [{ place: 'Nowhere at all', bounds: '' }, {}],
  ])('follow the filters of the list: %j', async (filters, expected) => {
    const { counts } = await groupsOf({ bounds: TASMANIA, ...filters })
    expect(counts).toEqual(expected)
  })

  it('reach to the chosen distance', async () => {
    const around = async (near: string) => (await groupsOf({ place: 'Huonville, TAS', near })).counts
    expect(await around('10')).toEqual({})
    expect(await around('50')).toEqual({ 'hobart-tas': 3 })
    expect((await groupsOf({ place: 'Launceston, TAS', near: '100' })).counts).toEqual({
      'launceston-tas': 1,
    })
  })

  it('have totals for the guests of the search, and only what can be booked on its day', async () => {
    const { groups } = await groupsOf({ bounds: TASMANIA, category: 'Catering', guests: '90' })
    expect(groups[0]?.price).toMatchObject({ cents: 315_000, isTotal: true })
    const closed = await aBusiness(server.services.db, {
      place_id: 'devonport-tas',
      category: 'Catering',
      name: 'Never Open',
      price_cents: 9_000,
    })
    await setsAvailability(server.services.db, closed.id, {
      weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, []])) as never,
    })
    expect((await groupsOf({ bounds: TASMANIA })).counts).toHaveProperty('devonport-tas')
    const onDay = await groupsOf({ bounds: TASMANIA, date: '2027-03-13' })
    expect(onDay.counts).not.toHaveProperty('devonport-tas')
    expect(onDay.counts).toHaveProperty('hobart-tas')
  })
})

describe('the cards of a suburb', () => {
  it('follow the filters of the search', async () => {
    expect(await cardsOf({ bounds: TASMANIA, at: 'hobart-tas', q: 'tide' })).toEqual(['Tide House'])
    expect(await cardsOf({ bounds: TASMANIA, at: 'perth-wa' })).toEqual([])
  })

  it('stop at a dozen', async () => {
    for (let each = 0; each < MAX_CARDS + 2; each++)
      await aBusiness(server.services.db, { place_id: 'darwin-nt', name: `Top End ${each}` })
    expect(await cardsOf({ at: 'darwin-nt' })).toHaveLength(MAX_CARDS)
    expect((await groupsOf({ place: 'Darwin, NT' })).counts).toEqual({ 'darwin-nt': MAX_CARDS + 2 })
  })
})

it('shows at most 300 suburbs, those with the most listings, and says that there are more', async () => {
  const { db } = server.services
  // In Queensland's empty west.
  const places = Array.from({ length: MAX_GROUPS + 5 }, (_, index) => `station-${index}`)
  for (const id of places) {
    await aPlace(db, { id, name: id, state: 'QLD', latitude: -25.5, longitude: 139.5 })
    await aBusiness(db, { place_id: id, name: `Stop at ${id}`, category: 'Extras' })
  }
  await aBusiness(db, { place_id: 'station-304', name: 'Second stop', category: 'Extras' })
  const { groups, isPart } = await groupsOf({ bounds: '-26_139_-25_140' })
  expect(groups).toHaveLength(MAX_GROUPS)
  expect(groups[0]).toMatchObject({ placeId: 'station-304', count: 2 })
  expect(isPart).toBe(true)
})

describe('a request for the map', () => {
  it.each([
    'bounds=NaN_1_2_3',
    'bounds=-37.5_144.5_-38.1_145.3',
    'bounds=-38_179_-30_-179',
    'bounds=-90_-180_90_180',
    'bounds=%F0%9F%98%80',
    'bounds=1e999_0_0_0',
    `bounds=${'9'.repeat(2_000)}`,
    'bounds=-38_144_-37_145&bounds=x',
    'at=%27%3B--',
    `at=${'a'.repeat(5_000)}`,
    'at=%F0%9F%8E%89&near=100&place=me',
    'near=7&place=Hobart%2C+TAS',
    'date=2027-02-30&guests=-1',
  ])('never fails: %s', async (query) => {
    const answer = await findMap(query)
    expect(answer.status).toBe(200)
  })

  it('counts as a search of its network address', async () => {
    const statuses = new Set<number>()
    for (let left = SEARCH_LIMIT.max + 5; left > 0; left -= 20) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(20, left) }, () => findMap({ q: 'tide' }, '203.0.113.99')),
      )
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses].sort()).toEqual([200, 429])
  })

  it('may be cached for a minute, as it is the same for everybody', async () => {
    const answer = await findMap({ bounds: TASMANIA })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
  })
})

describe('a list in a part of the map', () => {
  const list = async (path: string) => {
    const answer = await sendTo(server, path, { address: '198.51.100.251' })
    return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
  }

  it('shows the same businesses as the map', async () => {
    const { html, status } = await list(`/venues?bounds=${TASMANIA}`)
    expect(status).toBe(200)
    const names = [...html.matchAll(/<article[\s\S]*?<\/article>/g)].map(([card]) => card)
    expect(names).toHaveLength(3)
    expect(html).toContain('in this part of the map')
    expect(html).toContain(`name="bounds" value="${TASMANIA}"`)
  })

  it('gives way to a place', async () => {
    const { status, location } = await list(`/venues?bounds=${TASMANIA}&place=Perth%2C+WA`)
    expect(status).toBe(302)
    expect(location).toBe('/venues?place=Perth%2C+WA')
  })

  it('without any business there offers all of Australia', async () => {
    const { html } = await list('/venues?bounds=-41_113_-40.9_154')
    expect(html).toContain('Anywhere in Australia')
  })

  it.each(['/venues?bounds=x', '/venues?bounds=-90_-180_90_180', '/venues?bounds=-37_144_-38_145'])(
    'with odd bounds is the whole list: %s',
    async (path) => {
      const { status, location } = await list(path)
      expect([status, location]).toEqual([302, '/venues'])
    },
  )
})

it("takes the operator's own style, whose origin alone joins the policy", async () => {
  const own = await startServer({
    openDatabase: openTestDatabase,
    env: { MAP_STYLE_URL: 'https://tiles.example/light.json' },
  })
  const answer = await sendTo(own, '/api/map')
  expect(await answer.json()).toMatchObject({ styleUrl: 'https://tiles.example/light.json' })
  const policy = (await sendTo(own, '/venues')).headers.get('content-security-policy')
  expect(policy).toContain("connect-src 'self' https://tiles.example")
  expect(policy).toContain("worker-src 'self';")
  await own.close()
})
