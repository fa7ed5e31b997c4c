import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../../adapters/database/port.ts'
import type { LocalDate } from '../../../shared/dates.ts'
import type { TimeSpan } from '../../../shared/time-span.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { type CalendarEntry, outsideOf, overbookedSpans } from '../../availability/calendar-rules.ts'
import { listAvailability } from '../../availability/hours-queries.server.ts'
import { rangeText } from '../../availability/slot-queries.server.ts'
import { DUE_LABELS, partPaymentText } from '../messages.ts'
import { isOpenBooking, partPayments, wasCalledOff } from '../open-queries.server.ts'
import { type BookingTerms, type CalendarVersion, calendarVersion, partPaymentOf } from '../rules.ts'

/** Beyond the furthest date that can be booked. */
const DECIDE_AHEAD_MS = 1_100 * DAY_MS

/**
 * Finds the next event of all listings of a vendor that isn't over, for a calendar that no month was chosen for.
 * @returns its day; null without one
 */
export async function findNextEvent(
  db: Database,
  input: { userId: string; now: Date },
): Promise<LocalDate | null> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .innerJoin('businesses', 'businesses.id', 'bookings.vendor_id')
    .select(sql<LocalDate>`to_char(bookings.date, 'YYYY-MM-DD')`.as('day'))
    .where('sales.owner_user_id', '=', input.userId)
    .where('businesses.user_id', '=', input.userId)
    .where('businesses.deleted_at', 'is', null)
    .where(isOpenBooking(input.now))
    .orderBy('bookings.date')
    .orderBy('bookings.time')
    .orderBy('bookings.id')
    .limit(1)
    .executeTakeFirst()
  return row?.day ?? null
}

/** Lists a business's calendar within a range, by time. The caller has checked that the business is the vendor's. */
export function listCalendarEntries(
  db: Database | DatabaseTransaction,
  { businessId, ...input }: { businessId: string; range: TimeSpan; now: Date },
): Promise<CalendarEntry[]> {
  return listEntriesOf(db, { businessIds: [businessId], ...input })
}

/** The same of several businesses together. */
export async function listEntriesOf(
  db: Database | DatabaseTransaction,
  input: { businessIds: readonly string[]; range: TimeSpan; now: Date },
): Promise<CalendarEntry[]> {
  const within = sql`${rangeText(input.range)}::tstzrange`
  const rules = await listAvailability(db, input.businessIds)
  const found = await sql<{
    id: string
    business_id: string
    kind: CalendarEntry['kind']
    taken_from: Date
    taken_until: Date
    event_from: Date
    event_until: Date
    title: string
    booking_id: string | null
    status: CalendarEntry['status']
    calendar_name: string | null
    payments: BookingTerms['payments'] | null
    is_declining: boolean | null
    own_from: Date | null
    own_until: Date | null
  }>`
    select s.id, s.business_id, s.kind, lower(s.during) as taken_from, upper(s.during) as taken_until,
      lower(s.event) as event_from, upper(s.event) as event_until,
      coalesce(b.customer_name, moving.customer_name, s.note) as title, s.booking_id, b.status, null as calendar_name,
      b.tells_at is not null as is_declining,
      ${partPayments('b.payment_row_id')} as payments, lower(own.during) as own_from, upper(own.during) as own_until
    from slots s left join bookings b on b.id = s.booking_id
    left join bookings moving on moving.payment_row_id = s.moves_payment_id
    left join slots own on own.payment_id = s.moves_payment_id
    where s.business_id = any(${input.businessIds}::text[]) and s.during && ${within}
      and (s.expires_at is null or s.expires_at > ${input.now.toISOString()}::timestamptz)
    union all
    select 'outside-' || e.id, c.business_id, 'outside', lower(e.during), upper(e.during), lower(e.during), upper(e.during),
      e.title, null, null, c.name, null, null::json, null, null
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = any(${input.businessIds}::text[]) and e.during && ${within}
    order by taken_from, id
  `.execute(db)
  const entries = found.rows.map((row) => ({
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    event: { from: row.event_from, until: row.event_until },
    occupied: { from: row.taken_from, until: row.taken_until },
    title: row.title,
    bookingId: row.booking_id,
    status: row.is_declining ? ('declined' as const) : row.status,
    calendarName: row.calendar_name,
    due: dueOf(row.payments, rules.get(row.business_id)?.rules.timeZone),
  }))
  // A booking that would move takes one place, also where its current slot and the proposed one overlap.
  const taken = entries.flatMap(({ businessId, kind, occupied }, index) => {
    const { own_from: from = null, own_until: until = null, is_declining } = found.rows[index] ?? {}
    // Its time is about to be free, unless the vendor undoes the decline.
    if (is_declining) return []
    return outsideOf(occupied, from && until && { from, until }).map((span) => ({
      businessId,
      kind,
      occupied: span,
    }))
  })
  const overbooked = new Map(
    [...Map.groupBy(taken, ({ businessId }) => businessId)].map(([id, ofBusiness]) => [
      id,
      overbookedSpans(ofBusiness, rules.get(id)?.rules.capacity ?? 1),
    ]),
  )
  return entries.map((entry) => ({
    ...entry,
    isConflict:
      entry.status !== 'declined' &&
      (overbooked.get(entry.businessId) ?? []).some(
        (span) => span.from < entry.occupied.until && entry.occupied.from < span.until,
      ),
  }))
}

