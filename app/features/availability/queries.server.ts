import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'
import {
  type AvailabilityRules,
  defaultAvailability,
  type HoursException,
  isFree,
  type Taken,
  type TimeSpan,
} from './rules.ts'

/** A range as PostgreSQL reads it: half open, in UTC. */
export function rangeText({ from, until }: TimeSpan): string {
  return `[${from.toISOString()},${until.toISOString()})`
}

/**
 * What a business offers and when: what its vendor has set, else its category's defaults, in the zone of its place.
 * @returns null when there is no such business (any more)
 */
export async function findAvailability(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<AvailabilityRules | null> {
  const row = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .leftJoin('availability_settings as set', 'set.business_id', 'businesses.id')
    .select([
      'businesses.category',
      'places.time_zone',
      'set.capacity',
      'set.max_guests',
      'set.weekly',
      'set.event_minutes',
      'set.setup_minutes',
      'set.cleanup_minutes',
      'set.notice_minutes',
      'set.horizon_days',
      sql<HoursException[]>`coalesce((
        select json_agg(json_build_object('from', to_char(from_day, 'YYYY-MM-DD'), 'to', to_char(to_day, 'YYYY-MM-DD'),
          'hours', hours, 'note', note) order by number)
        from availability_exceptions where business_id = businesses.id), '[]')`.as('exceptions'),
    ])
    .where('businesses.id', '=', businessId)
    .where('businesses.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const usual = defaultAvailability(row.category, row.time_zone)
  if (row.capacity === null) return { ...usual, exceptions: row.exceptions }
  return {
    timeZone: row.time_zone,
    capacity: row.capacity,
    maxGuests: row.max_guests,
    weekly: row.weekly ?? usual.weekly,
    exceptions: row.exceptions,
    eventMinutes: row.event_minutes ?? usual.eventMinutes,
    setupMinutes: row.setup_minutes ?? usual.setupMinutes,
    cleanupMinutes: row.cleanup_minutes ?? usual.cleanupMinutes,
    noticeMinutes: row.notice_minutes ?? usual.noticeMinutes,
    horizonDays: row.horizon_days ?? usual.horizonDays,
  }
}

/**
 * What takes time of a business within a range: bookings, holds that are not void, blocked times, and the events of its
 * outside calendars; the last two take all of the capacity.
 * @param options.exceptPayments this browser's payments (`BROWSER_PAYMENTS_COOKIE`): their holds are in nobody else's
 *   way. What is being charged already stays
 */
export async function listTaken(
  db: Database | DatabaseTransaction,
  businessId: string,
  range: TimeSpan,
  now: Date,
  options: { exceptPayments?: readonly string[] } = {},
): Promise<Taken[]> {
  const within = sql`${rangeText(range)}::tstzrange`
  const except = sql`${[...(options.exceptPayments ?? [])]}::text[]`
  const found = await sql<{ from: Date; until: Date; whole: boolean }>`
    select lower(during) as from, upper(during) as until, kind = 'block' as whole
    from slots
    where business_id = ${businessId} and during && ${within}
      and (expires_at is null or (expires_at > ${now.toISOString()}::timestamptz and payment_id <> all (${except})))
    union all
    select lower(e.during), upper(e.during), true
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = ${businessId} and e.during && ${within}
  `.execute(db)
  return found.rows.map(({ from, until, whole }) => ({ from, until, wholeCapacity: whole }))
}

/** One thing in a vendor's calendar. */
export type CalendarEntry = {
  /** Of the slot; of an outside event one that changes with every reading. */
  id: string
  kind: 'booking' | 'hold' | 'block' | 'outside'
  event: TimeSpan
  /** With setting up and cleaning. */
  occupied: TimeSpan
  /** The customer's name, the note of a blocked time, or what an outside calendar calls it; '' for a hold. */
  title: string
  /** Of a booking. */
  bookingId: string | null
  status: 'pending' | 'approved' | null
  /** The outside calendar that it comes from. */
  calendarName: string | null
  /** More is going on then than the vendor takes at once, and somebody has to decide. */
  isConflict: boolean
}

/**
 * Everything in a business's calendar within a range, in order of time. The caller has shown that it is the vendor's.
 */
export async function listCalendarEntries(
  db: Database | DatabaseTransaction,
  input: { businessId: string; range: TimeSpan; now: Date },
): Promise<CalendarEntry[]> {
  const within = sql`${rangeText(input.range)}::tstzrange`
  const rules = await findAvailability(db, input.businessId)
  const found = await sql<{
    id: string
    kind: CalendarEntry['kind']
    taken_from: Date
    taken_until: Date
    event_from: Date
    event_until: Date
    title: string
    booking_id: string | null
    status: CalendarEntry['status']
    calendar_name: string | null
  }>`
    select s.id, s.kind, lower(s.during) as taken_from, upper(s.during) as taken_until,
      lower(s.event) as event_from, upper(s.event) as event_until,
      coalesce(b.customer_name, s.note) as title, s.booking_id, b.status, null as calendar_name
    from slots s left join bookings b on b.id = s.booking_id
    where s.business_id = ${input.businessId} and s.during && ${within}
      and (s.expires_at is null or s.expires_at > ${input.now.toISOString()}::timestamptz)
    union all
    select 'outside-' || e.id, 'outside', lower(e.during), upper(e.during), lower(e.during), upper(e.during),
      e.title, null, null, c.name
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = ${input.businessId} and e.during && ${within}
    order by taken_from, id
  `.execute(db)
  const entries = found.rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    event: { from: row.event_from, until: row.event_until },
    occupied: { from: row.taken_from, until: row.taken_until },
    title: row.title,
    bookingId: row.booking_id,
    status: row.status,
    calendarName: row.calendar_name,
  }))
  const capacity = rules?.capacity ?? 1
  return entries.map((entry) => ({ ...entry, isConflict: isInConflict(entry, entries, capacity) }))
}

type Placed = Pick<CalendarEntry, 'kind' | 'occupied'>

const isCustomers = ({ kind }: Placed) => kind === 'booking' || kind === 'hold'

/** Blocked and outside times may overlap each other: only where a customer is in it, there is something to decide. */
function isInConflict(entry: Placed, all: readonly Placed[], capacity: number): boolean {
  const others = all.filter(
    (other) =>
      other !== entry &&
      other.occupied.from < entry.occupied.until &&
      entry.occupied.from < other.occupied.until,
  )
  if (!isCustomers(entry)) return others.some(isCustomers)
  const taken = others.map((other) => ({ ...other.occupied, wholeCapacity: !isCustomers(other) }))
  return !isFree({ capacity }, taken, entry.occupied)
}

/** An exception as the settings screen lists it. */
export type ListedException = HoursException & { id: string }

/** The exceptions to a business's weekly hours, in the order in which they count: of two for a day the later wins. */
export async function listExceptions(db: Database, businessId: string): Promise<ListedException[]> {
  const rows = await db
    .selectFrom('availability_exceptions')
    .select([
      'id',
      'hours',
      'note',
      sql<string>`to_char(from_day, 'YYYY-MM-DD')`.as('from'),
      sql<string>`to_char(to_day, 'YYYY-MM-DD')`.as('to'),
    ])
    .where('business_id', '=', businessId)
    .orderBy('number')
    .execute()
  return rows.map(({ id, from, to, hours, note }) => ({ id, from, to, hours, note }))
}

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
