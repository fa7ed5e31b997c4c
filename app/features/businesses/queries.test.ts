import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aPlace, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import {
  countBusinessesByCategory,
  findBusiness,
  findVendor,
  listBestRatedBusinesses,
  listBusinessCards,
  listBusinessesOfVendor,
  listBusinessPlaces,
  listNewestBusinesses,
  listPriceRanges,
  listSimilarNearby,
  listVendors,
} from './queries.server.ts'

let connection: DatabaseConnection

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

/** The market of these tests: two vendors, three places, one listing that is hidden and one that is deleted. */
beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  await aPlace(db, { id: 'geelong-vic', name: 'Geelong', latitude: -38.147, longitude: 144.36 })
  await aPlace(db, {
    id: 'perth-wa',
    name: 'Perth',
    state: 'WA',
    latitude: -31.95,
    longitude: 115.86,
    time_zone: 'Australia/Perth',
  })
  await aPlace(db)
  await aUser(db, { id: 'owner-1', name: 'Private Person' })
  await aUser(db, { id: 'owner-2' })
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  await aBusiness(db, {
    id: 'quay-hall',
    user_id: 'owner-1',
    name: 'Quay Hall',
    description: 'A hall of 100% hardwood by the water.',
    created_at: at(1),
    images: JSON.stringify([
      { url: '/files/a', width: 1600, height: 1200, colour: '#aaaaaa' },
      { url: '/files/b', width: 1600, height: 1200, colour: '#bbbbbb' },
    ]),
  })
  await aBusiness(db, {
    id: 'bay-rooms',
    user_id: 'owner-2',
    name: 'Bay Rooms',
    place_id: 'geelong-vic',
    created_at: at(2),
    price_cents: 0,
  })
  await aBusiness(db, {
    id: 'west-shed',
    user_id: 'owner-2',
    name: 'West Shed',
    place_id: 'perth-wa',
    created_at: at(3),
    price_cents: 20_000,
    price_unit: 'perHour',
  })
  await aBusiness(db, {
    id: 'night-music',
    user_id: 'owner-1',
    name: 'Night Music',
    category: 'Sounds & DJ',
    description: 'A trio.',
    services_offered: ['Jazz', 'Waltzes'],
    created_at: at(4),
  })
  await aBusiness(db, { id: 'hidden-house', user_id: 'owner-2', hidden_at: at(5), created_at: at(5) })
  await aBusiness(db, { id: 'gone-garden', user_id: 'owner-1', deleted_at: at(6), created_at: at(6) })

  await db
    .insertInto('business_registrations')
    .values({
      id: 'registration-1',
      user_id: 'owner-1',
      business_name: 'Harbour & Co',
      abn: '51824753556',
      business_structure: 'Company',
      industry_type: 'Events',
      principal_address: '1 Secret Lane',
      business_phone: '03 5550 0000',
      business_email: 'office@harbour.example',
      website: 'https://harbour.example',
      owner_name: 'Private Person',
      owner_dob: '1980-01-01',
      owner_phone: '0400 000 000',
      owner_email: 'private@example.com',
      logo_url: '/files/logo',
      business_description: 'Rooms and music.',
    })
    .execute()

  const review = (id: string, businessId: string, rating: number, approved = true) => ({
    id,
    business_id: businessId,
    booking_id: null,
    user_id: null,
    author_name: `Guest ${id}`,
    rating,
    body: 'We danced.',
    approved,
    rejected_reason: null,
    moderated_at: null,
    created_at: at(Number(id)),
  })
  await db
    .insertInto('reviews')
    .values([
      review('1', 'quay-hall', 5),
      review('2', 'quay-hall', 4),
      review('3', 'quay-hall', 4),
      review('4', 'quay-hall', 1, false),
      review('5', 'night-music', 5),
      review('6', 'night-music', 5),
      review('7', 'hidden-house', 5),
      review('8', 'hidden-house', 5),
      review('9', 'hidden-house', 5),
    ])
    .execute()
})

afterAll(() => connection?.close())

describe('findBusiness', () => {
  it('reads one with all that is public', async () => {
    const business = await findBusiness(connection.db, 'quay-hall')
    expect(business).toMatchObject({
      name: 'Quay Hall',
      price: '45.50',
      priceCents: 4_550,
      location: 'Melbourne, VIC',
      images: ['/files/a', '/files/b'],
      abnRegistered: true,
    })
    expect(JSON.stringify(business)).not.toMatch(/Private|Secret|0400/)
  })

  it('tells what is gone from what never was, whatever the id looks like', async () => {
    expect(await findBusiness(connection.db, 'gone-garden')).toBe('gone')
    expect(await findBusiness(connection.db, 'hidden-house')).toBe('gone')
    for (const id of ['nobody', '', '%', "' or 1=1", '☃', 'a'.repeat(5_000)]) {
      expect(await findBusiness(connection.db, id)).toBeNull()
    }
  })
})

