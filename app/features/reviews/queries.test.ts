import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { findApprovedReviews, findVendorRatings } from './queries.server.ts'

let connection: DatabaseConnection

beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  await aBusiness(db, { id: 'quay-hall' })
  await aBusiness(db, { id: 'bay-rooms' })
  const review = (day: number, rating: number, approved: boolean) => ({
    id: String(day),
    business_id: 'quay-hall',
    booking_id: null,
    user_id: null,
    author_name: `Guest ${day}`,
    rating,
    body: 'We danced.',
    approved,
    rejected_reason: null,
    moderated_at: null,
    created_at: new Date(Date.UTC(2026, 0, day)),
  })
  await db
    .insertInto('reviews')
    .values([review(1, 5, true), review(2, 4, true), review(3, 4, true), review(4, 1, false)])
    .execute()
})

afterAll(() => connection?.close())

describe('findApprovedReviews', () => {
  it('returns only approved reviews, newest first, with their average', async () => {
    const found = await findApprovedReviews(connection.db, 'quay-hall')
    expect(found).toMatchObject({ average: 4.3, count: 3 })
    expect(found.reviews.map(({ id }) => id)).toEqual(['3', '2', '1'])
    expect(found.reviews[0]).toEqual({
      id: '3',
      authorName: 'Guest 3',
      rating: 4,
      body: 'We danced.',
      createdAt: '2026-01-03T00:00:00.000Z',
    })
  })

  it('returns no reviews and no average for a business without reviews', async () => {
    expect(await findApprovedReviews(connection.db, 'bay-rooms')).toEqual({
      average: null,
      count: 0,
      reviews: [],
    })
  })
})

describe('findVendorRatings', () => {
  it('adds up the published reviews of all listings of one vendor, without deleted ones', async () => {
    const { db } = connection
    const { user_id: vendor } = await aBusiness(db, { id: 'old-mill', name: 'The Old Mill' })
    await aBusiness(db, { id: 'mill-pond', user_id: vendor })
    await aBusiness(db, { id: 'closed-mill', user_id: vendor, deleted_at: new Date('2026-02-01T00:00:00Z') })
    expect(await findVendorRatings(db, vendor)).toBeNull()
    const review = (id: string, business_id: string, rating: number, day: number, approved = true) => ({
      ...{ id, business_id, rating, approved, booking_id: null, user_id: null, author_name: `Guest ${id}` },
      ...{ body: 'We sang.', rejected_reason: null, moderated_at: null },
      created_at: new Date(Date.UTC(2026, 3, day)),
    })
    await db
      .insertInto('reviews')
      .values([
        review('mill-1', 'old-mill', 5, 3),
        review('mill-2', 'mill-pond', 4, 1),
        review('mill-3', 'mill-pond', 4, 2),
        review('mill-4', 'old-mill', 1, 4, false),
        review('mill-5', 'closed-mill', 1, 5),
      ])
      .execute()
    expect(await findVendorRatings(db, vendor)).toMatchObject({
      average: 4.3,
      count: 3,
      byStars: [
        { stars: 5, count: 1 },
        { stars: 4, count: 2 },
        { stars: 3, count: 0 },
        { stars: 2, count: 0 },
        { stars: 1, count: 0 },
      ],
      newest: {
        id: 'mill-1',
        authorName: 'Guest mill-1',
        businessId: 'old-mill',
        businessName: 'The Old Mill',
      },
    })
  })
})
