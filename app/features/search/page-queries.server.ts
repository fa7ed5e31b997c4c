import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { listBookable } from '../availability/slot-queries.server.ts'
import { PAGE_SIZE, type Pricing } from '../businesses/rules.ts'
import type { Coordinates } from '../places/rules.ts'
import type { NewestEra } from './era-rules.ts'
import {
  addGroup,
  byWords,
  categoryButPrice,
  type IndexFilter,
  plainCategory,
  quoteTerm,
} from './filter-queries.server.ts'
import {
  type Candidate,
  comparePositions,
  countPlain,
  type ListedRow,
  listNewest,
  listPlain,
  type Sample,
  toNewest,
} from './list-queries.server.ts'
import { daysOf } from './month-rules.ts'
import { distanceSql, splitPlace } from './place-queries.server.ts'
import { byPrice, listByPrice } from './price-queries.server.ts'
import { comparedPrice } from './price-rules.ts'
import { COUNT_CAP, checksAvailability, FAVOURED_POOL_SIZE, hoursOf } from './rules.ts'
import { firstPage, type Search, sortOf, sortsByMatch } from './schema.ts'
import { byScore, listByScore, listRecommended, type ScoreColumn } from './score-queries.server.ts'
import type { Interpretation, Language } from './word-queries.server.ts'
import { editsOf, nameKey } from './word-rules.ts'

/** Longer names are not looked up with typing errors, since each letter adds dozens of variants. */
const MAX_EDITED_LENGTH = 40
const MAX_NAMED = 50
/** How many candidates are checked for availability at once, and how many at most for one page. */
const BATCH_SIZE = 60
/** Enough to tell where the recommended listings are, for a list that doesn't count its matches. */
const SAMPLE_SIZE = 3 * BATCH_SIZE
const MAX_EXAMINED = 600

/**
 * The inputs of a search, apart from the database and the search itself.
 * @property primary reads availability, if the database of the search is a replica
 */
export type SearchContext = { nearKm: number; now: Date; primary?: Database }

/** Businesses whose name was typed. `isExact` if it was typed without an error. */
type Named = { ids: string[]; isExact: boolean }
/**
 * @property named null before the lookup
 * @property from the point from which distances are measured, or null for none
 */
type Found = {
  indexFilter: IndexFilter
  interpretation: Interpretation
  language: Language
  named: Named | null
  from: Coordinates | null
}
/** @property next the `after` of the next page, or null; `previous` is the `before` of the previous page, or null */
type Page = { items: Candidate[]; next: string | null; previous: string | null }
/** Reads candidates from a cursor in the order of the list or against it. An empty cursor is the beginning. */
type Stream = (cursor: string, limit: number, backwards: boolean) => Promise<Candidate[]>

/** Finds the candidates of one page, and the total number of matches. */
export async function findPage(
  db: Database,
  search: Search,
  { indexFilter, interpretation, language, named: namedBefore, from }: Found,
  context: SearchContext,
): Promise<Page & { total: number; isOpenEnded: boolean; named: Named }> {
  const worded: IndexFilter = { ...indexFilter, any: [...indexFilter.any], all: [...indexFilter.all] }
  for (const group of interpretation.groups) addGroup(worded, group)
  // Without a single searchable word, as in '???' or 'the', only the name of a business can match.
  const hasNoWord = search.q.trim() !== '' && interpretation.groups.length === 0
  if (hasNoWord) worded.where = [...worded.where, sql`false`]
  // Availability has to be checked for each business, so only as many as the page needs are read.
  const isChecked = checksAvailability(search)
  const sort = sortOf(search)
  const category = plainCategory(worded)
  const isPlain = category !== undefined
  const ranking = sortsByMatch(search)
    ? rankingOf({ indexFilter, worded, interpretation, language })
    : sort === 'distance'
      ? { score: nearnessScore(from), favoured: [] }
      : null
  const column: ScoreColumn | null = sort === 'rating' || (sort === 'recommended' && !ranking) ? sort : null
  const score = ranking?.score ?? (column && sql<number>`${sql.ref(`search_listings.${column}`)}`)
  const readsPlaces = column === 'recommended' && categoryButPrice(worded) === undefined
  const poolSize = readsPlaces && isChecked ? SAMPLE_SIZE : COUNT_CAP + 1
  // These queries take a few milliseconds each and don't depend on each other, so they run concurrently.
  const pooling =
    (isPlain && !ranking) || (isChecked && sort === 'newest')
      ? null
      : listNewest(db, worded, language.newest, poolSize, score ? { score } : {})
  const counting = isPlain && !isChecked ? countPlain(db, category) : 0
  const size = isChecked ? BATCH_SIZE : PAGE_SIZE + 1
  const accept = (batch: Candidate[]) => (isChecked ? keepBookable(db, batch, search, context) : batch)
  let named: Named = { ids: [], isExact: false }
  let total = 0
  let page: Page
  if (sort === 'newest') {
    const stream: Stream = async (cursor, limit, backwards) => {
      if (pooling && !cursor) return (await pooling).rows.slice(0, limit).map(toNewest)
      const rows = isPlain
        ? await listPlain(db, category, cursor, limit, backwards)
        : (await listNewest(db, worded, language.newest, limit, { cursor, backwards })).rows
      return rows.map(toNewest)
    }
    const [found, pool, count] = await Promise.all([pageOf(stream, search, accept, size), pooling, counting])
    page = found
    total = pool ? pool.rows.length : count
  } else {
    const streamOver = (pool: Sample | null, ranked: Candidate[] | null): Stream =>
      ranked
        ? streamOf(ranked)
        : pool && pool.rows.length < poolSize
          ? streamOf(column ? byScore(pool.rows) : byPrice(search, pool.rows))
          : (cursor, limit, backwards) => {
              const steps = { cursor, limit, backwards }
              if (!column) return listByPrice(db, search, worded, pool, steps)
              if (readsPlaces && pool) return listRecommended(db, pool, language.newest, steps)
              const estimate = { sample: pool, newest: language.newest }
              return listByScore(db, column, category ?? search.category, worded, estimate, steps)
            }
    const [pool, favoured, sameName, count, plainPage] = await Promise.all([
      pooling,
      ranking && !hasNoWord ? listFavoured(db, ranking, language.newest) : [],
      namedBefore ?? (sortsByMatch(search) ? listNamed(db, search, indexFilter, language) : named),
      counting,
      pooling || ranking ? null : pageOf(streamOver(null, null), search, accept, size),
    ])
    named = sameName
    const ranked = ranking ? rank(named.ids, [...(pool?.rows ?? []), ...favoured]) : null
    page = plainPage ?? (await pageOf(streamOver(pool, ranked), search, accept, size))
    total = pool ? Math.min(COUNT_CAP + 1, Math.max(pool.rows.length, ranked?.length ?? 0)) : count
  }
  if (!isChecked) return { ...page, named, total, isOpenEnded: total > COUNT_CAP }
  return {
    ...page,
    named,
    total: page.items.length,
    isOpenEnded: page.next !== null || page.previous !== null,
  }
}

