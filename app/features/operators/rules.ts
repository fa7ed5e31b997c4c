import type { PaymentSnapshot } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { isUnsettled, type PaymentState } from '../payments/rules.ts'

/** The kinds of subjects in the operators' log. */
export type SubjectKind =
  | 'payment'
  | 'refund'
  | 'review'
  | 'account'
  | 'listing'
  | 'comparison'
  | 'rate'
  | 'proof'
  | 'dispute'
  | 'conversation'
  | 'list'
  | 'task'

/**
 * Reads a rate in percent: '12.5' or '12.5 %'.
 * @returns basis points, 0 to 10,000; null for anything else, more than two decimals included
 */
export function parseRate(text: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const basisPoints = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return basisPoints <= 10_000 ? basisPoints : null
}

/**
 * Returns the amount at stake in an operator's cancellation, in cents: its refund, or the part of the policy's refund that it
 * withholds, if that is more.
 */
export function cancellationStakeCents(planned: { refundCents: Cents; policyCents: Cents | null }): Cents {
  return Math.max(planned.refundCents, (planned.policyCents ?? 0) - planned.refundCents)
}

/** How long an operator's order waits for a second person. */
export const ORDER_LIFE_MS = 3 * DAY_MS

/**
 * How long an operator whose role was raised confirms nothing of others, and how long the place of an admin who lost theirs
 * isn't taken by one admin alone: long enough for the mails about it to be read.
 */
export const NEW_OPERATOR_MS = 3 * DAY_MS

/** Why an operator isn't the second person that an order needs. */
export type SecondPersonRefusal = 'own_order' | 'named_lately' | 'named_by_asker'

/**
 * Whether an operator may confirm what another has asked for.
 * @param confirmer.raised the last time that they got a role that moves money, and on whose word; null if none is known
 * @returns why not; null if they may
 */
export function secondPersonRefusal(
  confirmer: { userId: string; raised: { at: Date; by: string } | null },
  askerId: string,
  now: Date,
): SecondPersonRefusal | null {
  if (confirmer.userId === askerId) return 'own_order'
  if (!confirmer.raised) return null
  if (now.getTime() - confirmer.raised.at.getTime() < NEW_OPERATOR_MS) return 'named_lately'
  return confirmer.raised.by === askerId ? 'named_by_asker' : null
}

/** One operator's moves of a purchase within this time are added up. */
export const SUM_WINDOW_MS = DAY_MS

/** How long an operator sees the product as another account. */
export const VIEW_LIFE_MS = 30 * MINUTE_MS

/** Rows of a screen's list. The log shows twice as many. */
export const PAGE_SIZE = 50

/** `unpaid` lists instalments that were due; the others list payments. */
export const PAYMENT_FILTERS = [
  'all',
  'open',
  'stuck',
  'paid',
  'unpaid',
  'refunds',
  'due',
  'failing',
  'failed',
] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number]

/** `waiting` and `overdue` are undecided bookings, within and after the vendor's time to answer. */
export const BOOKING_FILTERS = ['all', 'waiting', 'overdue', 'approved', 'ended'] as const
export type BookingFilter = (typeof BOOKING_FILTERS)[number]

/** `new` began in the last `NEW_MS`; `registered` are owners of a registration from that time. */
export const ACCOUNT_FILTERS = ['all', 'new', 'registered', 'register'] as const
export type AccountFilter = (typeof ACCOUNT_FILTERS)[number]

export const LISTING_FILTERS = ['all', 'new'] as const
export type ListingFilter = (typeof LISTING_FILTERS)[number]

/** How long an account, a registration or a listing counts as new. */
export const NEW_MS = 7 * DAY_MS

/** The days of the overview's chart, today with them. */
export const VOLUME_DAYS = 30

/** The lists that can be downloaded. */
export const EXPORTED_LISTS = ['payments', 'bookings', 'disputes', 'ledger', 'accounts', 'listings'] as const
export type ExportedList = (typeof EXPORTED_LISTS)[number]

/** Rows of one downloaded file. */
export const EXPORT_LIMIT = 100_000

/** Rows of each kind that the search over all lists shows, and up to how many it counts. */
export const SEARCH_SIZE = 20
export const COUNT_LIMIT = 1_000

