import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentState, RefundStatus, UnfulfilledReason } from './rules.ts'
import type { PaymentRow } from './tables.server.ts'

/** Finds a payment by our id. */
export function findPayment(db: Database, paymentId: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirst()
}

/** Finds the payment of one press of 'Proceed to Payment'. */
export function findPaymentBySubmitKey(db: Database, submitKey: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('submit_key', '=', submitKey).executeTakeFirst()
}

/**
 * Finds the newest of these payments.
 * @param input.reference the provider's id that the payment must have; null for any payment
 */
export function findNewestPayment(
  db: Database,
  input: { paymentIds: readonly string[]; reference: string | null },
): Promise<PaymentRow | undefined> {
  let query = db.selectFrom('payments').selectAll().where('id', 'in', input.paymentIds)
  if (input.reference !== null) query = query.where('provider_reference', '=', input.reference)
  return query.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
}

/** Finds the reason why a charged payment bought nothing; null for every other payment. */
export async function findUnfulfilledReason(
  db: Database,
  paymentId: string,
): Promise<UnfulfilledReason | null> {
  // Only a payment that bought nothing is refunded as a whole, without a line item.
  const refund = await db
    .selectFrom('payment_actions')
    .select('reason')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('line', 'is', null)
    .executeTakeFirst()
  return (refund?.reason as UnfulfilledReason | undefined) ?? null
}

/** Finds a refund's state and its payment's provider. */
export function findRefund(
  db: Database,
  refundId: string,
): Promise<{ state: RefundStatus; provider: string } | undefined> {
  return db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['payment_actions.state', 'payments.provider'])
    .where('payment_actions.id', '=', refundId)
    .executeTakeFirst()
}

/** Locks a payment in the transaction that decides about it, and returns its state and expiry. */
export function lockPayment(
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<{ state: PaymentState; expires_at: Date }> {
  return tx
    .selectFrom('payments')
    .select(['state', 'expires_at'])
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
