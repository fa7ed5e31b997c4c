import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { listBookable } from '../availability/queries.server.ts'
import { type BusinessCardView, listBusinessCards } from '../businesses/queries.server.ts'
import { NEARBY_KM, PAGE_SIZE, type Pricing } from '../businesses/rules.ts'
import { type Coordinates, distanceKm, placeLabel, type State } from '../places/rules.ts'
import {
  addGroup,
  byPrice,
  byWords,
  type Candidate,
  comparePositions,
  countPlain,
  type ListedRow,
  listByPrice,
  listNewest,
  listPlain,
  type Narrowing,
  narrowingOf,
  plainCategory,
  quoteTerm,
  toNewest,
} from './list-queries.server.ts'
import {
  listPlacesAround,
  type PlaceFound,
  type Resolved,
  resolvePlace,
  splitPlace,
} from './place-queries.server.ts'
import {
  COUNT_CAP,
  categoriesOf,
  comparedPrice,
  editsOf,
  FAVOURED_POOL_SIZE,
  hoursOf,
  type LooserSearch,
  looserSearches,
  nameKey,
  pickApart,
} from './rules.ts'
import { type Search, sortOf } from './schema.ts'
import {
  type Correction,
  type Doubt,
  type Interpretation,
  interpret,
  type Language,
  understand,
} from './word-queries.server.ts'

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

/** Longer names are not compared with everything that one typing error makes of them. */
const MAX_EDITED_LENGTH = 40
const MAX_NAMED = 50
/** How many candidates are asked at once whether they can be booked, and how many at most for one page. */
const BATCH_SIZE = 60
const MAX_EXAMINED = 600

/** Where the listings of a search lie; null for all of Australia. */
export type SearchArea = { state: State } | { placeId: string } | { around: Coordinates; km: number } | null

/** What a search needs beside the database. */
export type SearchContext = { nearKm: number; now: Date }

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
  const whole = search.place ? null : narrowingOf(search, null, context)
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
  const narrowing = narrowingOf(search, place, context)
  if (!narrowing) return nothing
  const asked = await interpreted('unknown words')
  let page = await findPage(db, search, { narrowing, asked, language, named: null }, context)
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
      page = await findPage(db, search, { narrowing, asked: meant, language, named: page.named }, context)
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

/** What a smaller wish would find. */
type Looser = LooserSearch & Pick<SearchPage, 'total' | 'isOpenEnded'>

/** So many of the businesses of the first smaller wish are shown. */
const CLOSE_MATCHES = 3

/**
 * What to offer when nothing fits.
 * @returns how many each smaller wish would find, without those that find nothing; and the first businesses of the one
 * that gives up least
 */