function dueOf(
  payments: BookingTerms['payments'] | null,
  timeZone: string | undefined,
): CalendarEntry['due'] {
  const due = payments && partPaymentOf({ payments })
  if (!due || !timeZone) return null
  const { standing } = due
  return {
    label: DUE_LABELS[standing],
    text: partPaymentText(due, timeZone),
    isLate: standing !== 'scheduled',
  }
}

/**
 * Lists upcoming bookings that conflict with other entries of the same business, by time, for the vendor to decide. The
 * caller has checked that the businesses are the vendor's.
 */
export async function listBookingsToDecide(
  db: Database,
  { businessIds, now }: { businessIds: readonly string[]; now: Date },
): Promise<CalendarEntry[]> {
  const range = { from: now, until: new Date(now.getTime() + DECIDE_AHEAD_MS) }
  const coming = await listEntriesOf(db, { businessIds, range, now })
  return coming.filter(({ kind, isConflict }) => kind === 'booking' && isConflict)
}

/** A booking as it appears in the calendar feed. */
export type FeedBooking = {
  bookingId: string
  event: TimeSpan
  status: 'pending' | 'approved' | 'cancelled'
  customerName: string
  version: CalendarVersion
}

/** A cancelled booking stays in the feed for so long, since some calendar apps keep an event that just disappears. */
const CANCELLED_LISTED_MS = 30 * DAY_MS

/** The columns of a booking that its version in calendars follows from. `b` is the booking in the query. */
const versionColumns = sql`b.created_at, b.decided_at,
  (select count(*)::int from changes where booking_id = b.id and state = 'paid') as changes,
  (select max(ended_at) from changes where booking_id = b.id and state = 'paid') as changed_at`
type VersionRow = { created_at: Date; decided_at: Date | null; changes: number; changed_at: Date | null }

/** Lists the bookings in a business's calendar within a range, and those that were cancelled lately, by time. */
export async function listFeedBookings(
  db: Database,
  input: { businessId: string; range: TimeSpan; now: Date },
): Promise<FeedBooking[]> {
  const within = sql`${rangeText(input.range)}::tstzrange`
  const cancelledSince = new Date(input.now.getTime() - CANCELLED_LISTED_MS)
  const found = await sql<
    { id: string; from: Date; until: Date; status: FeedBooking['status']; customer_name: string } & VersionRow
  >`
    select b.id, lower(s.event) as from, upper(s.event) as until, b.status, b.customer_name, ${versionColumns}
    from slots s join bookings b on b.id = s.booking_id
    where s.business_id = ${input.businessId} and s.during && ${within}
    union all
    select b.id, sales.event_from, sales.event_until, 'cancelled', b.customer_name, ${versionColumns}
    from bookings b join sales on sales.id = b.payment_row_id
    where b.vendor_id = ${input.businessId} and ${wasCalledOff('b')}
      and b.decided_at > ${cancelledSince.toISOString()}::timestamptz
      and tstzrange(sales.event_from, sales.event_until) && ${within}
    order by 2, 1
  `.execute(db)
  return found.rows.map((row) => ({
    bookingId: row.id,
    event: { from: row.from, until: row.until },
    status: row.status,
    customerName: row.customer_name,
    version: versionOf(row),
  }))
}

/** Finds the version of a stored booking in calendars. */
export async function findCalendarVersion(db: Database, bookingId: string): Promise<CalendarVersion> {
  const { rows } =
    await sql<VersionRow>`select ${versionColumns} from bookings b where b.id = ${bookingId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a booking vanished while it was read')
  return versionOf(row)
}

const versionOf = (row: VersionRow): CalendarVersion =>
  calendarVersion({
    bookedAt: row.created_at,
    decidedAt: row.decided_at,
    changes: row.changes,
    changedAt: row.changed_at,
  })

/**
 * Finds the customers' names of these bookings.
 * @returns names by booking id; a deleted booking has no entry
 */
export async function findCustomerNames(
  db: Database | DatabaseTransaction,
  bookingIds: readonly string[],
): Promise<Map<string, string>> {
  if (bookingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'customer_name'])
    .where('id', 'in', bookingIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row.customer_name]))
}

/**
 * Finds which of these ids are bookings of a business, whatever their status. Ids from an outside calendar can be any
 * text.
 */
export async function listBookingsOf(
  db: Database | DatabaseTransaction,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('bookings')
    .select('id')
    .where('vendor_id', '=', businessId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
