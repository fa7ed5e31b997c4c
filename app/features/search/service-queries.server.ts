import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { SERVICE_IDS, serviceMarker } from '../businesses/service-match-rules.ts'
import type { ServiceId } from '../businesses/service-rules.ts'
import { type Coordinates, distanceKm, placeLabel, type State } from '../places/rules.ts'
import { LISTING_TERMS } from './filter-queries.server.ts'
import type { SearchContext } from './page-queries.server.ts'
import { listFound, type SearchHit } from './queries.server.ts'
import { NO_SEARCH } from './schema.ts'

/** A place where vendors of a service are based, with their number. */
export type ServicePlace = { placeId: string; label: string; listed: number; distanceKm?: number }

type ServedPlace = Coordinates & { id: string; name: string; state: State }

/**
 * The landing page of a service, in a place or across Australia.
 * @property businesses the first of them: those based at the place, then those who travel to it
 * @property total how many there are, as the search counts them
 * @property hasOwn whether someone is based in the page's place itself
 * @property places the places where most of them are based, or the nearest to the page's place
 */
export type ServiceLanding = {
  service: ServiceId
  place: ServedPlace | null
  businesses: SearchHit[]
  total: number
  isOpenEnded: boolean
  hasOwn: boolean
  places: ServicePlace[]
}

/** How many places a page links to. */
const PLACES_SHOWN = 24

/** @returns null for an unknown place, or without a vendor */
export async function findServiceLanding(
  db: Database,
  service: ServiceId,
  placeId: string | null,
  context: SearchContext,
): Promise<ServiceLanding | null> {
  const place = placeId === null ? null : await findPlace(db, placeId)
  if (placeId !== null && !place) return null
  const where = place ? { place: placeLabel(place), near: true } : {}
  const [{ businesses, total, isOpenEnded }, based] = await Promise.all([
    listFound(db, { ...NO_SEARCH, service, ...where }, context),
    listPlacesOfService(db, service),
  ])
  if (total === 0) return null
  const others = place ? based.filter(({ id }) => id !== place.id) : based
  const places = others
    .map(({ listed, ...other }) => ({
      placeId: other.id,
      label: placeLabel(other),
      listed,
      ...(place ? { distanceKm: Math.round(distanceKm(place, other)) } : {}),
    }))
    .sort((a, b) => (a.distanceKm ?? 0) - (b.distanceKm ?? 0))
    .slice(0, PLACES_SHOWN)
  const hasOwn = place === null || based.some(({ id }) => id === place.id)
  return { service, place, businesses, total, isOpenEnded, hasOwn, places }
}

async function findPlace(db: Database, id: string): Promise<ServedPlace | null> {
  const place = await db
    .selectFrom('places')
    .select(['id', 'name', 'state', 'latitude', 'longitude'])
    .where('id', '=', id)
    .executeTakeFirst()
  return place ?? null
}

/** The places where vendors of a service are based, those with the most first. */
async function listPlacesOfService(
  db: Database,
  service: ServiceId,
): Promise<(ServedPlace & { listed: number })[]> {
  const { rows } = await sql<ServedPlace & { listed: string | number }>`
    select places.id, places.name, places.state, places.latitude, places.longitude, count(*) as listed
    from search_listings join businesses on businesses.id = business_id join places on places.id = place_id
    where ${LISTING_TERMS} @> ${[serviceMarker(service)]}::text[]
    group by places.id order by count(*) desc, places.id`.execute(db)
  return rows.map((row) => ({ ...row, listed: Number(row.listed) }))
}

const SERVICE_OF_MARKER = new Map(SERVICE_IDS.map((id) => [serviceMarker(id), id]))

/** The services that someone offers. */
export async function listOfferedServices(db: Database): Promise<ReadonlySet<ServiceId>> {
  const markers = SERVICE_IDS.map(serviceMarker)
  const { rows } = await sql<{ marker: string }>`
    select marker from unnest(${markers}::text[]) marker
    where exists (select from search_listings where ${LISTING_TERMS} @> array[marker])`.execute(db)
  return new Set(rows.flatMap(({ marker }) => SERVICE_OF_MARKER.get(marker) ?? []))
}

/**
 * Every landing page of a service in the sitemap: the service's own and those of the places where its vendors are based, with
 * the last change of one.
 */
export async function listServiceLandings(
  db: Database,
): Promise<{ service: ServiceId; placeId: string; changedAt: Date }[]> {
  const markers = [...SERVICE_OF_MARKER.keys()]
  const { rows } = await sql<{ marker: string; place_id: string; changed_at: Date | string }>`
    select marker, place_id, max(updated_at) as changed_at
    from search_listings join businesses on businesses.id = business_id
    cross join lateral unnest(markers) marker
    where marker = any(${markers}::text[])
    group by marker, place_id order by marker, place_id`.execute(db)
  return rows.flatMap((row) => {
    const service = SERVICE_OF_MARKER.get(row.marker)
    return service ? [{ service, placeId: row.place_id, changedAt: new Date(row.changed_at) }] : []
  })
}
