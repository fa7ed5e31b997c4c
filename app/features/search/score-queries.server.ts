import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { LISTINGS_IN_ERA, type NewestEra } from './era-rules.ts'
import {
  byTerms,
  byWords,
  categoryButPrice,
  type IndexFilter,
  isBased,
  ofSideOf,
} from './filter-queries.server.ts'
import {
  type Candidate,
  comparePositions,
  LISTED_COLUMNS,
  type ListedRow,
  listNewest,
  pricedRows,
  readCursor,
  type Sample,
} from './list-queries.server.ts'
import { BASED_PLACES, RECOMMENDED } from './rules.ts'

/** The place of a listing in the recommended order. Those based at a search's place come before those who travel there. */
export function recommendedScore(indexFilter: IndexFilter): RawBuilder<number> {
  const based = isBased(indexFilter)
  return based
    ? sql`search_listings.recommended + ${BASED_PLACES}::int * (${based})::int`
    : sql`search_listings.recommended`
}

/** The columns of search_listings by which lists are ordered, highest first and then newest: see migration 0039. */
export type ScoreColumn = 'recommended' | 'rating'

const toScored = ({ id, position, score }: ListedRow): Candidate => ({
  id,
  cursor: `${score}.${position}.${id}`,
})

/** Orders all matches of a search. Their score is that of the column. */
export function byScore(rows: readonly ListedRow[]): Candidate[] {
  return rows
    .toSorted((a, b) => Number(b.score) - Number(a.score) || comparePositions(b, a) || (a.id < b.id ? 1 : -1))
    .map(toScored)
}

/** With a smaller share of matches, finding and sorting them is faster than walking past all other listings. */
const LEAST_SHARE_TO_WALK = 0.005

/**
 * Lists matches by a score, from a cursor. Walks the score's index, or finds the matches first if they are rare.
 * @param sample null for a plain list, in which every listing of the category matches
 * @param newest for an estimate of how many listings there are
 */
export async function listByScore(
  db: Database,
  column: ScoreColumn,
  category: string | null,
  indexFilter: IndexFilter,
  { sample, newest }: { sample: Sample | null; newest: NewestEra },
  { cursor, limit, backwards }: { cursor: string; limit: number; backwards: boolean },
): Promise<Candidate[]> {
  const score = sql.ref(`search_listings.${column}`)
  const order = sql.raw(backwards ? 'asc' : 'desc')
  const at = readCursor(cursor, 2)
  const past = at
    ? sql<boolean>`(${score}, position, business_id) ${sql.raw(backwards ? '>' : '<')}
        (${String(at.numbers[0])}::bigint, ${String(at.numbers[1])}::bigint, ${at.id})`
    : sql<boolean>`true`
  const share = sample ? sample.matches / ((newest.era + 1) * LISTINGS_IN_ERA) : 1
  const isCommon = share >= LEAST_SHARE_TO_WALK
  const priced = categoryButPrice(indexFilter)
  const fits = isCommon
    ? sql`${category === null ? sql`true` : sql`category = ${category}`} and ${byWords(indexFilter)}`
    : priced !== undefined && indexFilter.prices.length > 0
      ? sql`business_id in (select business_id from (${pricedRows(priced, indexFilter.prices)}) priced)`
      : byTerms(indexFilter)
  // `+ 0` keeps the planner from walking the score's index past all that don't match.
  const sorted = isCommon ? score : sql`${score} + 0`
  const { rows } = await sql<ListedRow>`
    select ${LISTED_COLUMNS}, ${score} as score from search_listings
    where ${fits} and ${past}
    order by ${sorted} ${order}, search_listings.position ${order}, business_id ${order}
    limit ${limit}`.execute(db)
  return rows.map(toScored)
}

/**
 * Lists matches in recommended order, from a cursor: the newest of the best place in that order, then of the next.
 * @param sample the newest matches, with their places; tells how far back each place has to be read
 */
export async function listRecommended(
  db: Database,
  sample: Sample,
  newest: NewestEra,
  { cursor, limit, backwards }: { cursor: string; limit: number; backwards: boolean },
): Promise<Candidate[]> {
  const at = readCursor(cursor, 2)
  const [score, position] = at?.numbers ?? []
  const all = sample.applied.travel
    ? [...RECOMMENDED.map((place) => place + BASED_PLACES), ...RECOMMENDED]
    : RECOMMENDED
  const places: number[] = (backwards ? all.toReversed() : all).filter(
    (place) => score === undefined || (backwards ? place >= score : place <= score),
  )
  const sampled = new Map(
    places.map((place) => [place, sample.rows.filter((row) => Number(row.score) === place)]),
  )
  const read = async (place: number, wanted: number): Promise<readonly ListedRow[]> => {
    const isCursorsPlace = score === BigInt(place)
    const known = sampled.get(place) ?? []
    const ahead = isCursorsPlace ? known.filter((row) => isOlder(row, position ?? 0n, at?.id ?? '')) : known
    // The sample has the newest of each place.
    if (!backwards && ahead.length >= wanted) return ahead.slice(0, wanted)
    const side = ofSideOf(sample.applied, place < BASED_PLACES ? 'travelling' : 'based')
    const filter = { ...side, all: [...side.all, `r/${place % BASED_PLACES}`] }
    const { rows } = await listNewest(db, filter, newest, wanted, {
      cursor: isCursorsPlace ? `${position}.${at?.id}` : '',
      backwards,
      score: recommendedScore(sample.applied),
      rate: { eras: sample.eras, found: known.length },
    })
    return rows
  }
  const rows: ListedRow[] = []
  while (places.length > 0 && rows.length < limit) {
    // Places that the sample lacks have few listings or none, so they are read together with the next one.
    const next = places.findIndex((place) => sampled.get(place)?.length)
    const group = places.splice(0, next < 0 ? places.length : next + 1)
    const found = await Promise.all(group.map((place) => read(place, limit - rows.length)))
    rows.push(...found.flat())
  }
  return rows.slice(0, limit).map(toScored)
}

/** Whether a row comes after a position and an id in the order of time, the newest first. */
function isOlder(row: ListedRow, position: bigint, id: string): boolean {
  const own = BigInt(row.position)
  return own < position || (own === position && row.id < id)
}
