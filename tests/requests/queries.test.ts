import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryOf } from '../../app/features/search/filter-messages.ts'
import { splitQuery } from '../../app/features/search/name-queries.server.ts'
import { listFound } from '../../app/features/search/queries.server.ts'
import { NO_SEARCH } from '../../app/features/search/schema.ts'
import { openTestDatabase, type TestConnection } from '../database.ts'
import { REAL_QUERIES } from '../real-queries.ts'

const NOW = new Date('2026-11-20T01:00:00Z')
const TODAY = '2026-11-20'

let connection: TestConnection

beforeAll(async () => {
  connection = await openTestDatabase('demo')
})
afterAll(() => connection.close())

describe('a query as people type it', () => {
  it.each(REAL_QUERIES)('is read and answered: %s', async (query, reading, first) => {
    const search = await splitQuery(connection.db, { ...NO_SEARCH, q: query }, TODAY)
    const found = await listFound(connection.db, search, { nearKm: 25, now: NOW })
    expect({ reading: queryOf(search), first: found.businesses.slice(0, 2).map(({ id }) => id) }).toEqual({
      reading,
      first: first.split(' ').filter(Boolean),
    })
  })

  it('comes in at least 150 spellings', () => {
    expect(new Set(REAL_QUERIES.map(([query]) => query)).size).toBeGreaterThanOrEqual(150)
  })
})
