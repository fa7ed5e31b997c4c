import type {
  DisputeSnapshot,
  DisputeStatus,
  ProviderRefundStatus,
  ProviderState,
} from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { normalForm } from '../../shared/normal-form.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'

/** The state of one of our payments. */
export type PaymentState = 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired'

/**
 * The next state for each of our states and the provider's current one, forward only. A pair that is missing changes
 * nothing, so late or repeated news is harmless. A payment that is paid after it has ended here is refunded, not
 * booked.
 */
export const PAYMENT_MOVES = {
  open: { processing: 'processing', succeeded: 'paid', cancelled: 'cancelled' },
  processing: { succeeded: 'paid', cancelled: 'cancelled' },
  paid: {},
  failed: {},
  cancelled: { succeeded: 'paid' },
  expired: { succeeded: 'paid' },
} as const satisfies Record<PaymentState, Partial<Record<ProviderState, PaymentState>>>

/** Returns the state that follows from the provider's; the same state when the provider's is old news. */
export function nextPaymentState(state: PaymentState, news: ProviderState): PaymentState {
  const moves: Partial<Record<ProviderState, PaymentState>> = PAYMENT_MOVES[state]
  return moves[news] ?? state
}

/** Whether a success that arrives in this state comes too late to become a booking. */
export function isTooLate(state: PaymentState): boolean {
  return state === 'cancelled' || state === 'expired'
}

/** Whether the provider's answer is still outstanding. */
export function isUnsettled(state: PaymentState): boolean {
  return state === 'open' || state === 'processing'
}

/** The stored state of a refund. It can be cancelled until it is claimed; `done` means that the provider has taken it. */
export type RefundStatus = 'due' | 'cancelled' | 'claimed' | 'done'

/**
 * The state of a refund as people see it: ordered, being sent, on its way, succeeded, or come back. It is derived from the
 * stored state and the provider's.
 */
export type RefundState = 'due' | 'claimed' | 'sent' | 'done' | 'failed'

/** How a refund that came back was settled. */
export type RefundResolution = 'paid_otherwise' | 'refunded_again'

/** @param refund.providerStatus null for a refund that a version before 2027 made, and that was never asked about */
export function refundStateOf(refund: {
  state: Exclude<RefundStatus, 'cancelled'>
  providerStatus: ProviderRefundStatus | null
}): RefundState {
  if (refund.state !== 'done') return refund.state
  switch (refund.providerStatus) {
    case 'pending':
    case 'requires_action':
      return 'sent'
    case 'failed':
    case 'canceled':
      return 'failed'
    case 'succeeded':
    case null:
      return 'done'
  }
}

/** Whether the money of a refund is still with us: not sent, or come back and not settled. A dispute keeps it here. */
export function isStillHere({
  state,
  resolution,
}: {
  state: RefundState
  resolution: RefundResolution | null
}): boolean {
  return state === 'due' || state === 'claimed' || (state === 'failed' && resolution === null)
}

const NEWS_ORDER = {
  pending: 0,
  requires_action: 0,
  succeeded: 1,
  failed: 2,
  canceled: 2,
} as const satisfies Record<ProviderRefundStatus, number>

/** Whether the provider's news moves a refund on. A refund may fail after it has succeeded, never the other way round. */
export function isRefundNews(before: ProviderRefundStatus | null, news: ProviderRefundStatus): boolean {
  return before === null || NEWS_ORDER[news] >= NEWS_ORDER[before]
}

/** The refunds of a payment or of one of its lines, added up, in cents. Cancelled ones don't count. */
export type RefundSums = {
  /** On their way by the provider: ordered, claimed or sent. */
  movingCents: Cents
  /** Succeeded at the provider. */
  doneCents: Cents
  /** Come back, and paid on another way. */
  elsewhereCents: Cents
  /** Come back, and not settled yet. */
  failedCents: Cents
}

/** Adds up refunds that are not cancelled. */
export function sumRefunds(
  refunds: readonly { state: RefundState; amountCents: Cents; resolution: RefundResolution | null }[],
): RefundSums {
  const sums = { movingCents: 0, doneCents: 0, elsewhereCents: 0, failedCents: 0 }
  for (const { state, amountCents, resolution } of refunds) {
    if (state === 'done') sums.doneCents += amountCents
    else if (state !== 'failed') sums.movingCents += amountCents
    else if (resolution === 'paid_otherwise') sums.elsewhereCents += amountCents
    else if (resolution === null) sums.failedCents += amountCents
  }
  return sums
}

/**
 * Returns the refundable part of a charge, in cents. A refund that came back stays owed until an operator has settled it, so its
 * money is not offered a second time.
 * @param lostCents the sum that disputes have taken for good
 */
export function refundableCents(chargeCents: Cents, sums: RefundSums, lostCents: Cents): Cents {
  return Math.max(0, chargeCents - orderedCents(sums) - lostCents)
}

/** All that was ordered back and is not settled otherwise, in cents. */
export function orderedCents({ movingCents, doneCents, elsewhereCents, failedCents }: RefundSums): Cents {
  return movingCents + doneCents + elsewhereCents + failedCents
}

