import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aPlace, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { findLanding, listPlacesOfCategory } from './landing-queries.server.ts'
import { listCategoryChanges, listLandings, readIdRanges, readListedIds } from './sitemap-queries.server.ts'

let connection: DatabaseConnection

const PLACES = [
  { id: 'geelong-vic', name: 'Geelong', latitude: -38.147, longitude: 144.36 },
  // 2, 18, 64 and 770 km from Geelong.
  { id: 'newtown-vic', name: 'Newtown', latitude: -38.149, longitude: 144.337 },
  { id: 'torquay-vic', name: 'Torquay', latitude: -38.31, longitude: 144.33 },
  { id: 'melbourne-vic', name: 'Melbourne', latitude: -37.814, longitude: 144.963 },
  { id: 'sydney-nsw', name: 'Sydney', state: 'NSW', latitude: -33.868, longitude: 151.207 },
  { id: 'alone-wa', name: 'Alone', state: 'WA', latitude: -25, longitude: 120 },
] as const

const at = (day: number) => new Date(Date.UTC(2026, 0, day))
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  for (const place of PLACES) await aPlace(db, place)
  await aUser(db, { id: 'owner' })
  const add = (id: string, place_id: string, more: object = {}) =>
    aBusiness(db, {
      id,
      user_id: 'owner',
      name: id,
      place_id,
      second_price_cents: null,
      second_price_unit: null,
      ...more,
    })
  await add('quay-hall', 'geelong-vic', {
    created_at: at(1),
    price_cents: 4_000,
    second_price_cents: 30_000,
    second_price_unit: 'perHour',
    services_offered: ['Tables', 'Bar', 'Piano'],
  })
  await add('mill-loft', 'geelong-vic', {
    created_at: at(3),
    price_cents: 9_000,
    services_offered: ['tables', 'Bar', 'Lawn'],
  })
  await add('wool-store', 'geelong-vic', {
    created_at: at(2),
    price_cents: 20_000,
    price_unit: 'perHour',
    services_offered: ['Tables'],
  })
  await add('on-request', 'geelong-vic', { created_at: at(1), price_cents: 0, services_offered: ['Harp'] })
  await add('surf-club', 'torquay-vic', { created_at: at(4) })
  await add('dune-house', 'torquay-vic', { created_at: at(5) })
  await add('bay-tower', 'melbourne-vic', { created_at: at(1) })
  await add('hidden-hall', 'newtown-vic', { hidden_at: at(1) })
  await add('deleted-hall', 'newtown-vic', { deleted_at: at(1) })
  await add('harbour-band', 'geelong-vic', {
    category: 'Sounds & DJ',
    price_unit: 'perHour',
    booking_types: ['perHour'],
  })
})
afterAll(() => connection.close())

describe('findLanding', () => {
  it('returns the businesses of the place, newest first, with their prices and services', async () => {
    const landing = await findLanding(connection.db, 'Venues', 'geelong-vic', listBusinessCards)
    expect(landing?.place).toMatchObject({ id: 'geelong-vic', name: 'Geelong', state: 'VIC' })
    expect(landing?.listed).toBe(4)
    expect(idsOf(landing?.businesses ?? [])).toEqual(['mill-loft', 'wool-store', 'on-request', 'quay-hall'])
    expect(landing?.prices).toEqual([
      { category: 'Venues', priceUnit: 'perPerson', lowest: 4_000, middle: 4_000, highest: 9_000, count: 2 },
      { category: 'Venues', priceUnit: 'perHour', lowest: 20_000, middle: 20_000, highest: 30_000, count: 2 },
    ])
    // A service that only one business offers is left out.
    expect(landing?.services).toEqual(['Tables', 'Bar'])
    expect(landing?.otherCategories).toEqual([{ category: 'Sounds & DJ', listed: 1 }])
  })

  it('returns the businesses within 25 km with their distances, and the nearby places', async () => {
    const landing = await findLanding(connection.db, 'Venues', 'geelong-vic', listBusinessCards)
    expect(landing?.listedAround).toBe(2)
    expect(landing?.around.map(({ id, distanceKm }) => [id, distanceKm])).toEqual([
      ['dune-house', 18],
      ['surf-club', 18],
    ])
    expect(landing?.neighbours).toEqual([
      { placeId: 'torquay-vic', label: 'Torquay, VIC', listed: 2, distanceKm: 18 },
      { placeId: 'melbourne-vic', label: 'Melbourne, VIC', listed: 1, distanceKm: 64 },
    ])
  })

  it('returns only the surroundings if the place itself has no business', async () => {
    const landing = await findLanding(connection.db, 'Venues', 'newtown-vic', listBusinessCards)
    expect(landing?.listed).toBe(0)
    expect(landing?.businesses).toEqual([])
    expect(landing?.prices).toEqual([])
    expect(landing?.listedAround).toBe(6)
    expect(landing?.around[0]).toMatchObject({ id: 'mill-loft', location: 'Geelong, VIC', distanceKm: 2 })
    expect(landing?.around.at(-1)).toMatchObject({ location: 'Torquay, VIC' })
    expect(landing?.around).toHaveLength(6)
  })

  it.each(['alone-wa', 'sydney-nsw', 'no-such-place', ''])(
    'returns null for the place %j',
    async (placeId) => {
      expect(await findLanding(connection.db, 'Venues', placeId, listBusinessCards)).toBeNull()
    },
  )

  it('returns null for a category without businesses nearby', async () => {
    expect(await findLanding(connection.db, 'Catering', 'geelong-vic', listBusinessCards)).toBeNull()
  })
})

