import type { Cents } from '../../shared/money.ts'

/** What stands in place of a name that was taken away. */
export const DELETED_CUSTOMER = 'Deleted customer'
export const DELETED_REVIEWER = 'Former customer'

/** How long what is over is still of use: to say why a session ended, or to look into a payment that failed. */
export const FORGET_AFTER_MS = 30 * 24 * 60 * 60_000

/** A booking that keeps its vendor from deleting their account: paid, not refunded, not yet over (Decision 19). */
export type OpenBooking = {
  id: string
  businessName: string
  customerName: string
  date: string
  time: string
  totalCents: Cents
}
