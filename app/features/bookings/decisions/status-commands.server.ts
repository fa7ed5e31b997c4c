import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { findMoneyStatus } from '../../payments/queries.server.ts'
import type { BookingRow } from '../row-queries.server.ts'
import type { BookingStatus, PaymentStatus } from '../status-rules.ts'
import type { DeclineCode } from './decline-rules.ts'

/** A booking's payment, and its line item there. */
export function lineOf(row: { payment_row_id: string; line: number }): { paymentId: string; line: number } {
  return { paymentId: row.payment_row_id, line: row.line }
}

/** The vendor's reason for a decline: one of the fixed ones, their own words, or neither. */
export type StatedReason = { code: DeclineCode | null; words: string | null }

/**
 * Stores a decision about a booking whose row is locked, once its refund is ordered or cancelled. A decline that waited to be
 * told ends with it.
 * @param change.declined the reason of a vendor's decline that the customer is told now
 * @returns the status of its money, which follows from all its refunds: operators may have made some before
 */
export async function setStatus(
  tx: DatabaseTransaction,
  row: BookingRow,
  { declined, ...change }: { status: BookingStatus; decided_at: Date; declined?: StatedReason },
): Promise<PaymentStatus> {
  const paymentStatus = await findMoneyStatus(tx, row.payment_row_id)
  await tx
    .updateTable('bookings')
    .set({
      ...change,
      payment_status: paymentStatus,
      tells_at: null,
      told_at: declined ? change.decided_at : null,
      decline_code: declined?.code ?? null,
      decline_words: declined?.words ?? null,
    })
    .where('id', '=', row.id)
    .execute()
  return paymentStatus
}
