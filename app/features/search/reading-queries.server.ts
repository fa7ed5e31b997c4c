import type { Database } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { queryOf, searchTermsOf } from './filter-messages.ts'
import { findPlaceNames, splitQuery } from './name-queries.server.ts'
import { parseQuery, placesInQuery } from './query-schema.ts'
import { searchKey, shorterQueries } from './reading-rules.ts'
import { NO_SEARCH, readSearch, type Search, tidySearch } from './schema.ts'

/**
 * A search term of a typed query.
 * @property rest the query without it: a search for `rest` has all other terms, and no more, save that a trade or an
 * occasion beside words alone becomes words
 */
export type ReadTerm = { text: string; rest: string }

/**
 * The search terms of a typed query, as a search for it would read them. None if it is only words.
 * @param today the date where the visitor is likely to be
 */
export async function readQuery(db: Database, query: string, today: LocalDate): Promise<ReadTerm[]> {
  const typed = readSearch(new URLSearchParams({ q: query }))
  const search = await splitQuery(db, typed, today)
  const terms = searchTermsOf(search)
  if (terms.every(({ without }) => without.q === '')) return []
  const shorter = shorterQueries(typed.q, await createParser(db, [typed.q], today))
  const chosen = terms.map(({ text, without }) => {
    const others = tidySearch({ ...search, ...without })
    const key = searchKey(others)
    const found = shorter.get(key)
    return { text, others, key, ways: [...(found === undefined ? [] : [found]), queryOf(others)] }
  })
  // Words that have become neighbours may name a place that wasn't looked up before.
  const parse = await createParser(
    db,
    chosen.flatMap(({ ways }) => ways),
    today,
  )
  return chosen.map(({ text, others, key, ways }) => ({
    text,
    rest:
      ways.find((rest) => searchKey(parse(rest)) === key) ??
      // A trade or an occasion beside words alone is words as well: it may be part of a name.
      searchTermsOf(others)
        .map((term) => term.text)
        .join(' '),
  }))
}

/** Parses queries as `splitQuery` does, with one look-up for all their places. */
async function createParser(
  db: Database,
  queries: readonly string[],
  today: LocalDate,
): Promise<(query: string) => Search> {
  const findPlace = await findPlaceNames(db, queries.flatMap(placesInQuery))
  return (query) => tidySearch({ ...NO_SEARCH, ...parseQuery(query, { today, findPlace }) })
}
