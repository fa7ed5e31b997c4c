import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { parsePlaceText, placeLabel, type State, stateNamed } from '../places/rules.ts'
import { parseQuery, placesInQuery } from './query-schema.ts'
import { nameKey } from './rules.ts'
import { firstPage, type Search, tidySearch } from './schema.ts'

/**
 * Splits the typed query of a search into its filters. The name of a business stays as it is.
 * @param today the date where the visitor is likely to be
 */
export async function splitQuery(db: Database, search: Search, today: LocalDate): Promise<Search> {
  if (!search.q) return search
  const findPlace = await findPlaceNames(db, placesInQuery(search.q))
  const { q, ...parts } = parseQuery(search.q, { today, findPlace })
  if (Object.keys(parts).length === 0 || (await isBusinessName(db, search.q))) return search
  // The query wins, and the rest of the address stays: a typed minimum and the address's maximum price both count.
  return tidySearch({ ...firstPage(search), ...parts, q })
}

/** Returns the `findPlace` of `parseQuery` for these texts. */
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
          await sql<{ name: string; state: State }>`select name, state from places
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
    // A name that several states share stays without a state, so that the page can offer the others.
    return only ? (found.length === 1 ? placeLabel(only) : only.name) : null
  }
}

/** Whether a text is the whole name of a business, even if it could mean something else. */
export async function isBusinessName(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql`select from search_listings where name_key = ${nameKey(text)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
