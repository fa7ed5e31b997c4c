import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { listMigrations, migrate } from '../../adapters/database/migrate.server.ts'
import type { Database } from '../../adapters/database/port.ts'
import { MARKERS_VERSION, STATED_FACTS, WORD_MARKERS } from './fact-rules.ts'
import { fillMarkers } from './marker-commands.server.ts'
import { SERVICES } from './service-rules.ts'
import { coverMarkers } from './travel-rules.ts'

const MIGRATIONS = new URL('../../../database/migrations', import.meta.url).pathname

const MELBOURNE = { latitude: -37.814, longitude: 144.963 }

/** The hash of the rows' markers and words, by version. */
const HASHES: Readonly<Record<number, string>> = {
  1: '0c214ce82a30d670',
  2: 'f8a5b7650836c2a5',
  3: 'a945969abe43a656',
}

it('a change of the markers or words of a fact, a service or a travel area has a new version', () => {
  const markers = Object.entries(STATED_FACTS).map(([name, fact]) =>
    fact.kind === 'count'
      ? [name, fact.markers]
      : [name, fact.kind === 'several' ? Object.keys(fact.options) : null],
  )
  const shown = Object.entries(SERVICES).map(([id, { category, said, ...row }]) => [
    id,
    category,
    said,
    'shown' in row ? row.shown : null,
  ])
  const hash = createHash('sha256')
    .update(JSON.stringify([markers, WORD_MARKERS, shown, coverMarkers(MELBOURNE, 40)]))
    .digest('hex')
  expect(hash.slice(0, 16)).toBe(HASHES[MARKERS_VERSION])
})

/** The markers of each listing in the index. */
async function indexed(db: Database): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ id: string; markers: string[] }>`
    select business_id as id, array_agg(marker order by marker collate "C") as markers
    from search_listings, unnest(tsvector_to_array(words)) marker where marker ~ '^[a-z]/' group by 1`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ id, markers }) => [id, markers]))
}

const FACTS =
  '{"seated":320,"stepFree":true,"parking":false,"dietary":["vegan","halal"],"languages":["Greek"]}'
const TEXT = 'A hall with a garden, a ramp and free parking. Gluten and corkage by arrangement.'

describe('the markers of a listing', () => {
  let connection: TestConnection
  let db: Database
  beforeAll(async () => {
    connection = await openTestDatabase()
    db = connection.db
  })
  afterAll(() => connection.close())

  const markersOf = async (id: string) => (await indexed(db))[id]?.filter((marker) => /^[kmq]/.test(marker))
  const versionOf = async (id: string) => {
    const row = await db
      .selectFrom('businesses')
      .select('markers_version')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.markers_version
  }

  it('come from its statements, and from its words where it states nothing', async () => {
    const stated = await aBusiness(db, { description: TEXT, max_guests: 320, facts: FACTS })
    const said = ['k/byo', 'k/gluten-free', 'k/indoor', 'k/outdoor']
    const guests = ['m/100', 'm/150', 'm/200', 'm/300', 'q/100', 'q/150', 'q/200', 'q/300']
    expect(await markersOf(stated.id)).toEqual(
      [
        'k/Greek',
        'k/halal',
        'k/stepFree',
        'k/vegan',
        ...said.filter((each) => each !== 'k/gluten-free'),
        ...guests,
      ].toSorted(),
    )
    const silent = await aBusiness(db, { description: TEXT })
    expect(await markersOf(silent.id)).toEqual(
      [...said, 'k/parking', 'k/stepFree', 'm/any', 'q/any'].toSorted(),
    )
  })

  it('come from no statement that the category doesn’t have, as after a change of category', async () => {
    const venue = await aBusiness(db, { description: TEXT, facts: '{"services":["florist"],"byo":true}' })
    expect(await markersOf(venue.id)).toContain('k/byo')
    expect(await markersOf(venue.id)).not.toContain('k/florist')
  })

  it('go out of date with a write that leaves them out, and with no other, and are refilled', async () => {
    const { id } = await aBusiness(db, { description: TEXT })
    const before = await markersOf(id)
    expect(await fillMarkers({ db })).toBe(0)
    await db
      .updateTable('businesses')
      .set({ price_cents: 7_000, updated_at: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await versionOf(id)).toBe(MARKERS_VERSION)
    await db.updateTable('businesses').set({ description: 'A marquee.' }).where('id', '=', id).execute()
    expect(await versionOf(id)).toBe(-MARKERS_VERSION)
    expect(await markersOf(id)).toEqual(before)
    expect(await fillMarkers({ db })).toBe(1)
    expect([await markersOf(id), await versionOf(id)]).toEqual([
      ['k/outdoor', 'm/any', 'q/any'],
      MARKERS_VERSION,
    ])
    // The availability settings' copy.
    await setsAvailability(db, id, { maxGuests: 120 })
    expect(await fillMarkers({ db })).toBe(1)
    expect(await markersOf(id)).toEqual(['k/outdoor', 'm/100', 'q/any'])
  })

  it('refill for every listing after a new version, except while a vendor saves it', async () => {
    const [one, other] = [await aBusiness(db, { facts: FACTS }), await aBusiness(db)]
    const before = await indexed(db)
    await sql`update businesses set markers = '{k/nonsense}', markers_version = 0`.execute(db)
    expect(await markersOf(one.id)).toEqual(['k/nonsense'])
    const count = Object.keys(before).length
    const { promise: saved, resolve: save } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const saving =
      connection.kind === 'pglite'
        ? null
        : db.transaction().execute(async (tx) => {
            await tx.selectFrom('businesses').select('id').where('id', '=', other.id).forUpdate().execute()
            begin()
            await saved
          })
    if (saving) await begun
    expect(await fillMarkers({ db })).toBe(saving ? count - 1 : count)
    save()
    await saving
    await fillMarkers({ db })
    expect(await indexed(db)).toEqual(before)
    expect(await fillMarkers({ db })).toBe(0)
  })
})

it('the migration leaves the index of older listings as it was', async () => {
  const connection = await openTestDatabase('nothing')
  try {
    const { db } = connection
    const names = listMigrations(MIGRATIONS).map(({ name }) => name)
    const before = names.filter((name) => name < '0070')
    await migrate(connection, MIGRATIONS, new Set(before))
    await sql`insert into users (id, name, email) values ('owner', 'Kim', 'kim@example.com')`.execute(db)
    await sql`insert into places (id, name, state, latitude, longitude, time_zone, population)
      values ('geelong-vic', 'Geelong', 'VIC', -38.1, 144.3, 'Australia/Melbourne', 1)`.execute(db)
    await sql`insert into businesses (id, user_id, name, category, description, price_cents, price_unit, booking_types, place_id,
        services_offered, images, seo_title, seo_description, facts, max_guests)
      select 'listing-' || n, 'owner', 'Hall ' || n, 'Venues', case when n % 2 = 0 then ${TEXT} else 'Rooms.' end, 100,
        'perHour', '{perHour}', 'geelong-vic', '{Halal menus}', '[]', '', '', case when n < 3 then ${FACTS}::jsonb else '{}' end,
        case when n < 2 then 400 end
      from generate_series(1, 4) n`.execute(db)
    const words = await indexed(db)
    expect(Object.keys(words)).toHaveLength(4)
    await migrate(connection, MIGRATIONS)
    expect(await indexed(db)).toEqual(words)
    await sql`select rebuild_search()`.execute(db)
    expect(await indexed(db)).toEqual(words)
  } finally {
    await connection.close()
  }
})
