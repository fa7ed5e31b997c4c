import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'

/** Shown instead of a name that was removed. */
export const DELETED_CUSTOMER = 'Deleted customer'
export const DELETED_REVIEWER = 'Former customer'

/** How long expired data stays useful: to explain why a session ended, or to investigate a failed payment. */
export const FORGET_AFTER_MS = 30 * DAY_MS

/** A booking that prevents its vendor from deleting their account: paid, not refunded, not yet over (Decision 19). */
export type OpenBooking = {
  id: string
  businessName: string
  customerName: string
  date: string
  time: string
  totalCents: Cents
}
