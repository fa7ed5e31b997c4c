import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { BusinessCardView } from '../businesses/queries.server.ts'
import { NEARBY_KM, PAGE_SIZE } from '../businesses/rules.ts'
import { type Coordinates, distanceKm, placeLabel, type State } from '../places/rules.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { indexFilterOf, plainCategory } from './filter-queries.server.ts'
import { elsewhereText } from './messages.ts'
import { findPage, type SearchContext } from './page-queries.server.ts'
import { listPlacesAround, type PlaceFound, type Resolved, resolvePlace } from './place-queries.server.ts'
import { type RelaxedSearch, relaxedSearches } from './relaxed-rules.ts'
import { categoriesOf, nameKey, pickApart } from './rules.ts'
import { firstPage, type Search } from './schema.ts'
import { type Correction, type Doubt, interpret, understand } from './word-queries.server.ts'

/** One business of a search's answer. */
export type SearchHit = BusinessCardView & {
  /** From the place that was named, in whole km as the crow flies. */
  distanceKm?: number
}

export type SearchPage = {
  businesses: SearchHit[]
  /** How many there are, counted to `COUNT_CAP`: more is COUNT_CAP + 1. */
  total: number
  /** There are more than `total`, which is as far as it was looked. */
  isOpenEnded: boolean
  /** What `after` and `before` are on the next page and the one before; null where there is none. */
  next: string | null
  previous: string | null
  /** null when the search names none; 'unknown' when nothing is like it. */
  place: PlaceFound | 'unknown' | null
  area: SearchArea
  corrections: Correction[]
}

/** Where the listings of a search lie; null for all of Australia. */
export type SearchArea = { state: State } | { placeId: string } | { around: Coordinates; km: number } | null

/** The page of businesses that a search asks for. */
export async function listFound(db: Database, search: Search, context: SearchContext): Promise<SearchPage> {
  const { ids, from, ...page } = await find(db, search, context)
  return { ...page, businesses: await toHits(db, ids, from) }
}

/** @property from where distances are from; null for none */
type FoundPage = Omit<SearchPage, 'businesses'> & { ids: string[]; from: Coordinates | null }

/** Gives what was answered to the same question before. */
type AskOnce = <Answer>(question: unknown[], ask: () => Promise<Answer>) => Promise<Answer>

function createAskOnce(): AskOnce {
  const answers = new Map<string, Promise<unknown>>()
  return <Answer>(question: unknown[], ask: () => Promise<Answer>) => {
    const key = JSON.stringify(question)
    const answer = answers.get(key) ?? ask()
    answers.set(key, answer)
    return answer as Promise<Answer>
  }
}

/**
 * The same before anything of the businesses is read.
 * @param once shared by searches that have places and words in common
 */
async function find(
  db: Database,
  search: Search,
  context: SearchContext,
  once: AskOnce = createAskOnce(),
): Promise<FoundPage> {
  // A named place narrows whatever it turns out to be; without one all that narrows is known already.
  const whole = search.place ? null : indexFilterOf(search, null, context)
  const isPlain = whole !== null && plainCategory(whole) !== undefined
  const [place, language] = await Promise.all([
    search.place ? once(['place', search.place], () => resolvePlace(db, search.place)) : null,
    once(['words', search.q, search.occasion, isPlain], () => understand(db, search, !isPlain)),
  ])
  const interpreted = (doubt: Doubt) => once([doubt, search.q], () => interpret(db, language, doubt))
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
  if (place === 'unknown') return nothing
  const indexFilter = indexFilterOf(search, place, context)
  if (!indexFilter) return nothing
  const asked = await interpreted('unknown words')
  let page = await findPage(db, search, { indexFilter, asked, language, named: null }, context)
  let corrections = asked.corrections
  if (
    page.items.length < PAGE_SIZE &&
    !page.named.isExact &&
    corrections.length === 0 &&
    language.words.length > 0 &&
    !search.after
  ) {
    // Hardly anybody says it so: perhaps those few, or the visitor, mistyped what many say.
    const meant = await interpreted('rare words')
    if (meant.corrections.length > 0) {
      page = await findPage(db, search, { indexFilter, asked: meant, language, named: page.named }, context)
      corrections = meant.corrections
    }
  }
  const { items, named: _, ...rest } = page
  const from = place && 'place' in place && search.near ? place.place : null
  return { ...nothing, ...rest, corrections, ids: items.map(({ id }) => id), from }
}

