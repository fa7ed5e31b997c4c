import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'

/**
 * Gives a booking the next number in its seller's series, in the transaction that stores it. The series' row stays
 * locked until the commit, so numbers follow the order of commits, never repeat and leave no gap after a rollback.
 * @returns the number; the existing one if the booking already has one
 */
export async function numberReceipt(
  tx: DatabaseTransaction,
  { bookingId, sellerUserId, issuedAt }: { bookingId: string; sellerUserId: string; issuedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    with series as (
      insert into receipt_series (seller_user_id, last_number)
      select ${sellerUserId}, 1 where not exists (select from receipt_numbers where booking_id = ${bookingId})
      on conflict (seller_user_id) do update set last_number = receipt_series.last_number + 1
      returning last_number
    ), numbered as (
      insert into receipt_numbers (booking_id, seller_user_id, number, issued_at)
      select ${bookingId}, ${sellerUserId}, last_number, ${issuedAt} from series
      returning number
    )
    select number from numbered union all select number from receipt_numbers where booking_id = ${bookingId}`.execute(
    tx,
  )
  const [numbered] = rows
  if (!numbered) throw new Error('a receipt got no number')
  return numbered.number
}
