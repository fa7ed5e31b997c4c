import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Coordinates } from '../places/rules.ts'
import { type Facts, MARKERS_VERSION, type Stated, statedMarkers, WORD_MARKERS } from './fact-rules.ts'
import type { ServiceTexts } from './service-match-rules.ts'

/** The values from which a listing's markers are made. */
export type Marked = Stated & ServiceTexts & { at: Coordinates }

const WORDS = JSON.stringify(WORD_MARKERS)
/** Few enough that a vendor who saves waits no longer than for another vendor. */
const BATCH_SIZE = 100
/** A million listings are filled in some twenty minutes, and a run ends before the next minute's begins. */
const MAX_RUN_MS = 30_000

/** The columns with a listing's markers, for an insert or an update. */
export function markerColumns(listing: Marked): { markers: RawBuilder<string[]>; markers_version: number } {
  const { name, category, servicesOffered, description, facts } = listing
  return {
    markers: sql<
      string[]
    >`with_word_markers(${statedMarkers(listing)}::text[], ${JSON.stringify(facts)}::jsonb,
      ${WORDS}::jsonb, ${name}::text, ${category}::text, ${servicesOffered}::text[], ${description}::text)`,
    markers_version: MARKERS_VERSION,
  }
}

/**
 * Fills the markers of a listing if they are out of date, in the transaction that has changed it by another table's
 * trigger.
 */
export async function refreshMarkers(tx: DatabaseTransaction, businessId: string): Promise<void> {
  await fillBatch(tx, businessId)
}

/**
 * Fills the markers of listings whose rows have a newer version, or that the previous version of the product has changed.
 * Skips those that someone is saving. Runs each minute; a run that leaves some is followed by the next.
 * @returns how many it has filled
 */
export async function fillMarkers({ db }: { db: Database }): Promise<number> {
  const endsAt = performance.now() + MAX_RUN_MS
  let filled = 0
  let count = BATCH_SIZE
  while (count === BATCH_SIZE && performance.now() < endsAt) {
    count = await db.transaction().execute((tx) => fillBatch(tx, null))
    filled += count
  }
  return filled
}

async function fillBatch(tx: DatabaseTransaction, businessId: string | null): Promise<number> {
  let due = tx
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select([
      'businesses.id',
      'max_guests',
      'facts',
      'businesses.name',
      'category',
      'services_offered',
      'description',
    ])
    .select(['latitude', 'longitude'])
    .where('markers_version', '<', MARKERS_VERSION)
    .limit(BATCH_SIZE)
    // A new review's foreign key isn't in the way.
    .forNoKeyUpdate('businesses')
    .skipLocked()
  if (businessId !== null) due = due.where('businesses.id', '=', businessId)
  const rows = await due.execute()
  if (rows.length === 0) return 0
  const stated = rows.map(({ id, max_guests, services_offered, facts, latitude, longitude, ...texts }) => ({
    id,
    markers: statedMarkers({
      ...texts,
      maxGuests: max_guests,
      servicesOffered: services_offered,
      facts: facts as Facts,
      at: { latitude, longitude },
    }),
  }))
  await sql`
    update businesses b
    set markers = with_word_markers(stated.markers, b.facts, ${WORDS}::jsonb, b.name, b.category, b.services_offered,
      b.description), markers_version = ${MARKERS_VERSION}::int
    from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) as stated (id text, markers text[])
    where b.id = stated.id`.execute(tx)
  return rows.length
}
