import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { daysBeforeEvent, NEAR_EVENT_MS } from '../bookings/decisions/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { NEAR_DECLINES_LISTED_MS, PAGE_SIZE } from './rules.ts'

/** An approved booking that its vendor declined shortly before the event. Times are ISO 8601, UTC. */
export type NearDecline = {
  bookingId: string
  paymentId: string
  vendorName: string
  customerName: string
  /** 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  declinedAt: string
  daysBefore: number
  reason: string
}

/**
 * Lists the approved bookings that vendors declined within 30 days of the event, during the last 30 days, newest first.
 * Declines that were undone since aren't listed, nor are operators' own cancellations.
 */
export async function listNearDeclines(db: Database, now: Date): Promise<NearDecline[]> {
  const rows = await db
    .selectFrom('payment_actions')
    .innerJoin('bookings', (join) =>
      join
        .onRef('bookings.payment_row_id', '=', 'payment_actions.payment_id')
        .onRef('bookings.line', '=', 'payment_actions.line'),
    )
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    // The refund that came with the decline has its reason; another try, or the rest after a dispute, has none.
    .distinctOn('bookings.id')
    .select([
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      saleJson().as('sale'),
      'payment_actions.created_at',
      'payment_actions.note',
    ])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.reason', '=', 'declined')
    .where('payment_actions.note', 'is not', null)
    .where('payment_actions.created_at', '>', new Date(now.getTime() - NEAR_DECLINES_LISTED_MS))
    .where('bookings.status', '=', 'declined')
    .where(
      sql<boolean>`payment_actions.created_at
        >= sales.event_from - make_interval(secs => ${NEAR_EVENT_MS / 1000})`,
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('operator_log')
            .select('operator_log.id')
            .where('operator_log.action', '=', 'cancel-booking')
            .whereRef('operator_log.subject_id', '=', 'payments.id'),
        ),
      ),
    )
    .orderBy('bookings.id')
    .orderBy('payment_actions.created_at', 'desc')
    .execute()
  return rows
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
    .slice(0, PAGE_SIZE)
    .map((row) => ({
      bookingId: row.id,
      paymentId: row.payment_row_id,
      vendorName: row.vendor_name,
      customerName: row.customer_name,
      span: spanText(row.sale),
      declinedAt: row.created_at.toISOString(),
      daysBefore: daysBeforeEvent(row.created_at, row.date, row.sale.timeZone),
      reason: row.note ?? '',
    }))
}
