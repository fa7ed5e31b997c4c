import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents, UnitPrice } from '../../shared/money.ts'
import { lineCents } from '../pricing/line-rules.ts'
import {
  byTerms,
  byWords,
  centsColumn,
  centsOfUnit,
  type IndexFilter,
  NO_PRICE,
  ofAnySide,
  ofSide,
  sidesOf,
} from './filter-queries.server.ts'
import {
  type Candidate,
  comparePositions,
  LISTED_COLUMNS,
  type ListedRow,
  readCursor,
  type Sample,
} from './list-queries.server.ts'
import { comparedPrice, priceMarkers, timesOf } from './price-rules.ts'
import type { Search } from './schema.ts'

function priceOf(search: Search, row: ListedRow): UnitPrice {
  const { second_price_cents: cents, second_price_unit: unit } = row
  return comparedPrice(search, {
    priceCents: Number(row.price_cents),
    priceUnit: row.price_unit,
    secondPrice: unit && { unit, cents: Number(cents) },
  })
}

/** A listing's cost as the search compares it: the total if the quantity is known, else the price. */
function comparedCents(search: Search, row: ListedRow): number {
  const { unit, cents } = priceOf(search, row)
  return lineCents({
    quantity: cents >= NO_PRICE ? NO_PRICE_TIMES : timesOf(search, unit),
    unitPriceCents: cents,
  })
}

/** Large enough to sort listings without a price after every total. */
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

/** @property end the last total to read; null reads all */
type PriceSteps = { cursor: string; limit: number; backwards: boolean; end: Cents | null }
/** The sample only estimates where the page ends. Reading a little too much is faster than reading twice. */
const SAMPLE_MARGIN = 2
const LEAST_REACH = 3
const FURTHER = 8
/** With a smaller share of matches, finding and sorting them is faster than walking past all other listings. */
const LEAST_SHARE_TO_WALK = 0.01
/** Words this common are in every trade, so even for a unit that the sample lacks, a walk is short. */
const COMMON_EVERYWHERE = 0.05

/**
 * Lists the cheapest first by what each would cost, and listings without a price last. Estimates from
 * the sample how much to read, and reads further if that isn't enough.
 * @param sample null for a plain list, in which every listing of the category matches
 */
export async function listByPrice(
  db: Database,
  search: Search,
  indexFilter: IndexFilter,
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
    const rows = await listPrices(db, search, indexFilter, sample, { ...steps, end })
    if (rows.length >= limit || end === null) {
      const ordered = rows.toSorted(comparePriced(search))
      return (backwards ? ordered.toReversed() : ordered).slice(0, limit).map(toPriced(search))
    }
    reach *= FURTHER
  }
}

/** Reads the listings of each unit in order of price. */
async function listPrices(
  db: Database,
  search: Search,
  indexFilter: IndexFilter,
  sample: Sample | null,
  { cursor, limit, backwards, end }: PriceSteps,
): Promise<ListedRow[]> {
  const at = readCursor(cursor, 2)
  const order = sql.raw(backwards ? 'desc' : 'asc')
  const isAhead = (row: ListedRow) =>
    end === null || (backwards ? comparedCents(search, row) >= end : comparedCents(search, row) <= end)
  const rows: ListedRow[] = []
  for (const hasPrice of backwards ? [false, true] : [true, false]) {
    // A price on request is in no range and is never a second price.
    if (!hasPrice && indexFilter.prices.length > 0) continue
    const wanted = sidesOf(search).filter(({ isSecond }) => hasPrice || !isSecond)
    for (const [unit, sides] of Map.groupBy(wanted, (side) => side.unit)) {
      const times = hasPrice ? timesOf(search, unit) : NO_PRICE_TIMES
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
      // Each price index is walked separately. The term index finds first and second prices of a unit at once.
      const lookups = isCommon
        ? sides.map((side) => ({
            fits: sql`${ofSide(side)} and ${category} and ${byWords(indexFilter)}`,
            price: sql`${centsColumn(side)}`,
          }))
        : [{ fits: sql`${byTerms(indexFilter, markers)} and ${ofAnySide(sides)}`, price: centsOfUnit(unit) }]
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

/** The start of the walk along one unit's prices, for a cursor with a total. */
function priceFrom([total = 0n, position = 0n]: bigint[], times: number, id: string) {
  const cents = total / BigInt(times)
  // The total falls between two prices of this unit: start after all listings at the lower one.
  return total % BigInt(times) === 0n
    ? { cents: String(cents), position: String(position), id }
    : { cents: String(cents), position: '9223372036854775807', id: '' }
}
