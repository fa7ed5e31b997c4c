import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Category } from '../businesses/rules.ts'
import { servicesLike } from '../businesses/service-match-rules.ts'
import type { ServiceId } from '../businesses/service-rules.ts'
import { parsePlaceText, placeLabel, type State } from '../places/rules.ts'
import { addGroup, type IndexFilter } from './filter-queries.server.ts'
import { MAX_QUERY_LENGTH } from './limits.ts'
import { listNewest } from './list-queries.server.ts'
import { interpret, understand } from './word-queries.server.ts'
import { categoriesLike, nameKey, searchWords } from './word-rules.ts'

export type Suggestions = {
  categories: Category[]
  services: ServiceId[]
  businesses: { id: string; name: string; location: string }[]
  /** Such as 'Geelong, VIC'. */
  places: string[]
}

const MIN_TYPED_LENGTH = 2
const MIN_PLACE_LENGTH = 3
const SUGGESTED_SERVICES = 4
const SUGGESTED_BUSINESSES = 5
const SUGGESTED_PLACES = 3
const MAX_COMPLETIONS = 8

/** Suggestions for half-typed text: categories, businesses by a prefix of their name or of a word in it, places. */
export async function listSuggestions(db: Database, text: string): Promise<Suggestions> {
  const key = nameKey(text.slice(0, MAX_QUERY_LENGTH))
  if (key.length < MIN_TYPED_LENGTH) return { categories: [], services: [], businesses: [], places: [] }
  const [businesses, places] = await Promise.all([suggestBusinesses(db, text, key), listPlacesFrom(db, text)])
  return {
    categories: categoriesLike(text),
    services: servicesLike(text).slice(0, SUGGESTED_SERVICES),
    businesses,
    places,
  }
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

/** Compares names by code point, as the index does. Any other collation would have to sort them all. */
async function listNamesFrom(db: Database, key: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select business_id as id from search_listings
    where name_key >= ${key} and name_key < ${`${key}\uffff`}
    order by name_key limit ${SUGGESTED_BUSINESSES}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest businesses with every word in their name. The last word may be half typed, and any may be mistyped. */
async function listNamesWithin(db: Database, text: string, limit: number, except: readonly string[]) {
  const typed = searchWords(text).at(-1)
  if (!typed) return []
  const [{ words, newest }, completions] = await Promise.all([
    understand(db, { q: text, occasion: null }, true),
    listCompletions(db, typed),
  ])
  const indexFilter: IndexFilter = {
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
        indexFilter,
        stems.map((stem) => `n/${stem}`),
      )
  }
  if (indexFilter.any.some((group) => group.length === 0)) {
    const interpretation = await interpret(db, { words, newest, occasion: [] }, 'unknown words')
    if (interpretation.corrections.length === 0) return []
    indexFilter.all = []
    indexFilter.any = []
    for (const group of interpretation.groups)
      addGroup(
        indexFilter,
        group.map((stem) => `n/${stem}`),
      )
  }
  if (indexFilter.all.length + indexFilter.any.length === 0) return []
  return (await listNewest(db, indexFilter, newest, limit)).rows.map(({ id }) => id)
}

/** The stems of known words with this prefix. */
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
  const { name, state } = parsePlaceText(text.slice(0, MAX_QUERY_LENGTH))
  const wanted = name.toLowerCase()
  if (wanted.length < MIN_PLACE_LENGTH) return []
  const { rows } = await sql<{ name: string; state: State }>`select name, state from places
    where lower(name) collate "C" >= ${wanted} and lower(name) collate "C" < ${`${wanted}\uffff`}
      and ${state ? sql`state = ${state}` : sql`true`}
    order by population desc, name, state limit ${SUGGESTED_PLACES}`.execute(db)
  return rows.map(placeLabel)
}
