import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { type BookingRow, lockBooking } from '../bookings/row-queries.server.ts'
import { lockLedger, postTransactions } from '../ledger/commands.server.ts'
import type { Entry } from '../ledger/rules.ts'
import { lockPayment } from '../payments/queries.server.ts'

/**
 * Locks a booking, its payment and its vendor's ledger until the transaction ends, in the order of every command.
 * @returns null when there is no such booking
 */
export async function lockBookingMoney(
  tx: DatabaseTransaction,
  bookingId: string,
): Promise<BookingRow | null> {
  const row = await lockBooking(tx, bookingId)
  if (!row) return null
  await lockPayment(tx, row.payment_row_id)
  await lockLedger(tx, [row.owner_user_id])
  return row
}

/**
 * Posts transactions about a booking whose money is locked.
 * @param posts.reference the provider's id of what moved; none where no money moved at the provider
 */
export async function postAboutBooking(
  tx: DatabaseTransaction,
  row: BookingRow,
  posts: readonly { key: string; entry: Entry; at: Date; reference?: string | null }[],
): Promise<void> {
  await postTransactions(
    tx,
    posts.map(({ key, entry, at, reference = null }) => ({
      ...entry,
      key,
      vendorUserId: row.owner_user_id,
      bookingId: row.id,
      paymentId: row.payment_row_id,
      providerReference: reference,
      at,
    })),
  )
}
