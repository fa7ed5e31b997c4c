import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { listBookable } from '../availability/queries.server.ts'
import { type BusinessCardView, listBusinessCards } from '../businesses/queries.server.ts'
import { CATEGORIES, type Category, PAGE_SIZE } from '../businesses/rules.ts'
import { distanceKm, parsePlaceText, placeLabel, type State, stateNamed } from '../places/rules.ts'
import { MAX_LINE_LENGTH } from './limits.ts'
import {
  boxAround,
  COUNT_CAP,
  categoriesLike,
  categoriesOf,
  editsOf,
  eraOf,
  errorsForgiven,
  FAVOURED_POOL_SIZE,
  hoursOf,
  LISTINGS_IN_ERA,
  type LooserSearch,
  looserSearches,
  nameKey,
  nextStretch,
  OCCASION_WORDS,
  priceMarkers,
  pricesOf,
  quantityOf,
  type Stretch,
  searchWords,
  squaresOf,
  typingErrors,
} from './rules.ts'
import { type Search, sortOf } from './schema.ts'

/** One business of a search's answer. */
export type SearchHit = BusinessCardView & {
  /** From the place that was named, in whole km as the crow flies. */
  distanceKm?: number
}

/** How a search understood its place. */
export type PlaceFound = {
  label: string
  /** Places of the same name in other states, which may have been meant. */
  others: string[]
  /** The text is no place's name; this one comes nearest to it. */
  isGuess: boolean
}

/** A word that no listing has, or hardly any, and those that were looked for as well. */
export type Correction = { typed: string; used: string[] }

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
  corrections: Correction[]
}

/** What a search needs beside the database. */
export type SearchContext = { nearKm: number; now: Date }

/** What the database has for a price on request, so that it sorts behind every price. */
const NO_PRICE: Cents = 100_000_000
const ANY_PRICE = { from: 1, to: NO_PRICE - 1 }
const UNITS = ['perPerson', 'perHour'] as const satisfies readonly PriceUnit[]
/** Longer names are not compared with everything that one typing error makes of them. */
const MAX_EDITED_LENGTH = 40
const MAX_NAMED = 50
const MAX_PLACE_WORDS = 4
/** How many candidates are asked at once whether they can be booked, and how many at most for one page. */
const BATCH_SIZE = 60
const MAX_EXAMINED = 600

/** A candidate on its way to a page. */
type Candidate = { id: string; cursor: string }

/**
 * What narrows a search in SQL: terms of which a listing has all, groups of terms of which it has one, conditions on
 * columns, and the prices of which it has one; none where any will do.
 */
type Narrowing = {
  all: string[]
  any: string[][]
  where: RawBuilder<boolean>[]
  prices: PriceRange[]
}
type PriceRange = { unit: PriceUnit; from: Cents; to: Cents }

/** The page of businesses that a search asks for. */
export async function listFound(db: Database, search: Search, context: SearchContext): Promise<SearchPage> {
  // A named place narrows whatever it turns out to be; without one all that narrows is known already.
  const whole = search.place ? null : narrowingOf(search, null, context)
  const isPlain = whole !== null && plainCategory(whole) !== undefined
  const [place, language] = await Promise.all([
    search.place ? resolvePlace(db, search.place) : null,
    understand(db, search, !isPlain),
  ])
  const nothing: SearchPage = {
    businesses: [],
    total: 0,
    isOpenEnded: false,
    next: null,
    previous: null,
    place: place && (place === 'unknown' ? place : place.found),
    corrections: [],
  }
  if (place === 'unknown') return nothing
  const narrowing = narrowingOf(search, place, context)
  if (!narrowing) return nothing
  const asked = await interpret(db, language, 'unknown words')
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
    const meant = await interpret(db, language, 'rare words')
    if (meant.corrections.length > 0) {
      page = await findPage(db, search, { narrowing, asked: meant, language, named: page.named }, context)
      corrections = meant.corrections
    }
  }
  const { items, named: _, ...rest } = page
  return { ...nothing, ...rest, corrections, businesses: await toHits(db, items, search, place) }
}

/**
 * What to offer when nothing fits: how many each smaller wish would find, and the first businesses of the one that
 * gives up least.
 * @returns none that finds nothing
 */
