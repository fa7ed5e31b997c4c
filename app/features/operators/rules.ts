import type { PaymentSnapshot } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { isUnsettled, type PaymentState } from '../payments/rules.ts'

/** Everything that an operator can do; each is logged (Decision 18). */
export type OperatorAction =
  | 'ask-provider'
  | 'retry-refund'
  | 'compare'
  | 'approve-review'
  | 'reject-review'
  | 'disable-account'
  | 'enable-account'
  | 'hide-listing'
  | 'show-listing'

export type SubjectKind = 'payment' | 'refund' | 'review' | 'account' | 'listing' | 'comparison'

/** Rows of a screen's list; the log has twice as many. */
export const PAGE_SIZE = 50

export const PAYMENT_FILTERS = ['all', 'open', 'stuck', 'paid', 'refunds', 'failing', 'failed'] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number]

/** Longer than the sweep, which runs each minute, ever needs to end a payment whose time is up. */
export const STUCK_AFTER_MS = 300_000

/**
 * Whether a payment should have ended by itself and has not: unsettled although its time was up a while ago, or an
 * event about it was received and never worked through.
 */
export function isStuck(
  payment: { state: PaymentState; expiresAt: Date; oldestOpenEventAt: Date | null },
  now: Date,
): boolean {
  const before = now.getTime() - STUCK_AFTER_MS
  if (isUnsettled(payment.state) && payment.expiresAt.getTime() < before) return true
  return payment.oldestOpenEventAt !== null && payment.oldestOpenEventAt.getTime() < before
}

/** Where the provider and we can disagree. */
export type DifferenceKind =
  | 'unknown_here'
  | 'unknown_there'
  | 'paid_there_only'
  | 'paid_here_only'
  | 'paid_without_booking'
  | 'booking_without_payment'
  | 'amount'
  | 'refunded_there'
  | 'refunded_here'

/** What we hold of one payment, for the comparison. */
export type OurPayment = {
  state: PaymentState
  amountCents: Cents
  currency: string
  bookings: number
  /** Refunds that are done, and those on their way or still due. */
  refundedCents: Cents
  refundingCents: Cents
}

/**
 * Every way in which the provider's word of a payment and ours disagree. A refund on its way may be there already.
 * @param theirs null when the provider knows no such payment
 */
export function differencesOf(
  ours: OurPayment,
  theirs: Pick<PaymentSnapshot, 'state' | 'amountCents' | 'currency' | 'refundedCents'> | null,
): DifferenceKind[] {
  if (!theirs) return ['unknown_there']
  const found: DifferenceKind[] = []
  const paidThere = theirs.state === 'succeeded'
  const paidHere = ours.state === 'paid' || ours.state === 'failed'
  if (paidThere && !paidHere) found.push('paid_there_only')
  if (!paidThere && ours.state === 'paid') found.push('paid_here_only')
  if (!paidThere && ours.bookings > 0) found.push('booking_without_payment')
  const goingBack = ours.refundedCents + ours.refundingCents
  if (paidThere && paidHere && ours.bookings === 0 && goingBack < theirs.amountCents)
    found.push('paid_without_booking')
  // A wrong amount that was found and sent back is settled; it stays one payment of another amount.
  if (
    (theirs.amountCents !== ours.amountCents || theirs.currency !== ours.currency) &&
    ours.state !== 'failed'
  )
    found.push('amount')
  if (theirs.refundedCents > goingBack) found.push('refunded_there')
  if (theirs.refundedCents < ours.refundedCents) found.push('refunded_here')
  return found
}
