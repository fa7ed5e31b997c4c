import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { newId } from '../../../shared/ids.ts'
import type { CancellationQuote } from '../../terms/rules.ts'
import type { CancelledBy } from './rules.ts'

/** How an approved booking is cancelled. */
export type Cancellation = {
  by: CancelledBy
  quote: Omit<CancellationQuote, 'until'>
  /** When the customer was shown the quote; null where nobody was. */
  shownAt: Date | null
  reason: string | null
}

/** Stores how a booking was cancelled, in the transaction that cancels it. */
export async function addCancellation(
  tx: DatabaseTransaction,
  bookingId: string,
  { by, quote, shownAt, reason }: Cancellation,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('cancellations')
    .values({
      id: newId(),
      booking_id: bookingId,
      cancelled_by: by,
      share_basis_points: quote.shareBasisPoints,
      refund_cents: quote.refundCents,
      kept_cents: quote.keptCents,
      uncollected_cents: quote.uncollectedCents,
      shown_at: shownAt,
      reason,
      created_at: now,
    })
    .execute()
}

/** Takes back a vendor's cancellation, as when they approve after all. It doesn't count any more. */
export async function removeCancellation(tx: DatabaseTransaction, bookingId: string): Promise<void> {
  await tx.deleteFrom('cancellations').where('booking_id', '=', bookingId).execute()
}
