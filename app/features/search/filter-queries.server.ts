import { type RawBuilder, sql } from 'kysely'
import { type Cents, PRICE_UNITS, type PriceUnit } from '../../shared/money.ts'
import { otherUnit } from '../businesses/rules.ts'
import { pointMarkers } from '../businesses/travel-rules.ts'
import { type Box, boxAround } from './box-rules.ts'
import { factGroups } from './fact-filter-rules.ts'
import { FILTERS } from './filter-rules.ts'
import { distanceSql, pointOf, type Resolved } from './place-queries.server.ts'
import { radiusKm } from './place-rules.ts'
import { pricesOf, quantityOf, requestedUnit } from './price-rules.ts'
import type { Search } from './schema.ts'
import { canTravel } from './travel-rules.ts'

/** The stored price of a listing with its price on request, so that it sorts after every real price. */
export const NO_PRICE: Cents = 100_000_000
const ANY_PRICE = { from: 1, to: NO_PRICE - 1 }

/**
 * A search's filters in SQL. A listing must have all terms of `all`, one term of each group of `any`, meet each
 * condition of `where` and have a price in one of `prices`, unless that is empty.
 */
export type IndexFilter = {
  all: string[]
  any: string[][]
  where: RawBuilder<boolean>[]
  prices: PriceRange[]
  /** Set where vendors who travel to the search's place match as well. */
  travel?: TravelFilter | undefined
}

/**
 * The vendors for a place: those based there, and those who travel there.
 * @property based `terms`: they have one of them; null if reading the columns is faster. `fits` is the exact condition, which
 * `own` says alone, the term of the place, where it has one
 * @property travelling `terms`: they have one of them. `reaches` is the exact condition of their distance, null for a state; those with
 * one of `states` come however far it is
 * @property side which of the two match
 */
export type TravelFilter = {
  based: { terms: readonly string[] | null; fits: RawBuilder<boolean>; own: string | null }
  travelling: { terms: readonly string[]; reaches: RawBuilder<boolean> | null; states: readonly string[] }
  side: 'either' | 'based' | 'travelling'
}

/** The same index filter for one side of its place. */
export function ofSideOf(indexFilter: IndexFilter, side: TravelFilter['side']): IndexFilter {
  return indexFilter.travel ? { ...indexFilter, travel: { ...indexFilter.travel, side } } : indexFilter
}

/** Whether a listing is based at the search's place; null if none travel there. */
export function isBased({ travel }: IndexFilter): RawBuilder<boolean> | null {
  return travel ? sql<boolean>`(${travel.based.fits}) is true` : null
}

/**
 * A set of prices that a search compares: all first prices, or all second prices, per one unit.
 * @property when the listings that are compared by this price; null for all
 */
type PriceSide = { unit: PriceUnit; isSecond: boolean; when: RawBuilder<boolean> | null }
export type PriceRange = PriceSide & { from: Cents; to: Cents }

/**
 * The prices that a search compares. Each listing has at most one price among them, that of `comparedPrice`, so no
 * listing appears twice.
 */
