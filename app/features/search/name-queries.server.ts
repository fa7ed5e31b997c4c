import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { areaNamed, CAPITALS } from '../places/area-rules.ts'
import { parsePlaceText, placeLabel, type State, stateNamed } from '../places/rules.ts'
import { listByPostcode, POSTCODE } from './place-queries.server.ts'
import { parseQuery, placesInQuery } from './query-schema.ts'
import { firstPage, type Search, tidySearch } from './schema.ts'
import { nameKey, typingErrors } from './word-rules.ts'

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
  const postcodes = names.filter((name) => POSTCODE.test(name))
  const [rows, coded] =
    names.length === 0
      ? [[], []]
      : await Promise.all([
          sql<{ name: string; state: State }>`select name, state from places
            where lower(name) collate "C" = any(${names}::text[])`
            .execute(db)
            .then((found) => found.rows),
          postcodes.length > 0 ? listByPostcode(db, postcodes) : [],
        ])
  return (text) => {
    const state = stateNamed(text)
    if (state) return state
    const wanted = parsePlaceText(text)
    const area = areaNamed(text)
    // 'Melbourne, VIC' is the label of its centre, which 'near' means.
    const isCentre = wanted.state && rows.some((row) => row.name.toLowerCase() === wanted.name.toLowerCase())
    if (area && !isCentre) return area.name
    const byCode = coded.find(({ postcodes: own }) => own.includes(wanted.name))
    if (byCode) return placeLabel(byCode)
    const found = rows.filter(
      (row) =>
        row.name.toLowerCase() === wanted.name.toLowerCase() && (!wanted.state || row.state === wanted.state),
    )
    const [only] = found
    if (!only) return capitalLike(text)
    // A name that several states share stays without a state, so that the page can offer the others.
    return found.length === 1 ? placeLabel(only) : only.name
  }
}

/** Shorter names are one letter away from other words. */
const MIN_MISTYPED_LENGTH = 6

/** The capital that a text names with one typing error: 'Melborne', 'sidney'. */
function capitalLike(text: string): string | null {
  const typed = text.toLowerCase()
  if (typed.length < MIN_MISTYPED_LENGTH) return null
  return CAPITALS.find(({ name }) => typingErrors(typed, name.toLowerCase()) === 1)?.name ?? null
}

/** Whether a text is the whole name of a business, even if it could mean something else. */
export async function isBusinessName(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql`select from search_listings where name_key = ${nameKey(text)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
