import type { LocalDate, LocalTime } from '../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { CancelledBy } from '../bookings/cancellation/rules.ts'
import type { RefundResolution, RefundState } from '../payments/rules.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'

/** A receipt's number with leading zeros: 7 becomes '000007'. */
export function receiptNumberText(number: number): string {
  return String(number).padStart(6, '0')
}

/** An ABN in its printed groups: '51824753556' becomes '51 824 753 556'. */
export function abnText(abn: string): string {
  return abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')
}

/** The contents of a receipt: the offer as both sides agreed and changed it, not as the business is now (Decision 4). */
export type Receipt = {
  number: number
  issuedAt: Date
  timeZone: string
  seller: { name: string; abn: string | null; gstRegistered: boolean }
  customer: { name: string; email: string }
  event: { date: LocalDate; time: LocalTime; place: string }
  quantity: number
  bookingType: PriceUnit
  unitPriceCents: Cents
  /** The lines of the quote that was accepted; null where the listing's own price was paid. */
  lines: readonly { label: string; quantity: number; unitPriceCents: Cents }[] | null
  totalCents: Cents
  /** The payments of a price that isn't paid in full; empty for any other. `at` is when one was paid or is due. */
  payments: { cents: Cents; at: Date; state: InstalmentState }[]
  /** The sum by which operators have reduced the balance. */
  reducedCents: Cents
  /** How the booking was cancelled after its approval; null for any other. */
  cancellation: { by: CancelledBy; at: Date } | null
  /** The provider's id of the payment. */
  paymentId: string
  /** Oldest first. `at` is when the provider last moved it; before that, when it is due. */
  refunds: {
    amountCents: Cents
    state: RefundState
    resolution: Exclude<RefundResolution, 'refunded_again'> | null
    at: Date
    /** Whether it waits for the customer's bank to decide about its payment. */
    isWaiting: boolean
  }[]
  /** The sums that the customer's bank has returned, oldest first. */
  returns: { amountCents: Cents; at: Date }[]
}
