import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { type Cents, PRICE_UNITS, type PriceUnit, type UnitPrice } from '../../shared/money.ts'
import { CATEGORIES, otherUnit } from '../businesses/rules.ts'
import { distanceSql, type Resolved } from './place-queries.server.ts'
import {
  askedUnit,
  boxAround,
  COUNT_CAP,
  categoriesOf,
  comparedPrice,
  eraOf,
  LISTINGS_IN_ERA,
  nextStretch,
  priceMarkers,
  pricesOf,
  quantityOf,
  type Stretch,
  squaresOf,
} from './rules.ts'
import type { Search } from './schema.ts'

/** What the database has for a price on request, so that it sorts behind every price. */
const NO_PRICE: Cents = 100_000_000
const ANY_PRICE = { from: 1, to: NO_PRICE - 1 }

/** A candidate on its way to a page. */
export type Candidate = { id: string; cursor: string }

/**
 * What narrows a search in SQL: terms of which a listing has all, groups of terms of which it has one, conditions on
 * columns, and the prices of which it has one; none where any will do.
 */
export type Narrowing = {
  all: string[]
  any: string[][]
  where: RawBuilder<boolean>[]
  prices: PriceRange[]
}

/**
 * Prices that a search compares: those of one unit, of the listings of which it is the first unit or the second.
 * @property when which of these listings are compared by this price; null for all
 */
type PriceSide = { unit: PriceUnit; isSecond: boolean; when: RawBuilder<boolean> | null }
type PriceRange = PriceSide & { from: Cents; to: Cents }

/**
 * The prices that a search compares. Together they have one price of each listing, that of `comparedPrice`, so no listing
 * comes twice.
 */
function sidesOf(search: Search): PriceSide[] {
  const asked = askedUnit(search)
  const guests = quantityOf(search, 'perPerson')
  const hours = quantityOf(search, 'perHour')
  if (asked) {
    const own: PriceSide[] = [
      { unit: asked, isSecond: false, when: null },
      { unit: asked, isSecond: true, when: null },
    ]
    if (search.per) return own
    const without = sql<boolean>`second_price_unit is distinct from ${asked}`
    return [...own, { unit: otherUnit(asked), isSecond: false, when: without }]
  }
  if (guests === null || hours === null) {
    return PRICE_UNITS.map((unit) => ({ unit, isSecond: false, when: null }))
  }
  return PRICE_UNITS.flatMap((unit) => {
    const [first, second] = unit === 'perPerson' ? [guests, hours] : [hours, guests]
    return [
      {
        unit,
        isSecond: false,
        when: sql<boolean>`(second_price_cents * ${second}::int < price_cents * ${first}::int) is not true`,
      },
      {
        unit,
        isSecond: true,
        when: sql<boolean>`second_price_cents * ${first}::int < price_cents * ${second}::int`,
      },
    ]
  })
}

const unitColumn = ({ isSecond }: PriceSide) => sql.ref(isSecond ? 'second_price_unit' : 'price_unit')
const centsColumn = ({ isSecond }: PriceSide) => sql.ref(isSecond ? 'second_price_cents' : 'price_cents')

/** The listings of a side, whatever they ask. */
function ofSide(side: PriceSide): RawBuilder<boolean> {
  const ofUnit = sql<boolean>`${unitColumn(side)} = ${side.unit}`
  return side.when ? sql`${ofUnit} and ${side.when}` : ofUnit
}

/** `is true`: no index of prices is of use beside that of terms. */
function ofAnySide(sides: readonly PriceSide[]): RawBuilder<boolean> {
  const each = sides.map((side) => sql`(${ofSide(side)})`)
  return sql`(${sql.join(each, sql` or `)}) is true`
}

/** What a listing asks for one unit, whichever of its prices that is; in no index. */
function centsOfUnit(unit: PriceUnit): RawBuilder<number> {
  return sql`case when price_unit = ${unit} then price_cents else second_price_cents end`
}

