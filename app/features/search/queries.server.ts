import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { BusinessCardView } from '../businesses/queries.server.ts'
import { NEARBY_KM, PAGE_SIZE } from '../businesses/rules.ts'
import { type Coordinates, distanceKm, placeLabel, type State } from '../places/rules.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { pickApart } from './box-rules.ts'
import { boxOf, type IndexFilter, indexFilterOf, isBased, plainCategory } from './filter-queries.server.ts'
import { elsewhereText, travelText } from './messages.ts'
import { findPage, isRanked, type SearchContext } from './page-queries.server.ts'
import {
  listPlacesAround,
  listSquares,
  type PlaceFound,
  pointOf,
  type Resolved,
  resolvePlace,
} from './place-queries.server.ts'
import { HERE, radiusKm } from './place-rules.ts'
import { type RelaxedSearch, relaxedSearches } from './relaxed-rules.ts'
import { categoriesOf, countSoFar } from './rules.ts'
import { firstPage, type Search } from './schema.ts'
import { type Correction, type Doubt, interpret, understand } from './word-queries.server.ts'

/** One business in the results of a search. */
export type SearchHit = BusinessCardView & {
  /** The distance from the search's place, in whole km as the crow flies. */
  distanceKm?: number
  /** For vendors who travel to the search's place: 'Travels to Williamstown (32 km)'. */
  travelText?: string
}

/**
 * The place from which a search looks at its businesses.
 * @property point null for a state
 * @property showsDistance whether the distance of those based there is shown
 * @property based tells who is based there, in SQL; null if no one travels there
 */
type Vantage = {
  name: string
  point: Coordinates | null
  showsDistance: boolean
  based: RawBuilder<boolean> | null
}

export type SearchPage = {
  businesses: SearchHit[]
  /** The number of matches. COUNT_CAP + 1 means more than `COUNT_CAP`. */
  total: number
  /** There may be more matches than `total`, since counting stopped there. */
  isOpenEnded: boolean
  /** The `after` of the next page and the `before` of the previous one, or null. */
  next: string | null
  previous: string | null
  /** null if the search has no place, 'unknown' if no place is similar. */
  place: PlaceFound | 'unknown' | null
  area: SearchArea
  corrections: Correction[]
}

/** The area of a search's listings. null for all of Australia. */
export type SearchArea = { state: State } | { placeId: string } | { around: Coordinates; km: number } | null

/**
 * The page of businesses that matches a search.
 * @param memoize has what `beginReading` has looked up
 */
export async function listFound(
  db: Database,
  search: Search,
  context: SearchContext,
  memoize?: Memoize,
): Promise<SearchPage> {
  const { ids, from, ...page } = await find(db, search, context, memoize)
  return { ...page, businesses: await toHits(db, ids, from) }
}

/** Lists the ids of the first page of a search, without their cards. */
export async function listFoundIds(
  db: Database,
  search: Search,
  context: SearchContext,
): Promise<readonly string[]> {
  return (await find(db, search, context)).ids
}

/**
 * Lists the ids of all whom a search finds, the newest first.
 * @param pages how many pages are read at most
 * @returns isComplete false if there may be more; null if nothing is known of the search's place
 */
export async function listNewestFoundIds(
  db: Database,
  search: Search,
  context: SearchContext,
  pages: number,
): Promise<{ ids: string[]; isComplete: boolean } | null> {
  const memoize = createMemoize()
  const ids: string[] = []
  const newest: Search = { ...firstPage(search), sort: 'newest' }
  let after = ''
  for (let read = 0; read < pages; read++) {
    const found = await find(db, { ...newest, after }, context, memoize)
    if (found.place === 'unknown') return null
    ids.push(...found.ids)
    if (!found.next) return { ids, isComplete: true }
    after = found.next
  }
  return { ids, isComplete: false }
}

/** Counts the matches of a search, as its first page does. */
export async function countFound(
  db: Database,
  search: Search,
  context: SearchContext,
): Promise<{ total: number; isOpenEnded: boolean }> {
  const first = firstPage(search)
  return countSoFar(await find(db, first, context), first).count
}

type FoundPage = Omit<SearchPage, 'businesses'> & { ids: string[]; from: Vantage | null }

/** Runs each task once per key and returns the same promise to later calls. */
export type Memoize = <Value>(key: unknown[], task: () => Promise<Value>) => Promise<Value>