/** Rows of each kind on a vendor's page, and reviews among them. */
export const VENDOR_ROWS = 20
export const VENDOR_REVIEWS = 5

/**
 * The digits of a phone number by which it is found however it was typed: without the country's code of Australia and the zero
 * before an area's.
 * @returns null for a text that isn't a phone number of 6 to 15 digits
 */
export function phoneCore(text: string): string | null {
  if (!PHONE.test(text)) return null
  const digits = text.replace(NO_DIGIT, '')
  if (digits.length < 6 || digits.length > 15) return null
  return digits.replace(BEFORE_AREA, '')
}
const PHONE = /^[\d\s()+.-]+$/
const NO_DIGIT = /\D/g
const BEFORE_AREA = /^(?:61)?0*/

/** The shortest search over all lists: the indexes know parts of three characters. */
export const MIN_WORDS = 3

/** The longest search. */
export const MAX_WORDS = 100

/**
 * The words of a search as the database can take them: without control characters, which no name has, and without half
 * a surrogate pair.
 */
export function readWords(typed: string | null): string {
  return (typed ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed()
}

/** How long a decline shortly before an event stays on the payments screen. */
export const NEAR_DECLINES_LISTED_MS = 30 * DAY_MS

/** How long before the deadline of a dispute its alert fires. */
export const DISPUTE_ALERT_MS = 72 * HOUR_MS

/** The kinds of letters about a report: a warning to one side, or the same words to both. */
export type LetterKind = 'warning' | 'letter'

/** How long a reported conversation waits for an operator before its alert fires. */
export const REPORT_ALERT_MS = DAY_MS

/** More than the sweep, which runs every minute, ever needs to end a payment after its expiry. */
export const STUCK_AFTER_MS = 300_000

/**
 * Whether a payment should have ended on its own but hasn't: still unsettled a while after its expiry, or an event
 * about it was received a while ago and not processed.
 */
export function isStuck(
  payment: { state: PaymentState; expiresAt: Date; oldestOpenEventAt: Date | null },
  now: Date,
): boolean {
  const before = now.getTime() - STUCK_AFTER_MS
  if (isUnsettled(payment.state) && payment.expiresAt.getTime() < before) return true
  return payment.oldestOpenEventAt !== null && payment.oldestOpenEventAt.getTime() < before
}

/** The state of a review; `waiting` for a moderator. */
export const REVIEW_STATES = ['waiting', 'approved', 'rejected'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** Returns the state of a stored review. */
export function reviewStateOf(review: { approved: boolean; rejected_reason: string | null }): ReviewState {
  if (review.approved) return 'approved'
  return review.rejected_reason === null ? 'waiting' : 'rejected'
}

/** The kinds of difference between the provider and us. */
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

/** Our record of one payment, for the comparison. */
export type OurPayment = {
  state: PaymentState
  amountCents: Cents
  currency: string
  bookings: number
  /** Completed refunds; below, those in progress or still due. */
  refundedCents: Cents
  refundingCents: Cents
}

/**
 * Returns every difference between the provider's record of a payment and ours. The provider may already have made a
 * refund that is still in progress here.
 * @param theirs null when the provider has no such payment
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
  // A payment of the wrong amount that was found and refunded is settled, although its amount still differs.
  if (
    (theirs.amountCents !== ours.amountCents || theirs.currency !== ours.currency) &&
    ours.state !== 'failed'
  )
    found.push('amount')
  if (theirs.refundedCents > goingBack) found.push('refunded_there')
  if (theirs.refundedCents < ours.refundedCents) found.push('refunded_here')
  return found
}

/** A job's name with its numbers of waiting, running and finally failed runs. */
export type JobHealth = { name: string; waiting: number; running: number; failed: number }

/**
 * The health of jobs by name, those that failed first.
 * @param counts by name and state
 */
export function jobHealthOf(
  counts: readonly { name: string; state: 'waiting' | 'running' | 'failed'; count: number }[],
): JobHealth[] {
  const byName = new Map<string, JobHealth>()
  for (const { name, state, count } of counts) {
    const health = byName.get(name) ?? { name, waiting: 0, running: 0, failed: 0 }
    byName.set(name, { ...health, [state]: count })
  }
  return [...byName.values()].toSorted(
    (one, other) => other.failed - one.failed || one.name.localeCompare(other.name),
  )
}
