import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { NewestEra } from './era-rules.ts'
import {
  byWords,
  type IndexFilter,
  isBased,
  ofSideOf,
  quoteTerm,
  withGroups,
} from './filter-queries.server.ts'
import { type Candidate, comparePositions, type ListedRow, listNewest } from './list-queries.server.ts'
import { splitPlace } from './place-queries.server.ts'
import { BASED_SCORE, FAVOURED_POOL_SIZE } from './rules.ts'
import type { Search } from './schema.ts'
import type { Interpretation, Language } from './word-queries.server.ts'
import { editsOf, nameKey } from './word-rules.ts'

/** Longer names are not looked up with typing errors, since each letter adds dozens of variants. */
const MAX_EDITED_LENGTH = 40
const MAX_NAMED = 50

/** Businesses whose name was typed. `isExact` if it was typed without an error. */
export type Named = { ids: string[]; isExact: boolean }

/** How a listing is scored, and which listings to rank besides the newest. */
export type Ranking = { score: RawBuilder<number>; favoured: IndexFilter[] }

/**
 * Ranks by the words of the query, those in the name first, and by the occasion.
 * @param options.indexFilter the index filter without the words
 * @param options.worded the index filter with them
 */
export function rankingOf({
  indexFilter,
  worded,
  interpretation,
  language,
}: {
  indexFilter: IndexFilter
  worded: IndexFilter
  interpretation: Interpretation
  language: Language
}): Ranking {
  const anyOf = (terms: readonly string[]) => `(${terms.map(quoteTerm).join('|')})`
  const parts: RawBuilder<number>[] = []
  const favoured: IndexFilter[] = []
  if (interpretation.groups.length > 0) {
    const groupsInName = interpretation.groups.map((group) => group.map((stem) => `n/${stem}`))
    favoured.push(withGroups(indexFilter, groupsInName))
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
  const based = isBased(indexFilter)
  if (based) {
    favoured.push(ofSideOf(worded, 'based'))
    parts.push(sql`(${based})::int * ${BASED_SCORE}::int`)
  }
  return { score: parts.length > 0 ? sql`${sql.join(parts, sql` + `)}` : sql`0`, favoured }
}

/** The newest listings of each favoured kind. */
export async function listFavoured(
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
export function rank(named: readonly string[], rows: readonly ListedRow[]): Candidate[] {
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
