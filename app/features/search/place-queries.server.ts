import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Category } from '../businesses/rules.ts'
import { type Area, areaNamed } from '../places/area-rules.ts'
import { type Coordinates, parsePlaceText, placeLabel, type State, stateNamed } from '../places/rules.ts'
import { type Box, boxAround, squaresOf } from './box-rules.ts'
import { nameKey } from './word-rules.ts'

/** The place that a search found for the typed text. */
export type PlaceFound = {
  label: string
  /** Other places of the same name, which the visitor may have meant. */
  others: string[]
  /** No place has this name. The label is the most similar one. */
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
/** @property centre the middle of an area, to which its vendors travel; null for one without places */
export type Resolved = { found: PlaceFound } & (
  | { state: State }
  | { area: Area; centre: Coordinates | null }
  | { place: Place }
)

/** The point of a resolved place; null for a state. */
export function pointOf(resolved: Resolved): Coordinates | null {
  return 'place' in resolved ? resolved.place : 'area' in resolved ? resolved.centre : null
}

export const POSTCODE = /^\d{4}$/

/** The places to which postcodes lead. A postcode leads to one place, its largest suburb. */
export async function listByPostcode(
  db: Database,
  postcodes: readonly string[],
): Promise<(Place & { postcodes: string[] })[]> {
  const { rows } = await sql<Place & { postcodes: string[] }>`
    select id, name, state, latitude, longitude, population, postcodes from places
    where postcodes && ${[...postcodes]}::text[]`.execute(db)
  return rows
}

/**
 * Resolves a typed place to a state, an area, the place of a postcode, the largest place with that name or prefix, or the one spelt most alike.
 * @param near for the surroundings of a point: those of Melbourne's centre, not all of its suburbs
 */
export async function resolvePlace(db: Database, text: string, near: boolean): Promise<Resolved | 'unknown'> {
  const onlyState = stateNamed(text)
  if (onlyState) return { found: { label: onlyState, others: [], isGuess: false }, state: onlyState }
  const area = areaNamed(text)
  const whole = async () =>
    area && {
      found: { label: area.name, others: [], isGuess: false },
      area,
      centre: await findCentre(db, area),
    }
  if (area && !near) return (await whole()) ?? 'unknown'
  const { name, state } = parsePlaceText(text)
  if (POSTCODE.test(name)) {
    const [coded] = await listByPostcode(db, [name])
    return coded
      ? { found: { label: placeLabel(coded), others: [], isGuess: false }, place: coded }
      : 'unknown'
  }
  const wanted = name.toLowerCase()
  const inState = state ? sql`and state = ${state}` : sql``
  const select = sql`select id, name, state, latitude, longitude, population from places`
  const exact = await sql<Place>`${select} where lower(name) collate "C" = ${wanted} ${inState}
    order by population desc, id limit 9`.execute(db)
  const [place, ...others] = exact.rows
  if (place)
    return { found: { label: placeLabel(place), others: others.map(placeLabel), isGuess: false }, place }
  // The Northern Rivers have no centre.
  if (area) return (await whole()) ?? 'unknown'
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

/** The middle of the people of an area. */
async function findCentre(db: Database, { key }: Area): Promise<Coordinates | null> {
  const { rows } = await sql<{ latitude: number | null; longitude: number | null }>`
    select sum(latitude * weight) / sum(weight) as latitude, sum(longitude * weight) / sum(weight) as longitude
    from (select latitude, longitude, population + 1 as weight from places where areas @> ${[key]}::text[]) weighed`.execute(
    db,
  )
  const [middle] = rows
  return middle?.latitude && middle.longitude
    ? { latitude: middle.latitude, longitude: middle.longitude }
    : null
}

const MAX_PLACE_WORDS = 4

/** The ways to split a text into a name and a place after it: 'Harbour Light Pavilion in Williamstown VIC'. */
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

/** The distance in km of a row's `latitude` and `longitude` from a point, by the formula of `distanceKm`. */
export function distanceSql(from: Coordinates): RawBuilder<number> {
  return sql`(12742.0176 * asin(least(1, sqrt(
    power(sin(radians(latitude - ${from.latitude}) / 2), 2)
    + cos(radians(${from.latitude})) * cos(radians(latitude)) * power(sin(radians(longitude - ${from.longitude}) / 2), 2)))))`
}

/** Enough of the nearest places to pick some with different surroundings. */
const MAX_AROUND = 200

/** The places with businesses in one of the categories, between two distances from a point, nearest first. */
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

/** With more listings than this in a box, reading each one's coordinates is faster than walking its squares. */
const MAX_SPARSE = 20_000

/**
 * The markers of the squares of a box that have listings: those of a small box, or of a large one with few listings.
 * Without them, a search in the outback would read every listing of the country.
 * @returns null if the box alone is faster
 */
export async function listSquares(
  db: Database,
  box: Box,
  categories: readonly Category[],
): Promise<readonly string[] | null> {
  const all = squaresOf(box)
  if (all) return all
  const { rows } = await sql<{ square: string; listed: string | number }>`
    select 'g/' || floor(latitude * 4) || ':' || floor(longitude * 4) as square, sum(listed) as listed
    from listed_places join places on places.id = place_id
    where latitude between ${box.south} and ${box.north} and longitude between ${box.west} and ${box.east}
      and category = any(${[...categories]}::text[]) and listed > 0
    group by 1`.execute(db)
  const total = rows.reduce((sum, { listed }) => sum + Number(listed), 0)
  return total > MAX_SPARSE ? null : rows.map(({ square }) => square)
}