export function sidesOf(search: Search): PriceSide[] {
  const requested = requestedUnit(search)
  const guests = quantityOf(search, 'perPerson')
  const hours = quantityOf(search, 'perHour')
  if (requested) {
    const own: PriceSide[] = [
      { unit: requested, isSecond: false, when: null },
      { unit: requested, isSecond: true, when: null },
    ]
    if (search.per) return own
    const without = sql<boolean>`second_price_unit is distinct from ${requested}`
    return [...own, { unit: otherUnit(requested), isSecond: false, when: without }]
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

/** The listings of a side, at any price. */
export function ofSide(side: PriceSide): RawBuilder<boolean> {
  const ofUnit = sql<boolean>`${unitColumn(side)} = ${side.unit}`
  return side.when ? sql`${ofUnit} and ${side.when}` : ofUnit
}

/** The listings of any of the sides. `is true` keeps the planner from using a price index as well as the term index. */
export function ofAnySide(sides: readonly PriceSide[]): RawBuilder<boolean> {
  const each = sides.map((side) => sql`(${ofSide(side)})`)
  return sql`(${sql.join(each, sql` or `)}) is true`
}

/** A listing's price per unit, whether first or second. No index has it. */
export function centsOfUnit(unit: PriceUnit): RawBuilder<number> {
  return sql`case when price_unit = ${unit} then price_cents else second_price_cents end`
}

/** The term of the listings that are based in a place, an area or a state. */
function placeTerm(place: Resolved): string {
  if ('state' in place) return `s/${place.state}`
  return 'area' in place ? `a/${place.area.key}` : `p/${place.place.id}`
}

/** The box that a search allows: the surroundings of its place, or a part of the map. null without one. */
export function boxOf(search: Search, place: Resolved | null, { nearKm }: { nearKm: number }): Box | null {
  if (!place) return search.place ? null : search.bounds
  return 'place' in place && search.near ? boxAround(place.place, radiusKm(search.near, nearKm)) : null
}

/**
 * The index filter of a search, without its words.
 * @param squares the markers of the search's box, by `listSquares`
 * @returns null if nothing can match
 */
export function indexFilterOf(
  search: Search,
  place: Resolved | null,
  { nearKm }: { nearKm: number },
  squares: readonly string[] | null = null,
): IndexFilter | null {
  const indexFilter: IndexFilter = { all: [], any: [], where: [], prices: [] }
  for (const filter of FILTERS) {
    const markers = filter.markers?.(search) ?? []
    if (markers.length > 0) addGroup(indexFilter, markers)
  }
  for (const group of factGroups(search)) addGroup(indexFilter, group)
  const travel = place && travelFilterOf(search, place, { nearKm, squares })
  if (travel) indexFilter.travel = travel
  else if (place && !('place' in place && search.near)) indexFilter.all.push(placeTerm(place))
  const box = travel ? null : boxOf(search, place, { nearKm })
  if (box) {
    if (squares?.length === 0) return null
    if (squares) addGroup(indexFilter, squares)
    indexFilter.where.push(
      sql`latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}`,
    )
    if (place && 'place' in place)
      indexFilter.where.push(sql`${distanceSql(place.place)} <= ${radiusKm(search.near, nearKm)}`)
  }
  const ranges = sidesOf(search).map((side) => ({ side, range: pricesOf(search, side.unit) }))
  if (ranges.every(({ range }) => range === 'none')) return null
  if (search.per || ranges.some(({ range }) => range !== null)) {
    indexFilter.prices = ranges.flatMap(({ side, range }) =>
      range === 'none' ? [] : [{ ...side, ...(range ?? ANY_PRICE) }],
    )
  } else if (search.date || search.months) {
    // A listing at $0 can't be booked (Decision 5).
    indexFilter.where.push(sql`price_cents + 0 < ${NO_PRICE}`)
  }
  return indexFilter
}

/**
 * The filter by a place that vendors travel to. Their distance is exact: within the radius that they state, or in a state that they
 * work in.
 * @returns null if no vendor of the search travels, as venues don't
 */
function travelFilterOf(
  search: Search,
  place: Resolved,
  { nearKm, squares }: { nearKm: number; squares: readonly string[] | null },
): TravelFilter | null {
  if (!canTravel(search)) return null
  const point = pointOf(place)
  const state = 'state' in place ? place.state : 'area' in place ? place.area.state : place.place.state
  const states = [`k/${state}`, 'k/Australia']
  const travelling = {
    terms: [...(point ? pointMarkers(point) : []), ...states],
    reaches: point && sql<boolean>`travel_km >= ${distanceSql(point)}`,
    states,
  }
  const box = boxOf(search, place, { nearKm })
  if (box && point) {
    const inBox = sql`latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}`
    const fits = sql<boolean>`(${inBox} and ${distanceSql(point)} <= ${radiusKm(search.near, nearKm)})`
    return { based: { terms: squares, fits, own: null }, travelling, side: 'either' }
  }
  const own = placeTerm(place)
  return { based: { terms: [own], fits: hasTerm([own]), own }, travelling, side: 'either' }
}

/** Whether a listing has one of the terms. Its words are the longest part of its row, so this comes last. */
function hasTerm(terms: readonly string[]): RawBuilder<boolean> {
  return sql`words @@ ${terms.map(quoteTerm).join('|')}::tsquery`
}

/** The terms of the vendors that a travel filter lets through, of which each has one; null for none. */
function travelTerms({ based, travelling, side }: TravelFilter): readonly string[] | null {
  if (side === 'travelling') return travelling.terms
  if (side === 'based' || !based.terms) return based.terms
  return [...based.terms, ...travelling.terms]
}

/** The exact condition of a travel filter; null if its terms are exact already. */
function travelFits({ based, travelling, side }: TravelFilter): RawBuilder<boolean> | null {
  const { reaches, states } = travelling
  if (side === 'based') return based.fits
  if (side === 'travelling') {
    const comes = reaches ? sql`(${reaches} or ${hasTerm(states)})` : hasTerm(states)
    return sql`(${based.fits}) is not true and ${comes}`
  }
  if (based.own) return reaches && sql`(${reaches} or ${hasTerm([based.own, ...states])})`
  return sql`(${based.fits} or ${reaches ?? sql`false`} or ${hasTerm(states)})`
}

/** Adds a group of terms. A listing must have one of them. */
export function addGroup(indexFilter: IndexFilter, terms: readonly string[]) {
  if (terms.length === 1) indexFilter.all.push(...terms)
  else indexFilter.any.push([...terms])
}

/** The same index filter, with further groups of terms. */
export function withGroups(indexFilter: IndexFilter, groups: readonly (readonly string[])[]): IndexFilter {
  const grouped = { ...indexFilter, all: [...indexFilter.all], any: [...indexFilter.any] }
  for (const group of groups) addGroup(grouped, group)
  return grouped
}

/** The conditions of an index filter on columns. */
function byColumns({ where: conditions, prices, travel }: IndexFilter): RawBuilder<boolean>[] {
  const travels = travel && travelFits(travel)
  const where = travels ? [...conditions, travels] : conditions
  if (prices.length === 0) return where
  // `+ 0` keeps the planner from using a price index as well as the term index.
  const each = prices.map(
    (range) => sql`(${ofSide(range)} and ${centsColumn(range)} + 0 between ${range.from} and ${range.to})`,
  )
  return [...where, sql`(${sql.join(each, sql` or `)})`]
}

export const LISTING_TERMS = sql.raw('tsvector_to_array(words)')

/**
 * The index filter as a condition for the term index, which walks each part separately and skips ahead. The first part
 * leads. If the stretch of time came last, two terms that no listing shares would be walked from end to end.
 */
export function byTerms(indexFilter: IndexFilter, stretch?: readonly string[]): RawBuilder<boolean> {
  const travelled = indexFilter.travel && travelTerms(indexFilter.travel)
  const hasOne = (group: readonly string[]) => sql<boolean>`${LISTING_TERMS} && ${[...group]}::text[]`
  const parts = [
    ...(stretch ? [hasOne(stretch)] : []),
    ...(indexFilter.all.length > 0 ? [sql`${LISTING_TERMS} @> ${indexFilter.all}::text[]`] : []),
    ...indexFilter.any.map(hasOne),
    ...(travelled ? [hasOne(travelled)] : []),
    ...byColumns(indexFilter),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

/** The index filter for a walk along another index, which checks the words of each listing. */
export function byWords(indexFilter: IndexFilter): RawBuilder<boolean> {
  const travelled = indexFilter.travel && travelTerms(indexFilter.travel)
  const tsquery = [
    ...indexFilter.all.map(quoteTerm),
    ...[...indexFilter.any, ...(travelled ? [travelled] : [])].map(
      (group) => `(${group.map(quoteTerm).join('|')})`,
    ),
  ]
  const columns = byColumns(indexFilter)
  const parts = [
    ...(tsquery.length > 0 ? [sql`words @@ ${tsquery.join('&')}::tsquery`] : []),
    // The planner takes each of a box's conditions for rare, multiplies them and would rather read the whole table and
    // sort it. It takes a `case` for one row in two.
    ...(columns.length > 0 ? [sql`case when ${sql.join(columns, sql` and `)} then true else false end`] : []),
  ]
  return parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`
}

export function quoteTerm(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`
}

/**
 * The category of a list that an index has in order.
 * @returns null for all categories, undefined if the list has any other filter
 */
export function plainCategory(indexFilter: IndexFilter): string | null | undefined {
  return indexFilter.prices.length > 0 ? undefined : categoryButPrice(indexFilter)
}

/** The same as `plainCategory`, but prices may filter the list as well. */
export function categoryButPrice({ all, any, where, travel }: IndexFilter): string | null | undefined {
  if (travel) return undefined
  if (any.length > 0 || where.length > 0 || all.length > 1) return undefined
  const [term] = all
  return term === undefined ? null : term.startsWith('c/') ? term.slice(2) : undefined
}
