import { type RawBuilder, sql } from 'kysely'
import { countsAsRefund, isUnfulfilled } from '../../payments/queries.server.ts'
import { wasCalledOff } from '../open-queries.server.ts'
import { isOfPurchase } from '../row-queries.server.ts'

/** The refunds of a booking in the query around it, without cancelled ones and those that were refunded again. */
const REFUNDS = sql`from payment_actions as refunds
  where ${isOfPurchase('refunds.payment_id')} and refunds.line = bookings.line and refunds.kind = 'refund'
    and ${countsAsRefund()}`

/**
 * The condition that a booking in the query around it has revenue, unless it is cancelled: its money isn't all refunded or owed
 * back. Where an operator has borne a refund, the vendor still has the price.
 */
export function hasRevenue(): RawBuilder<boolean> {
  return sql<boolean>`(bookings.payment_status = 'paid'
    or exists (select ${REFUNDS} and refunds.borne_by = 'operator'))`
}

/**
 * The part of the price of a booking in the query around it that its vendor doesn't get, in cents: refunds, reductions of the
 * balance and lost disputes, less what changes gave back, since they have lowered the price itself. A lost dispute may have taken
 * the place of a change's refund. An operator may bear a refund, but what they bore before the booking was declined or cancelled
 * isn't the vendor's.
 */
export function offRevenueCents(): RawBuilder<string> {
  return sql<string>`(
    coalesce((select sum(refunds.amount_cents) ${REFUNDS}
      and (refunds.borne_by is distinct from 'operator'
        or ${wasCalledOff()} and not exists (select from cancellations
          where cancellations.booking_id = bookings.id and cancellations.created_at < refunds.created_at))), 0)
    + coalesce((select sum(instalments.reduced_cents) from instalments
      where instalments.payment_id = bookings.payment_row_id), 0)
    + coalesce((select sum(disputes.amount_cents) from disputes
      where ${isOfPurchase('disputes.payment_id')} and disputes.status = 'lost'
        and not ${isUnfulfilled('disputes.payment_id')}), 0)
    - coalesce((select sum(changes.refund_cents) from changes
      where changes.booking_id = bookings.id and changes.state = 'paid'), 0))`
}
