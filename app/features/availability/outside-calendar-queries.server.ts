import type { Database } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'

/** An outside calendar as its vendor sees it. */
export type OutsideCalendar = {
  id: string
  name: string
  url: string
  /** The last reading that went well. */
  lastSyncedAt: Date | null
  /** Why the reading after that did not; null when it did. */
  lastError: string | null
}

/** The calendars elsewhere whose events keep a business's time. */
export async function listOutsideCalendars(db: Database, businessId: string): Promise<OutsideCalendar[]> {
  const rows = await db
    .selectFrom('outside_calendars')
    .select(['id', 'name', 'url', 'last_synced_at', 'last_error'])
    .where('business_id', '=', businessId)
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    lastSyncedAt: row.last_synced_at,
    lastError: row.last_error,
  }))
}

/** Whether a business's calendar can be read at a secret address, since when, and whether names are in it. */
export async function findFeed(
  db: Database,
  businessId: string,
): Promise<{ since: Date; showsNames: boolean } | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select(['created_at', 'shows_names'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row ? { since: row.created_at, showsNames: row.shows_names } : null
}

/** The business whose calendar a secret address opens; null for a token that opens nothing (any more). */
export async function findFeedByToken(
  db: Database,
  token: string,
): Promise<{ businessId: string; businessName: string; timeZone: string; showsNames: boolean } | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .innerJoin('businesses', 'businesses.id', 'calendar_feeds.business_id')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.id', 'businesses.name', 'places.time_zone', 'calendar_feeds.shows_names'])
    .where('calendar_feeds.token_hash', '=', await hashText(token))
    .where('businesses.deleted_at', 'is', null)
    .executeTakeFirst()
  return row
    ? {
        businessId: row.id,
        businessName: row.name,
        timeZone: row.time_zone,
        showsNames: row.shows_names,
      }
    : null
}