/** Whose the money of a purchase is: the vendor's side has it, owes it, or has given it back. */
export type MoneyStatus = 'paid' | 'refund due' | 'refunded'

/** Returns 'refunded' exactly while succeeded refunds cover the price, and 'refund due' while the whole price is owed. */
export function moneyStatusOf(priceCents: Cents, sums: RefundSums): MoneyStatus {
  const { movingCents, doneCents, failedCents } = sums
  if (doneCents >= priceCents) return 'refunded'
  return orderedCents(sums) >= priceCents && movingCents + failedCents > 0 ? 'refund due' : 'paid'
}

/**
 * Whether the provider has taken the money of a refund from our balance, and put it back. A pending refund has left, unless
 * our balance is too small for it.
 * @param refund.hadLeft whether it had left before the provider's last answer
 */
export function movedMoneyOf(refund: {
  state: RefundStatus
  providerStatus: ProviderRefundStatus | null
  pendingReason: string | null
  hadLeft: boolean
}): { hasLeft: boolean; hasComeBack: boolean } {
  const { providerStatus, hadLeft } = refund
  switch (providerStatus) {
    case null:
      return { hasLeft: hadLeft || refund.state === 'done', hasComeBack: false }
    case 'pending':
      return { hasLeft: hadLeft || refund.pendingReason !== 'insufficient_funds', hasComeBack: false }
    case 'requires_action':
      return { hasLeft: hadLeft, hasComeBack: false }
    case 'succeeded':
      return { hasLeft: true, hasComeBack: false }
    case 'failed':
      return { hasLeft: true, hasComeBack: true }
    case 'canceled':
      return { hasLeft: hadLeft, hasComeBack: hadLeft }
  }
}

/** The money of a dispute: with the bank until it decides, and kept by it, in cents. An inquiry has none. */
export function disputedMoneyOf(dispute: DisputeStanding & { amountCents: Cents }): {
  disputedCents: Cents
  lostCents: Cents
} {
  const takenCents = dispute.funds === 'withdrawn' ? dispute.amountCents : 0
  return dispute.status === 'lost'
    ? { disputedCents: 0, lostCents: takenCents }
    : { disputedCents: takenCents, lostCents: 0 }
}

/** Whether the bank has decided. An inquiry that is closed never became a dispute. */
export function isDisputeClosed(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'warning_closed' || status === 'prevented'
}

type DisputeStanding = Pick<DisputeSnapshot, 'status' | 'funds'>

/**
 * Whether the provider's news moves a dispute on. After the bank's decision only another decision, an appeal or a movement of
 * the money is news: an open status is an answer that was overtaken.
 */
export function isDisputeNews(before: DisputeStanding, news: DisputeStanding): boolean {
  if (!isDisputeClosed(before.status)) return true
  if (!isDisputeClosed(news.status)) return news.status.startsWith('appeal_')
  return before.status !== news.status || before.funds !== news.funds
}

/** The reason why a charged payment is unfulfilled. `time_gone`: its hold was over, and another customer has the time. */
export type UnfulfilledReason = 'paid_too_late' | 'wrong_amount' | 'time_gone'

/** Why money goes back. A purchase that can be refunded for another reason adds it here, so that every screen words it. */
export type RefundReason = 'declined' | 'undecided' | 'withdrawn' | 'changed' | 'operator' | UnfulfilledReason

/** Payments that one IP address may start, repeats of the same payment included. */
export const PAYMENT_STARTS_LIMIT = { max: 60, windowMs: 600_000 } as const

const LONGEST_PAUSE_MS = 3_600_000
/** The pause grows no more after this number of failed tries. */
export const LONGEST_PAUSE_TRIES = 7

/** How long to wait after a failed try: 1, 2, 4 … minutes, at most an hour. */
export function pauseAfterTries(tries: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.max(0, tries - 1), LONGEST_PAUSE_MS)
}

/** The signed cookie that proves that this browser began a payment. It lists the newest few. */
export const BROWSER_PAYMENTS_COOKIE = 'jubilee.payments'
/** Large enough that ended payments don't push out a payment that still holds a time. */
export const BROWSER_PAYMENTS_KEPT = 20
export const BROWSER_PAYMENTS_MAX_AGE_S = 86_400

/** Stripe shows at most 22 characters of both parts, and 'JUBILEE* ' takes nine. */
const STATEMENT_SUFFIX_LENGTH = 13

/**
 * The text of a card's statement behind our own name: capital letters, digits and spaces of the business's name.
 * @returns 'BOOKING' if no letter is left
 */
export function statementSuffix(businessName: string): string {
  const text = normalForm(businessName, 'NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, STATEMENT_SUFFIX_LENGTH)
    .trim()
  return /[A-Z]/.test(text) ? text : 'BOOKING'
}

/** Refunds that have succeeded are asked about for so long, since a bank can send them back. */
export const REFUND_WATCH_MS = 35 * DAY_MS