export async function listLooser(
  db: Database,
  search: Search,
  context: SearchContext,
): Promise<(LooserSearch & Pick<SearchPage, 'total' | 'isOpenEnded' | 'businesses'>)[]> {
  const found = []
  for (const looser of looserSearches(search)) {
    const page = await listFound(db, looser.search, context)
    if (page.total > 0) found.push({ ...looser, ...page })
  }
  return found
}

// Places ----------------------------------------------------------------------------------------------------------

type Place = {
  id: string
  name: string
  state: State
  latitude: number
  longitude: number
  population: number
}
type Resolved = { found: PlaceFound; state: State } | { found: PlaceFound; place: Place }

/** What a typed place means: a state, the largest place of that name or beginning, or one that is spelt alike. */
async function resolvePlace(db: Database, text: string): Promise<Resolved | 'unknown'> {
  const onlyState = stateNamed(text)
  if (onlyState) return { found: { label: onlyState, others: [], isGuess: false }, state: onlyState }
  const { name, state } = parsePlaceText(text)
  const wanted = name.toLowerCase()
  const inState = state ? sql`and state = ${state}` : sql``
  const select = sql`select id, name, state, latitude, longitude, population from places`
  const exact = await sql<Place>`${select} where lower(name) collate "C" = ${wanted} ${inState}
    order by population desc, id limit 9`.execute(db)
  const [place, ...others] = exact.rows
  if (place)
    return { found: { label: placeLabel(place), others: others.map(placeLabel), isGuess: false }, place }
  if (wanted.length < 3) return 'unknown'
  const alike = await sql<Place>`${select}
    where (lower(name) % ${wanted} or starts_with(lower(name), ${wanted})) ${inState}
    order by starts_with(lower(name), ${wanted}) desc, similarity(lower(name), ${wanted}) desc, population desc, id
    limit 1`.execute(db)
  const [nearest] = alike.rows
  if (!nearest) return 'unknown'
  const isBeginning = nearest.name.toLowerCase().startsWith(wanted)
  return { found: { label: placeLabel(nearest), others: [], isGuess: !isBeginning }, place: nearest }
}

/** The names of places and states among these texts, for `parseLine`: a function that knows them. */
export async function findPlaceNames(
  db: Database,
  texts: readonly string[],
): Promise<(text: string) => string | null> {
  const parsed = texts.map((text) => ({ text, ...parsePlaceText(text) }))
  const names = [...new Set(parsed.map(({ name }) => name.toLowerCase()).filter(Boolean))]
  const rows =
    names.length === 0
      ? []
      : (
          await sql<Pick<Place, 'name' | 'state'>>`select name, state from places
            where lower(name) collate "C" = any(${names}::text[])`.execute(db)
        ).rows
  return (text) => {
    const state = stateNamed(text)
    if (state) return state
    const wanted = parsePlaceText(text)
    const found = rows.filter(
      (row) =>
        row.name.toLowerCase() === wanted.name.toLowerCase() && (!wanted.state || row.state === wanted.state),
    )
    const [only] = found
    // Where several states have the name, it stays as it is: the page then offers the others.
    return only ? (found.length === 1 ? placeLabel(only) : only.name) : null
  }
}

// What narrows ----------------------------------------------------------------------------------------------------

/** Everything but the words. @returns null when nothing can pass it */
function narrowingOf(search: Search, place: Resolved | null, { nearKm }: SearchContext): Narrowing | null {
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
  const ranges = UNITS.map((unit) => ({ unit, range: pricesOf(search, unit) }))
  if (ranges.every(({ range }) => range === 'none')) return null
  if (ranges.some(({ range }) => range !== null)) {
    narrowing.prices = ranges.flatMap(({ unit, range }) =>
      range === 'none' ? [] : [{ unit, ...(range ?? ANY_PRICE) }],
    )
  } else if (search.date) {
    // At $0 there is nothing to book (Decision 5).
    narrowing.where.push(sql`price_cents + 0 < ${NO_PRICE}`)
  }
  return narrowing
}

function addGroup(narrowing: Narrowing, terms: readonly string[]) {
  if (terms.length === 1) narrowing.all.push(...terms)
  else narrowing.any.push([...terms])
}

