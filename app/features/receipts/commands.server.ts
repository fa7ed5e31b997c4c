import type { DatabaseTransaction } from '../../adapters/database/port.ts'

/**
 * Gives a booking the next number in its seller's series, in the transaction that stores it. The series' row stays
 * locked until the commit, so numbers follow the order of commits, never repeat and leave no gap after a rollback.
 * @returns the number; the existing one if the booking already has one
 */
export async function numberReceipt(
  tx: DatabaseTransaction,
  receipt: { bookingId: string; sellerUserId: string; issuedAt: Date },
): Promise<number> {
  const numbered = await tx
    .selectFrom('receipt_numbers')
    .select('number')
    .where('booking_id', '=', receipt.bookingId)
    .executeTakeFirst()
  if (numbered) return numbered.number
  const { last_number } = await tx
    .insertInto('receipt_series')
    .values({ seller_user_id: receipt.sellerUserId, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('seller_user_id')
        .doUpdateSet((eb) => ({ last_number: eb('receipt_series.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('receipt_numbers')
    .values({
      booking_id: receipt.bookingId,
      seller_user_id: receipt.sellerUserId,
      number: last_number,
      issued_at: receipt.issuedAt,
    })
    .execute()
  return last_number
}
