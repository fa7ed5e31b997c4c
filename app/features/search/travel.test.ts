import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aPlace, aUser } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { fillMarkers } from '../businesses/marker-commands.server.ts'
import { listMapGroups } from './map-queries.server.ts'
import { listFound } from './queries.server.ts'
import { NO_SEARCH, type Search } from './schema.ts'
import { findTravelText } from './travel-queries.server.ts'

/** Along a meridian, so that distances are whole. */
const KM_PER_DEGREE = 111.195
const HOME = { latitude: -37, longitude: 144 }
const northOf = (km: number) => ({ ...HOME, latitude: HOME.latitude + km / KM_PER_DEGREE })

const PLACES = {
  home: { name: 'Home', state: 'VIC', ...HOME },
  'near-home': { name: 'Nearhome', state: 'VIC', ...northOf(20) },
  'at-99': { name: 'Ninetynine', state: 'VIC', ...northOf(99) },
  'at-101': { name: 'Onehundredone', state: 'VIC', ...northOf(101) },
  'over-the-border': { name: 'Border', state: 'NSW', ...northOf(150) },
  island: { name: 'Islet', state: 'VIC', latitude: -38.3, longitude: 144 },
  'far-west': { name: 'Farwest', state: 'WA', latitude: -31, longitude: 116 },
  'near-far-west': { name: 'Nearfarwest', state: 'WA', latitude: -30.5, longitude: 116 },
} as const

let connection: TestConnection
const context = { nearKm: 25, now: new Date('2026-11-20T01:00:00Z') }

beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  for (const [id, place] of Object.entries(PLACES)) await aPlace(db, { id, population: 10, ...place })
  await aUser(db, { id: 'owner' })
  const add = (id: string, place_id: string, facts: object, category = 'Photographers') =>
    aBusiness(db, {
      id,
      user_id: 'owner',
      name: id,
      place_id,
      category: category as 'Photographers',
      facts: JSON.stringify(facts),
    })
  await add('travels-100', 'home', { travelKm: 100 })
  await add('says-nothing', 'home', {})
  await add('all-of-vic', 'far-west', { travelTo: ['VIC'] })
  await add('all-of-australia', 'far-west', { travelTo: ['Australia'] })
  await add('hall', 'home', { travelKm: 100 }, 'Venues')
  await add('lives-at-101', 'at-101', { travelKm: 1 })
  await add('islander', 'island', { travelKm: 300 })
})
afterAll(() => connection.close())

async function found(search: Partial<Search>) {
  const page = await listFound(connection.db, { ...NO_SEARCH, category: 'Photographers', ...search }, context)
  return page.businesses.map(({ id }) => id)
}
const sorted = async (search: Partial<Search>) => (await found(search)).toSorted()

/** Found everywhere in Victoria: by the state and by the country. */
const EVERYWHERE = ['all-of-australia', 'all-of-vic']

describe('vendors who travel to a place', () => {
  it.each([false, true])(
    'are found at 99 km of 100, and not at 101 (with the surroundings: %s)',
    async (near) => {
      expect(await sorted({ place: 'Ninetynine, VIC', near })).toEqual(
        [...EVERYWHERE, ...(near ? ['lives-at-101'] : []), 'islander', 'travels-100'].toSorted(),
      )
      expect(await sorted({ place: 'Onehundredone, VIC', near })).toEqual(
        [...EVERYWHERE, 'islander', 'lives-at-101'].toSorted(),
      )
    },
  )

  it('reach an island, and leave one', async () => {
    // 144 km from home.
    expect(await sorted({ place: 'Islet, VIC' })).toEqual([...EVERYWHERE, 'islander'].toSorted())
    expect(await found({ place: 'Home, VIC' })).toContain('islander')
  })

  it('cover every state they name and no other', async () => {
    expect(await sorted({ place: 'Border, NSW' })).toEqual(['all-of-australia', 'islander'])
    expect(await sorted({ place: 'NSW' })).toEqual(['all-of-australia'])
    expect(await found({ place: 'VIC' })).toEqual(expect.arrayContaining([...EVERYWHERE, 'travels-100']))
  })

  it('come after those who are based there, in every order of matches', async () => {
    const based = new Set(['travels-100', 'says-nothing'])
    for (const search of [{}, { occasion: 'wedding' }, { q: 'walled garden' }] as const) {
      const ids = await found({ ...search, place: 'Home, VIC' })
      expect(new Set(ids.slice(0, 2)), JSON.stringify(search)).toEqual(based)
      expect(ids.length).toBeGreaterThan(2)
    }
  })

  it('say how far they come, and those based there don’t', async () => {
    const textsOf = async (search: Partial<Search>) => {
      const page = await listFound(
        connection.db,
        { ...NO_SEARCH, category: 'Photographers', ...search },
        context,
      )
      return Object.fromEntries(
        page.businesses.map(({ id, travelText, distanceKm }) => [id, travelText ?? distanceKm ?? null]),
      )
    }
    expect(await textsOf({ place: 'Ninetynine, VIC' })).toMatchObject({
      'travels-100': 'Travels to Ninetynine (99 km)',
      'all-of-australia': expect.stringMatching(/^Travels to Ninetynine \(2,\d{3} km\)$/),
    })
    expect(await textsOf({ place: 'Nearhome, VIC', near: true })).toMatchObject({
      'travels-100': 20,
      islander: 'Travels to Nearhome (165 km)',
    })
    expect(await textsOf({ place: 'Home, VIC' })).toMatchObject({ 'says-nothing': null })
    expect(await textsOf({ place: 'VIC' })).toMatchObject({ 'all-of-vic': 'Travels to all of VIC' })
  })

  it('leave out venues, and vendors who state no radius', async () => {
    expect(await found({ category: 'Venues', place: 'Ninetynine, VIC' })).toEqual([])
    expect(await found({ place: 'Ninetynine, VIC' })).not.toContain('says-nothing')
    expect(await found({ category: null, place: 'Ninetynine, VIC' })).not.toContain('hall')
  })

  it('aren’t on the map, which shows who is based there', async () => {
    const { groups } = await listMapGroups(
      connection.db,
      { ...NO_SEARCH, category: 'Photographers', place: 'Ninetynine, VIC', near: true },
      context,
    )
    expect(groups.map(({ placeId }) => placeId)).toEqual(['at-101'])
  })

  it('move with their place', async () => {
    const { db } = connection
    await db.updateTable('businesses').set({ place_id: 'far-west' }).where('id', '=', 'travels-100').execute()
    await fillMarkers({ db })
    expect(await found({ place: 'Ninetynine, VIC' })).not.toContain('travels-100')
    expect(await found({ place: 'Nearfarwest, WA' })).toContain('travels-100')
    await db.updateTable('businesses').set({ place_id: 'home' }).where('id', '=', 'travels-100').execute()
    await fillMarkers({ db })
    expect(await found({ place: 'Ninetynine, VIC' })).toContain('travels-100')
  })
})