function areaOf(search: Search, place: Resolved, { nearKm }: SearchContext): SearchArea {
  if ('state' in place) return { state: place.state }
  return search.near ? { around: place.place, km: nearKm } : { placeId: place.place.id }
}

/** What a smaller search term would find. */
type Relaxed = RelaxedSearch & Pick<SearchPage, 'total' | 'isOpenEnded'>

/** So many of the businesses of the first smaller search term are shown. */
const CLOSE_MATCHES = 3

/**
 * What to offer when nothing fits.
 * @returns how many each smaller search term would find, without those that find nothing; and the first businesses of the one
 * that gives up least
 */
export async function listRelaxed(
  db: Database,
  search: Search,
  context: SearchContext,
): Promise<{ offers: Relaxed[]; businesses: SearchHit[] }> {
  const once = createAskOnce()
  const offers = await Promise.all(
    relaxedSearches(search).map(async (relaxed) => {
      const page = await find(db, relaxed.search, context, once)
      if (page.total === 0) return []
      const elsewhere = relaxed.without === 'place' ? await findElsewhere(db, search, context, once) : null
      return [...(elsewhere ? [elsewhere] : []), { ...relaxed, ...page }]
    }),
  )
  const [first, ...others] = offers.flat()
  if (!first) return { offers: [], businesses: [] }
  return {
    offers: [first, ...others],
    businesses: await toHits(db, first.ids.slice(0, CLOSE_MATCHES), first.from),
  }
}

/** In so many other surroundings it is looked for what the place that was named has not. */
const MAX_ELSEWHERE = 3

/** The nearest other surroundings where something fits, up to NEARBY_KM away; distances are from the place that was named. */
async function findElsewhere(db: Database, search: Search, context: SearchContext, once: AskOnce) {
  const named = await once(['place', search.place], () => resolvePlace(db, search.place))
  if (named === 'unknown' || !('place' in named)) return null
  const others = await listPlacesAround(db, named.place, categoriesOf(search), {
    beyondKm: context.nearKm,
    withinKm: NEARBY_KM,
  })
  for (const other of pickApart(others, context.nearKm, MAX_ELSEWHERE)) {
    const there: Search = { ...firstPage(search), place: placeLabel(other), near: true }
    const page = await find(db, there, context, once)
    if (page.total === 0) continue
    const km = Math.round(distanceKm(named.place, other))
    const text = elsewhereText(there.place, km)
    return { ...page, without: 'elsewhere', text, km, search: there, from: named.place }
  }
  return null
}

/** @param from distances are from here; null for none */
async function toHits(db: Database, ids: readonly string[], from: Coordinates | null): Promise<SearchHit[]> {
  if (!from) return listBusinessCards(db, ids)
  const [cards, { rows }] = await Promise.all([
    listBusinessCards(db, ids),
    sql<Coordinates & { id: string }>`
      select business_id as id, latitude, longitude from search_listings
      where business_id = any(${[...ids]}::text[])`.execute(db),
  ])
  const points = new Map(rows.map((row) => [row.id, row]))
  return cards.map((card) => {
    const point = points.get(card.id)
    return point ? { ...card, distanceKm: Math.round(distanceKm(from, point)) } : card
  })
}

/** Whether a text is the whole name of a business, whatever else it could be taken for. */
export async function isBusinessName(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql`select from search_listings where name_key = ${nameKey(text)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
