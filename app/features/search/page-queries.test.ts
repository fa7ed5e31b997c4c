import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { listFound } from './queries.server.ts'
import { NO_SEARCH, type Search } from './schema.ts'

const context = { nearKm: 25, now: new Date('2026-11-20T01:00:00Z') }
const VENUES = 1_900
/** Open at 4 am, by their position from the newest. Between them are two stretches longer than one page examines. */
const isOpen = (n: number) => n <= 24 || (n >= 1_251 && n <= 1_255)

describe('a dated list with few businesses that can be booked', () => {
  let connection: DatabaseConnection
  const atFour: Partial<Search> = { category: 'Venues', date: '2026-12-12', from: '04:00', sort: 'newest' }
  const found = (cursor: Partial<Search> = {}) =>
    listFound(connection.db, { ...NO_SEARCH, ...atFour, ...cursor }, context)
  const numbersOf = (page: Awaited<ReturnType<typeof found>>) =>
    page.businesses.map(({ id }) => Number(id.slice('venue-'.length)))

  beforeAll(async () => {
    connection = await openTestDatabase()
    const { db } = connection
    const { id } = await aBusiness(db)
    await setsAvailability(db, id)
    await sql`
      insert into businesses
      select (jsonb_populate_record(b, jsonb_build_object(
        'id', 'venue-' || n, 'name', 'Hall ' || n,
        'created_at', '2026-01-02T00:00:00Z'::timestamptz - n * interval '1 minute'))).*
      from businesses b, generate_series(1, ${VENUES}::int) n where b.id = ${id}`.execute(db)
    const open = Array.from({ length: VENUES }, (_, index) => index + 1).filter(isOpen)
    await sql`
      insert into availability_settings
      select (jsonb_populate_record(s, jsonb_build_object('business_id', v))).*
      from availability_settings s, unnest(${open.map((n) => `venue-${n}`)}::text[]) v
      where s.business_id = ${id}`.execute(db)
    await db.deleteFrom('businesses').where('id', '=', id).execute()
  }, 60_000)
  afterAll(() => connection?.close())

  it('leads on across a page without any of them, to its end and back', async () => {
    const first = Array.from({ length: 24 }, (_, index) => index + 1)
    const pages = [await found()]
    for (let page = pages[0]; page?.next && pages.length < 6; ) {
      page = await found({ after: page.next })
      pages.push(page)
    }
    expect(pages.map(numbersOf)).toEqual([first, [], [1_251, 1_252, 1_253, 1_254, 1_255], []])
    expect(pages[1]).toMatchObject({ total: 0, isOpenEnded: true })
    expect(pages[3]).toMatchObject({ total: 0, isOpenEnded: true, next: null })
    const back: number[] = []
    for (let { previous } = pages[3] ?? { previous: null }, steps = 0; previous && steps < 6; steps++) {
      const page = await found({ before: previous })
      back.unshift(...numbersOf(page))
      previous = page.previous
    }
    expect(back).toEqual([...first, 1_251, 1_252, 1_253, 1_254, 1_255])
  })

  it('starts again at its beginning when the cursor’s neighbours are gone', async () => {
    const page = await found({ after: '1000.venue-0' })
    expect(numbersOf(page)).toHaveLength(24)
    expect(page.previous).toBeNull()
  })
})
