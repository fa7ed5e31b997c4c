import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { PriceUnit } from '../../shared/money.ts'
import {
  eraOf,
  firstPosition,
  HALF_FILLED,
  LISTINGS_IN_ERA,
  type NewestEra,
  nextStretch,
  type Rate,
  type Stretch,
} from './era-rules.ts'
import {
  byTerms,
  categoryButPrice,
  centsColumn,
  type IndexFilter,
  ofSide,
  type PriceRange,
} from './filter-queries.server.ts'
import { priceMarkers } from './price-rules.ts'
import { COUNT_CAP } from './rules.ts'

/** A candidate on its way to a page. */
export type Candidate = { id: string; cursor: string }

export type ListedRow = {
  id: string
  position: string
  price_cents: string | number
  price_unit: PriceUnit
  second_price_cents: string | number | null
  second_price_unit: PriceUnit | null
  score: string | number
  /** The same in each row: how many listings of the stretch have the terms of the filter. Null if they aren't counted. */
  terms?: string | number | null
}

export const LISTED_COLUMNS = sql.raw(
  'business_id as id, position::text as position, price_cents, price_unit, second_price_cents, second_price_unit',
)

export const toNewest = ({ id, position }: ListedRow): Candidate => ({ id, cursor: `${position}.${id}` })

/** @returns the numbers and the id of a cursor, or null for a cursor of another sort */
export function readCursor(cursor: string, numbers: number): { numbers: bigint[]; id: string } | null {
  const parts = cursor.split('.')
  const id = parts.pop()
  return id && parts.length === numbers ? { numbers: parts.map(BigInt), id } : null
}

/** Lists one category, or everything. An index has the order, so a deep page costs no more than the first. */
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
 * Lists the newest listings that match an index filter. Reads the newest eras first, then further back until it has
 * enough.
 * @param options.score is computed only for the returned rows
 * @param options.rate how many matches a sample found in how many eras, by which the first read is sized
 */
export async function listNewest(
  db: Database,
  indexFilter: IndexFilter,
  newest: NewestEra,
  limit: number,
  options: { cursor?: string; backwards?: boolean; score?: RawBuilder<number>; rate?: Rate } = {},
): Promise<NewestRows> {
  const { cursor = '', backwards = false, score = sql`0`, rate } = options
  const walk: Walk = { indexFilter, newest, limit, cursor, backwards, score }
  const { first, filled: filledFirst } = startOf(walk)
  const all = newest.era + 1
  let applied = indexFilter
  const rows: ListedRow[] = []
  let start = first
  let filled = filledFirst
  for (let stretches = 0, eras = 0; ; stretches++) {
    const wanted = limit - rows.length
    const known: Rate | undefined = stretches > 0 ? { eras, found: rows.length } : rate
    const before = known ? { ...known, wanted, stretches } : null
    const stretch: Stretch | null = nextStretch(start, backwards ? 1 : -1, before, filled)
    const isLast = !stretch || (backwards ? stretch.next > newest.era : stretch.next < 0)
    const pricing: FirstPricing | null = before || isLast ? null : pricingOf(indexFilter, stretch)
    const from = stretches > 0 ? start : null
    const counted = pricing?.counted ?? null
    rows.push(...(await readStretch(db, walk, { applied, stretch, from, counted, wanted })))
    const last = rows.at(-1)
    if (last && rows.length === limit) return fullSample(walk, { rows, applied, first, last })
    if (isLast) return { rows, applied, matches: rows.length, share: 0, eras: all }
    const times = newest.era / stretch.eras
    if (pricing?.category !== undefined && rows.length * times <= MAX_PRICED) {
      const priced = await listPricedNewest(db, pricing.category, walk)
      return { rows: priced, applied, matches: rows.length * times, share: 0, eras: all }
    }
    if (counted && (await hasManyPrices(db, walk, { rows, counted, times }))) {
      applied = withPriceMarkers(indexFilter)
    }
    eras += stretch.eras
    start = stretch.next
    filled = 1
  }
}

/** The newest matches, or all of them, as `listNewest` returns them. */
type NewestRows = Sample & { rows: ListedRow[] }

/** The inputs of `listNewest`, the same for all stretches of time that it reads. */
type Walk = {
  indexFilter: IndexFilter
  newest: NewestEra
  limit: number
  cursor: string
  backwards: boolean
  score: RawBuilder<number>
}

/** The era in which a walk begins, and its share of listings that lie ahead. */
function startOf({ cursor, backwards, newest }: Walk): { first: number; filled: number } {
  const position = readCursor(cursor, 1)?.numbers[0]
  if (position !== undefined) return { first: eraOf(position), filled: HALF_FILLED }
  return backwards ? { first: 0, filled: HALF_FILLED } : { first: newest.era, filled: newest.filled }
}

/**
 * How the first stretch of a search with prices is judged, to read its matches the fastest way.
 * @property category if prices are all that filters the listings of a category, or of all: null. Otherwise undefined
 * @property counted the stretch whose listings are counted by their terms; null for none
 */
type FirstPricing = { category: string | null | undefined; counted: Stretch | null }

/** @returns null for a search without prices */
function pricingOf(indexFilter: IndexFilter, stretch: Stretch): FirstPricing | null {
  if (indexFilter.prices.length === 0) return null
  const category = categoryButPrice(indexFilter)
  return { category, counted: category === undefined ? stretch : null }
}

/**
 * Reads the matches in one stretch of time.
 * @param step.applied the filter, which may have price markers
 * @param step.stretch null for all that follows
 * @param step.from the first era of the stretch; null for the first stretch
 * @param step.counted the stretch whose listings are counted by their terms; null for none
 */
