import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aUser } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { CATEGORY_FACTS, FACTS, type Facts } from './fact-rules.ts'
import { answerPrefilled } from './prefilled-commands.server.ts'
import { exportPrefilled, listPrefilled } from './prefilled-queries.server.ts'
import { CATEGORIES, type Category } from './rules.ts'

const SCRIPT = readFileSync(
  new URL('../../../database/migrations/0100_prefilled_facts.sql', import.meta.url),
  'utf8',
)
const BEFORE = new Date('2026-11-01T00:00:00Z')
const CHANGED = new Date('2026-11-10T00:00:00Z')

let connection: TestConnection
let userId: string

beforeAll(async () => {
  connection = await openTestDatabase()
  // The form had changed before.
  await sql`update schema_migrations set applied_at = ${CHANGED}
    where name = '0069_listings_before_the_agreement.sql'`.execute(connection.db)
  await sql`drop table prefilled_facts`.execute(connection.db)
})
afterAll(() => connection.close())

const listing = async (category: Category, facts: Facts, created_at = BEFORE) =>
  (await aBusiness(connection.db, { user_id: userId, category, facts: JSON.stringify(facts), created_at })).id
const factsOfId = async (id: string) =>
  (
    await connection.db
      .selectFrom('businesses')
      .select('facts')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).facts
const putAside = async (id: string) => (await exportPrefilled(connection.db, [id])).get(id) ?? null

beforeEach(async () => {
  userId = (await aUser(connection.db)).id
})

describe('the migration', () => {
  it('puts aside what the form had filled in and nobody has touched, and nothing else', async () => {
    const untouched = await listing('Photographers', { minHours: 2, travelKm: 100, languages: ['Greek'] })
    const venue = await listing('Venues', { minHours: 4, byo: true })
    const changed = await listing('Photographers', { minHours: 2, travelKm: 120 })
    const cleared = await listing('Photographers', { travelKm: 100 })
    const moved = await listing('Catering', { minHours: 2, travelKm: 100 })
    const soonAfter = await listing(
      'Extras',
      { minHours: 1, travelKm: 50 },
      new Date(CHANGED.getTime() + 86_399_000),
    )
    const after = await listing('Extras', { minHours: 1, travelKm: 50 }, new Date(CHANGED.getTime() + DAY_MS))
    const updated = async () =>
      (
        await connection.db
          .selectFrom('businesses')
          .select('updated_at')
          .where('id', '=', untouched)
          .executeTakeFirst()
      )?.updated_at
    const version = await updated()
    await connection.executeScript(SCRIPT)
    expect(await factsOfId(untouched)).toEqual({ languages: ['Greek'] })
    expect(await putAside(untouched)).toEqual({ minHours: 2, travelKm: 100 })
    // A form that is open is neither refused nor brings them back: it shows what is stored.
    expect(await updated()).toEqual(version)
    expect(await factsOfId(venue)).toEqual({ byo: true })
    expect(await putAside(venue)).toEqual({ minHours: 4 })
    expect(await factsOfId(changed)).toEqual({ minHours: 2, travelKm: 120 })
    expect(await factsOfId(cleared)).toEqual({ travelKm: 100 })
    expect(await factsOfId(moved)).toEqual({ minHours: 2, travelKm: 100 })
    expect(await factsOfId(soonAfter)).toEqual({})
    expect(await factsOfId(after)).toEqual({ minHours: 1, travelKm: 50 })
    for (const id of [changed, cleared, moved, after]) expect(await putAside(id)).toBeNull()
  })

  it('knows the numbers that the form filled in for each category', () => {
    const filled = Object.fromEntries(
      CATEGORIES.map((category) => [
        category,
        Object.fromEntries(
          CATEGORY_FACTS[category].flatMap((name) => {
            const fact = FACTS[name]
            const usual =
              'usual' in fact ? (fact.usual as Partial<Record<Category, number>>)[category] : undefined
            return usual === undefined ? [] : [[name, usual]]
          }),
        ),
      ]),
    )
    const rows = [...SCRIPT.matchAll(/\('([^']+)', '(\{[^']+\})'/g)]
    expect(
      Object.fromEntries(rows.map(([, category, facts]) => [category, JSON.parse(facts ?? '')])),
    ).toEqual(filled)
  })
})

describe('the question about them', () => {
  const asked = async (facts: Facts = {}) => {
    const id = await listing('Photographers', facts)
    await connection.db
      .insertInto('prefilled_facts')
      .values({ business_id: id, facts: JSON.stringify({ minHours: 2, travelKm: 100 }) })
      .execute()
    return id
  }
  const deps = () => ({ db: connection.db, now: aClock().now })
  const open = async (id: string) => {
    const facts = await factsOfId(id)
    const lines = await listPrefilled(connection.db, [{ id, category: 'Photographers', facts }])
    return lines.get(id)?.map(({ text }) => text) ?? []
  }

  it('names what isn’t stated by now', async () => {
    expect(await open(await asked())).toEqual(['2 hours, if booked per hour', 'Up to 100 km'])
    expect(await open(await asked({ travelKm: 30 }))).toEqual(['2 hours, if booked per hour'])
    expect(await open(await asked({ travelKm: 30, minHours: 1 }))).toEqual([])
    expect(await listPrefilled(connection.db, [])).toEqual(new Map())
  })

  it('publishes them with their markers, beside what the vendor has stated since', async () => {
    const id = await asked({ travelKm: 30 })
    expect(await answerPrefilled(deps(), { userId, businessId: id, isRight: true })).toMatchObject({
      ok: true,
    })
    expect(await factsOfId(id)).toEqual({ minHours: 2, travelKm: 30 })
    expect(await open(id)).toEqual([])
    const row = await connection.db
      .selectFrom('businesses')
      .select(['markers', 'markers_version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.markers_version).toBeGreaterThan(0)
    expect(row.markers.some((marker) => marker.startsWith('w/'))).toBe(true)
  })

  it('forgets them', async () => {
    const id = await asked()
    expect(await answerPrefilled(deps(), { userId, businessId: id, isRight: false })).toMatchObject({
      ok: true,
    })
    expect(await factsOfId(id)).toEqual({})
    expect(await putAside(id)).toBeNull()
    // A second press.
    expect(await answerPrefilled(deps(), { userId, businessId: id, isRight: true })).toMatchObject({
      ok: true,
    })
    expect(await factsOfId(id)).toEqual({})
  })

  it('refuses an answer of another user', async () => {
    const id = await asked()
    const stranger = (await aUser(connection.db)).id
    const answer = { userId: stranger, businessId: id, isRight: true }
    expect(await answerPrefilled(deps(), answer)).toEqual({ ok: false, reason: 'not_found' })
    expect(await putAside(id)).not.toBeNull()
  })
})