export function createMemoize(): Memoize {
  const values = new Map<string, Promise<unknown>>()
  return <Value>(key: unknown[], task: () => Promise<Value>) => {
    const name = JSON.stringify(key)
    const value = values.get(name) ?? task()
    values.set(name, value)
    return value as Promise<Value>
  }
}

/**
 * Looks up the words of a search as it was typed, while its query is still being split: most have nothing to split.
 * @param memoize keeps them for `listFound`
 */
export async function beginReading(db: Database, search: Search, memoize: Memoize): Promise<void> {
  if (search.q) await memoize(wordsKey(search, true), () => understand(db, search, true))
}

const wordsKey = ({ q, occasion }: Search, needsEra: boolean) => ['words', q, occasion, needsEra]

/**
 * Looks up the place and the words of a search.
 * @param options.memoize shared by searches with the same place or words
 * @param options.needsEra looks up the newest era for a plain list too
 * @returns indexFilter null if nothing can match
 */
export async function readTerms(
  db: Database,
  search: Search,
  context: SearchContext,
  { memoize = createMemoize(), needsEra: alwaysNeedsEra = false }: { memoize?: Memoize; needsEra?: boolean },
) {
  // 'Near me' is everywhere until the visitor has said where that is.
  const placeText = search.place === HERE ? '' : search.place
  // A named place or a box always filters. Without one, the index filter is already complete.
  const whole = placeText || search.bounds ? null : indexFilterOf(search, null, context)
  const isPlain = whole !== null && plainCategory(whole) !== undefined
  const needsEra = alwaysNeedsEra || !isPlain || isRanked(search) || search.q !== ''
  const [place, language] = await Promise.all([
    placeText
      ? memoize(['place', placeText, search.near], () => resolvePlace(db, placeText, search.near !== false))
      : null,
    memoize(wordsKey(search, needsEra), () => understand(db, search, needsEra)),
  ])
  const interpreted = (doubt: Doubt) => memoize([doubt, search.q], () => interpret(db, language, doubt))
  const from = place && place !== 'unknown' && 'place' in place && search.near ? place.place : null
  const box = place === 'unknown' ? null : boxOf(search, place, context)
  const squares = box && (await listSquares(db, box, categoriesOf(search)))
  const indexFilter = place === 'unknown' ? null : indexFilterOf(search, place, context, squares)
  return { place, language, interpreted, from, indexFilter }
}

function vantageOf(search: Search, place: Resolved, indexFilter: IndexFilter | null): Vantage {
  return {
    name: place.found.label.replace(/,.*/, ''),
    point: pointOf(place),
    showsDistance: 'place' in place && search.near !== false,
    based: indexFilter && isBased(indexFilter),
  }
}

/** Finds the ids of a page, before their cards are read. */
async function find(
  db: Database,
  search: Search,
  context: SearchContext,
  memoize: Memoize = createMemoize(),
): Promise<FoundPage> {
  const { place, language, interpreted, from, indexFilter } = await readTerms(db, search, context, {
    memoize,
  })
  const nothing: FoundPage = {
    ids: [],
    from: null,
    total: 0,
    isOpenEnded: false,
    next: null,
    previous: null,
    place: place && (place === 'unknown' ? place : place.found),
    area: place && place !== 'unknown' ? areaOf(search, place, context) : null,
    corrections: [],
  }
  if (!indexFilter) return nothing
  const interpretation = await interpreted('unknown words')
  let page = await findPage(db, search, { indexFilter, interpretation, language, named: null, from }, context)
  let corrections = interpretation.corrections
  if (
    page.items.length < PAGE_SIZE &&
    !page.named.isExact &&
    corrections.length === 0 &&
    // The words that no listing has were looked up before.
    language.words.some(({ isKnown }) => isKnown) &&
    !search.after
  ) {
    // Few matches: perhaps the visitor, or the few vendors who wrote these words, mistyped common ones.
    const meant = await interpreted('rare words')
    if (meant.corrections.length > 0) {
      page = await findPage(
        db,
        search,
        { indexFilter, interpretation: meant, language, named: page.named, from },
        context,
      )
      corrections = meant.corrections
    }
  }
  const { items, named: _, ...rest } = page
  const vantage = place && place !== 'unknown' ? vantageOf(search, place, indexFilter) : null
  return { ...nothing, ...rest, corrections, ids: items.map(({ id }) => id), from: vantage }
}