describe('pages of a list with a place', () => {
  // With guests, a search samples its matches and reads each page from its cursor.
  it.each([{}, { guests: 10 }])(
    'hold each vendor once, those who are based there first: %j',
    async (more) => {
      const { db } = connection
      const { id: owner } = await aUser(db)
      const category = 'guests' in more ? 'Videographers' : 'Hairdresser'
      const ids = Array.from({ length: 'guests' in more ? 210 : 40 }, (_, index) =>
        `${category[0]}-${index}`.toLowerCase(),
      )
      for (const [index, id] of ids.entries())
        await aBusiness(db, {
          id,
          user_id: owner,
          name: id,
          category,
          place_id: index % 2 === 0 ? 'home' : 'at-99',
          facts: '{"travelKm":120}',
        })
      const search: Search = { ...NO_SEARCH, category, place: 'Home, VIC', ...more }
      const first = await listFound(db, search, context)
      const pages = [first]
      for (let after = first.next; after; after = pages.at(-1)?.next ?? null)
        pages.push(await listFound(db, { ...search, after }, context))
      const all = pages.flatMap(({ businesses }) => businesses)
      expect(all.length).toBe(ids.length)
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set(ids))
      expect(all.map(({ travelText }) => travelText === undefined)).toEqual(
        all.map((_, index) => index < ids.length / 2),
      )
      const [, second] = pages
      const back = await listFound(db, { ...search, before: second?.previous ?? '' }, context)
      expect(back.businesses.map(({ id }) => id)).toEqual(first.businesses.map(({ id }) => id))
    },
  )
})

describe('what the page of a business says of a place', () => {
  const say = (businessId: string, typed: string) =>
    findTravelText(connection.db, { businessId, typed, nearKm: 25 })

  it.each([
    ['travels-100', 'Ninetynine, VIC', 'Travels to Ninetynine (99 km)'],
    ['travels-100', 'Onehundredone, VIC', '101 km from Onehundredone. Ask whether they travel there.'],
    ['says-nothing', 'Ninetynine, VIC', '99 km from Ninetynine. Ask whether they travel there.'],
    ['says-nothing', 'Nearhome, VIC', '20 km from Nearhome'],
    ['hall', 'Ninetynine, VIC', '99 km from Ninetynine'],
    ['travels-100', 'Home, VIC', null],
    ['all-of-vic', 'VIC', 'Travels to all of VIC'],
    ['all-of-australia', 'WA', 'Travels to all of WA'],
    ['travels-100', 'VIC', null],
    ['travels-100', 'nowhere at all', null],
    ['travels-100', 'me', null],
    ['unknown-business', 'Home, VIC', null],
  ])('says of %s and %s: %s', async (businessId, place, text) => {
    await expect(say(businessId, place)).resolves.toBe(text)
  })

  it('says nothing of a place that is only guessed', async () => {
    await expect(say('travels-100', 'Ninetynime')).resolves.toBeNull()
  })
})