/** Everything but the words. @returns null when nothing can pass it */
export function narrowingOf(
  search: Search,
  place: Resolved | null,
  { nearKm }: { nearKm: number },
): Narrowing | null {
  const narrowing: Narrowing = { all: [], any: [], where: [], prices: [] }
  const categories = categoriesOf(search)
  if (categories.length < CATEGORIES.length) {
    addGroup(
      narrowing,
      categories.map((category) => `c/${category}`),
    )
  }
  if (place && 'state' in place) narrowing.all.push(`s/${place.state}`)
  else if (place && search.near) {
    const box = boxAround(place.place, nearKm)
    const squares = squaresOf(box)
    if (squares) addGroup(narrowing, squares)
    narrowing.where.push(
      sql`latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}`,
      sql`${distanceSql(place.place)} <= ${nearKm}`,
    )
  } else if (place) narrowing.all.push(`p/${place.place.id}`)
  const ranges = sidesOf(search).map((side) => ({ side, range: pricesOf(search, side.unit) }))
  if (ranges.every(({ range }) => range === 'none')) return null
  if (search.per || ranges.some(({ range }) => range !== null)) {
    narrowing.prices = ranges.flatMap(({ side, range }) =>
      range === 'none' ? [] : [{ ...side, ...(range ?? ANY_PRICE) }],
    )
  } else if (search.date) {
    // At $0 there is nothing to book (Decision 5).
    narrowing.where.push(sql`price_cents + 0 < ${NO_PRICE}`)
  }
  return narrowing
}

export function addGroup(narrowing: Narrowing, terms: readonly string[]) {
  if (terms.length === 1) narrowing.all.push(...terms)
  else narrowing.any.push([...terms])
}

/** The conditions on columns. */
function byColumns({ where, prices }: Narrowing): RawBuilder<boolean>[] {
  if (prices.length === 0) return where
  // `+ 0`: an index of prices is of no use beside that of terms.
  const each = prices.map(
    (range) => sql`(${ofSide(range)} and ${centsColumn(range)} + 0 between ${range.from} and ${range.to})`,
  )
  return [...where, sql`(${sql.join(each, sql` or `)})`]
}

export const LISTING_TERMS = sql.raw('tsvector_to_array(words)')

/**
 * The narrowing as a condition that the index of terms answers; each part is a walk of its own that skips ahead. The first
 * part sets the pace: with the stretch of time behind the others, two terms that never meet are walked from end to end.
 */
