import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createListingGenerator,
  fillListings,
  findGeneratorPlaces,
} from '../../../bench/generate-listings.ts'
import { aBusiness, aPlace, aUser, setsAvailability } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { PARTY_SEARCH } from '../../../tests/searches.ts'
import type { Database, DatabaseConnection } from '../../adapters/database/port.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { defaultAvailability } from '../availability/rules.ts'
import { findTime } from '../availability/slot-queries.server.ts'
import { type Facts, GUEST_STEPS } from '../businesses/fact-rules.ts'
import { type Category, PAGE_SIZE } from '../businesses/rules.ts'
import { loadPlaces } from '../places/commands.server.ts'
import { distanceKm } from '../places/rules.ts'
import { indexFilterOf } from './filter-queries.server.ts'
import { findPlaceNames, isBusinessName } from './name-queries.server.ts'
import { listFound, listRelaxed } from './queries.server.ts'
import { COUNT_CAP } from './rules.ts'
import { fieldsOf, NO_SEARCH, readSearch, SEARCH_PARAMETERS, type Search } from './schema.ts'
import { listSuggestions } from './suggestion-queries.server.ts'
import { understand } from './word-queries.server.ts'
import { nameKey, searchWords } from './word-rules.ts'

const context = { nearKm: 25, now: new Date('2026-11-20T01:00:00Z') }
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('a small market', () => {
  let connection: DatabaseConnection
  const found = (searchTerms: Partial<Search>) =>
    listFound(connection.db, { ...NO_SEARCH, ...searchTerms }, context)
  const ids = async (searchTerms: Partial<Search>) => idsOf((await found(searchTerms)).businesses)
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const onePrice = { second_price_cents: null, second_price_unit: null }

  beforeAll(async () => {
    connection = await openTestDatabase()
    const { db } = connection
    await aPlace(db, {
      id: 'geelong-vic',
      name: 'Geelong',
      latitude: -38.147,
      longitude: 144.36,
      population: 200_000,
    })
    await aPlace(db, {
      id: 'torquay-vic',
      name: 'Torquay',
      latitude: -38.331,
      longitude: 144.326,
      population: 18_000,
    })
    await aPlace(db, {
      id: 'richmond-vic',
      name: 'Richmond',
      latitude: -37.82,
      longitude: 145,
      population: 28_000,
    })
    await aPlace(db, {
      id: 'richmond-nsw',
      name: 'Richmond',
      state: 'NSW',
      latitude: -33.6,
      longitude: 150.75,
      population: 5_000,
    })
    await aPlace(db, {
      id: 'perth-wa',
      name: 'Perth',
      state: 'WA',
      latitude: -31.95,
      longitude: 115.86,
      time_zone: 'Australia/Perth',
    })
    await aPlace(db)
    await aUser(db, { id: 'owner-1' })
    // Inserted out of date order, since the list sorts by date anyway.
    await aBusiness(db, {
      id: 'west-shed',
      user_id: 'owner-1',
      name: 'West Shed',
      place_id: 'perth-wa',
      created_at: at(3),
      price_cents: 20_000,
      price_unit: 'perHour',
      booking_types: ['perHour'],
    })
    await aBusiness(db, {
      id: 'quay-hall',
      user_id: 'owner-1',
      name: 'Quay Hall',
      description: 'A hall of 100% hardwood by the water.',
      created_at: at(1),
      ...onePrice,
    })
    await aBusiness(db, {
      id: 'night-music',
      user_id: 'owner-1',
      name: 'Night Music',
      category: 'Sounds & DJ',
      description: 'A trio for weddings.',
      services_offered: ['Jazz', 'Waltzes'],
      created_at: at(4),
      price_cents: 30_000,
      price_unit: 'perHour',
      booking_types: ['perHour'],
    })
    await aBusiness(db, {
      id: 'bay-rooms',
      user_id: 'owner-1',
      name: 'Bay Rooms',
      place_id: 'geelong-vic',
      created_at: at(2),
      price_cents: 0,
    })
    await aBusiness(db, {
      id: 'cafe-alba',
      user_id: 'owner-1',
      name: 'Café Álba',
      category: 'Catering',
      place_id: 'torquay-vic',
      created_at: at(5),
      price_cents: 9_000,
      ...onePrice,
    })
    await aBusiness(db, { id: 'hidden-house', user_id: 'owner-1', hidden_at: at(5), created_at: at(5) })
    await aBusiness(db, { id: 'gone-garden', user_id: 'owner-1', deleted_at: at(6), created_at: at(6) })
  })
  afterAll(() => connection?.close())

  it('lists businesses newest first, without hidden and deleted ones', async () => {
    expect(await ids({})).toEqual(['cafe-alba', 'night-music', 'west-shed', 'bay-rooms', 'quay-hall'])
    expect(await found({})).toMatchObject({ total: 5, isOpenEnded: false, next: null, previous: null })
  })

  it('filters by a category, or by those of an occasion', async () => {
    expect(await ids({ category: 'Sounds & DJ' })).toEqual(['night-music'])
    expect(await ids({ category: 'Extras' })).toEqual([])
    expect(await ids({ occasion: 'memorial' })).toEqual(['cafe-alba', 'west-shed', 'bay-rooms', 'quay-hall'])
    // Businesses that mention the occasion come first.
    expect(await ids({ occasion: 'wedding' })).toEqual([
      'night-music',
      'cafe-alba',
      'west-shed',
      'bay-rooms',
      'quay-hall',
    ])
  })

  it('finds listings with every word, in any field, case and form', async () => {
    expect(await ids({ q: 'JAZZ' })).toEqual(['night-music'])
    expect(await ids({ q: 'hall water' })).toEqual(['quay-hall'])
    expect(await ids({ q: 'hall jazz' })).toEqual([])
    expect(await ids({ q: 'geelong venues' })).toEqual(['bay-rooms'])
    expect(await ids({ q: 'victoria jazz' })).toEqual(['night-music'])
    expect(await ids({ q: 'wedding waltz' })).toEqual(['night-music'])
    expect(await ids({ q: 'cafe alba' })).toEqual(['cafe-alba'])
    expect(await ids({ q: 'CAFÉ' })).toEqual(['cafe-alba'])
    expect(await ids({ q: '100%' })).toEqual(['quay-hall'])
  })

  it('finds nothing for punctuation alone', async () => {
    for (const q of ['_', '\\', '%', "' | '", '🎉', '???']) {
      expect(await found({ q }), q).toMatchObject({ businesses: [], total: 0 })
      expect(await found({ q, sort: 'newest' }), q).toMatchObject({ businesses: [], total: 0 })
    }
  })

  it('finds a place by its name with or without its state, a prefix, a state, or a similar spelling', async () => {
    expect(await ids({ place: 'Geelong, VIC' })).toEqual(['bay-rooms'])
    expect(await ids({ place: 'geelong' })).toEqual(['bay-rooms'])
    expect(await ids({ place: 'geel' })).toEqual(['bay-rooms'])
    expect(await ids({ place: 'wa' })).toEqual(['west-shed'])
    expect(await ids({ place: 'Western Australia' })).toEqual(['west-shed'])
    expect(await ids({ place: 'Victoria' })).toEqual(['cafe-alba', 'night-music', 'bay-rooms', 'quay-hall'])
    expect(await found({ place: 'Gelong' })).toMatchObject({
      total: 1,
      place: { label: 'Geelong, VIC', isGuess: true },
    })
    expect(await found({ place: 'Atlantis' })).toMatchObject({ total: 0, place: 'unknown' })
    expect((await found({ place: 'Richmond' })).place).toEqual({
      label: 'Richmond, VIC',
      others: ['Richmond, NSW'],
      isGuess: false,
    })
  })

  it('includes the surroundings of a place by radius, with each distance', async () => {
    const near = await found({ place: 'Geelong', near: true })
    expect(near.businesses.map(({ id, distanceKm: km }) => [id, km])).toEqual([
      ['cafe-alba', 21],
      ['bay-rooms', 0],
    ])
    expect(
      idsOf(
        (
          await listFound(
            connection.db,
            { ...NO_SEARCH, place: 'Geelong', near: true },
            { ...context, nearKm: 20 },
          )
        ).businesses,
      ),
    ).toEqual(['bay-rooms'])
    expect(
      idsOf(
        (
          await listFound(
            connection.db,
            { ...NO_SEARCH, place: 'Geelong', near: true },
            { ...context, nearKm: 900 },
          )
        ).businesses,
      ),
    ).toHaveLength(4)
  })

  it('filters by the listed price and by the total budget', async () => {
    expect(await ids({ minCents: 9_000, maxCents: 20_000 })).toEqual(['cafe-alba', 'west-shed'])
    expect(await ids({ minCents: 9_001 })).toEqual(['night-music', 'west-shed'])
    expect(await ids({ per: 'perHour' })).toEqual(['night-music', 'west-shed'])
    // 90 guests at $45.50 are $4,095, at $90 $8,100; 7 hours at $200 are $1,400, at $300 $2,100.
    const asked = { guests: 90, hours: 7 }
    expect(await ids({ ...asked, budgetCents: 409_500 })).toEqual(['night-music', 'west-shed', 'quay-hall'])
    expect(await ids({ ...asked, budgetCents: 409_499 })).toEqual(['night-music', 'west-shed'])
    expect(await ids({ ...asked, budgetCents: 210_000 })).toEqual(['night-music', 'west-shed'])
    expect(await ids({ ...asked, budgetCents: 209_999 })).toEqual(['west-shed'])
    expect(await ids({ budgetCents: 5_000 })).toEqual(['quay-hall'])
  })

  it('sorts by the lowest total, and puts businesses without a price last', async () => {
    expect(await ids({ sort: 'price' })).toEqual([
      'quay-hall',
      'cafe-alba',
      'west-shed',
      'night-music',
      'bay-rooms',
    ])
    expect(await ids({ sort: 'price', guests: 90, hours: 7 })).toEqual([
      'west-shed',
      'night-music',
      'quay-hall',
      'cafe-alba',
      'bay-rooms',
    ])
  })

  it('compares the price of the requested unit if a business has two', async () => {
    const { db } = connection
    const setSecond = (id: string, cents: number | null) =>
      db
        .updateTable('businesses')
        .set({ second_price_cents: cents, second_price_unit: cents === null ? null : 'perHour' })
        .where('id', '=', id)
        .execute()
    // Per person $45.50 and $90; per hour $250 and $150. West Shed charges $200 per hour, Night Music $300.
    await setSecond('quay-hall', 25_000)
    await setSecond('cafe-alba', 15_000)
    try {
      // Without a unit the first price counts.
      expect(await ids({ maxCents: 10_000 })).toEqual(['cafe-alba', 'quay-hall'])
      expect(await ids({ minCents: 15_000, maxCents: 25_000 })).toEqual(['west-shed'])
      expect(await ids({ sort: 'price' })).toEqual([
        'quay-hall',
        'cafe-alba',
        'west-shed',
        'night-music',
        'bay-rooms',
      ])
      expect(await ids({ per: 'perHour' })).toEqual(['cafe-alba', 'night-music', 'west-shed', 'quay-hall'])
      expect(await ids({ per: 'perHour', minCents: 15_000, maxCents: 25_000 })).toEqual([
        'cafe-alba',
        'west-shed',
        'quay-hall',
      ])
      expect(await ids({ per: 'perHour', sort: 'price' })).toEqual([
        'cafe-alba',
        'west-shed',
        'quay-hall',
        'night-music',
      ])
      expect(await ids({ per: 'perPerson', sort: 'price' })).toEqual(['quay-hall', 'cafe-alba'])
      // 4 hours: $1,000, $600, $800, $1,200.
      expect(await ids({ hours: 4, budgetCents: 80_000 })).toEqual(['cafe-alba', 'west-shed'])
      expect(await ids({ hours: 4, sort: 'price' })).toEqual([
        'cafe-alba',
        'west-shed',
        'quay-hall',
        'night-music',
        'bay-rooms',
      ])
      // 90 guests: $4,095 and $8,100.
      expect(await ids({ guests: 90, category: 'Catering', budgetCents: 809_999 })).toEqual([])
      // With guests and hours, the lower total counts.
      expect(await ids({ guests: 90, hours: 4, budgetCents: 80_000 })).toEqual(['cafe-alba', 'west-shed'])
      expect(await ids({ guests: 10, hours: 4, sort: 'price' })).toEqual([
        'quay-hall',
        'cafe-alba',
        'west-shed',
        'night-music',
        'bay-rooms',
      ])
      const [card] = (await found({ q: 'Quay Hall' })).businesses
      expect(card).toMatchObject({ price: '45.50', secondPrice: { unit: 'perHour', cents: 25_000 } })
    } finally {
      await setSecond('quay-hall', null)
      await setSecond('cafe-alba', null)
    }
    expect(await ids({ per: 'perHour' })).toEqual(['night-music', 'west-shed'])
  })

  it('forgives typing errors', async () => {
    expect(await found({ q: 'nihgt musci' })).toMatchObject({
      corrections: [
        { typed: 'nihgt', used: ['night'] },
        { typed: 'musci', used: ['music'] },
      ],
      businesses: [{ id: 'night-music' }],
    })
    expect(await found({ q: 'hardwod' })).toMatchObject({ corrections: [{ used: ['hardwood'] }], total: 1 })
    expect(await found({ q: 'xylophonist' })).toMatchObject({ corrections: [], total: 0 })
    // Another form of a known word is not an error, even if no listing has it.
    expect(await found({ q: 'waltzing' })).toMatchObject({ corrections: [], total: 1 })
    expect(await found({ q: 'venue' })).toMatchObject({ corrections: [], total: 3 })
  })

  it('offers relaxed searches with their number of matches', async () => {
    const { offers } = await listRelaxed(
      connection.db,
      { ...NO_SEARCH, q: 'jazz', category: 'Venues', place: 'Geelong' },
      context,
    )
    expect(offers.map(({ without, total }) => [without, total])).toEqual([['words', 1]])
    const nearer = await listRelaxed(connection.db, { ...NO_SEARCH, q: 'café', place: 'Geelong' }, context)
    expect(nearer.offers[0]).toMatchObject({ without: 'distance', total: 1 })
    expect(idsOf(nearer.businesses)).toEqual(['cafe-alba'])
  })

  it('offers another time of the day when only the time is the obstacle', async () => {
    const { db } = connection
    const { weekly } = defaultAvailability('Venues', 'Australia/Melbourne')
    await setsAvailability(db, 'night-music', { weekly })
    const night: Search = { ...NO_SEARCH, category: 'Sounds & DJ', date: '2026-12-12', from: '05:00' }
    expect((await found(night)).total).toBe(0)
    const { offers, businesses } = await listRelaxed(db, night, context)
    expect(offers.map(({ without, total, search }) => [without, total, search.date, search.from])).toEqual([
      ['time', 1, '2026-12-12', null],
      ['date', 1, null, null],
      ['category', 3, '2026-12-12', '05:00'],
    ])
    expect(idsOf(businesses)).toEqual(['night-music'])
    // The day is the obstacle: the business is closed at the weekend.
    const closed = { ...night, from: '16:00', date: '2026-12-13' }
    await setsAvailability(db, 'night-music', { weekly: { ...weekly, sat: [], sun: [] } })
    const onSunday = await listRelaxed(db, closed, context)
    expect(onSunday.offers.map(({ without }) => without)).not.toContain('time')
    expect(onSunday.offers[0]).toMatchObject({ without: 'date', total: 1 })
    await setsAvailability(db, 'night-music')
  })

  it('offers the nearest other place with a match, with its distance from the named place', async () => {
    const near = (searchTerms: Partial<Search>) =>
      listRelaxed(connection.db, { ...NO_SEARCH, place: 'Geelong', near: true, ...searchTerms }, context)
    const { offers, businesses } = await near({ category: 'Sounds & DJ' })
    const [elsewhere, anywhere] = offers
    expect(elsewhere).toMatchObject({
      without: 'elsewhere',
      km: 65,
      search: { place: 'Melbourne, VIC', near: true, category: 'Sounds & DJ' },
      total: 1,
    })
    expect(businesses).toMatchObject([{ id: 'night-music', distanceKm: 65 }])
    expect(anywhere?.without).toBe('place')
    // Perth has one, but is too far away.
    const far = await near({ category: 'Venues', q: 'west shed' })
    expect(far.offers.map(({ without }) => without)).not.toContain('elsewhere')
    // A whole state has no surroundings.
    const ofState = await near({ category: 'Sounds & DJ', place: 'QLD' })
    expect(ofState.offers.map(({ without }) => without)).toEqual(['place'])
    // Those anywhere in Australia are linked, not shown as if they were close.
    expect(ofState.businesses).toEqual([])
  })

  it('suggests categories, businesses and places for half-typed text', async () => {
    const suggest = (text: string) => listSuggestions(connection.db, text)
    expect(await suggest('q')).toEqual({ categories: [], services: [], businesses: [], places: [] })
    expect(await suggest('quay')).toMatchObject({
      businesses: [{ id: 'quay-hall', name: 'Quay Hall', location: 'Melbourne, VIC' }],
    })
    expect(idsOf((await suggest('ha')).businesses)).toEqual(['quay-hall'])
    expect(idsOf((await suggest('hall qu')).businesses)).toEqual(['quay-hall'])
    expect(idsOf((await suggest('CAFE')).businesses)).toEqual(['cafe-alba'])
    expect(idsOf((await suggest('musci')).businesses)).toEqual(['night-music'])
    expect((await suggest('photograhper')).categories).toEqual(['Photographers'])
    expect((await suggest('flor')).services).toEqual(['florist'])
    expect((await suggest('rich')).places).toEqual(['Richmond, VIC', 'Richmond, NSW'])
    expect((await suggest('richmond nsw')).places).toEqual(['Richmond, NSW'])
    expect(idsOf((await suggest('hidden')).businesses)).toEqual([])
  })

  it('recognises the names of places and businesses', async () => {
    const findPlace = await findPlaceNames(connection.db, [
      'geelong',
      'geelong vic',
      'richmond',
      'vic',
      'nowhere',
    ])
    expect(
      ['geelong', 'Geelong VIC', 'richmond', 'VIC', 'Victoria', 'nowhere', 'torquay'].map(findPlace),
    ).toEqual(['Geelong, VIC', 'Geelong, VIC', 'Richmond', 'VIC', 'VIC', null, null])
    expect(await isBusinessName(connection.db, 'the quay hall')).toBe(false)
    expect(await isBusinessName(connection.db, ' QUAY hall ')).toBe(true)
  })

  it('never fails, whatever the text or cursor', async () => {
    const odd = [
      '"',
      "'",
      '\\',
      '()',
      '!',
      '&|',
      '<->',
      ':*',
      "a'b",
      'é'.repeat(200),
      '\u{1F389}\u200d',
      'null',
      '-1',
      '福',
      'a'.repeat(200),
      '* & !',
      'e/0',
      "c/Venues' | 'x",
    ]
    for (const text of odd) {
      await found({ q: text })
      await found({ q: text, place: text, near: true, category: 'Venues', sort: 'price' })
      await listSuggestions(connection.db, text)
      await findPlaceNames(connection.db, [text])
    }
    for (const cursor of ['a', '1.a', '1.2.a', `${'9'.repeat(18)}.${'9'.repeat(18)}.a`]) {
      for (const sort of ['newest', 'price', 'recommended'] as const) {
        await found({ after: cursor, sort })
        await found({ before: cursor, sort, q: 'hall' })
      }
    }
    // A marker can't be searched as a word.
    expect(await ids({ q: 'e/0' })).toEqual([])
  })

  it('indexes each marker of a listing, its category and its place, from the edit that sets them on', async () => {
    class RolledBack extends Error {}
    const marked = async (db: Database) => {
      const { rows } = await sql<{ id: string; marker: string }>`select business_id as id, marker
        from search_listings, unnest(tsvector_to_array(words)) marker where marker ~ '^[xy]/'
        order by id, marker`.execute(db)
      return rows.map(({ id, marker }) => `${id} ${marker}`)
    }
    const trial = connection.db.transaction().execute(async (tx) => {
      expect(await marked(tx)).toEqual([])
      await sql`update businesses set markers = markers || '{x/true}' where id = 'quay-hall'`.execute(tx)
      await sql`update businesses set markers = markers || '{y/one,y/two}' where id = 'cafe-alba'`.execute(tx)
      expect(await marked(tx)).toEqual(['cafe-alba y/one', 'cafe-alba y/two', 'quay-hall x/true'])
      await sql`select rebuild_search()`.execute(tx)
      expect(await marked(tx)).toEqual(['cafe-alba y/one', 'cafe-alba y/two', 'quay-hall x/true'])
      throw new RolledBack()
    })
    await expect(trial).rejects.toThrow(RolledBack)
    const { rows } =
      await sql`select from search_listings where words @@ '''c/Catering''' and words @@ '''p/torquay-vic'''`.execute(
        connection.db,
      )
    expect(rows).toHaveLength(1)
  })

  it('doesn’t rewrite the index row when an edit touches no searchable column', async () => {
    const versionOf = async () =>
      (
        await sql<{
          version: string
        }>`select xmin::text as version from search_listings where business_id = 'quay-hall'`.execute(
          connection.db,
        )
      ).rows
    const before = await versionOf()
    await sql`update businesses set name = name, seo_title = 'Another', images = '[]', updated_at = now()
      where id = 'quay-hall'`.execute(connection.db)
    expect(await versionOf()).toEqual(before)
    await sql`update businesses set place_id = place_id where id = 'quay-hall'`.execute(connection.db)
    expect(await versionOf()).not.toEqual(before)
  })

  it('follows every edit, move, hiding and deletion of a listing, and a renamed place', async () => {
    const { db } = connection
    const change = (set: Parameters<ReturnType<typeof db.updateTable<'businesses'>>['set']>[0]) =>
      db
        .updateTable('businesses')
        .set(set as never)
        .where('id', '=', 'quay-hall')
        .execute()
    await change({ name: 'Pier Barn', services_offered: ['Zithers'] } as never)
    expect(await ids({ q: 'quay' })).toEqual([])
    expect(await ids({ q: 'pier zither' })).toEqual(['quay-hall'])
    await change({ hidden_at: new Date() } as never)
    expect(await ids({ q: 'pier' })).toEqual([])
    await change({ hidden_at: null, place_id: 'torquay-vic', price_cents: 100 } as never)
    expect(await ids({ q: 'pier torquay', maxCents: 100 })).toEqual(['quay-hall'])
    // Shown again, it has its old position.
    expect((await ids({})).at(-1)).toBe('quay-hall')
    await db.updateTable('places').set({ name: 'Zumsteinville' }).where('id', '=', 'torquay-vic').execute()
    expect(await ids({ q: 'zumsteinville' })).toEqual(['cafe-alba', 'quay-hall'])
    await change({ deleted_at: new Date() } as never)
    expect(await ids({ q: 'pier' })).toEqual([])
    await db.deleteFrom('businesses').where('id', '=', 'west-shed').execute()
    expect(await ids({})).toEqual(['cafe-alba', 'night-music', 'bay-rooms'])
  })
})

