import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { BookingTerms } from './rules.ts'

/** The payments of a price that is paid in parts, as JSON; null for a price that is paid at once. */
export function partPayments(paymentRowId: string) {
  return sql<BookingTerms['payments'] | null>`(
    select json_agg(json_build_object('cents', i.amount_cents, 'at', coalesce(i.paid_at, i.due_at), 'state', i.state)
      order by i.number)
    from instalments i where i.payment_id = ${sql.ref(paymentRowId)} and i.amount_cents > 0)`
}

/** Whether the event of a booking has ended, in any zone. `sales` is in the query. */
export function isEventOver(now: Date) {
  return sql<boolean>`sales.event_until <= ${now.toISOString()}::timestamptz`
}

/**
 * Whether a booking was called off, by its vendor, its customer or for its balance (`isCalledOff` of a status).
 * @param bookings its table's name in the query
 */
export function wasCalledOff(bookings = 'bookings'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${bookings}.status`)} in ('declined', 'withdrawn')`
}

/**
 * Whether a booking is on for its vendor: neither called off, nor declined by them without its customer knowing yet (decision 79).
 * `bookings` is in the query.
 */
export function isOnForVendor(): RawBuilder<boolean> {
  return sql<boolean>`not ${wasCalledOff()} and bookings.tells_at is null`
}

/**
 * Whether a booking is open: paid and not refunded, neither declined nor withdrawn, its event not over. An open booking
 * keeps its business and its vendor's account from being deleted (Decision 19). `bookings` and `sales` are in the
 * query.
 */
export function isOpenBooking(now: Date) {
  return sql<boolean>`not ${wasCalledOff()} and bookings.payment_status = 'paid'
    and not ${isEventOver(now)}`
}

/** Counts the open bookings of each of these businesses. A business without any has no entry. */
export async function countOpenBookings(
  db: Database | DatabaseTransaction,
  businessIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (businessIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select(['bookings.vendor_id', sql<number>`count(*)::int`.as('count')])
    .where('bookings.vendor_id', 'in', businessIds)
    .where(isOpenBooking(now))
    .groupBy('bookings.vendor_id')
    .execute()
  return new Map(rows.map((row) => [row.vendor_id, row.count]))
}
