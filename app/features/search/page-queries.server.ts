import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { daysOf } from '../../shared/periods.ts'
import { listBookable } from '../availability/slot-queries.server.ts'
import { PAGE_SIZE, type Pricing } from '../businesses/rules.ts'
import type { Coordinates } from '../places/rules.ts'
import type { NewestEra } from './era-rules.ts'
import { categoryButPrice, type IndexFilter, plainCategory, withGroups } from './filter-queries.server.ts'
import type { Sort } from './filter-rules.ts'
import {
  type Candidate,
  countPlain,
  listNewest,
  listPlain,
  type Sample,
  toNewest,
} from './list-queries.server.ts'
import { listFavoured, listNamed, type Named, type Ranking, rank, rankingOf } from './match-queries.server.ts'
import { distanceSql } from './place-queries.server.ts'
import { byPrice, listByPrice } from './price-queries.server.ts'
import { comparedPrice } from './price-rules.ts'
import { COUNT_CAP, checksAvailability, hoursOf } from './rules.ts'
import { firstPage, type Search, sortOf, sortsByMatch } from './schema.ts'
import {
  byScore,
  listByScore,
  listRecommended,
  recommendedScore,
  type ScoreColumn,
} from './score-queries.server.ts'
import type { Interpretation, Language } from './word-queries.server.ts'

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

const NOT_NAMED: Named = { ids: [], isExact: false }

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

/** The candidates of a page and the number of matches. */
type CountedPage = Page & { total: number; isOpenEnded: boolean; named: Named }

/** Finds the candidates of one page, and the total number of matches. */
export async function findPage(
  db: Database,
  search: Search,
  found: Found,
  context: SearchContext,
): Promise<CountedPage> {
  const plan = planOf(search, found)
  // These queries take a few milliseconds each and don't depend on each other, so they run concurrently.
  const reads: Reads = {
    pooling: startPool(db, plan),
    counting: plan.category !== undefined && !plan.isChecked ? countPlain(db, plan.category) : 0,
    read: pageReader(db, search, context),
  }
  const { page, named, total } = await (plan.sort === 'newest'
    ? findNewest(db, plan, reads)
    : findSorted(db, plan, found, reads))
  if (!plan.isChecked) return { ...page, named, total, isOpenEnded: total > COUNT_CAP }
  return {
    ...page,
    named,
    total: page.items.length,
    isOpenEnded: page.next !== null || page.previous !== null,
  }
}

/**
 * How the matches of a search are found and ordered.
 * @property worded the index filter with the words of the query
 * @property hasNoWord the query has no searchable word
 * @property category the category of a plain list, null for all; undefined if the list has any other filter
 * @property isChecked whether the availability of each business has to be checked
 * @property ranking null if an index has the order of the list
 * @property column the column that has the order of the list; null if none has
 * @property readsPlaces the recommended order is read place by place, because no index has it together with the filter
 * @property poolSize how many of the newest matches are read, to count, rank or sample them
 */
type Plan = {
  search: Search
  sort: Sort
  newest: NewestEra
  worded: IndexFilter
  hasNoWord: boolean
  category: string | null | undefined
  isChecked: boolean
  ranking: Ranking | null
  column: ScoreColumn | null
  readsPlaces: boolean
  poolSize: number
}

function planOf(search: Search, found: Found): Plan {
  const { indexFilter, interpretation, language } = found
  const worded = withGroups(indexFilter, interpretation.groups)
  // Without a single searchable word, as in '???' or 'the', only the name of a business can match.
  const hasNoWord = search.q.trim() !== '' && interpretation.groups.length === 0
  if (hasNoWord) worded.where = [...worded.where, sql`false`]
  // Availability has to be checked for each business, so only as many as the page needs are read.
  const isChecked = checksAvailability(search)
  const sort = sortOf(search)
  const ranking = rankingFor(search, found, worded)
  const column = sort === 'rating' || (sort === 'recommended' && !ranking) ? sort : null
  const readsPlaces = column === 'recommended' && categoryButPrice(worded) === undefined
  return {
    search,
    sort,
    newest: language.newest,
    worded,
    hasNoWord,
    category: plainCategory(worded),
    isChecked,
    ranking,
    column,
    readsPlaces,
    poolSize: readsPlaces && isChecked ? SAMPLE_SIZE : COUNT_CAP + 1,
  }
}

/** How matches are ranked in memory; null if an index has their order. */
function rankingFor(search: Search, { from, ...found }: Found, worded: IndexFilter): Ranking | null {
  if (sortsByMatch(search)) return rankingOf({ ...found, worded })
  return sortOf(search) === 'distance' ? { score: nearnessScore(from), favoured: [] } : null
}

