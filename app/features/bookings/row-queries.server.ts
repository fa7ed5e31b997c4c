import { type ExpressionBuilder, type InferResult, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Database, DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'
import { countsAsRefund, isBlockedByDispute, isBlocking, isUnfulfilled } from '../payments/queries.server.ts'
import { saleJson } from '../sales/queries.server.ts'
import { OPEN_STATES } from './changes/rules.ts'
import { wasCalledOff } from './open-queries.server.ts'

/** The condition that a payment is one of those of the booking's purchase. */
export function isOfPurchase(paymentId: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(paymentId)} in (
    select id from payments as purchase where purchase.sale_id = bookings.payment_row_id)`
}

/** Selects bookings with their payment and refunds. The one source of `BookingRow`. */
export function selectBookings(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select((eb) => [
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.line',
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      'bookings.phone',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      'bookings.quantity',
      'bookings.booking_type',
      'bookings.total_price_cents',
      'bookings.payment_status',
      'bookings.payment_id',
      'bookings.status',
      'bookings.created_at',
      'bookings.decide_by',
      'bookings.remind_at',
      'bookings.decline_code',
      'bookings.decline_words',
      'bookings.tells_at',
      saleJson().as('sale'),
      'payments.paid_at',
      'sales.owner_user_id',
      'sales.customer_user_id',
      refundsOfLine(eb).as('refunds'),
      instalmentsOfPurchase(eb).as('instalments'),
      declineReason(eb).as('decline_reason'),
      newestCancellation(eb).as('cancellation'),
      openChange(eb).as('change'),
      disputesOfPurchase(eb).as('disputes'),
      givenBack().as('given_back_cents'),
    ])
}

type BookingExpressions = ExpressionBuilder<Tables, 'bookings' | 'payments' | 'sales'>

/** The refunds of a booking's line, oldest first, without cancelled ones and those that were refunded again. */
function refundsOfLine(eb: BookingExpressions) {
  return jsonArrayFrom(
    eb
      .selectFrom('payment_actions as refunds')
      .leftJoin('refund_accounts', 'refund_accounts.refund_id', 'refunds.id')
      .select([
        'refund_accounts.masked as account',
        'refunds.state',
        'refunds.provider_status',
        'refunds.resolution',
        'refunds.amount_cents',
        'refunds.due_at',
        'refunds.done_at',
        'refunds.reason',
        'refunds.borne_by',
        'refunds.created_at',
        isBlockedByDispute('refunds.payment_id').as('is_blocked'),
      ])
      .where(isOfPurchase('refunds.payment_id'))
      .whereRef('refunds.line', '=', 'bookings.line')
      .where('refunds.kind', '=', 'refund')
      .where(countsAsRefund())
      .orderBy('refunds.created_at')
      .orderBy('refunds.id'),
  )
}

/** The disputes of a booking's purchase, oldest first, without those of unfulfilled payments. */
function disputesOfPurchase(eb: BookingExpressions) {
  return jsonArrayFrom(
    eb
      .selectFrom('disputes')
      .select([
        'disputes.amount_cents',
        'disputes.status',
        'disputes.closed_at',
        'disputes.opened_at',
        isBlocking().as('is_blocking'),
      ])
      .where(isOfPurchase('disputes.payment_id'))
      .where(({ not }) => not(isUnfulfilled('disputes.payment_id')))
      .orderBy('disputes.opened_at')
      .orderBy('disputes.id'),
  )
}

/** The instalments of a booking's purchase, in their order; none if it was paid at once. */
function instalmentsOfPurchase(eb: BookingExpressions) {
  return jsonArrayFrom(
    eb
      .selectFrom('instalments')
      .select([
        'instalments.amount_cents',
        'instalments.state',
        'instalments.due_at',
        'instalments.paid_at',
        'instalments.extended_at',
        'instalments.unpaid_since',
        'instalments.reduced_cents',
      ])
      .whereRef('instalments.payment_id', '=', 'bookings.payment_row_id')
      .orderBy('instalments.number'),
  )
}

/** The vendor's reason for declining a booking; null for none. */
function declineReason(eb: BookingExpressions) {
  // A lost dispute, or another try, replaces the refund that has the reason.
  return eb
    .selectFrom('payment_actions as reasons')
    .select('reasons.note')
    .where(isOfPurchase('reasons.payment_id'))
    .whereRef('reasons.line', '=', 'bookings.line')
    .where('bookings.status', '=', 'declined')
    .where('reasons.kind', '=', 'refund')
    .where('reasons.reason', '=', 'declined')
    .where('reasons.note', 'is not', null)
    .orderBy('reasons.created_at', 'desc')
    .orderBy('reasons.id', 'desc')
    .limit(1)
}

/** How a booking was cancelled; null for any other booking. */
function newestCancellation(eb: BookingExpressions) {
  return jsonObjectFrom(
    eb
      .selectFrom('cancellations')
      .select([
        'cancellations.cancelled_by',
        'cancellations.refund_cents',
        'cancellations.kept_cents',
        'cancellations.uncollected_cents',
        'cancellations.reason',
        'cancellations.created_at',
      ])
      .whereRef('cancellations.booking_id', '=', 'bookings.id')
      .where(wasCalledOff())
      .orderBy('cancellations.created_at', 'desc')
      .limit(1),
  )
}

/** The change of a booking that waits for an answer or for its payment; null for none. */
function openChange(eb: BookingExpressions) {
  return jsonObjectFrom(
    eb
      .selectFrom('changes')
      .select([
        'changes.id',
        'changes.proposed_by',
        'changes.state',
        'changes.sale_before',
        'changes.sale_after',
        'changes.expires_at',
      ])
      .whereRef('changes.booking_id', '=', 'bookings.id')
      .where('changes.state', 'in', OPEN_STATES),
  )
}

/** The refunds of a booking's changes, in cents, including those that a lost dispute has replaced. */
function givenBack() {
  return sql<string>`coalesce((
    select sum(changes.refund_cents) from changes where changes.booking_id = bookings.id and changes.state = 'paid'
  ), 0)`
}

/** A row of `selectBookings`. */
export type BookingRow = InferResult<ReturnType<typeof selectBookings>>[number]

/** Finds the row of a booking by its unguessable link. */
export async function findRowByLink(db: Database, linkToken: string): Promise<BookingRow | undefined> {
  return selectBookings(db)
    .where('sales.link_hash', '=', await hashText(linkToken))
    .orderBy('bookings.line')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the row of a vendor's booking. */
export async function findRowOfVendor(
  db: Database,
  { bookingId, userId }: { bookingId: string; userId: string },
): Promise<BookingRow | undefined> {
  return selectBookings(db)
    .where('bookings.id', '=', bookingId)
    .where('sales.owner_user_id', '=', userId)
    .executeTakeFirst()
}

/**
 * Locks one booking in the transaction that decides about it.
 * @returns null when there is no such booking
 */
export async function lockBooking(tx: DatabaseTransaction, bookingId: string): Promise<BookingRow | null> {
  // A separate query, because PostgreSQL can't lock an outer join and the refund has to be read after the lock is held.
  const locked = await tx
    .selectFrom('bookings')
    .select('id')
    .where('id', '=', bookingId)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return null
  return (await selectBookings(tx).where('bookings.id', '=', bookingId).executeTakeFirst()) ?? null
}
