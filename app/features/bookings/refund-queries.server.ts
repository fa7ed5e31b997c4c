import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { RefundReason } from '../payments/rules.ts'
import { returnedCentsOf } from '../sales/amount-rules.ts'
import type { RefundParts } from './bank-messages.ts'
import { type BookingRow, selectBookings } from './row-queries.server.ts'
import { bankOf } from './row-rules.ts'

/**
 * Finds which part of a refund waits for the customer's bank, and what that has returned.
 * @param row the booking before the refund was ordered, locked
 * @param order the refund that was just ordered
 */
export async function findRefundParts(
  tx: DatabaseTransaction,
  row: BookingRow,
  order: { refundCents: Cents; reason: RefundReason; dueAt: Date },
): Promise<RefundParts> {
  const { isDeciding, returns } = bankOf(row)
  const parts = { refundCents: order.refundCents, returnedCents: returnedCentsOf({ returns }) }
  if (!isDeciding || order.refundCents === 0) return { ...parts, waitingCents: 0 }
  const ordered = await selectBookings(tx).where('bookings.id', '=', row.id).executeTakeFirstOrThrow()
  const waiting = ordered.refunds.filter(
    (refund) =>
      refund.is_blocked &&
      refund.reason === order.reason &&
      new Date(refund.due_at).getTime() === order.dueAt.getTime(),
  )
  const waitingCents = waiting.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0)
  return { ...parts, waitingCents: Math.min(waitingCents, order.refundCents) }
}