export async function listLooser(
  db: Database,
  search: Search,
  context: SearchContext,
): Promise<{ offers: Looser[]; businesses: SearchHit[] }> {
  const once = createAskOnce()
  const offers = await Promise.all(
    looserSearches(search).map(async (looser) => {
      const page = await find(db, looser.search, context, once)
      if (page.total === 0) return []
      const elsewhere = looser.without === 'place' ? await findElsewhere(db, search, context, once) : null
      return [...(elsewhere ? [elsewhere] : []), { ...looser, ...page }]
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
    const there: Search = { ...search, place: placeLabel(other), near: true, after: '', before: '' }
    const page = await find(db, there, context, once)
    if (page.total === 0) continue
    const km = Math.round(distanceKm(named.place, other))
    return { ...page, without: 'elsewhere' as const, km, search: there, from: named.place }
  }
  return null
}

// Candidates ------------------------------------------------------------------------------------------------------

/** Businesses whose very name was typed. If one of them is, nothing was mistyped. */
type Named = { ids: string[]; isExact: boolean }
/** @property named null where they were not looked for yet */
type Found = { narrowing: Narrowing; asked: Interpretation; language: Language; named: Named | null }
/** In the order of the list, or against it, from a cursor on; without one from the beginning. */
type Stream = (cursor: string, limit: number, backwards: boolean) => Promise<Candidate[]>

async function findPage(
  db: Database,
  search: Search,
  { narrowing, asked, language, named: namedBefore }: Found,
  context: SearchContext,
): Promise<
  Pick<SearchPage, 'total' | 'isOpenEnded' | 'next' | 'previous'> & { items: Candidate[]; named: Named }
> {
  const worded: Narrowing = { ...narrowing, any: [...narrowing.any], all: [...narrowing.all] }
  for (const group of asked.groups) addGroup(worded, group)
  // Only the very name can be meant then.
  if (asked.isEmpty) worded.where = [...worded.where, sql`false`]
  // Each business has to be asked whether it can be booked so: then only as many as a page needs are.
  const isAsked = search.date !== null || search.guests !== null
  const sort = sortOf(search)
  const category = plainCategory(worded)
  const isPlain = category !== undefined
  const ranking = sort === 'relevance' ? rankingOf({ narrowing, worded, asked, language }) : null
  // Side by side: each takes the database a few milliseconds, and none needs the others.
  const pooling =
    isPlain || (isAsked && sort === 'newest')
      ? null
      : listNewest(db, worded, language.era, COUNT_CAP + 1, ranking ? { score: ranking.score } : {})
  const counting = isPlain && !isAsked ? countPlain(db, category) : 0
  const size = isAsked ? BATCH_SIZE : PAGE_SIZE + 1
  const accept = (batch: Candidate[]) => (isAsked ? keepBookable(db, batch, search, context) : batch)
  let named: Named = { ids: [], isExact: false }
  let total = 0
  let page: Awaited<ReturnType<typeof pageOf>>
  if (sort === 'newest') {
    const stream: Stream = async (cursor, limit, backwards) => {
      if (pooling && !cursor) return (await pooling).rows.slice(0, limit).map(toNewest)
      const rows = isPlain
        ? await listPlain(db, category, cursor, limit, backwards)
        : (await listNewest(db, worded, language.era, limit, { cursor, backwards })).rows
      return rows.map(toNewest)
    }
    const [found, pool, count] = await Promise.all([pageOf(stream, search, accept, size), pooling, counting])
    page = found
    total = pool ? pool.rows.length : count
  } else {
    const [pool, favoured, ofThatName, count] = await Promise.all([
      pooling,
      ranking && !asked.isEmpty ? listFavoured(db, ranking, language.era) : [],
      namedBefore ?? (ranking ? listNamed(db, search, narrowing, language) : named),
      counting,
    ])
    named = ofThatName
    const ranked = ranking ? rank(named.ids, [...(pool?.rows ?? []), ...favoured]) : null
    const stream: Stream = ranked
      ? streamOf(ranked)
      : pool && pool.rows.length <= COUNT_CAP
        ? streamOf(byPrice(search, pool.rows))
        : (cursor, limit, backwards) => listByPrice(db, search, worded, pool, { cursor, limit, backwards })
    page = await pageOf(stream, search, accept, size)
    total = pool ? Math.min(COUNT_CAP + 1, Math.max(pool.rows.length, ranked?.length ?? 0)) : count
  }
  if (!isAsked) return { ...page, named, total, isOpenEnded: total > COUNT_CAP }
  return {
    ...page,
    named,
    total: page.items.length,
    isOpenEnded: page.next !== null || page.previous !== null,
  }
}

/** Those of a batch that can be booked as the search wants. */
async function keepBookable(
  db: Database,
  batch: Candidate[],
  search: Search,
  { now }: SearchContext,
): Promise<Candidate[]> {
  const { date, from: time, guests } = search
  const unitOf = (pricing: Pricing) => comparedPrice(search, pricing).unit
  const wish = { date, time, guests, hours: hoursOf(search), unitOf }
  const bookable = await listBookable(
    db,
    batch.map(({ id }) => id),
    wish,
    now,
  )
  return batch.filter(({ id }) => bookable.has(id))
}

/** Takes from a stream until a page is full, and a look beyond, so that it is known whether there is more. */
async function pageOf(
  stream: Stream,
  search: Search,
  accept: (batch: Candidate[]) => Promise<Candidate[]> | Candidate[],
  batchSize: number,
): Promise<{ items: Candidate[]; next: string | null; previous: string | null }> {
  const backwards = search.before !== ''
  const start = search.after || search.before
  const accepted: Candidate[] = []
  let cursor = start
  let hasMore = true
  for (
    let examined = 0;
    accepted.length <= PAGE_SIZE && examined < MAX_EXAMINED && hasMore;
    examined += batchSize
  ) {
    const batch = await stream(cursor, batchSize, backwards)
    accepted.push(...(await accept(batch)))
    cursor = batch.at(-1)?.cursor ?? cursor
    hasMore = batch.length === batchSize
  }
  hasMore ||= accepted.length > PAGE_SIZE
  // What lay before or after has gone meanwhile, or it is the beginning: then the list begins anew, and is full.
  if (start && (accepted.length === 0 || (backwards && !hasMore)))
    return pageOf(stream, { ...search, after: '', before: '' }, accept, batchSize)
  const items = accepted.slice(0, PAGE_SIZE)
  const last = accepted.length > PAGE_SIZE ? (items.at(-1)?.cursor ?? null) : cursor
  if (backwards) {
    return { items: items.toReversed(), next: items[0]?.cursor ?? null, previous: last }
  }
  return { items, next: hasMore ? last : null, previous: start ? (items[0]?.cursor ?? null) : null }
}

/** A list that is whole in memory as a stream. */
function streamOf(candidates: readonly Candidate[]): Stream {
  return async (cursor, limit, backwards) => {
    const ordered = backwards ? candidates.toReversed() : candidates
    const at = cursor ? ordered.findIndex((candidate) => candidate.cursor === cursor) : -1
    return cursor && at < 0 ? [] : ordered.slice(at + 1, at + 1 + limit)
  }
}

// Best match first ------------------------------------------------------------------------------------------------

/** How a listing's fit is worked out, and which listings are worth a look beside the newest. */
type Ranking = { score: RawBuilder<number>; favoured: Narrowing[] }

function rankingOf({
  narrowing,
  worded,
  asked,
  language,
}: Omit<Found, 'named'> & { worded: Narrowing }): Ranking {
  const anyOf = (terms: readonly string[]) => `(${terms.map(quoteTerm).join('|')})`
  const parts: RawBuilder<number>[] = []
  const favoured: Narrowing[] = []
  if (asked.groups.length > 0) {
    const groupsInName = asked.groups.map((group) => group.map((stem) => `n/${stem}`))
    const inName: Narrowing = { ...narrowing, all: [...narrowing.all], any: [...narrowing.any] }
    for (const group of groupsInName) addGroup(inName, group)
    favoured.push(inName)
    parts.push(
      sql`(words @@ ${groupsInName.map(anyOf).join('&')}::tsquery)::int * 4`,
      // Name, category and services, place, description; between 0 and 1.
      sql`ts_rank('{0.1, 0.25, 0.5, 1}', words, ${asked.groups.map(anyOf).join('&')}::tsquery, 32)`,
    )
  }
  if (language.occasion.length > 0) {
    favoured.push({ ...worded, any: [...worded.any, language.occasion] })
    parts.push(sql`(words @@ ${anyOf(language.occasion)}::tsquery)::int * 2`)
  }
  return { score: parts.length > 0 ? sql`${sql.join(parts, sql` + `)}` : sql`0`, favoured }
}

/** The newest of each kind that is favoured. */
async function listFavoured(db: Database, { score, favoured }: Ranking, era: number): Promise<ListedRow[]> {
  const found = await Promise.all(
    favoured.map((each) => listNewest(db, each, era, FAVOURED_POOL_SIZE, { score })),
  )
  return found.flatMap(({ rows }) => rows)
}

/**
 * The order of the best match: first those whose very name was typed, with its place or without and with a typing error or
 * without; then those with all words in the name; then by where the words stand.
 */
function rank(named: readonly string[], rows: readonly ListedRow[]): Candidate[] {
  const ranked = rows.toSorted(
    (a, b) => Number(b.score) - Number(a.score) || comparePositions(b, a) || (a.id < b.id ? -1 : 1),
  )
  return [...new Set([...named, ...ranked.map(({ id }) => id)])].map((id) => ({ id, cursor: id }))
}

/** The businesses whose name was typed: exactly, or with the place at its end, or else with one typing error. */
async function listNamed(
  db: Database,
  search: Search,
  narrowing: Narrowing,
  { words }: Language,
): Promise<Named> {
  const [onlyWord] = words
  // A word like any other is no name with an error.
  const forgives = words.length > 1 || !onlyWord?.isKnown
  const key = nameKey(search.q)
  if (!key) return { ids: [], isExact: false }
  const splits = await splitPlace(db, search.q)
  const find = async (keys: readonly string[], splitKeys: (name: string) => readonly string[]) => {
    const names = [
      ...(keys.length > 0 ? [sql`name_key = any(${[...keys]}::text[])`] : []),
      ...splits.map(
        ({ name, terms }) =>
          sql`(name_key = any(${[...splitKeys(name)]}::text[]) and words @@ ${terms.map(quoteTerm).join('|')}::tsquery)`,
      ),
    ]
    if (names.length === 0) return []
    const { rows } = await sql<{ id: string }>`select business_id as id from search_listings
      where (${sql.join(names, sql` or `)}) and ${byWords(narrowing)}
      order by search_listings.position + 0 desc, business_id limit ${MAX_NAMED}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const exact = await find([key], (name) => [name])
  if (exact.length > 0 || !forgives) return { ids: exact, isExact: exact.length > 0 }
  const editable = (name: string) =>
    name.length >= 4 && name.length <= MAX_EDITED_LENGTH ? editsOf(name) : []
  return { ids: await find(editable(key), editable), isExact: false }
}

// Answers ---------------------------------------------------------------------------------------------------------

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