describe('listBusinessCards', () => {
  it('gives what visitors may see, in the order that was asked for', async () => {
    const cards = await listBusinessCards(connection.db, [
      'bay-rooms',
      'hidden-house',
      'quay-hall',
      'gone-garden',
      'nobody',
    ])
    expect(idsOf(cards)).toEqual(['bay-rooms', 'quay-hall'])
    expect(await listBusinessCards(connection.db, [])).toEqual([])
  })

  it('carries the rating of approved reviews, one picture, and the price', async () => {
    const [hall, shed] = await listBusinessCards(connection.db, ['quay-hall', 'west-shed'])
    expect(hall).toMatchObject({ rating: { average: 4.3, count: 3 }, priceCents: 4_550, abnRegistered: true })
    expect(hall?.pictures).toHaveLength(1)
    expect(shed).toMatchObject({ rating: null, abnRegistered: false })
  })
})

describe('the lists of the home page', () => {
  it('rate only by three approved reviews or more', async () => {
    expect(idsOf(await listBestRatedBusinesses(connection.db, 10))).toEqual(['quay-hall'])
  })

  it('begin with the newest', async () => {
    expect(idsOf(await listNewestBusinesses(connection.db, 2))).toEqual(['night-music', 'west-shed'])
  })

  it('count what each category shows', async () => {
    expect(await countBusinessesByCategory(connection.db)).toEqual(
      new Map([
        ['Venues', 3],
        ['Sounds & DJ', 1],
      ]),
    )
  })

  it('suggest the places where somebody is', async () => {
    expect((await listBusinessPlaces(connection.db)).toSorted()).toEqual([
      'Geelong, VIC',
      'Melbourne, VIC',
      'Perth, WA',
    ])
    expect(await listBusinessPlaces(connection.db, 1)).toHaveLength(1)
  })
})

describe('listSimilarNearby', () => {
  it('gives the same category by others, the nearest first', async () => {
    const similar = await listSimilarNearby(
      connection.db,
      { id: 'quay-hall', category: 'Venues', userId: 'owner-1' },
      5,
    )
    expect(idsOf(similar)).toEqual(['bay-rooms', 'west-shed'])
    expect(similar[0]?.distanceKm).toBeGreaterThan(50)
    expect(similar[0]?.distanceKm).toBeLessThan(80)
    expect(similar[1]?.distanceKm).toBeGreaterThan(2_600)
  })
})

describe('listPriceRanges', () => {
  it('keeps units apart and leaves out prices on request', async () => {
    const ranges = await listPriceRanges(connection.db)
    expect(ranges).toHaveLength(4)
    expect(ranges).toContainEqual({
      category: 'Venues',
      priceUnit: 'perPerson',
      lowest: 4_550,
      middle: 4_550,
      highest: 4_550,
      count: 1,
    })
    // One asks so much per hour alone, the other as its second price.
    expect(ranges).toContainEqual({
      category: 'Venues',
      priceUnit: 'perHour',
      lowest: 20_000,
      middle: 20_000,
      highest: 21_000,
      count: 2,
    })
  })
})

describe('vendors', () => {
  it('are those with listings, by name, with what is public alone', async () => {
    const { vendors, total } = await listVendors(connection.db, 1)
    expect(total).toBe(2)
    expect(vendors.map(({ name }) => name)).toEqual(['Bay Rooms', 'Harbour & Co'])
    expect(vendors.map(({ businesses }) => idsOf(businesses))).toEqual([
      ['west-shed', 'bay-rooms'],
      ['night-music', 'quay-hall'],
    ])
    expect(JSON.stringify(vendors)).not.toMatch(/Private|Secret|1980|0400|office@|5550/)
  })

  it('have a public profile (Decision 20)', async () => {
    expect(await findVendor(connection.db, 'owner-1')).toEqual({
      userId: 'owner-1',
      name: 'Harbour & Co',
      logoUrl: '/files/logo',
      description: 'Rooms and music.',
      website: 'https://harbour.example/',
      abn: '51824753556',
    })
    expect(idsOf(await listBusinessesOfVendor(connection.db, 'owner-2'))).toEqual(['west-shed', 'bay-rooms'])
  })

  it('are named by their first listing without a registration, never by the account', async () => {
    expect(await findVendor(connection.db, 'owner-2')).toMatchObject({ name: 'Bay Rooms', abn: null })
  })

  it('are not there for an account without a visible listing', async () => {
    await aUser(connection.db, { id: 'owner-3' })
    await aBusiness(connection.db, { id: 'closed-cafe', user_id: 'owner-3', hidden_at: new Date() })
    expect(await findVendor(connection.db, 'owner-3')).toBeNull()
    expect(await findVendor(connection.db, 'nobody')).toBeNull()
  })

  it('link only to web addresses', async () => {
    const { db } = connection
    const setWebsite = (website: string) =>
      db.updateTable('business_registrations').set({ website }).where('user_id', '=', 'owner-1').execute()
    for (const website of ['javascript:alert(1)', 'harbour', '']) {
      await setWebsite(website)
      expect(await findVendor(db, 'owner-1')).toMatchObject({ website: null })
    }
  })
})