/**
 * The reads of a page.
 * @property pooling the newest matches; null if the list needs none
 * @property counting the number of matches of a plain list; 0 for any other
 * @property read reads a page from a stream
 */
type Reads = {
  pooling: Promise<Sample> | null
  counting: Promise<number> | number
  read: (stream: Stream) => Promise<Page>
}

/** A page, and the number of matches if their availability isn't checked. */
type PageRead = { page: Page; named: Named; total: number }

/** Begins to read the newest matches, with their scores. @returns null if the list needs none */
function startPool(db: Database, plan: Plan): Promise<Sample> | null {
  const { ranking, column, isChecked, sort, category } = plan
  if (category !== undefined && !ranking) return null
  if (isChecked && sort === 'newest') return null
  const ofColumn = column === 'recommended' ? recommendedScore(plan.worded) : column && sql<number>`rating`
  const score = ranking?.score ?? ofColumn
  return listNewest(db, plan.worded, plan.newest, plan.poolSize, score ? { score } : {})
}

/** Reads the pages of a search. Where it asks for a day or guests, they hold only businesses that can be booked. */
function pageReader(db: Database, search: Search, context: SearchContext): Reads['read'] {
  return checksAvailability(search)
    ? (stream) => pageOf(stream, search, (batch) => keepBookable(db, batch, search, context), BATCH_SIZE)
    : (stream) => pageOf(stream, search, (batch) => batch, PAGE_SIZE + 1)
}

/** Finds a page of the newest matches. */
async function findNewest(db: Database, plan: Plan, { pooling, counting, read }: Reads): Promise<PageRead> {
  const [page, pool, count] = await Promise.all([read(newestStream(db, plan, pooling)), pooling, counting])
  return { page, named: NOT_NAMED, total: pool ? pool.rows.length : count }
}

function newestStream(db: Database, plan: Plan, pooling: Promise<Sample> | null): Stream {
  const { category, worded, newest } = plan
  return async (cursor, limit, backwards) => {
    if (pooling && !cursor) return (await pooling).rows.slice(0, limit).map(toNewest)
    const rows =
      category === undefined
        ? (await listNewest(db, worded, newest, limit, { cursor, backwards })).rows
        : await listPlain(db, category, cursor, limit, backwards)
    return rows.map(toNewest)
  }
}

/** Finds a page of a list in any order but by time. */
async function findSorted(
  db: Database,
  plan: Plan,
  { named: namedBefore, indexFilter, language }: Found,
  { pooling, counting, read }: Reads,
): Promise<PageRead> {
  const { search, ranking, hasNoWord, newest } = plan
  const [pool, favoured, named, count, plainPage] = await Promise.all([
    pooling,
    ranking && !hasNoWord ? listFavoured(db, ranking, newest) : [],
    namedBefore ?? (sortsByMatch(search) ? listNamed(db, search, indexFilter, language) : NOT_NAMED),
    counting,
    pooling || ranking ? null : read(sortedStream(db, plan, null, null)),
  ])
  const ranked = ranking ? rank(named.ids, [...(pool?.rows ?? []), ...favoured]) : null
  const page = plainPage ?? (await read(sortedStream(db, plan, pool, ranked)))
  const total = pool ? Math.min(COUNT_CAP + 1, Math.max(pool.rows.length, ranked?.length ?? 0)) : count
  return { page, named, total }
}

/**
 * The stream of a list in any order but by time: from memory if all matches are there, otherwise along an index.
 * @param pool the newest matches; null for a plain list
 * @param ranked the ranked matches; null if an index has the order
 */
function sortedStream(db: Database, plan: Plan, pool: Sample | null, ranked: Candidate[] | null): Stream {
  const { search, column, worded, newest } = plan
  if (ranked) return streamOf(ranked)
  if (pool && pool.rows.length < plan.poolSize)
    return streamOf(column ? byScore(pool.rows) : byPrice(search, pool.rows))
  if (!column)
    return (cursor, limit, backwards) => listByPrice(db, search, worded, pool, { cursor, limit, backwards })
  if (plan.readsPlaces && pool)
    return (cursor, limit, backwards) => listRecommended(db, pool, newest, { cursor, limit, backwards })
  const category = plan.category ?? search.category
  const estimate = { sample: pool, newest }
  return (cursor, limit, backwards) =>
    listByScore(db, column, category, worded, estimate, { cursor, limit, backwards })
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

/** Whether a search ranks the newest matches in memory, because no index has its order. */
export const isRanked = (search: Search) => sortOf(search) === 'distance' || sortsByMatch(search)

function nearnessScore(from: Coordinates | null): RawBuilder<number> {
  return from ? sql`-${distanceSql(from)}` : sql`0`
}
