import type { PriceUnit } from '../../shared/money.ts'
import type { CancelledBy } from '../bookings/cancellation/rules.ts'
import type { RefundResolution, RefundState } from '../payments/rules.ts'

export const RECEIPT_TITLE = 'Receipt'
export const GST_INCLUDED = 'GST included'
export const TOTAL_PAID = 'Total paid (AUD)'
/** The label of a price that isn't paid in full, or of which something was taken off. */
export const TOTAL = 'Total (AUD)'
/** The side that cancelled a booking, in words. */
export const CANCELLED_NOTES = {
  customer: 'by the customer',
  vendor: 'by the vendor',
  operator: 'by the marketplace',
  overdue: 'because its balance wasn’t paid',
} as const satisfies Record<CancelledBy, string>
export const UNIT_WORDS = {
  perPerson: ['person', 'people'],
  perHour: ['hour', 'hours'],
} as const satisfies Record<PriceUnit, readonly [string, string]>
export const REFUND_NOTES = {
  due: 'Refund due',
  claimed: 'Refund on its way',
  sent: 'Refund on its way',
  done: 'Refunded',
  failed: 'Refund came back',
  paid_otherwise: 'Paid back another way',
} as const satisfies Record<RefundState | Exclude<RefundResolution, 'refunded_again'>, string>
/** In place of a refund's state, without a date: the bank decides when, and whether. */
export const REFUND_WAITS = 'Refund, if the bank leaves the payment with us'