describe('lists of landing pages', () => {
  it('have only places with businesses, or the places with the most', async () => {
    expect(await listPlacesOfCategory(connection.db, 'Venues', 2)).toEqual([
      { placeId: 'geelong-vic', label: 'Geelong, VIC', listed: 4 },
      { placeId: 'torquay-vic', label: 'Torquay, VIC', listed: 2 },
    ])
    expect((await listLandings(connection.db)).map(({ category, placeId }) => [category, placeId])).toEqual([
      ['Sounds & DJ', 'geelong-vic'],
      ['Venues', 'geelong-vic'],
      ['Venues', 'melbourne-vic'],
      ['Venues', 'torquay-vic'],
    ])
  })
})

describe('the counts by place and category', () => {
  const kept = async () =>
    (
      await connection.db
        .selectFrom('listed_places')
        .select(['place_id', 'category', 'listed'])
        .where('listed', '!=', 0)
        .orderBy('place_id')
        .orderBy('category')
        .execute()
    ).map((row) => `${row.place_id} ${row.category} ${row.listed}`)
  const counted = async () =>
    (
      await connection.db
        .selectFrom('businesses')
        .select(['place_id', 'category', (eb) => eb.fn.countAll<string>().as('listed')])
        .where('deleted_at', 'is', null)
        .where('hidden_at', 'is', null)
        .groupBy(['place_id', 'category'])
        .orderBy('place_id')
        .orderBy('category')
        .execute()
    ).map((row) => `${row.place_id} ${row.category} ${row.listed}`)

  it('stay right after any write, of one row or many', async () => {
    const { db } = connection
    expect(await kept()).toEqual(await counted())
    for (let n = 0; n < 12; n++) {
      await aBusiness(db, { id: `counted-${n}`, user_id: 'owner', place_id: PLACES[n % 5]?.id ?? '' })
    }
    expect(await kept()).toEqual(await counted())
    const many = (change: object) =>
      db.updateTable('businesses').set(change).where('id', 'like', 'counted-%').execute()
    const steps = [
      () => many({ place_id: 'alone-wa', category: 'Extras' }),
      () => many({ hidden_at: at(1) }),
      () => many({ name: 'Still hidden' }),
      () => many({ hidden_at: null, category: 'Venues' }),
      () =>
        db.updateTable('businesses').set({ place_id: 'torquay-vic' }).where('id', '=', 'counted-3').execute(),
      () =>
        db
          .updateTable('businesses')
          .set({ deleted_at: at(1) })
          .where('id', '=', 'counted-4')
          .execute(),
      () => db.deleteFrom('businesses').where('id', 'like', 'counted-%').execute(),
    ]
    for (const step of steps) {
      await step()
      expect(await kept()).toEqual(await counted())
    }
  })

  it('don’t change with a transaction that is rolled back', async () => {
    const before = await kept()
    await expect(
      connection.db.transaction().execute(async (tx) => {
        await tx
          .updateTable('businesses')
          .set({ hidden_at: at(1) })
          .execute()
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await kept()).toEqual(before)
  })

  it('record when a category last changed', async () => {
    const { db } = connection
    const changeOf = async () => (await listCategoryChanges(db)).get('Sounds & DJ')?.getTime() ?? 0
    const before = await changeOf()
    expect(before).toBeGreaterThan(0)
    await db.updateTable('businesses').set({ name: 'Band' }).where('id', '=', 'quay-hall').execute()
    expect(await changeOf()).toBe(before)
    await db.updateTable('businesses').set({ name: 'Band' }).where('id', '=', 'harbour-band').execute()
    expect(await changeOf()).toBeGreaterThan(before)
  })
})

describe('readIdRanges and readListedIds', () => {
  const listed = [
    'bay-tower',
    'dune-house',
    'harbour-band',
    'mill-loft',
    'on-request',
    'quay-hall',
    'surf-club',
    'wool-store',
  ]

  it.each([1, 3, 4, 8, 100])('split the visible businesses into ranges of %i without gaps', async (size) => {
    const found: string[] = []
    let before: string | null = null
    for await (const { after, to, changedAt } of readIdRanges(connection.db, size)) {
      expect(after).toBe(before)
      expect(changedAt).toBeInstanceOf(Date)
      before = to
      const ids: string[] = []
      for await (const batch of readListedIds(connection.db, { after, to }, 2)) {
        expect(batch.length).toBeLessThanOrEqual(2)
        ids.push(...idsOf(batch))
      }
      expect(ids.length).toBeLessThanOrEqual(size)
      found.push(...ids)
    }
    expect(found).toEqual(listed)
  })

  it('return no range from an empty database', async () => {
    const empty = await openTestDatabase()
    for await (const range of readIdRanges(empty.db, 10)) expect(range).toBeUndefined()
    await empty.close()
  })
})
