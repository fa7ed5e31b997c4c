import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { aMarket } from '../../../tests/market.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import {
  listBestRatedBusinesses,
  listBestRatedCards,
  listBusinessCards,
  listNewestBusinesses,
  listSimilarNearby,
} from './card-queries.server.ts'

let connection: DatabaseConnection

const MELBOURNE = { latitude: -37.81, longitude: 144.96 }

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

beforeAll(async () => {
  connection = await openTestDatabase()
  await aMarket(connection.db)
})

afterAll(() => connection?.close())

describe('listBusinessCards', () => {
  it('returns only visible businesses, in the requested order', async () => {
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

  it('returns the rating of approved reviews, the pictures and the price', async () => {
    const [hall, shed] = await listBusinessCards(connection.db, ['quay-hall', 'west-shed'])
    expect(hall).toMatchObject({ rating: { average: 4.3, count: 3 }, priceCents: 4_550, abnRegistered: true })
    expect(hall?.pictures).toHaveLength(2)
    expect(shed).toMatchObject({ rating: null, abnRegistered: false })
  })
})

describe('the lists of the home page', () => {
  it('feature a rating only with three or more approved reviews', async () => {
    expect(await listBestRatedBusinesses(connection.db, 10)).toEqual([
      { id: 'quay-hall', category: 'Venues', priceCents: 4_550 },
    ])
    expect(await listBestRatedCards(connection.db, 10)).toEqual(
      await listBusinessCards(connection.db, ['quay-hall']),
    )
  })

  it('start with the newest business', async () => {
    expect(idsOf(await listNewestBusinesses(connection.db, 2))).toEqual(['night-music', 'west-shed'])
  })
})

describe('listSimilarNearby', () => {
  it('returns other vendors’ businesses of the same category, the nearest first', async () => {
    const similar = await listSimilarNearby(
      connection.db,
      { category: 'Venues', userId: 'owner-1', place: MELBOURNE },
      5,
    )
    expect(idsOf(similar)).toEqual(['bay-rooms', 'west-shed'])
    expect(similar[0]?.distanceKm).toBeGreaterThan(50)
    expect(similar[0]?.distanceKm).toBeLessThan(80)
    expect(similar[1]?.distanceKm).toBeGreaterThan(2_600)
  })

  it('returns the newest first in one place, and no more than asked for', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 1, day))
    for (const [id, day] of [
      ['old-mill', 1],
      ['new-mill', 3],
      ['mid-mill', 2],
    ] as const)
      await aBusiness(connection.db, { id, user_id: 'owner-2', place_id: 'geelong-vic', created_at: at(day) })
    const of = { category: 'Venues', userId: 'owner-1', place: MELBOURNE } as const
    expect(idsOf(await listSimilarNearby(connection.db, of, 2))).toEqual(['new-mill', 'mid-mill'])
    expect(idsOf(await listSimilarNearby(connection.db, of, 5))).toEqual([
      'new-mill',
      'mid-mill',
      'old-mill',
      'bay-rooms',
      'west-shed',
    ])
    expect(idsOf(await listSimilarNearby(connection.db, { ...of, userId: 'owner-2' }, 5))).toEqual([
      'quay-hall',
    ])
  })
})