function areaOf(search: Search, place: Resolved, { nearKm }: SearchContext): SearchArea {
  if ('state' in place) return { state: place.state }
  // The topics of pages know states, but no areas.
  if ('area' in place) return { state: place.area.state }
  return search.near
    ? { around: place.place, km: radiusKm(search.near, nearKm) }
    : { placeId: place.place.id }
}

/** A relaxed search with its number of matches. */
type Relaxed = RelaxedSearch & Pick<SearchPage, 'total' | 'isOpenEnded'>

/** How many businesses of the first relaxed search are shown. */
const CLOSE_MATCHES = 3

/**
 * Lists what to offer when nothing matches, or little.
 * @param except the businesses that do match
 * @returns the relaxed searches that match something, and the first businesses of the one with the smallest loss, unless that has
 * no place any more
 */
export async function listRelaxed(
  db: Database,
  search: Search,
  context: SearchContext,
  except: ReadonlySet<string> = new Set(),
): Promise<{ offers: Relaxed[]; businesses: SearchHit[] }> {
  const memoize = createMemoize()
  const offers = await Promise.all(
    relaxedSearches(search).map(async (relaxed) => {
      const page = await find(db, relaxed.search, context, memoize)
      if (page.total === 0) return []
      const elsewhere = relaxed.without === 'place' ? await findElsewhere(db, search, context, memoize) : null
      return [...(elsewhere ? [elsewhere] : []), { ...relaxed, ...page }]
    }),
  )
  const othersOf = ({ ids }: { ids: readonly string[] }) => ids.filter((id) => !except.has(id))
  const [first, ...others] = offers.flat().filter((offer) => othersOf(offer).length > 0)
  if (!first) return { offers: [], businesses: [] }
  // Those anywhere in Australia are no close matches of a place: they are linked, but not shown.
  const isFar = first.without === 'place'
  return {
    offers: [first, ...others],
    businesses: isFar ? [] : await toHits(db, othersOf(first).slice(0, CLOSE_MATCHES), first.from),
  }
}

/** How many other places are searched when the named one has no match. */
const MAX_ELSEWHERE = 3

/** Searches the nearest other places, up to `NEARBY_KM` away. Distances are measured from the named place. */
async function findElsewhere(db: Database, search: Search, context: SearchContext, memoize: Memoize) {
  const named = await memoize(['place', search.place, true], () => resolvePlace(db, search.place, true))
  if (named === 'unknown' || !('place' in named)) return null
  const others = await listPlacesAround(db, named.place, categoriesOf(search), {
    beyondKm: context.nearKm,
    withinKm: NEARBY_KM,
  })
  for (const other of pickApart(others, context.nearKm, MAX_ELSEWHERE)) {
    const there: Search = { ...firstPage(search), place: placeLabel(other), near: true }
    const page = await find(db, there, context, memoize)
    if (page.total === 0) continue
    const km = Math.round(distanceKm(named.place, other))
    const text = elsewhereText(there.place, km)
    const from: Vantage = { name: '', point: named.place, showsDistance: true, based: null }
    return { ...page, without: 'elsewhere', text, km, search: there, from }
  }
  return null
}

/** @param from where the search's place is, or null for none */
export async function toHits(
  db: Database,
  ids: readonly string[],
  from: Vantage | null,
): Promise<SearchHit[]> {
  if (!from?.based && !from?.showsDistance) return listBusinessCards(db, ids)
  const { name, point, showsDistance, based } = from
  const [cards, { rows }] = await Promise.all([
    listBusinessCards(db, ids),
    sql<Coordinates & { id: string; is_based: boolean }>`
      select business_id as id, latitude, longitude, ${based ?? sql`true`} as is_based from search_listings
      where business_id = any(${[...ids]}::text[])`.execute(db),
  ])
  const found = new Map(rows.map((row) => [row.id, row]))
  return cards.map((card) => {
    const row = found.get(card.id)
    if (!row) return card
    const km = point && Math.round(distanceKm(point, row))
    if (!row.is_based) return { ...card, travelText: travelText(name, km) }
    return showsDistance && km !== null ? { ...card, distanceKm: km } : card
  })
}
