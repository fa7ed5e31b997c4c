import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { findApprovedReviews } from './queries.server.ts'

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
