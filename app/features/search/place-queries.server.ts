import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Category } from '../businesses/rules.ts'
import { type Coordinates, parsePlaceText, placeLabel, type State, stateNamed } from '../places/rules.ts'
import { boxAround, nameKey } from './rules.ts'

/** How a search understood its place. */
export type PlaceFound = {
  label: string
  /** Places of the same name in other states, which may have been meant. */
  others: string[]
  /** The text is no place's name; this one comes nearest to it. */
  isGuess: boolean
}

type Place = {
  id: string
  name: string
  state: State
  latitude: number
  longitude: number
  population: number
}
export type Resolved = { found: PlaceFound; state: State } | { found: PlaceFound; place: Place }

/** What a typed place means: a state, the largest place of that name or beginning, or one that is spelt alike. */
export async function resolvePlace(db: Database, text: string): Promise<Resolved | 'unknown'> {
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

/** The names of places and states among these texts, for `parseQuery`: a function that knows them. */
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

const MAX_PLACE_WORDS = 4

/** The ways in which a text may be a name with its place behind it: 'Harbour Light Pavilion in Williamstown VIC'. */
export async function splitPlace(db: Database, text: string): Promise<{ name: string; terms: string[] }[]> {
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

/** The distance of a row's `latitude` and `longitude` from a point in km, as `distanceKm` has it. */
export function distanceSql(from: Coordinates): RawBuilder<number> {
  return sql`(12742.0176 * asin(least(1, sqrt(
    power(sin(radians(latitude - ${from.latitude}) / 2), 2)
    + cos(radians(${from.latitude})) * cos(radians(latitude)) * power(sin(radians(longitude - ${from.longitude}) / 2), 2)))))`
}

/** So many of the nearest are enough to pick some whose surroundings differ. */
const MAX_AROUND = 200

/** The places that have businesses of some category, between two distances from a point, the nearest first. */
export async function listPlacesAround(
  db: Database,
  from: Coordinates,
  categories: readonly Category[],
  { beyondKm, withinKm }: { beyondKm: number; withinKm: number },
): Promise<(Coordinates & { name: string; state: State })[]> {
  const box = boxAround(from, withinKm)
  const { rows } = await sql<Coordinates & { name: string; state: State }>`
    select name, state, latitude, longitude from (
      select places.*, ${distanceSql(from)} as km from places
      where latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}
        and exists (select from listed_places
          where place_id = places.id and category = any(${[...categories]}::text[]) and listed > 0)
    ) around
    where km > ${beyondKm} and km <= ${withinKm} order by km, id limit ${MAX_AROUND}`.execute(db)
  return rows
}