const MELBOURNE = { latitude: -37.814, longitude: 144.9633 }

type Row = {
  id: string
  state: string
  latitude: number
  longitude: number
  price: number
  unit: PriceUnit
  second: number | null
  at: number
  stems: Set<string>
  maxGuests: number | null
  facts: Facts
  category: Category
  score: { recommended: number; rating: number }
}

const other = (unit: PriceUnit) => (unit === 'perPerson' ? 'perHour' : 'perPerson')

/** A straightforward model of `comparedPrice`. */
function costOf(row: Row, { per = null, guests = null, hours = null }: Partial<Search>) {
  const usual = (unit: PriceUnit) => (unit === 'perHour' && guests !== null && per === null ? 4 : 1)
  const times = (unit: PriceUnit) => (unit === 'perPerson' ? guests : hours) ?? usual(unit)
  const both = [{ unit: row.unit, each: row.price }]
  if (row.second !== null) both.push({ unit: other(row.unit), each: row.second })
  // Prices on request come last, whatever the quantity.
  const all = (unit: PriceUnit, each: number) => (each >= 1e9 ? each : each * times(unit))
  const costs = both.map(({ unit, each }) => ({ unit, each, all: all(unit, each) }))
  const asked = per ?? (guests !== null && hours === null ? 'perPerson' : null)
  const wanted = asked ?? (hours !== null && guests === null ? 'perHour' : null)
  const ofUnit = costs.find(({ unit }) => unit === wanted)
  if (ofUnit) return ofUnit
  if (!wanted && guests !== null && hours !== null) costs.sort((a, b) => a.all - b.all)
  return costs[0] as (typeof costs)[number]
}

