import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryOf, searchTermsOf } from '../../app/features/search/filter-messages.ts'
import { splitQuery } from '../../app/features/search/name-queries.server.ts'
import { listFound } from '../../app/features/search/queries.server.ts'
import { readQuery } from '../../app/features/search/reading-queries.server.ts'
import { NO_SEARCH } from '../../app/features/search/schema.ts'
import { openTestDatabase, type TestConnection } from '../database.ts'
import { REAL_QUERIES } from '../real-queries.ts'

const NOW = new Date('2026-11-20T01:00:00Z')
const TODAY = '2026-11-20'

let connection: TestConnection

beforeAll(async () => {
  connection = await openTestDatabase('demo')
  // The demo dates them relative to today, and the answers here are of one day.
  await connection.db.deleteFrom('slots').execute()
})
afterAll(() => connection.close())

describe('a query as people type it', () => {
  it.each(REAL_QUERIES)(
    'reads as expected, and finds the expected businesses: %s',
    async (query, reading, first) => {
      const search = await splitQuery(connection.db, { ...NO_SEARCH, q: query }, TODAY)
      const found = await listFound(connection.db, search, { nearKm: 25, now: NOW })
      expect({ reading: queryOf(search), first: found.businesses.slice(0, 2).map(({ id }) => id) }).toEqual({
        reading,
        first: first.split(' ').filter(Boolean),
      })
    },
  )

  it.each(REAL_QUERIES)('keeps all its other terms once one is taken back: %s', async (query) => {
    const termsOf = async (q: string) =>
      searchTermsOf(await splitQuery(connection.db, { ...NO_SEARCH, q }, TODAY)).map(({ text }) => text)
    const terms = await termsOf(query)
    for (const { text, rest } of await readQuery(connection.db, query, TODAY)) {
      const others = terms.filter((term) => term !== text)
      // A trade or an occasion beside words alone is words as well.
      expect([others, [others.join(' ')]], `without ${text}: ${rest}`).toContainEqual(await termsOf(rest))
    }
  })

  it('comes in at least 150 spellings', () => {
    expect(new Set(REAL_QUERIES.map(([query]) => query)).size).toBeGreaterThanOrEqual(150)
  })
})
