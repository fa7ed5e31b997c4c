import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { type Coordinates, distanceKm, parsePlaceText, placeLabel } from './rules.ts'

/**
 * Lists the places whose name begins with the typed text, largest first, then those with a later word that does. A
 * state may follow the name: 'richmond vic'.
 * @returns labels such as 'Geelong, VIC'; none for empty text
 */
export async function listPlaceSuggestions(db: Database, text: string, limit: number): Promise<string[]> {
  const { name, state } = parsePlaceText(text)
  if (!name) return []
  if (POSTCODE.test(name)) return listPlacesOfPostcode(db, name, limit)
  const pattern = name.toLowerCase().replace(/[\\%_]/g, '\\$&')
  let query = db
    .selectFrom('places')
    .select(['name', 'state'])
    .where((eb) =>
      eb.or([eb(sql`lower(name)`, 'like', `${pattern}%`), eb(sql`lower(name)`, 'like', `% ${pattern}%`)]),
    )
  if (state) query = query.where('state', '=', state)
  const rows = await query
    .orderBy(sql`(lower(name) like ${`${pattern}%`})`, 'desc')
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('state')
    .limit(limit)
    .execute()
  return rows.map(placeLabel)
}

/** A postcode of which at least two digits are typed. Those of the Northern Territory begin with 0. */
const POSTCODE = /^\d{2,4}$/

async function listPlacesOfPostcode(db: Database, digits: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('places')
    .select(['name', 'state'])
    .where(
      sql<boolean>`exists (select from unnest(postcodes) as postcode where postcode like ${`${digits}%`})`,
    )
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('state')
    .limit(limit)
    .execute()
  return rows.map(placeLabel)
}

/**
 * Finds the place that a text names, with the state, or without if only one state has the name. Refuses with
 * `ambiguous_place` if several states have the name and the text has none.
 */
export async function findPlaceByText(
  db: Database | DatabaseTransaction,
  text: string,
): Promise<{ ok: true; placeId: string } | { ok: false; reason: 'unknown_place' | 'ambiguous_place' }> {
  const { name, state } = parsePlaceText(text)
  let query = db.selectFrom('places').select('id').where(sql`lower(name)`, '=', name.toLowerCase())
  if (state) query = query.where('state', '=', state)
  const rows = await query.limit(2).execute()
  const [place] = rows
  if (!place) return { ok: false, reason: 'unknown_place' }
  return rows.length > 1 ? { ok: false, reason: 'ambiguous_place' } : { ok: true, placeId: place.id }
}

/** The point of a known place. */
export async function findPoint(db: Database | DatabaseTransaction, placeId: string): Promise<Coordinates> {
  return db
    .selectFrom('places')
    .select(['latitude', 'longitude'])
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
}

/** A position farther than this from every place isn't in Australia. */
const NEAREST_WITHIN_KM = 200
const NEAREST_WITHIN_DEGREES = 3

/** The label of the place nearest to a point, or null if none is within `NEAREST_WITHIN_KM`. */
export async function findNearestPlace(db: Database, point: Coordinates): Promise<string | null> {
  const rows = await db
    .selectFrom('places')
    .select(['name', 'state', 'latitude', 'longitude'])
    .where('latitude', '>=', point.latitude - NEAREST_WITHIN_DEGREES)
    .where('latitude', '<=', point.latitude + NEAREST_WITHIN_DEGREES)
    .where('longitude', '>=', point.longitude - NEAREST_WITHIN_DEGREES)
    .where('longitude', '<=', point.longitude + NEAREST_WITHIN_DEGREES)
    .execute()
  const [nearest] = rows
    .map((place) => ({ place, km: distanceKm(point, place) }))
    .filter(({ km }) => km <= NEAREST_WITHIN_KM)
    .sort((a, b) => a.km - b.km)
  return nearest ? placeLabel(nearest.place) : null
}
