import { type RawBuilder, sql } from 'kysely'
import { type Cents, PRICE_UNITS, type PriceUnit } from '../../shared/money.ts'
import { otherUnit } from '../businesses/rules.ts'
import { FILTERS } from './filter-rules.ts'
import { distanceSql, type Resolved } from './place-queries.server.ts'
import { askedUnit, boxAround, pricesOf, quantityOf, squaresOf } from './rules.ts'
import type { Search } from './schema.ts'

/** What the database has for a price on request, so that it sorts behind every price. */
export const NO_PRICE: Cents = 100_000_000
const ANY_PRICE = { from: 1, to: NO_PRICE - 1 }

/**
 * What narrows a search in SQL: terms of which a listing has all, groups of terms of which it has one, conditions on
 * columns, and the prices of which it has one; none where any will do.
 */
export type IndexFilter = {
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
export type PriceRange = PriceSide & { from: Cents; to: Cents }

/**
 * The prices that a search compares. Together they have one price of each listing, that of `comparedPrice`, so no listing
 * comes twice.
 */
export function sidesOf(search: Search): PriceSide[] {
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
export const centsColumn = ({ isSecond }: PriceSide) =>
  sql.ref(isSecond ? 'second_price_cents' : 'price_cents')

/** The listings of a side, whatever they ask. */
export function ofSide(side: PriceSide): RawBuilder<boolean> {
  const ofUnit = sql<boolean>`${unitColumn(side)} = ${side.unit}`
  return side.when ? sql`${ofUnit} and ${side.when}` : ofUnit
}

/** `is true`: no index of prices is of use beside that of terms. */
export function ofAnySide(sides: readonly PriceSide[]): RawBuilder<boolean> {
  const each = sides.map((side) => sql`(${ofSide(side)})`)
  return sql`(${sql.join(each, sql` or `)}) is true`
}

/** What a listing asks for one unit, whichever of its prices that is; in no index. */
export function centsOfUnit(unit: PriceUnit): RawBuilder<number> {
  return sql`case when price_unit = ${unit} then price_cents else second_price_cents end`
}

/** Everything but the words. @returns null when nothing can pass it */
export function indexFilterOf(
  search: Search,
  place: Resolved | null,
  { nearKm }: { nearKm: number },
): IndexFilter | null {
  const indexFilter: IndexFilter = { all: [], any: [], where: [], prices: [] }
  for (const filter of FILTERS) {
    const markers = filter.markers?.(search) ?? []
    if (markers.length > 0) addGroup(indexFilter, markers)
  }
  if (place && 'state' in place) indexFilter.all.push(`s/${place.state}`)
  else if (place && search.near) {
    const box = boxAround(place.place, nearKm)
    const squares = squaresOf(box)
    if (squares) addGroup(indexFilter, squares)
    indexFilter.where.push(
      sql`latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}`,
      sql`${distanceSql(place.place)} <= ${nearKm}`,
    )
  } else if (place) indexFilter.all.push(`p/${place.place.id}`)
  const ranges = sidesOf(search).map((side) => ({ side, range: pricesOf(search, side.unit) }))
  if (ranges.every(({ range }) => range === 'none')) return null
  if (search.per || ranges.some(({ range }) => range !== null)) {
    indexFilter.prices = ranges.flatMap(({ side, range }) =>
      range === 'none' ? [] : [{ ...side, ...(range ?? ANY_PRICE) }],
    )
  } else if (search.date) {
    // At $0 there is nothing to book (Decision 5).
    indexFilter.where.push(sql`price_cents + 0 < ${NO_PRICE}`)
  }
  return indexFilter
}

/** Adds terms of which a listing must have one. */
export function addGroup(indexFilter: IndexFilter, terms: readonly string[]) {
  if (terms.length === 1) indexFilter.all.push(...terms)
  else indexFilter.any.push([...terms])
}

/** The conditions on columns. */
function byColumns({ where, prices }: IndexFilter): RawBuilder<boolean>[] {
  if (prices.length === 0) return where
  // `+ 0`: an index of prices is of no use beside that of terms.
  const each = prices.map(
    (range) => sql`(${ofSide(range)} and ${centsColumn(range)} + 0 between ${range.from} and ${range.to})`,
  )
  return [...where, sql`(${sql.join(each, sql` or `)})`]
}

export const LISTING_TERMS = sql.raw('tsvector_to_array(words)')

/**
 * The index filter as a condition that the index of terms answers; each part is a walk of its own that skips ahead. The first
 * part sets the pace: with the stretch of time behind the others, two terms that never meet are walked from end to end.
 */
export function byTerms(indexFilter: IndexFilter, stretch?: readonly string[]): RawBuilder<boolean> {
  const hasOne = (group: readonly string[]) => sql<boolean>`${LISTING_TERMS} && ${[...group]}::text[]`
  const parts = [
    ...(stretch ? [hasOne(stretch)] : []),
    ...(indexFilter.all.length > 0 ? [sql`${LISTING_TERMS} @> ${indexFilter.all}::text[]`] : []),
    ...indexFilter.any.map(hasOne),
    ...byColumns(indexFilter),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

/** The same for a walk along another index, where each listing's own words decide. */
export function byWords(indexFilter: IndexFilter): RawBuilder<boolean> {
  const query = [
    ...indexFilter.all.map(quoteTerm),
    ...indexFilter.any.map((group) => `(${group.map(quoteTerm).join('|')})`),
  ]
  const parts = [
    ...(query.length > 0 ? [sql`words @@ ${query.join('&')}::tsquery`] : []),
    ...byColumns(indexFilter),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

export function quoteTerm(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`
}

/** The one category that a list is of, if that is all there is to it, or null for all: then an index has it in its order. */
export function plainCategory(indexFilter: IndexFilter): string | null | undefined {
  return indexFilter.prices.length > 0 ? undefined : categoryButPrice(indexFilter)
}

/** The same where prices narrow it further. */
export function categoryButPrice({ all, any, where }: IndexFilter): string | null | undefined {
  if (any.length > 0 || where.length > 0 || all.length > 1) return undefined
  const [term] = all
  return term === undefined ? null : term.startsWith('c/') ? term.slice(2) : undefined
}