/** A straightforward model of search_scores_of(). */
function scoreOf(
  row: { price: string; maxGuests: number | null; facts: Facts },
  ratings: number[],
): Row['score'] {
  const sum = ratings.reduce((total, rating) => total + rating, 0)
  const average = ratings.length >= 3 ? sum / ratings.length : null
  const isComplete = Number(row.price) > 0 && (row.maxGuests !== null || Object.keys(row.facts).length > 0)
  const least = average !== null && average >= 4.5 ? 3 : 1
  return {
    recommended: average !== null && average < 3.5 ? 0 : least + Number(isComplete),
    rating: Math.round(((sum + 8) * 100) / (ratings.length + 2)),
  }
}

/** The words that count for a fact of which a listing says nothing. */
const HINTS: Record<string, readonly string[][]> = {
  outdoor: [['outdoor'], ['garden'], ['lawn'], ['verandah'], ['courtyard'], ['terrac']],
  stepFree: [['step', 'free'], ['wheelchair'], ['ramp'], ['access']],
  parking: ['site', 'free', 'car', 'valet', 'coach'].map((stem) => ['park', stem]),
  byo: [['byo'], ['corkag']],
  halal: [['halal']],
  vegan: [['vegan']],
}

/** A straightforward model of the filters by facts and guests. */
function statesAll({ category, facts, maxGuests, stems }: Row, terms: Partial<Search>): boolean {
  const hints = (name: string) => (HINTS[name] ?? []).some((all) => all.every((stem) => stems.has(stem)))
  const isTrue = (name: 'stepFree' | 'parking' | 'byo') => facts[name] ?? hints(name)
  const has = (values: readonly string[] | undefined, value: string) =>
    values?.includes(value) ?? hints(value)
  const { setting: settings = [], dietary: diets = [], languages: language, guests = null, seated } = terms
  return (
    settings.every((setting) => has(facts.setting, setting)) &&
    diets.every((diet) => has(facts.dietary, diet)) &&
    (!language || has(facts.languages, language)) &&
    (!terms.stepFree || isTrue('stepFree')) &&
    (!terms.parking || isTrue('parking')) &&
    (!terms.byo || isTrue('byo')) &&
    (terms.included ?? []).every((thing) => has(facts.included, thing)) &&
    (guests === null || maxGuests === null || guests <= maxGuests) &&
    (!seated || terms.category || category === 'Venues') &&
    (guests === null || !seated || facts.seated === undefined || guests <= facts.seated)
  )
}