function byTerms(narrowing: Narrowing, stretch?: readonly string[]): RawBuilder<boolean> {
  const hasOne = (group: readonly string[]) => sql<boolean>`${LISTING_TERMS} && ${[...group]}::text[]`
  const parts = [
    ...(stretch ? [hasOne(stretch)] : []),
    ...(narrowing.all.length > 0 ? [sql`${LISTING_TERMS} @> ${narrowing.all}::text[]`] : []),
    ...narrowing.any.map(hasOne),
    ...byColumns(narrowing),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

/** The same for a walk along another index, where each listing's own words decide. */
export function byWords(narrowing: Narrowing): RawBuilder<boolean> {
  const query = [
    ...narrowing.all.map(quoteTerm),
    ...narrowing.any.map((group) => `(${group.map(quoteTerm).join('|')})`),
  ]
  const parts = [
    ...(query.length > 0 ? [sql`words @@ ${query.join('&')}::tsquery`] : []),
    ...byColumns(narrowing),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

export function quoteTerm(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`
}

/** The one category that a list is of, if that is all there is to it, or null for all: then an index has it in its order. */
export function plainCategory(narrowing: Narrowing): string | null | undefined {
  return narrowing.prices.length > 0 ? undefined : categoryButPrice(narrowing)
}

/** The same where prices narrow it further. */
function categoryButPrice({ all, any, where }: Narrowing): string | null | undefined {
  if (any.length > 0 || where.length > 0 || all.length > 1) return undefined
  const [term] = all
  return term === undefined ? null : term.startsWith('c/') ? term.slice(2) : undefined
}

export type ListedRow = {
  id: string
  position: string
  price_cents: string | number
  price_unit: PriceUnit
  second_price_cents: string | number | null
  second_price_unit: PriceUnit | null
  score: string | number
}

const LISTED_COLUMNS = sql.raw(
  'business_id as id, position::text as position, price_cents, price_unit, second_price_cents, second_price_unit',
)

// Newest first ----------------------------------------------------------------------------------------------------

export const toNewest = ({ id, position }: ListedRow): Candidate => ({ id, cursor: `${position}.${id}` })

/** @returns the number parts and the id of a cursor, or null for one of another sort */
function readCursor(cursor: string, numbers: number): { numbers: bigint[]; id: string } | null {
  const parts = cursor.split('.')
  const id = parts.pop()
  return id && parts.length === numbers ? { numbers: parts.map(BigInt), id } : null
}

/** A list of one category, or of everything: an index has it in order, however deep. */
export async function listPlain(
  db: Database,
  category: string | null,
  cursor: string,
  limit: number,
  backwards: boolean,
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${LISTED_COLUMNS}, 0 as score from search_listings
    where ${category === null ? sql`true` : sql`category = ${category}`} and ${pastCursor(cursor, backwards)}
    order by search_listings.position ${direction(backwards)}, business_id ${direction(backwards)}
    limit ${limit}`.execute(db)
  return rows
}

export async function countPlain(db: Database, category: string | null): Promise<number> {
  const { rows } = await sql<{ count: string | number }>`select count(*) as count from (
    select from search_listings where ${category === null ? sql`true` : sql`category = ${category}`}
    limit ${COUNT_CAP + 1}) counted`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

const direction = (backwards: boolean) => sql.raw(backwards ? 'asc' : 'desc')

function pastCursor(cursor: string, backwards: boolean): RawBuilder<boolean> {
  const at = readCursor(cursor, 1)
  if (!at) return sql`true`
  const compare = sql.raw(backwards ? '>' : '<')
  return sql`(position, business_id) ${compare} (${String(at.numbers[0])}::bigint, ${at.id})`
}

/**
 * The newest listings that a narrowing leaves. It looks into the newest eras, then further back until it has enough.
 * @param options.score is worked out for the rows that are returned
 */
export async function listNewest(
  db: Database,
  narrowing: Narrowing,
  newestEra: number,
  limit: number,
  options: { cursor?: string; backwards?: boolean; score?: RawBuilder<number> } = {},
): Promise<Sample & { rows: ListedRow[] }> {
  const { cursor = '', backwards = false, score = sql`0` } = options
  const at = readCursor(cursor, 1)
  const era = at?.numbers[0] === undefined ? newestEra : eraOf(at.numbers[0])
  const order = direction(backwards)
  let before: { stretch: Stretch; found: number; wanted: number } | null = null
  let asked = narrowing
  const category = narrowing.prices.length > 0 ? categoryButPrice(narrowing) : undefined
  for (;;) {
    const stretch: Stretch | null = nextStretch(era, backwards ? 1 : -1, before)
    const counted: Stretch | null =
      !before && narrowing.prices.length > 0 && category === undefined ? stretch : null
    // `+ 0` keeps the planner from walking an index in order, past a million listings without the word.
    // Only the rows that are returned are read with their words.
    const looked = sql<ListedRow>`
      select ${LISTED_COLUMNS}, ${score} as score
      from (
        select ctid as row from search_listings
        where ${byTerms(asked, stretch?.markers)} and ${pastCursor(cursor, backwards)}
        order by position + 0 ${order}, business_id ${order} limit ${limit}
      ) newest
      join search_listings on search_listings.ctid = newest.row
      order by search_listings.position ${order}, business_id ${order}`.execute(db)
    const [{ rows }, found]: [{ rows: ListedRow[] }, number] = await Promise.all([
      looked,
      counted ? countByTerms(db, narrowing, counted) : 0,
    ])
    if (!stretch) return { rows, isAll: rows.length < limit, matches: rows.length, share: 0 }
    const last = rows.at(-1)
    if (last && rows.length === limit) {
      const eras = Math.abs(era - eraOf(BigInt(last.position))) + 1
      const matches = (limit * (newestEra + 1)) / eras
      return { rows, isAll: false, matches, share: limit / (eras * LISTINGS_IN_ERA) }
    }
    const times = newestEra / stretch.eras
    if (!before && category !== undefined && rows.length * times <= MAX_PRICED) {
      const priced = await listPricedNewest(db, category, narrowing.prices, { cursor, limit, backwards })
      return { rows: priced, isAll: priced.length < limit, matches: rows.length * times, share: 0 }
    }
    if (counted && found * Math.min(limit / rows.length, times) > MAX_PRICES_READ) {
      asked = { ...narrowing, any: [...narrowing.any, narrowing.prices.flatMap(priceMarkersOf)] }
    }
    before = { stretch, found: rows.length, wanted: limit }
  }
}

/** Of more listings than so many, prices are not read one by one to find those that fit. */
const MAX_PRICES_READ = 10_000
/** So many listings of some prices are sorted by their time sooner than they are found among all others. */
const MAX_PRICED = 20_000

const priceMarkersOf = ({ unit, from, to }: PriceRange) => priceMarkers(unit, { from, to })

/** The newest of a category, or of all, at some prices, where these are few: the index of prices has all that is asked. */
async function listPricedNewest(
  db: Database,
  category: string | null,
  prices: readonly PriceRange[],
  { cursor, limit, backwards }: { cursor: string; limit: number; backwards: boolean },
): Promise<ListedRow[]> {
  const each = prices.map(
    (range) => sql`
      select business_id, position, price_cents, price_unit, second_price_cents, second_price_unit from search_listings
      where ${category === null ? sql`true` : sql`category = ${category}`} and ${ofSide(range)}
        and ${centsColumn(range)} between ${range.from} and ${range.to} and ${pastCursor(cursor, backwards)}`,
  )
  const { rows } = await sql<ListedRow>`
    select ${LISTED_COLUMNS}, 0 as score
    from (${sql.join(each, sql` union all `)}) priced
    order by priced.position + 0 ${direction(backwards)}, business_id ${direction(backwards)}
    limit ${limit}`.execute(db)
  return rows
}

/** How many listings of a stretch of time have the terms of a narrowing, whatever their columns say. */
async function countByTerms(db: Database, narrowing: Narrowing, stretch: Stretch): Promise<number> {
  const { rows } = await sql<{ count: string | number }>`select count(*) as count from search_listings
    where ${byTerms({ ...narrowing, where: [], prices: [] }, stretch.markers)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

// Lowest price first ----------------------------------------------------------------------------------------------

function priceOf(search: Search, row: ListedRow): UnitPrice {
  const { second_price_cents: cents, second_price_unit: unit } = row
  return comparedPrice(search, {
    priceCents: Number(row.price_cents),
    priceUnit: row.price_unit,
    secondPrice: unit && { unit, cents: Number(cents) },
  })
}

/** What a listing costs as a search compares it: the total where the quantity is known, else its price. */
function comparedCents(search: Search, row: ListedRow): number {
  const { unit, cents } = priceOf(search, row)
  return cents * (cents >= NO_PRICE ? NO_PRICE_TIMES : (quantityOf(search, unit) ?? 1))
}

/** Listings without a price come last, whatever the quantity of others. */
const NO_PRICE_TIMES = 100_000

const toPriced =
  (search: Search) =>
  (row: ListedRow): Candidate => ({
    id: row.id,
    cursor: `${comparedCents(search, row)}.${row.position}.${row.id}`,
  })

function comparePriced(search: Search) {
  return (a: ListedRow, b: ListedRow) =>
    comparedCents(search, a) - comparedCents(search, b) || comparePositions(a, b) || (a.id < b.id ? -1 : 1)
}

export function byPrice(search: Search, rows: readonly ListedRow[]): Candidate[] {
  return rows.toSorted(comparePriced(search)).map(toPriced(search))
}

/** @property end the last total that is looked at; null looks at all */
type PriceSteps = { cursor: string; limit: number; backwards: boolean; end: Cents | null }
/** The newest listings that fit, or all; about how many do, and which part of all listings that is. */
type Sample = { rows: readonly ListedRow[]; isAll: boolean; matches: number; share: number }

/** The sample tells only about where the wanted ones end: a little more is read sooner than a second time. */
const SAMPLE_MARGIN = 2
const LEAST_REACH = 3
const FURTHER = 8
/** Where fewer of all listings fit, it is quicker to find and sort those that do than to walk past those that don't. */
const LEAST_SHARE_TO_WALK = 0.01
/** Words so common are not of one trade alone: where the sample has none of a unit, there is little to walk past. */
const COMMON_EVERYWHERE = 0.05

/**
 * The cheapest first, by what each would cost; those without a price come last. It reads as far as the sample lets
 * expect that enough will be there, then further.
 * @param sample none where everything fits but the category
 */
export async function listByPrice(
  db: Database,
  search: Search,
  narrowing: Narrowing,
  sample: Sample | null,
  steps: Omit<PriceSteps, 'end'>,
): Promise<Candidate[]> {
  const { cursor, limit, backwards } = steps
  const past = readCursor(cursor, 2)?.numbers[0]
  const ahead = (sample?.rows ?? [])
    .map((row) => comparedCents(search, row))
    .filter((cents) => past === undefined || (backwards ? cents <= past : cents >= past))
    .sort((a, b) => (backwards ? b - a : a - b))
  const expected = sample ? (sample.rows.length * limit) / sample.matches : 0
  let reach = Math.ceil(expected * SAMPLE_MARGIN) + LEAST_REACH
  for (;;) {
    const end = ahead[reach] ?? null
    const rows = await listPrices(db, search, narrowing, sample, { ...steps, end })
    if (rows.length >= limit || end === null) {
      const ordered = rows.toSorted(comparePriced(search))
      return (backwards ? ordered.toReversed() : ordered).slice(0, limit).map(toPriced(search))
    }
    reach *= FURTHER
  }
}

/** The prices of each unit in order. */
async function listPrices(
  db: Database,
  search: Search,
  narrowing: Narrowing,
  sample: Sample | null,
  { cursor, limit, backwards, end }: PriceSteps,
): Promise<ListedRow[]> {
  const at = readCursor(cursor, 2)
  const order = sql.raw(backwards ? 'desc' : 'asc')
  const isAhead = (row: ListedRow) =>
    end === null || (backwards ? comparedCents(search, row) >= end : comparedCents(search, row) <= end)
  const rows: ListedRow[] = []
  for (const hasPrice of backwards ? [false, true] : [true, false]) {
    // A price on request is in no range, and never a second price.
    if (!hasPrice && narrowing.prices.length > 0) continue
    const wanted = sidesOf(search).filter(({ isSecond }) => hasPrice || !isSecond)
    for (const [unit, sides] of Map.groupBy(wanted, (side) => side.unit)) {
      const times = hasPrice ? (quantityOf(search, unit) ?? 1) : NO_PRICE_TIMES
      const from = at ? priceFrom(at.numbers, times, at.id) : null
      const to = end === null ? null : Math.floor(end / times)
      const isCommon =
        sample === null ||
        sample.share >= COMMON_EVERYWHERE ||
        (sample.share >= LEAST_SHARE_TO_WALK &&
          sample.rows.some((row) => priceOf(search, row).unit === unit && isAhead(row)))
      const [low, high] = backwards ? [to, from?.cents] : [from?.cents, to]
      const markers = priceMarkers(
        unit,
        hasPrice ? { from: Number(low ?? 0), to: Number(high ?? NO_PRICE) } : { from: 0, to: 0 },
      )
      const category = search.category ? sql`category = ${search.category}` : sql`true`
      // Each index of prices is walked by itself; the index of terms finds both prices of a unit at once.
      const lookups = isCommon
        ? sides.map((side) => ({
            fits: sql`${ofSide(side)} and ${category} and ${byWords(narrowing)}`,
            price: sql`${centsColumn(side)}`,
          }))
        : [{ fits: sql`${byTerms(narrowing, markers)} and ${ofAnySide(sides)}`, price: centsOfUnit(unit) }]
      for (const { fits, price } of lookups) {
        const past = from
          ? sql`(${price}, position, business_id) ${sql.raw(backwards ? '<' : '>')}
              (${from.cents}::bigint, ${from.position}::bigint, ${from.id})`
          : sql`true`
        const last = to === null ? sql`true` : sql`${price} ${sql.raw(backwards ? '>=' : '<=')} ${to}`
        const found = await sql<ListedRow>`
          select ${LISTED_COLUMNS}, 0 as score from search_listings
          where ${fits} and ${price} ${sql.raw(hasPrice ? '<' : '=')} ${NO_PRICE} and ${past} and ${last}
          order by ${price} ${order}, search_listings.position ${order}, business_id ${order}
          limit ${limit}`.execute(db)
        rows.push(...found.rows)
      }
    }
    if (rows.length >= limit) break
  }
  return rows
}

/** Where the walk along one unit's prices begins, for a cursor that names a total. */
function priceFrom([total = 0n, position = 0n]: bigint[], times: number, id: string) {
  const cents = total / BigInt(times)
  // Between two prices of this unit: after all of the lower one.
  return cents * BigInt(times) === total
    ? { cents: String(cents), position: String(position), id }
    : { cents: String(cents), position: '9223372036854775807', id: '' }
}

export function comparePositions(a: ListedRow, b: ListedRow): number {
  const difference = BigInt(a.position) - BigInt(b.position)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
