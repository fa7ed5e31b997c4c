import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { PAGE_SIZE, type Pricing } from '../businesses/rules.ts'
import type { State } from '../places/rules.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { NO_PRICE, ofSideOf, withGroups } from './filter-queries.server.ts'
import { listNewest } from './list-queries.server.ts'
import { lower, type MapGroup } from './map-rules.ts'
import { listNamed } from './match-queries.server.ts'
import { keepBookable, type SearchContext } from './page-queries.server.ts'
import { comparedPrice, timesOf, totalOf } from './price-rules.ts'
import { readTerms, type SearchHit, toHits } from './queries.server.ts'
import { firstPage, type Search } from './schema.ts'

/** How many of the newest matches are put on the map. A part of the country with more of them is shown in part. */
export const MAX_MAPPED = 1_000
/** With a day or guests each listing's calendar is read, so fewer are put on the map. */
export const MAX_MAPPED_BOOKABLE = 300
/** The most suburbs on the map, those with the most listings. */
export const MAX_GROUPS = 300
/** The most cards of one suburb. */
export const MAX_CARDS = 12

/** @property isPart whether there are more matches than are on the map */
export type MapPage = { groups: MapGroup[]; isPart: boolean }

/** The matches of a search by suburb, the largest first. Only what visitors may see is in the index of searches. */
export async function listMapGroups(db: Database, search: Search, context: SearchContext): Promise<MapPage> {
  const { ids, isPart } = await listMatches(db, search, context)
  const rows = await listPriced(db, ids)
  const groups = new Map<string, MapGroup>()
  for (const { place_id: placeId, name, state, latitude, longitude, ...row } of rows) {
    const group = groups.get(placeId) ?? {
      placeId,
      name,
      state,
      latitude: Number(latitude),
      longitude: Number(longitude),
      count: 0,
      price: null,
    }
    group.count++
    group.price = lower(group.price, priceOf(search, row))
    groups.set(placeId, group)
  }
  const largest = [...groups.values()].sort((a, b) => b.count - a.count || (a.placeId < b.placeId ? -1 : 1))
  return { groups: largest.slice(0, MAX_GROUPS), isPart: isPart || largest.length > MAX_GROUPS }
}

/** The newest matches of a search in one suburb, for its marker. */
export async function listMapCards(
  db: Database,
  search: Search,
  placeId: string,
  context: SearchContext,
): Promise<SearchHit[]> {
  const { ids } = await listMatches(db, search, context, placeId)
  return toHits(db, ids.slice(0, MAX_CARDS), null)
}

/** The newest matches of a search, in its own order of filters but never by page. */
async function listMatches(
  db: Database,
  search: Search,
  context: SearchContext,
  placeId?: string,
): Promise<{ ids: string[]; isPart: boolean }> {
  const whole = firstPage(search)
  const {
    language,
    interpreted,
    indexFilter: either,
  } = await readTerms(db, whole, context, { needsEra: true })
  if (!either) return { ids: [], isPart: false }
  // The map shows who is based there: a marker elsewhere would say nothing of the place.
  const indexFilter = ofSideOf(either, 'based')
  if (placeId) indexFilter.all.push(`p/${placeId}`)
  const checksAvailability = search.date !== null || search.months !== null || search.guests !== null
  const limit = checksAvailability ? MAX_MAPPED_BOOKABLE : MAX_MAPPED
  const list = async (doubt: Parameters<typeof interpreted>[0]) => {
    const { groups, corrections } = await interpreted(doubt)
    const worded = withGroups(indexFilter, groups)
    const hasNoWord = search.q.trim() !== '' && groups.length === 0
    const { rows } = hasNoWord ? { rows: [] } : await listNewest(db, worded, language.newest, limit + 1)
    return { ids: rows.map(({ id }) => id), corrections }
  }
  const [first, named] = await Promise.all([
    list('unknown words'),
    search.q ? listNamed(db, whole, indexFilter, language) : { ids: [], isExact: false },
  ])
  // As in the list: few matches may mean that common words were mistyped.
  const isDoubtful =
    first.ids.length < PAGE_SIZE &&
    !named.isExact &&
    first.corrections.length === 0 &&
    language.words.length > 0
  const meant = isDoubtful ? await list('rare words') : first
  const { ids: found } = meant.corrections.length > 0 ? meant : first
  const all = [...new Set([...named.ids, ...found])]
  const ids = all.slice(0, limit)
  if (!checksAvailability) return { ids, isPart: all.length > limit }
  const bookable = await keepBookable(
    db,
    ids.map((id) => ({ id, cursor: id })),
    search,
    context,
  )
  return { ids: bookable.map(({ id }) => id), isPart: all.length > limit }
}

type PricedRow = {
  place_id: string
  name: string
  state: State
  latitude: number
  longitude: number
  price_cents: string | number
  price_unit: PriceUnit
  second_price_cents: string | number | null
  second_price_unit: PriceUnit | null
}

/** The places and prices of listings. */
async function listPriced(db: Database, ids: readonly string[]): Promise<PricedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PricedRow>`
    select place_id, places.name, places.state, places.latitude, places.longitude, listed.price_cents,
      listed.price_unit, listed.second_price_cents, listed.second_price_unit
    from search_listings listed
    join businesses on businesses.id = listed.business_id
    join places on places.id = businesses.place_id
    where listed.business_id = any(${[...ids]}::text[])`.execute(db)
  return rows
}

/** A listing's price for what was searched: its total if the search has the quantity, otherwise its price per unit. */
function priceOf(
  search: Search,
  row: Omit<PricedRow, 'place_id' | 'name' | 'state' | 'latitude' | 'longitude'>,
): MapGroup['price'] {
  const { price_cents, price_unit: priceUnit, second_price_cents, second_price_unit } = row
  const priceCents = Number(price_cents)
  if (priceCents >= NO_PRICE) return null
  const pricing: Pricing = {
    priceCents,
    priceUnit,
    secondPrice:
      second_price_cents !== null && second_price_unit
        ? { cents: Number(second_price_cents), unit: second_price_unit }
        : null,
  }
  const { cents, unit } = comparedPrice(search, pricing)
  const total = totalOf(search, pricing)
  return {
    cents: total?.cents ?? cents,
    isTotal: total !== null,
    compared: lineCents({ quantity: timesOf(search, unit), unitPriceCents: cents }),
  }
}
