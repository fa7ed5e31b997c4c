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
 * The newest of these payments.
 * @param input.reference only the payment with this id of the provider; null for any
 */
export function findNewestPayment(
  db: Database,
  input: { paymentIds: readonly string[]; reference: string | null },
): Promise<PaymentRow | undefined> {
  let query = db.selectFrom('payments').selectAll().where('id', 'in', input.paymentIds)
  if (input.reference !== null) query = query.where('provider_reference', '=', input.reference)
  return query.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
}

/** Why a payment that was charged bought nothing; null for every other payment. */
export async function findUnfulfilledReason(
  db: Database,
  paymentId: string,
): Promise<UnfulfilledReason | null> {
  // Only what bought nothing is refunded as a whole, without a line.
  const refund = await db
    .selectFrom('payment_actions')
    .select('reason')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('line', 'is', null)
    .executeTakeFirst()
  return (refund?.reason as UnfulfilledReason | undefined) ?? null
}

/** Finds a refund's state and the provider of its payment. */
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

/** A payment's state and end under a lock, inside the transaction that decides about it. */
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