/** The candidates of a batch that can be booked for the search's day, time, guests and hours. */
export async function keepBookable(
  db: Database,
  batch: Candidate[],
  search: Search,
  { now, primary = db }: SearchContext,
): Promise<Candidate[]> {
  const { date, months, weekday, from: time, guests } = search
  const today = wallTimeAt(now, 'UTC').date
  const days = date ? [date] : months ? daysOf(months, weekday, today) : null
  const unitOf = (pricing: Pricing) => comparedPrice(search, pricing).unit
  const wanted = { days, time, guests, isSeated: search.seated, hours: hoursOf(search), unitOf }
  const bookable = await listBookable(
    primary,
    batch.map(({ id }) => id),
    wanted,
    now,
  )
  return batch.filter(({ id }) => bookable.has(id))
}

/**
 * Reads a stream until a page is full, plus one more candidate to know whether there is another page. A page can be empty
 * and still have a next one, when none of the candidates that it examined is accepted.
 */
async function pageOf(
  stream: Stream,
  search: Search,
  accept: (batch: Candidate[]) => Promise<Candidate[]> | Candidate[],
  batchSize: number,
): Promise<Page> {
  const backwards = search.before !== ''
  const start = search.after || search.before
  const accepted: Candidate[] = []
  let nearest: Candidate | undefined
  let cursor = start
  let hasMore = true
  for (
    let examined = 0;
    accepted.length <= PAGE_SIZE && examined < MAX_EXAMINED && hasMore;
    examined += batchSize
  ) {
    const batch = await stream(cursor, batchSize, backwards)
    nearest ??= batch[0]
    accepted.push(...(await accept(batch)))
    cursor = batch.at(-1)?.cursor ?? cursor
    hasMore = batch.length === batchSize
  }
  if (accepted.length > PAGE_SIZE) hasMore = true
  // Examined as many as it may: the last of them can also be the last of the list.
  else if (hasMore) hasMore = (await stream(cursor, batchSize, backwards)).length > 0
  // The cursor's neighbours are gone, or this is the beginning: start again with the full first page.
  if (start && (!nearest || (backwards && !hasMore)))
    return pageOf(stream, firstPage(search), accept, batchSize)
  const items = accepted.slice(0, PAGE_SIZE)
  const last = accepted.length > PAGE_SIZE ? (items.at(-1)?.cursor ?? null) : cursor
  const back = (items[0] ?? nearest)?.cursor ?? null
  if (backwards) return { items: items.toReversed(), next: back, previous: last }
  return { items, next: hasMore ? last : null, previous: start ? back : null }
}

/** A stream of a list in memory. */
function streamOf(candidates: readonly Candidate[]): Stream {
  return async (cursor, limit, backwards) => {
    const ordered = backwards ? candidates.toReversed() : candidates
    const at = cursor ? ordered.findIndex((candidate) => candidate.cursor === cursor) : -1
    return cursor && at < 0 ? [] : ordered.slice(at + 1, at + 1 + limit)
  }
}