/** Four eras of the benchmark's generated market, which is the same on every machine. Fewer would be read at once. */
const COUNT = 13_000
const SAMPLES = 25

describe('a market of thirteen thousand', () => {
  let connection: DatabaseConnection
  let market: Row[]
  const found = (searchTerms: Partial<Search>) =>
    listFound(connection.db, { ...NO_SEARCH, ...searchTerms }, context)

  beforeAll(async () => {
    connection = await openTestDatabase()
    await loadPlaces(connection.db, new URL('../../../database/places.tsv', import.meta.url).pathname)
    await fillListings(connection.db, COUNT)
    // Every fifth listing has up to five reviews, and none of the others. The reviews' trigger scores them.
    await sql`insert into reviews (id, business_id, author_name, rating, body, approved)
      select id || n, id, 'Kim', 1 + (abs(hashtext(id)) + (n * n) % 3) % 5, 'Good.', n <> 4
      from businesses cross join generate_series(1, 5) n
      where abs(hashtext(id)) % 5 = 0 and n <= 1 + abs(hashtext(id)) % 7`.execute(connection.db)
    const reviewed = await connection.db
      .selectFrom('reviews')
      .select(['business_id', 'rating'])
      .where('approved', '=', true)
      .execute()
    const ratings = Map.groupBy(reviewed, (review) => review.business_id)
    const { rows } = await sql<{
      id: string
      stems: string[]
      maxGuests: number | null
      facts: Facts
      category: Category
      state: string
      latitude: number
      longitude: number
      price: string
      unit: PriceUnit
      second: string | number | null
      at: Date
    }>`
      select b.id, category, max_guests as "maxGuests", facts, p.state, p.latitude, p.longitude, price_cents as price, price_unit as unit,
        second_price_cents as second, b.created_at as at,
        tsvector_to_array(to_tsvector('english', search_text(concat_ws(' ', b.name, category,
          array_to_string(services_offered, ' '), p.name, p.state, description)))) as stems
      from businesses b join places p on p.id = place_id`.execute(connection.db)
    market = rows.map((row) => ({
      ...row,
      price: Number(row.price) || 1e9,
      second: row.second === null ? null : Number(row.second),
      at: row.at.getTime(),
      stems: new Set(row.stems),
      score: scoreOf(
        row,
        (ratings.get(row.id) ?? []).map(({ rating }) => rating),
      ),
    }))
  }, 180_000)
  afterAll(() => connection?.close())

  /** A straightforward model of the search, which filters all listings in memory. */
  async function slowly(
    searchTerms: Partial<Search>,
  ): Promise<(Pick<Row, 'id' | 'at' | 'score'> & { price: number })[]> {
    const { rows } = await sql<{
      stems: string[]
    }>`select tsvector_to_array(to_tsvector('english', ${searchWords(searchTerms.q ?? '').join(
      ' ',
    )})) as stems`.execute(connection.db)
    const { minCents = null, maxCents = null, budgetCents = null, per = null } = searchTerms
    return market
      .map((row) => ({ ...row, cost: costOf(row, searchTerms) }))
      .filter(({ cost }) => per === null || (cost.unit === per && cost.each < 1e9))
      .filter(({ cost }) => budgetCents === null || cost.all <= budgetCents)
      .filter((row) => !searchTerms.category || row.category === searchTerms.category)
      .filter(
        (row) =>
          !searchTerms.place ||
          isBasedAt(row, searchTerms) ||
          row.facts.travelTo?.some((to) => to === 'Australia' || to === stateOf(searchTerms)) ||
          // A state has no point to travel to.
          (searchTerms.near && distanceKm(MELBOURNE, row) <= (row.facts.travelKm ?? 0)),
      )
      .filter(
        ({ cost }) =>
          (minCents === null || cost.each >= minCents) &&
          (maxCents === null || cost.each <= maxCents) &&
          (cost.each < 1e9 || (minCents ?? maxCents) === null),
      )
      .filter((row) => rows[0]?.stems.every((stem) => row.stems.has(stem)))
      .filter((row) => statesAll(row, searchTerms))
      .map((row) => {
        const { id, at, score, cost } = row
        // Those based at the place come first, and venues don't travel.
        const isFirst = searchTerms.place && searchTerms.category !== 'Venues' && isBasedAt(row, searchTerms)
        const recommended = score.recommended + (isFirst ? 10 : 0)
        return { id, at, score: { ...score, recommended }, price: cost.all }
      })
  }

  const stateOf = ({ place, near }: Partial<Search>) => (near ? 'VIC' : place)
  const isBasedAt = (row: Row, { place, near }: Partial<Search>) =>
    near ? distanceKm(MELBOURNE, row) <= 25 : row.state === place

  /** Walks every page of a search forwards, then back, and returns the ids. */
  async function walk(searchTerms: Partial<Search>): Promise<string[]> {
    const pages: string[][] = []
    let page = await found(searchTerms)
    pages.push(idsOf(page.businesses))
    while (page.next) {
      page = await found({ ...searchTerms, after: page.next })
      pages.push(idsOf(page.businesses))
    }
    for (let index = pages.length - 2; page.previous; index--) {
      page = await found({ ...searchTerms, before: page.previous })
      expect(idsOf(page.businesses)).toEqual(pages[index])
    }
    return pages.flat()
  }

  const word = 'jacaranda'
  it.each<Partial<Search>>([
    { q: word, sort: 'newest' },
    { q: 'wedding lantern', sort: 'newest' },
    { category: 'Venues', place: 'QLD', sort: 'newest' },
    { category: 'Catering', minCents: 4_000, maxCents: 5_000, sort: 'newest' },
    { minCents: 9_000, maxCents: 9_100, sort: 'newest' },
    { category: 'Venues', minCents: 10_000, maxCents: 40_000, sort: 'newest' },
    { place: 'Melbourne, VIC', near: true, category: 'Extras', sort: 'newest' },
    { q: 'garden', category: 'Venues', place: 'WA', sort: 'newest' },
    { category: 'Venues', per: 'perHour', sort: 'newest' },
    { per: 'perPerson', place: 'NSW', sort: 'newest' },
    { per: 'perHour', category: 'Catering', minCents: 10_000, maxCents: 30_000, sort: 'newest' },
    { category: 'Catering', hours: 4, budgetCents: 60_000, sort: 'newest' },
    { q: 'garden', hours: 4, budgetCents: 60_000, sort: 'newest' },
  ])('lists all matches, newest first, page by page and back: %o', async (searchTerms) => {
    const wanted = (await slowly(searchTerms))
      .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    expect(wanted.length).toBeGreaterThan(PAGE_SIZE)
    expect(await walk(searchTerms)).toEqual(wanted)
    expect((await found(searchTerms)).total).toBe(Math.min(wanted.length, COUNT_CAP + 1))
  })

  it.each<Partial<Search>>([
    { q: word, sort: 'price' },
    { q: 'garden', category: 'Venues', sort: 'price' },
    { category: 'Hairdresser', place: 'QLD', sort: 'price' },
    { category: 'Venues', per: 'perHour', sort: 'price' },
    { category: 'Venues', per: 'perPerson', sort: 'price' },
    { category: 'Venues', hours: 4, sort: 'price' },
    { category: 'Catering', hours: 4, maxCents: 20_000, sort: 'price' },
    { q: 'garden', hours: 6, place: 'VIC', sort: 'price' },
    { q: word, per: 'perHour', sort: 'price' },
    { category: 'Venues', guests: 90, place: 'QLD', sort: 'price' },
    { category: 'Catering', guests: 120, budgetCents: 400_000, sort: 'price' },
    { category: 'Catering', guests: 40, hours: 3, place: 'VIC', budgetCents: 150_000, sort: 'price' },
    { category: 'Catering', dietary: ['vegan'], guests: 60, place: 'NSW', sort: 'price' },
  ])('lists all matches, lowest price first, page by page and back: %o', async (searchTerms) => {
    const wanted = (await slowly(searchTerms))
      .toSorted((a, b) => a.price - b.price || a.at - b.at || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    expect(await walk(searchTerms)).toEqual(wanted)
  })

  it.each<Partial<Search>>([
    { category: 'Extras' },
    { category: 'Venues', setting: ['outdoor'], stepFree: true },
    { place: 'NSW' },
    { place: 'NSW', byo: true },
    { category: 'Venues', included: ['food', 'drinks'] },
    { category: 'Catering', dietary: ['halal'], place: 'VIC' },
    { category: 'Venues', guests: 250 },
    { category: 'Venues', guests: 120, seated: true, place: 'NSW' },
    { guests: 60, seated: true, place: 'VIC' },
    { category: 'Venues', parking: true, minCents: 3_000, maxCents: 9_000 },
    { category: 'Catering', minCents: 4_000, maxCents: 5_000 },
    { languages: 'Greek' },
  ])('lists all matches, recommended or best rated first, page by page and back: %o', async (searchTerms) => {
    const matches = await slowly(searchTerms)
    expect(matches.length).toBeGreaterThan(PAGE_SIZE)
    for (const sort of ['recommended', 'rating'] as const) {
      const wanted = matches
        .toSorted((a, b) => b.score[sort] - a.score[sort] || b.at - a.at || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id)
      expect(await walk({ ...searchTerms, sort: sort === 'rating' ? sort : null })).toEqual(wanted)
    }
  })

  /** One value of each parameter, and the search that it is added to, without which it would have no effect. */
  const LARGE_VENUES = { category: 'Venues', place: 'VIC' }
  const TRIED: Record<string, { value: string; beside?: Record<string, string> }> = {
    q: { value: 'jacaranda' },
    category: { value: 'Catering' },
    service: { value: 'cake' },
    occasion: { value: 'wedding' },
    setting: { value: 'outdoor', beside: LARGE_VENUES },
    'step-free': { value: '1', beside: LARGE_VENUES },
    parking: { value: '1', beside: LARGE_VENUES },
    byo: { value: '1', beside: LARGE_VENUES },
    included: { value: 'food', beside: LARGE_VENUES },
    diet: { value: 'halal', beside: { category: 'Catering' } },
    language: { value: 'Greek' },
    date: { value: '2026-11-29', beside: { place: 'ACT' } },
    months: { value: '2028-05', beside: { place: 'ACT' } },
    from: { value: '03:00', beside: { date: '2027-03-14', place: 'ACT' } },
    until: { value: '04:30', beside: { date: '2027-03-14', from: '16:00', place: 'ACT' } },
    hours: { value: '20', beside: { date: '2027-03-14', place: 'ACT' } },
    guests: { value: '300', beside: LARGE_VENUES },
    seated: { value: '1', beside: { ...LARGE_VENUES, guests: '300' } },
    place: { value: 'Geelong, VIC' },
    near: { value: '1', beside: { place: 'Geelong, VIC' } },
    bounds: { value: '-38.1_144.5_-37.5_145.3' },
    budget: { value: '500', beside: { ...LARGE_VENUES, guests: '60' } },
    min: { value: '200', beside: LARGE_VENUES },
    max: { value: '20', beside: LARGE_VENUES },
    per: { value: 'perHour', beside: LARGE_VENUES },
    sort: { value: 'newest', beside: LARGE_VENUES },
  }
  /** The page of a list, which other tests turn, and the typed weekday, which the screen compares with the date. */
  const NO_FILTERS = ['after', 'before', 'seen', 'weekday']

  it('finds the vendors of a category that can’t state a fact, which is asked of others', async () => {
    const caterers = await found({ category: 'Catering' })
    const asked = await found(readSearch(new URLSearchParams('category=Catering&included=drinks')))
    expect(asked.total).toBeGreaterThan(0)
    expect(asked.total).toBe(caterers.total)
  })

  it('gives another result for each of its parameters', async () => {
    const read = (parameters: Record<string, string>) => readSearch(new URLSearchParams(parameters))
    const resultOf = async (search: Search) => {
      const { businesses, total } = await listFound(connection.db, search, context)
      return { ids: idsOf(businesses), total }
    }
    expect([...Object.keys(TRIED), ...NO_FILTERS].toSorted()).toEqual(SEARCH_PARAMETERS.toSorted())
    const without: string[] = []
    for (const [name, { value, beside = {} }] of Object.entries(TRIED)) {
      const before = await resultOf(read(beside))
      const after = await resultOf(read({ ...beside, [name]: value }))
      if (isDeepStrictEqual(before, after)) without.push(name)
    }
    expect(without).toEqual([])
  })

  it('finds some listing by every option and every step of its form', async () => {
    // The generator makes no hall for thousands.
    const hall = await aBusiness(connection.db, { max_guests: 5_000, facts: '{"seated":5000}' })
    const { rows } = await sql<{ marker: string }>`select distinct marker
      from search_listings, unnest(tsvector_to_array(words)) marker`.execute(connection.db)
    const marked = new Set(rows.map(({ marker }) => marker))
    const offered = [
      ...fieldsOf(readSearch(new URLSearchParams()), { nearKm: 25, withCategory: true, category: null })
        .flatMap((field) => (field.kind === 'group' ? field.fields : field))
        .flatMap((field) =>
          field.kind === 'choice' ? field.options.map(({ value }) => [field.name, value]) : [],
        ),
      ...GUEST_STEPS.flatMap((step) => [
        ['guests', step],
        ['guests', step, 'seated', 1],
      ]),
    ]
    const missing = offered.flatMap(([name, value, flag, on]) => {
      const asked = new URLSearchParams([
        [String(name), String(value)],
        ...(flag ? [[String(flag), String(on)]] : []),
      ])
      const { all = [], any = [] } = indexFilterOf(readSearch(asked), null, context) ?? {}
      return [...all, ...any.flat()]
        .filter((marker) => !marked.has(marker))
        .map((marker) => `${asked}: ${marker}`)
    })
    expect(offered.length).toBeGreaterThan(50)
    expect(missing).toEqual([])
    await connection.db.deleteFrom('businesses').where('id', '=', hall.id).execute()
  })

  it('lists matches beyond the count, lowest price first', async () => {
    for (const searchTerms of [{ place: 'NSW' }, { q: 'wedding', place: 'VIC' }]) {
      const wanted = (await slowly(searchTerms))
        .toSorted((a, b) => a.price - b.price || a.at - b.at || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id)
      expect(wanted.length).toBeGreaterThan(COUNT_CAP)
      expect(await walk({ ...searchTerms, sort: 'price' })).toEqual(wanted)
    }
  })

  it('lists a whole category, page by page', async () => {
    const wanted = (await slowly({ category: 'Extras' })).toSorted((a, b) => b.at - a.at).map(({ id }) => id)
    expect(wanted.length).toBeGreaterThan(COUNT_CAP)
    expect(await walk({ category: 'Extras', sort: 'newest' })).toEqual(wanted)
    expect(await found({ category: 'Extras' })).toMatchObject({ total: COUNT_CAP + 1, isOpenEnded: true })
  })

  it('ranks only the newest five hundred matches of a common word', async () => {
    const best = await walk({ q: 'wedding' })
    expect(best.length).toBeGreaterThanOrEqual(COUNT_CAP)
    expect(best.length).toBeLessThan(COUNT_CAP + 200)
    expect(new Set(best).size).toBe(best.length)
  })

  // A labelled sample: each typed text with the name that must come first.
  it('ranks the typed name first, exact, with one typing error or with its place', async () => {
    const listing = createListingGenerator(COUNT, await findGeneratorPlaces(connection.db))
    const places = new Map(
      (await connection.db.selectFrom('places').select(['id', 'name', 'state']).execute()).map((place) => [
        place.id,
        place,
      ]),
    )
    const misses: string[] = []
    for (let index = 0; index < SAMPLES; index++) {
      const { name, placeId } = listing(Math.floor((index + 0.5) * (COUNT / SAMPLES)))
      const place = places.get(placeId)
      const at = 1 + ((index * 7) % (name.length - 2))
      const mistyped = [
        name.slice(0, at) + name.slice(at + 1),
        name.slice(0, at) + name[at] + name.slice(at),
        name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2),
        `${name.slice(0, at)}x${name.slice(at + 1)}`,
        name.replace(' ', ''),
      ][index % 5] as string
      for (const q of [
        name,
        name.toLowerCase(),
        mistyped,
        `${name} ${place?.name}`,
        `${name} in ${place?.name} ${place?.state}`,
        `${mistyped} ${place?.name}`,
      ]) {
        const [first] = (await found({ q: q.slice(0, 200) })).businesses
        // Another name one error away is no miss. A name typed with its place must be in that place.
        const isName =
          first &&
          (nameKey(first.name) === nameKey(name) ||
            (q.includes(mistyped) &&
              nameKey(first.name).length - nameKey(name).length < 2 &&
              nameKey(first.name)[0] === nameKey(name)[0]))
        const isThere = !q.startsWith(`${name} `) || first?.location === `${place?.name}, ${place?.state}`
        if (!isName || !isThere) misses.push(`${q}: ${first?.name}, ${first?.location}`)
      }
    }
    expect(misses).toEqual([])
  }, 120_000)

  it('looks up spellings by the primary key, since the trigram index takes a thousand times as long', async () => {
    const { db } = connection
    const scans = async (index: string) => {
      // Each connection keeps its own statistics until it is told to flush them.
      await Promise.all(
        Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(db)),
      )
      const { rows } = await sql<{ count: string | number }>`
        select pg_stat_get_numscans(${index}::regclass) as count`.execute(db)
      return Number(rows[0]?.count)
    }
    const [byKey, byLetters] = [await scans('search_words_pkey'), await scans('search_words_alike')]
    expect((await found({ q: 'gardn' })).corrections).toEqual([{ typed: 'gardn', used: ['garden'] }])
    expect(await scans('search_words_pkey')).toBeGreaterThan(byKey + 100)
    expect(await scans('search_words_alike')).toBe(byLetters)
  })

  it('corrects a rare word to a common one if they differ by one error, but not by two', async () => {
    for (const [id, name] of [
      ['wedbings', 'Wedbings Rooms'],
      ['ceremomi', 'Ceremomi Rooms'],
    ] as const)
      await aBusiness(connection.db, { id, name, created_at: new Date('2010-01-01T00:00:00Z') })
    expect(await found({ q: 'wedbings' })).toMatchObject({
      corrections: [{ typed: 'wedbings', used: ['weddings'] }],
    })
    expect(await found({ q: 'ceremomi' })).toMatchObject({
      corrections: [],
      total: 1,
      businesses: [{ id: 'ceremomi' }],
    })
    // No listing has this word.
    expect((await found({ q: 'ceremumy' })).corrections[0]?.used).toContain('ceremony')
    await connection.db
      .updateTable('businesses')
      .set({ deleted_at: new Date() })
      .where('id', 'in', ['wedbings', 'ceremomi'])
      .execute()
  })

  it('keeps no pending list in its GIN indexes, which every search would read to the end', async () => {
    const { rows } = await sql<{ reloptions: string[] }>`
      select reloptions from pg_class where relname in ('search_words_alike', 'places_alike')`.execute(
      connection.db,
    )
    expect(rows).toEqual([{ reloptions: ['fastupdate=off'] }, { reloptions: ['fastupdate=off'] }])
  })

  it('lists exactly the businesses that can be booked then', async () => {
    const { db } = connection
    const searchTerms = { ...PARTY_SEARCH, date: '2027-03-13' }
    const around = idsOf(
      (await found({ ...searchTerms, date: null, guests: null, from: null, until: null, budgetCents: null }))
        .businesses,
    )
    expect(around.length).toBe(PAGE_SIZE)
    // One is closed, one too small, one blocked then, and one blocked at another time.
    const [closed, small, blocked, elsewhen] = around
    await setsAvailability(db, closed ?? '', {
      weekly: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    })
    await setsAvailability(db, small ?? '', { maxGuests: 89 })
    for (const [id, during] of [
      [blocked, '[2027-03-13T06:00:00Z,2027-03-13T07:00:00Z)'],
      [elsewhen, '[2027-03-14T06:00:00Z,2027-03-14T07:00:00Z)'],
    ] as const) {
      await db
        .insertInto('slots')
        .values({
          id: `slot-${id}`,
          business_id: id ?? '',
          kind: 'block',
          during,
          event: during,
          time_zone: 'Australia/Melbourne',
          is_exclusive: false,
          expires_at: null,
          payment_id: null,
          booking_id: null,
          created_at: context.now,
        })
        .execute()
    }
    const listed = new Set(await walk(searchTerms))
    // The model checks each business separately by the rule that decides a booking.
    const { rows } = await sql<{
      id: string
      unit: PriceUnit
      price: string
      second: string | null
      latitude: number
      longitude: number
      most: number | null
      facts: Facts
    }>`
      select b.id, facts, max_guests as most, price_unit as unit, price_cents as price, second_price_cents as second, latitude, longitude
      from businesses b join places p on p.id = place_id`.execute(db)
    const wanted = new Set<string>()
    const isThere = ({ facts, ...row }: (typeof rows)[number]) =>
      distanceKm({ latitude: -38.1471, longitude: 144.3607 }, row) <= Math.max(25, facts.travelKm ?? 0) ||
      facts.travelTo?.some((to) => to === 'VIC' || to === 'Australia')
    for (const row of rows.filter(isThere)) {
      // With guests and hours, the price with the lower total counts.
      const quantityOf = (unit: PriceUnit) => (unit === 'perPerson' ? 90 : 7)
      const totalOf = (cents: string, unit: PriceUnit) => ({ total: Number(cents) * quantityOf(unit), unit })
      const first = totalOf(row.price, row.unit)
      const second = row.second === null ? first : totalOf(row.second, other(row.unit))
      const { total, unit } = second.total < first.total ? second : first
      if (total === 0 || total > 800_000 || (row.most ?? 90) < 90) continue
      const time = await findTime(db, {
        businessId: row.id,
        slotRequest: {
          date: searchTerms.date,
          time: searchTerms.from,
          bookingType: unit,
          quantity: quantityOf(unit),
        },
        now: context.now,
        exceptPayments: [],
      })
      if (time?.ok) wanted.add(row.id)
    }
    expect(wanted.size).toBeGreaterThan(10)
    expect(listed).toEqual(wanted)
    for (const id of [closed, small, blocked]) expect(listed.has(id ?? '')).toBe(false)
  })

  it('knows how much of the newest era is filled, once there are more than three', async () => {
    const { newest } = await understand(connection.db, { q: 'garden', occasion: null }, false)
    const { rows } = await sql<{ count: string }>`select count(*) as count from search_listings
      where position >> 43 = ${newest.era}::bigint`.execute(connection.db)
    expect(newest).toEqual({ era: 3, filled: Number(rows[0]?.count) / 4_096 })
    expect(newest.filled).toBeLessThan(0.5)
  })

  it('keeps eras in order of time, even for backdated listings', async () => {
    const { db } = connection
    const { rows } = await sql<{ wrong: string }>`select count(*) as wrong from (
      select b.created_at < lag(b.created_at) over (order by l.position) as wrong
      from search_listings l join businesses b on b.id = l.business_id) each where wrong`.execute(db)
    expect(Number(rows[0]?.wrong)).toBe(0)
    const eras = async () =>
      (
        await sql<{
          era: string
        }>`select distinct position >> 43 as era from search_listings order by 1`.execute(db)
      ).rows.length
    expect(await eras()).toBe(Math.ceil(COUNT / 4_096))
    // An old listing joins its era. The first after 4,096 new ones starts another.
    const model = await aBusiness(db, {
      id: 'old-one',
      created_at: new Date('2022-06-01T00:00:00Z'),
      place_id: 'geelong-vic',
      user_id: 'x',
    })
    const position = async (id: string) =>
      BigInt(
        (
          await db
            .selectFrom('search_listings')
            .select('position')
            .where('business_id', '=', id)
            .executeTakeFirstOrThrow()
        ).position,
      )
    expect((await position('old-one')) >> 43n).toBe(0n)
    await sql`select setval('search_steps', 4096 - 2)`.execute(db)
    for (const id of ['new-1', 'new-2', 'new-3'])
      await db
        .insertInto('businesses')
        .values({
          ...model,
          price_cents: 100,
          images: '[]',
          facts: '{}',
          id,
          created_at: new Date('2026-11-01T00:00:00Z'),
        })
        .execute()
    expect(await eras()).toBe(Math.ceil(COUNT / 4_096) + 1)
    expect((await position('new-3')) > (await position('new-1'))).toBe(true)
    expect(idsOf((await found({ place: 'Geelong, VIC', sort: 'newest' })).businesses).slice(0, 3)).toEqual([
      'new-3',
      'new-2',
      'new-1',
    ])
  })
})