/** The distance from a point in km, as `distanceKm` has it. */
function distanceSql(from: { latitude: number; longitude: number }): RawBuilder<number> {
  return sql`(12742.0176 * asin(least(1, sqrt(
    power(sin(radians(latitude - ${from.latitude}) / 2), 2)
    + cos(radians(${from.latitude})) * cos(radians(latitude)) * power(sin(radians(longitude - ${from.longitude}) / 2), 2)))))`
}

/** The conditions on columns. */
function byColumns({ where, prices }: Narrowing): RawBuilder<boolean>[] {
  if (prices.length === 0) return where
  // `+ 0`: an index of prices is of no use beside that of terms.
  const each = prices.map(
    ({ unit, from, to }) => sql`(price_unit = ${unit} and price_cents + 0 between ${from} and ${to})`,
  )
  return [...where, sql`(${sql.join(each, sql` or `)})`]
}

const LISTING_TERMS = sql.raw('tsvector_to_array(words)')

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
function byWords(narrowing: Narrowing): RawBuilder<boolean> {
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

function quoteTerm(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`
}

/** The one category that a list is of, if that is all there is to it, or null for all: then an index has it in its order. */
function plainCategory(narrowing: Narrowing): string | null | undefined {
  return narrowing.prices.length > 0 ? undefined : categoryButPrice(narrowing)
}

/** The same where prices narrow it further. */
function categoryButPrice({ all, any, where }: Narrowing): string | null | undefined {
  if (any.length > 0 || where.length > 0 || all.length > 1) return undefined
  const [term] = all
  return term === undefined ? null : term.startsWith('c/') ? term.slice(2) : undefined
}

// Words -----------------------------------------------------------------------------------------------------------

/** What the database knows of what was typed. */
type Language = {
  words: { typed: string; stems: string[]; isKnown: boolean }[]
  /** Stems of the words that speak of the occasion. */
  occasion: string[]
  /** The newest era. */
  era: number
}

/** @param isNarrowed whether the newest era is wanted even without a word */
async function understand(
  db: Database,
  search: Pick<Search, 'q' | 'occasion'>,
  isNarrowed: boolean,
): Promise<Language> {
  const words = searchWords(search.q)
  const occasion = search.occasion ? OCCASION_WORDS[search.occasion] : []
  if (words.length + occasion.length === 0 && !isNarrowed) return { words: [], occasion: [], era: 0 }
  const { rows } = await sql<{ stems: string[] | null; is_known: boolean | null; newest: string | null }>`
    select w.n, tsvector_to_array(to_tsvector('english', w.word)) as stems,
      exists (select from search_words k where k.word = w.word) as is_known, null as newest
    from unnest(${[...words, ...occasion]}::text[]) with ordinality w (word, n)
    union all select null, null, null, (select max(position) from search_listings)::text
    order by n nulls last`.execute(db)
  return {
    words: words.map((typed, index) => ({
      typed,
      stems: rows[index]?.stems ?? [],
      isKnown: rows[index]?.is_known ?? false,
    })),
    occasion: rows.slice(words.length, words.length + occasion.length).flatMap(({ stems }) => stems ?? []),
    era: eraOf(BigInt(rows.at(-1)?.newest ?? 0)),
  }
}

/** What is looked for: of each group of stems one, and what was put in the place of what was typed. */
type Interpretation = {
  groups: string[][]
  corrections: Correction[]
  /** Words were typed, but none that can be looked for: 'the', '???'. */
  isEmpty: boolean
}

/**
 * Decides what is looked for. A word that no listing has stands for those that are one or two typing errors away; a
 * rare one stands also for one that is far more common.
 */
async function interpret(
  db: Database,
  { words, era }: Language,
  doubt: 'unknown words' | 'rare words',
): Promise<Interpretation> {
  const wanted = words.filter(({ stems }) => stems.length > 0)
  const alikes = await Promise.all(
    wanted.map(({ typed, stems, isKnown }) =>
      isKnown && doubt === 'unknown words' ? [] : listAlike(db, typed, era, isKnown ? stems : null),
    ),
  )
  const corrections: Correction[] = []
  const groups: string[][] = []
  for (const [index, { typed, stems }] of wanted.entries()) {
    const alike = alikes[index] ?? []
    if (alike.length > 0) corrections.push({ typed, used: alike.map(({ word }) => word) })
    groups.push([...new Set([...stems, ...alike.flatMap((word) => word.stems)])])
  }
  return { groups, corrections, isEmpty: words.length > 0 && wanted.length === 0 }
}

/** A rare word gives way only to one that is so many times as common in the newest listings. */
const TIMES_MORE_COMMON = 20
const COUNTED_ALIKE = 200
const MAX_ALIKE = 3

/**
 * Known words that may have been meant, the likeliest first.
 * @param stems of the word itself, if listings have it
 */
async function listAlike(
  db: Database,
  typed: string,
  era: number,
  stems: readonly string[] | null,
): Promise<{ word: string; stems: string[] }[]> {
  const forgiven = errorsForgiven(typed)
  if (forgiven === 0) return []
  const eras = nextStretch(era, -1, null)?.markers ?? []
  const countOf = (terms: RawBuilder<unknown>, most: number) => sql<string | number>`(select count(*) from (
    select from search_listings where ${LISTING_TERMS} && ${eras}::text[] and ${LISTING_TERMS} @> ${terms}
    limit ${most}) counted)`
  let own = 0
  if (stems) {
    const most = COUNTED_ALIKE / TIMES_MORE_COMMON
    const counted = await sql<{
      count: string | number
    }>`select ${countOf(sql`${stems}::text[]`, most)} as count`.execute(db)
    own = Number(counted.rows[0]?.count ?? 0)
    // Nothing is counted that far above it.
    if (own >= most) return []
  }
  // One error away is looked up outright; two, in long words, are found by the letters that they share. Each by itself,
  // which only the primary key answers: `= any` of hundreds may be asked of the index of shared letters, too, and takes
  // a thousand times as long there.
  const near =
    forgiven === 1
      ? sql`select known.word from unnest(${editsOf(typed)}::text[]) edit (word)
          cross join lateral (select word from search_words where search_words.word = edit.word limit 1) known`
      : sql`select word from search_words where word % ${typed} order by similarity(word, ${typed}) desc, word limit 20`
  const { rows } = await sql<{ word: string; stems: string[]; count: string | number }>`
    select near.word, stem.stems, ${countOf(sql`stem.stems`, COUNTED_ALIKE)} as count
    from (${near}) near
    cross join lateral (select tsvector_to_array(to_tsvector('english', near.word)) as stems) stem
    where cardinality(stem.stems) > 0`.execute(db)
  const ranked = rows
    .filter(({ word }) => word !== typed)
    .map(({ word, stems, count }) => ({
      word,
      stems,
      count: Number(count),
      errors: typingErrors(typed, word),
    }))
    .filter(({ errors, count }) => errors <= forgiven && (!stems || count >= (own + 1) * TIMES_MORE_COMMON))
    .map((each) => ({ ...each, weight: (each.count + 1) / TIMES_MORE_COMMON ** each.errors }))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
  const best = ranked[0]
  // Others are as likely only when they are about as common.
  return best ? ranked.filter(({ weight }) => weight * 4 >= best.weight).slice(0, MAX_ALIKE) : []
}

// Candidates ------------------------------------------------------------------------------------------------------

/** Businesses whose very name was typed. If one of them is, nothing was mistyped. */
type Named = { ids: string[]; isExact: boolean }
/** @property named null where they were not looked for yet */
type Found = { narrowing: Narrowing; asked: Interpretation; language: Language; named: Named | null }
type ListedRow = {
  id: string
  position: string
  price_cents: string | number
  price_unit: PriceUnit
  score: string | number
}
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
  const needsPool = !isPlain && !(isAsked && sort === 'newest')
  // Side by side: each takes the database a few milliseconds, and none needs the others.
  const [pool, favoured, named] = await Promise.all([
    needsPool
      ? listNewest(db, worded, language.era, COUNT_CAP + 1, ranking ? { score: ranking.score } : {})
      : null,
    ranking && !asked.isEmpty ? listFavoured(db, ranking, language.era) : [],
    namedBefore ?? (ranking ? listNamed(db, search, narrowing, language) : { ids: [], isExact: false }),
  ])
  let total = pool ? pool.rows.length : isPlain ? await countPlain(db, category) : 0
  let stream: Stream
  if (ranking) {
    const ranked = rank(named.ids, [...(pool?.rows ?? []), ...favoured])
    if (pool) total = Math.min(COUNT_CAP + 1, Math.max(total, ranked.length))
    stream = streamOf(ranked)
  } else if (sort === 'price') {
    stream =
      pool && pool.rows.length <= COUNT_CAP
        ? streamOf(byPrice(search, pool.rows))
        : (cursor, limit, backwards) => listByPrice(db, search, worded, pool, { cursor, limit, backwards })
  } else {
    stream = async (cursor, limit, backwards) => {
      if (pool && !cursor) return pool.rows.slice(0, limit).map(toNewest)
      const rows = isPlain
        ? await listPlain(db, category, cursor, limit, backwards)
        : (await listNewest(db, worded, language.era, limit, { cursor, backwards })).rows
      return rows.map(toNewest)
    }
  }
  const accept = async (batch: Candidate[]) => {
    if (!isAsked) return batch
    const wish = { date: search.date, time: search.from, guests: search.guests, hours: hoursOf(search) }
    const bookable = await listBookable(
      db,
      batch.map(({ id }) => id),
      wish,
      context.now,
    )
    return batch.filter(({ id }) => bookable.has(id))
  }
  const page = await pageOf(stream, search, accept, isAsked ? BATCH_SIZE : PAGE_SIZE + 1)
  if (!isAsked) return { ...page, named, total, isOpenEnded: total > COUNT_CAP }
  return {
    ...page,
    named,
    total: page.items.length,
    isOpenEnded: page.next !== null || page.previous !== null,
  }
}

/** Takes from a stream until a page is full, and a look beyond, so that it is known whether there is more. */
async function pageOf(
  stream: Stream,
  search: Search,
  accept: (batch: Candidate[]) => Promise<Candidate[]>,
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

// Newest first ----------------------------------------------------------------------------------------------------

const toNewest = ({ id, position }: ListedRow): Candidate => ({ id, cursor: `${position}.${id}` })

/** @returns the number parts and the id of a cursor, or null for one of another sort */
function readCursor(cursor: string, numbers: number): { numbers: bigint[]; id: string } | null {
  const parts = cursor.split('.')
  const id = parts.pop()
  return id && parts.length === numbers ? { numbers: parts.map(BigInt), id } : null
}

/** A list of one category, or of everything: an index has it in order, however deep. */
async function listPlain(
  db: Database,
  category: string | null,
  cursor: string,
  limit: number,
  backwards: boolean,
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select business_id as id, position::text as position, price_cents, price_unit, 0 as score from search_listings
    where ${category === null ? sql`true` : sql`category = ${category}`} and ${pastCursor(cursor, backwards)}
    order by search_listings.position ${direction(backwards)}, business_id ${direction(backwards)}
    limit ${limit}`.execute(db)
  return rows
}

async function countPlain(db: Database, category: string | null): Promise<number> {
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
async function listNewest(
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
      select business_id as id, position::text as position, price_cents, price_unit, ${score} as score
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
    ({ unit, from, to }) => sql`
      select business_id, position, price_cents, price_unit from search_listings
      where ${category === null ? sql`true` : sql`category = ${category}`} and price_unit = ${unit}
        and price_cents between ${from} and ${to} and ${pastCursor(cursor, backwards)}`,
  )
  const { rows } = await sql<ListedRow>`
    select business_id as id, position::text as position, price_cents, price_unit, 0 as score
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

/** What a listing costs as a search compares it: the total where the quantity is known, else its price. */
function comparedCents(search: Search, row: Pick<ListedRow, 'price_cents' | 'price_unit'>): number {
  return Number(row.price_cents) * timesPrice(search, row)
}

/** Listings without a price come last, whatever the quantity of others. */
const NO_PRICE_TIMES = 100_000

function timesPrice(
  search: Search,
  { price_cents, price_unit }: Pick<ListedRow, 'price_cents' | 'price_unit'>,
) {
  return Number(price_cents) >= NO_PRICE ? NO_PRICE_TIMES : (quantityOf(search, price_unit) ?? 1)
}

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

function byPrice(search: Search, rows: readonly ListedRow[]): Candidate[] {
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
async function listByPrice(
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
    for (const unit of UNITS) {
      const times = hasPrice ? (quantityOf(search, unit) ?? 1) : NO_PRICE_TIMES
      const from = at ? priceFrom(at.numbers, times, at.id) : null
      const to = end === null ? null : Math.floor(end / times)
      const isCommon =
        sample === null ||
        sample.share >= COMMON_EVERYWHERE ||
        (sample.share >= LEAST_SHARE_TO_WALK &&
          sample.rows.some((row) => row.price_unit === unit && isAhead(row)))
      const [low, high] = backwards ? [to, from?.cents] : [from?.cents, to]
      const markers = priceMarkers(
        unit,
        hasPrice ? { from: Number(low ?? 0), to: Number(high ?? NO_PRICE) } : { from: 0, to: 0 },
      )
      const fits = isCommon
        ? sql`price_unit = ${unit} and ${search.category ? sql`category = ${search.category}` : sql`true`}
            and ${byWords(narrowing)}`
        : byTerms(narrowing, markers)
      // `+ 0`: so an index of prices is walked only where it was chosen.
      const price = isCommon ? sql`search_listings.price_cents` : sql`(price_cents + 0)`
      const past = from
        ? sql`(${price}, position, business_id) ${sql.raw(backwards ? '<' : '>')}
            (${from.cents}::bigint, ${from.position}::bigint, ${from.id})`
        : sql`true`
      const last = to === null ? sql`true` : sql`${price} ${sql.raw(backwards ? '>=' : '<=')} ${to}`
      const found = await sql<ListedRow>`
        select business_id as id, position::text as position, price_cents, price_unit, 0 as score from search_listings
        where ${fits} and ${price} ${sql.raw(hasPrice ? '<' : '=')} ${NO_PRICE} and ${past} and ${last}
        order by ${price} ${order}, search_listings.position ${order}, business_id ${order}
        limit ${limit}`.execute(db)
      rows.push(...found.rows)
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

function comparePositions(a: ListedRow, b: ListedRow): number {
  const difference = BigInt(a.position) - BigInt(b.position)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
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

/** The ways in which a text may be a name with its place behind it: 'Harbour Light Pavilion in Williamstown VIC'. */
async function splitPlace(db: Database, text: string): Promise<{ name: string; terms: string[] }[]> {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const ends = Array.from({ length: Math.min(MAX_PLACE_WORDS, words.length - 1) }, (_, index) => {
    const place = words.slice(words.length - 1 - index).join(' ')
    const before = words.slice(0, words.length - 1 - index).join(' ')
    return { key: nameKey(before.replace(/\s(?:in|at|near)$/i, '')), place, wanted: parsePlaceText(place) }
  })
  if (ends.length === 0) return []
  const { rows } = await sql<{
    id: string
    name: string
    state: State
  }>`select id, lower(name) as name, state from places
    where lower(name) collate "C" = any(${ends.map(({ wanted }) => wanted.name.toLowerCase())}::text[])`.execute(
    db,
  )
  return ends.flatMap(({ key, place, wanted }) => {
    const onlyState = stateNamed(place)
    const terms = onlyState
      ? [`s/${onlyState}`]
      : rows
          .filter(
            ({ name, state }) => name === wanted.name.toLowerCase() && state === (wanted.state ?? state),
          )
          .map(({ id }) => `p/${id}`)
    return key && terms.length > 0 ? [{ name: key, terms }] : []
  })
}

// Answers ---------------------------------------------------------------------------------------------------------

async function toHits(
  db: Database,
  items: readonly Candidate[],
  search: Search,
  place: Resolved | null,
): Promise<SearchHit[]> {
  const ids = items.map(({ id }) => id)
  if (!place || !('place' in place) || !search.near) return listBusinessCards(db, ids)
  const [cards, rows] = await Promise.all([
    listBusinessCards(db, ids),
    sql<{ id: string; latitude: number; longitude: number }>`
      select business_id as id, latitude, longitude from search_listings
      where business_id = any(${ids}::text[])`.execute(db),
  ])
  const points = new Map(rows.rows.map((row) => [row.id, row]))
  return cards.map((card) => {
    const point = points.get(card.id)
    return point ? { ...card, distanceKm: Math.round(distanceKm(place.place, point)) } : card
  })
}

// Suggestions while somebody types --------------------------------------------------------------------------------

export type Suggestions = {
  categories: Category[]
  businesses: { id: string; name: string; location: string }[]
  /** As 'Geelong, VIC'. */
  places: string[]
}

const MIN_TYPED_LENGTH = 2
const MIN_PLACE_LENGTH = 3
const SUGGESTED_BUSINESSES = 5
const SUGGESTED_PLACES = 3
const MAX_COMPLETIONS = 8

/** What somebody may be typing: categories, businesses by the beginning of their name or of a word in it, places. */
export async function listSuggestions(db: Database, text: string): Promise<Suggestions> {
  const key = nameKey(text.slice(0, MAX_LINE_LENGTH))
  if (key.length < MIN_TYPED_LENGTH) return { categories: [], businesses: [], places: [] }
  const [businesses, places] = await Promise.all([suggestBusinesses(db, text, key), listPlacesFrom(db, text)])
  return { categories: categoriesLike(text), businesses, places }
}

async function suggestBusinesses(
  db: Database,
  text: string,
  key: string,
): Promise<Suggestions['businesses']> {
  const beginning = await listNamesFrom(db, key)
  const within =
    beginning.length < SUGGESTED_BUSINESSES
      ? await listNamesWithin(db, text, SUGGESTED_BUSINESSES - beginning.length, beginning)
      : []
  return listSuggested(db, [...beginning, ...within])
}

/** Names are compared by the codes of their letters, as the index has them: any other order would sort them all. */
async function listNamesFrom(db: Database, key: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select business_id as id from search_listings
    where name_key >= ${key} and name_key < ${`${key}\uffff`}
    order by name_key limit ${SUGGESTED_BUSINESSES}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest businesses that have each word in their name, the last one perhaps half typed, or mistyped. */
async function listNamesWithin(db: Database, text: string, limit: number, except: readonly string[]) {
  const typed = searchWords(text).at(-1)
  if (!typed) return []
  const [{ words, era }, completions] = await Promise.all([
    understand(db, { q: text, occasion: null }, true),
    listCompletions(db, typed),
  ])
  const narrowing: Narrowing = {
    all: [],
    any: [],
    where: [sql`business_id <> all(${[...except]}::text[])`],
    prices: [],
  }
  for (const word of words) {
    const isHalf = word.typed === typed
    const stems = isHalf ? completions : word.stems
    if (isHalf || stems.length > 0)
      addGroup(
        narrowing,
        stems.map((stem) => `n/${stem}`),
      )
  }
  if (narrowing.any.some((group) => group.length === 0)) {
    const asked = await interpret(db, { words, era, occasion: [] }, 'unknown words')
    if (asked.corrections.length === 0) return []
    narrowing.all = []
    narrowing.any = []
    for (const group of asked.groups)
      addGroup(
        narrowing,
        group.map((stem) => `n/${stem}`),
      )
  }
  if (narrowing.all.length + narrowing.any.length === 0) return []
  return (await listNewest(db, narrowing, era, limit)).rows.map(({ id }) => id)
}

/** The stems of known words that begin so. */
async function listCompletions(db: Database, typed: string): Promise<string[]> {
  const { rows } = await sql<{
    stems: string[]
  }>`select tsvector_to_array(to_tsvector('english', word)) as stems
    from search_words where word >= ${typed} and word < ${`${typed}\uffff`}
    order by word limit ${MAX_COMPLETIONS}`.execute(db)
  return [...new Set(rows.flatMap(({ stems }) => stems))]
}

async function listSuggested(db: Database, ids: readonly string[]): Promise<Suggestions['businesses']> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.id', 'businesses.name', 'places.name as place', 'places.state'])
    .where('businesses.id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? { id, name: row.name, location: placeLabel({ name: row.place, state: row.state }) } : []
  })
}

async function listPlacesFrom(db: Database, text: string): Promise<string[]> {
  const { name, state } = parsePlaceText(text.slice(0, MAX_LINE_LENGTH))
  const wanted = name.toLowerCase()
  if (wanted.length < MIN_PLACE_LENGTH) return []
  const { rows } = await sql<Pick<Place, 'name' | 'state'>>`select name, state from places
    where lower(name) collate "C" >= ${wanted} and lower(name) collate "C" < ${`${wanted}\uffff`}
      and ${state ? sql`state = ${state}` : sql`true`}
    order by population desc, name, state limit ${SUGGESTED_PLACES}`.execute(db)
  return rows.map(placeLabel)
}

/** Whether a text is the whole name of a business, whatever else it could be taken for. */
export async function isBusinessName(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql`select from search_listings where name_key = ${nameKey(text)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