// Nearest first -------------------------------------------------------------------------------------------------------

/** Whether a search ranks the newest matches in memory, because no index has its order. */
export const isRanked = (search: Search) => sortOf(search) === 'distance' || sortsByMatch(search)

function nearnessScore(from: Coordinates | null): RawBuilder<number> {
  return from ? sql`-${distanceSql(from)}` : sql`0`
}

// Best match first ------------------------------------------------------------------------------------------------

/** How a listing is scored, and which listings to rank in addition to the newest. */
type Ranking = { score: RawBuilder<number>; favoured: IndexFilter[] }

function rankingOf({
  indexFilter,
  worded,
  interpretation,
  language,
}: Omit<Found, 'named' | 'from'> & { worded: IndexFilter }): Ranking {
  const anyOf = (terms: readonly string[]) => `(${terms.map(quoteTerm).join('|')})`
  const parts: RawBuilder<number>[] = []
  const favoured: IndexFilter[] = []
  if (interpretation.groups.length > 0) {
    const groupsInName = interpretation.groups.map((group) => group.map((stem) => `n/${stem}`))
    const inName: IndexFilter = { ...indexFilter, all: [...indexFilter.all], any: [...indexFilter.any] }
    for (const group of groupsInName) addGroup(inName, group)
    favoured.push(inName)
    parts.push(
      sql`(words @@ ${groupsInName.map(anyOf).join('&')}::tsquery)::int * 4`,
      // The weights of description, place, category and services, and name. The rank is between 0 and 1.
      sql`ts_rank('{0.1, 0.25, 0.5, 1}', words, ${interpretation.groups.map(anyOf).join('&')}::tsquery, 32)`,
    )
  }
  if (language.occasion.length > 0) {
    favoured.push({ ...worded, any: [...worded.any, language.occasion] })
    parts.push(sql`(words @@ ${anyOf(language.occasion)}::tsquery)::int * 2`)
  }
  return { score: parts.length > 0 ? sql`${sql.join(parts, sql` + `)}` : sql`0`, favoured }
}

/** The newest listings of each favoured kind. */
async function listFavoured(
  db: Database,
  { score, favoured }: Ranking,
  newest: NewestEra,
): Promise<ListedRow[]> {
  const found = await Promise.all(
    favoured.map((each) => listNewest(db, each, newest, FAVOURED_POOL_SIZE, { score })),
  )
  return found.flatMap(({ rows }) => rows)
}

/**
 * Orders by best match: first the businesses whose name was typed, then those with all words in the name, then by the
 * fields in which the words occur.
 */
function rank(named: readonly string[], rows: readonly ListedRow[]): Candidate[] {
  const ranked = rows.toSorted(
    (a, b) => Number(b.score) - Number(a.score) || comparePositions(b, a) || (a.id < b.id ? -1 : 1),
  )
  return [...new Set([...named, ...ranked.map(({ id }) => id)])].map((id) => ({ id, cursor: id }))
}

/** The businesses whose name was typed, perhaps followed by the place. Allows one typing error if no name is exact. */
export async function listNamed(
  db: Database,
  search: Search,
  indexFilter: IndexFilter,
  { words }: Language,
): Promise<Named> {
  const [onlyWord] = words
  // A single known word is not a mistyped name.
  const forgives = words.length > 1 || !onlyWord?.isKnown
  const key = nameKey(search.q)
  if (!key) return { ids: [], isExact: false }
  const splits = await splitPlace(db, search.q)
  const find = async (keys: readonly string[], splitKeys: (name: string) => readonly string[]) => {
    const ofSplits = splits.map(({ name, terms }) => ({
      keys: splitKeys(name),
      terms: terms.map(quoteTerm).join('|'),
    }))
    const wanted = [{ keys, terms: null }, ...ofSplits]
      .filter((lookup) => lookup.keys.length > 0)
      .map(
        (lookup) => sql`select unnest(${[...lookup.keys]}::text[]) as key, ${lookup.terms}::tsquery as terms`,
      )
    if (wanted.length === 0) return []
    // One lookup for each key, which `offset 0` keeps apart: to plan `= any` of hundreds takes six times as long as to run it.
    const { rows } = await sql<{ id: string }>`
      select distinct named.business_id as id, named.position
      from (${sql.join(wanted, sql` union all `)}) wanted
      cross join lateral (
        select business_id, position from search_listings
        where name_key = wanted.key and (wanted.terms is null or words @@ wanted.terms) and ${byWords(indexFilter)}
        offset 0
      ) named
      order by named.position desc, named.business_id limit ${MAX_NAMED}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const editable = (name: string) =>
    name.length >= 4 && name.length <= MAX_EDITED_LENGTH ? editsOf(name) : []
  // Few searches are an exact name, so the mistyped ones are asked for at the same time.
  const [exact, alike] = await Promise.all([
    find([key], (name) => [name]),
    forgives ? find(editable(key), editable) : [],
  ])
  return exact.length > 0 ? { ids: exact, isExact: true } : { ids: alike, isExact: false }
}
