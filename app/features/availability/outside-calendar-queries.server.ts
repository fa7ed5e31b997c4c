import type { Database } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'

/** An outside calendar as its vendor sees it. */
export type OutsideCalendar = {
  id: string
  name: string
  url: string
  /** The last successful sync. */
  lastSyncedAt: Date | null
  /** Why the sync after that failed; null when none failed. */
  lastError: string | null
  /** The event that can't be read, if that is why. */
  lastErrorEvent: string | null
}

/** Lists the outside calendars whose events count as taken for a business. */
export async function listOutsideCalendars(db: Database, businessId: string): Promise<OutsideCalendar[]> {
  const rows = await db
    .selectFrom('outside_calendars')
    .select(['id', 'name', 'url', 'last_synced_at', 'last_error', 'last_error_event'])
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
    lastErrorEvent: row.last_error_event,
  }))
}

/** Lists the outside calendars of these businesses whose last reading failed, by name. */
export async function listUnreadCalendars(
  db: Database,
  businessIds: readonly string[],
): Promise<{ name: string; businessId: string }[]> {
  return db
    .selectFrom('outside_calendars')
    .select(['name', 'business_id as businessId'])
    .where('business_id', 'in', businessIds)
    .where('last_error', 'is not', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Finds since when a business has a calendar feed, and whether it shows names; null without a feed. */
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

/** Finds the business whose feed has this token; null for an unknown or revoked token. */
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
