import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { aMarket } from '../../../tests/market.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { listBusinessCardsByVendor, listBusinessesOfVendor } from '../reviews/card-queries.server.ts'
import { countBusinessesByCategory, listBusinessPlaces, listPriceRanges } from './market-queries.server.ts'
import { findBusiness, findFirstPictures, hasDrawnPicture } from './queries.server.ts'
import { findVendor, listVendors } from './vendor-queries.server.ts'

let connection: DatabaseConnection

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

beforeAll(async () => {
  connection = await openTestDatabase()
  await aMarket(connection.db)
})

afterAll(() => connection?.close())

describe('findBusiness', () => {
  it('reads a business with all public fields and nothing private', async () => {
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

  it('distinguishes gone businesses from unknown ids, however odd', async () => {
    expect(await findBusiness(connection.db, 'gone-garden')).toBe('gone')
    expect(await findBusiness(connection.db, 'hidden-house')).toBe('gone')
    for (const id of ['nobody', '', '%', "' or 1=1", '☃', 'a'.repeat(5_000)]) {
      expect(await findBusiness(connection.db, id)).toBeNull()
    }
  })
})

describe('findFirstPictures', () => {
  it('returns the first picture of each business that has one and isn’t deleted', async () => {
    const { db } = connection
    const images = JSON.stringify([{ url: '/files/gone', width: 1600, height: 1200, colour: null }])
    await aBusiness(db, { id: 'closed-cellar', images, deleted_at: new Date('2026-02-01T00:00:00Z') })
    const ids = ['quay-hall', 'quay-hall', 'bay-rooms', 'closed-cellar', 'unknown']
    expect(await findFirstPictures(db, ids)).toEqual({
      'quay-hall': { url: '/files/a', width: 1600, height: 1200, colour: '#aaaaaa' },
    })
    expect(await findFirstPictures(db, [])).toEqual({})
  })
})

describe('the queries of the home page', () => {
  it('count the visible businesses of each category', async () => {
    expect(await countBusinessesByCategory(connection.db)).toEqual(
      new Map([
        ['Venues', 3],
        ['Sounds & DJ', 1],
      ]),
    )
  })

  it('suggest places with businesses', async () => {
    expect((await listBusinessPlaces(connection.db)).toSorted()).toEqual([
      'Geelong, VIC',
      'Melbourne, VIC',
      'Perth, WA',
    ])
    expect(await listBusinessPlaces(connection.db, 1)).toHaveLength(1)
  })
})

describe('listPriceRanges', () => {
  it('separates units, and leaves out prices on request', async () => {
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
    // One business has this as its only price, the other as its second price.
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
  it('appear by name, only with listings, and without private fields', async () => {
    const { vendors, total } = await listVendors(connection.db, 1, listBusinessCardsByVendor)
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

  it('take the name of their first listing without a registration, never that of the account', async () => {
    expect(await findVendor(connection.db, 'owner-2')).toMatchObject({ name: 'Bay Rooms', abn: null })
  })

  it('don’t include an account without a visible listing', async () => {
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

describe('hasDrawnPicture', () => {
  it('accepts only a picture of the business that its seed names', async () => {
    const { db } = connection
    const images = [
      { url: '/illustrations/venue-woolshed/quay-hall-2', width: 1600, height: 1067, colour: '#aaa' },
    ]
    await db
      .updateTable('businesses')
      .set({ images: JSON.stringify(images) })
      .where('id', '=', 'quay-hall')
      .execute()
    expect(await hasDrawnPicture(db, 'venue-woolshed', 'quay-hall-2')).toBe(true)
    for (const [scene, seed] of [
      ['venue-woolshed', 'quay-hall-1'],
      ['venue-marquee', 'quay-hall-2'],
      ['venue-woolshed', 'quay-hall'],
      ['venue-woolshed', 'nobody-2'],
      ['venue-woolshed', "'; drop table businesses; --"],
      ['venue-woolshed', ''],
    ] as const) {
      expect(await hasDrawnPicture(db, scene, seed), `${scene} ${seed}`).toBe(false)
    }
  })
})