async function readStretch(
  db: Database,
  { indexFilter, cursor, backwards, score }: Walk,
  step: {
    applied: IndexFilter
    stretch: Stretch | null
    from: number | null
    counted: Stretch | null
    wanted: number
  },
): Promise<ListedRow[]> {
  const { applied, stretch, from, counted, wanted } = step
  const order = direction(backwards)
  // `+ 0` keeps the planner from walking an index in order, past a million listings that lack the word.
  // Only the returned rows are read with their words.
  const { rows } = await sql<ListedRow>`
    select ${LISTED_COLUMNS}, ${score} as score, ${counted ? countOf(indexFilter, counted) : sql`null`} as terms
    from (
      select ctid as row from search_listings
      where ${byTerms(applied, stretch?.markers)} and ${pastCursor(cursor, backwards)}
        and ${from === null ? sql`true` : fromEra(from, backwards)}
      order by position + 0 ${order}, business_id ${order} limit ${wanted}
    ) newest
    join search_listings on search_listings.ctid = newest.row
    order by search_listings.position ${order}, business_id ${order}`.execute(db)
  return rows
}

/** As many rows as were wanted, with an estimate of all matches by how far back the last of them is. */
function fullSample(
  { limit, newest }: Walk,
  { rows, applied, first, last }: Pick<NewestRows, 'rows' | 'applied'> & { first: number; last: ListedRow },
): NewestRows {
  const reached = Math.abs(first - eraOf(BigInt(last.position))) + 1
  const matches = (limit * (newest.era + 1)) / reached
  return { rows, applied, matches, share: limit / (reached * LISTINGS_IN_ERA), eras: reached }
}

/**
 * Whether a search would read the prices of so many listings that price markers are faster.
 * @param found.rows the matches in the stretch
 * @param found.times how many times as long as the stretch all time is
 */
async function hasManyPrices(
  db: Database,
  { indexFilter, limit }: Walk,
  { rows, counted, times }: { rows: readonly ListedRow[]; counted: Stretch; times: number },
): Promise<boolean> {
  const terms = rows[0] ? Number(rows[0].terms) : await countByTerms(db, indexFilter, counted)
  return terms > 0 && terms * Math.min(limit / rows.length, times) > MAX_PRICES_READ
}

/** The same filter, with markers of its prices that the term index finds. */
function withPriceMarkers(indexFilter: IndexFilter): IndexFilter {
  return { ...indexFilter, any: [...indexFilter.any, indexFilter.prices.flatMap(priceMarkersOf)] }
}

/** Limits a search to an era and all that follow it in the search's direction. */
function fromEra(era: number, backwards: boolean): RawBuilder<boolean> {
  return backwards
    ? sql`position + 0 >= ${String(firstPosition(era))}::bigint`
    : sql`position + 0 < ${String(firstPosition(era + 1))}::bigint`
}

/** With more listings than this, price markers find those that match, instead of reading each price. */
const MAX_PRICES_READ = 10_000
/** Up to this many listings in a price range, reading all and sorting them by time is faster than walking the eras. */
const MAX_PRICED = 20_000

const priceMarkersOf = ({ unit, from, to }: PriceRange) => priceMarkers(unit, { from, to })

/**
 * The newest listings of a category, or of all, in some price ranges. Fast for few matches: the price index covers it.
 */
async function listPricedNewest(
  db: Database,
  category: string | null,
  { indexFilter: { prices }, score, cursor, limit, backwards }: Walk,
): Promise<ListedRow[]> {
  const order = direction(backwards)
  // Only the returned rows are read with their score.
  const { rows } = await sql<ListedRow>`
    select ${LISTED_COLUMNS}, ${score} as score
    from (
      select business_id as row
      from (${pricedRows(category, prices)}) priced where ${pastCursor(cursor, backwards)}
      order by position + 0 ${order}, business_id ${order} limit ${limit}
    ) newest
    join search_listings on search_listings.business_id = newest.row
    order by search_listings.position ${order}, business_id ${order}`.execute(db)
  return rows
}

/** The ids and positions of a category's listings, or of all, in some price ranges, from the price indexes alone. */
export function pricedRows(category: string | null, prices: readonly PriceRange[]): RawBuilder<unknown> {
  const each = prices.map(
    (range) => sql`
      select business_id, position from search_listings
      where ${category === null ? sql`true` : sql`category = ${category}`} and ${ofSide(range)}
        and ${centsColumn(range)} between ${range.from} and ${range.to}`,
  )
  return sql.join(each, sql` union all `)
}

/** How many listings of a stretch of time have the terms of an index filter, ignoring columns and prices. */
function countOf(indexFilter: IndexFilter, stretch: Stretch): RawBuilder<number> {
  return sql`(select count(*) from search_listings
    where ${byTerms({ ...indexFilter, where: [], prices: [] }, stretch.markers)})`
}

async function countByTerms(db: Database, indexFilter: IndexFilter, stretch: Stretch): Promise<number> {
  const { rows } = await sql<{
    count: string | number
  }>`select ${countOf(indexFilter, stretch)} as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/**
 * The newest matches, or all of them, with estimates of the number of matches and their share of all listings.
 * @property eras how many eras the rows reach back
 * @property applied the filter, with price markers where those find the matches faster
 */
export type Sample = {
  rows: readonly ListedRow[]
  matches: number
  share: number
  eras: number
  applied: IndexFilter
}

/** Positions are whole numbers from 0 on, without leading zeros: as text they compare in a tenth of the time of BigInt. */
export function comparePositions({ position: a }: ListedRow, { position: b }: ListedRow): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
