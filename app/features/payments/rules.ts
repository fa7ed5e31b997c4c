import type { ProviderState } from '../../adapters/payments/port.ts'

/** Where one of our payments stands. */
export type PaymentState = 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired'

/**
 * Forward only: what the provider's present state makes of ours. Late or repeated news changes nothing, since a
 * pair that is not here stays where it is. 'paid' after our own end is no booking any more but a refund.
 */
export const PAYMENT_MOVES = {
  open: { processing: 'processing', succeeded: 'paid', cancelled: 'cancelled' },
  processing: { succeeded: 'paid', cancelled: 'cancelled' },
  paid: {},
  failed: {},
  cancelled: { succeeded: 'paid' },
  expired: { succeeded: 'paid' },
} as const satisfies Record<PaymentState, Partial<Record<ProviderState, PaymentState>>>

/** @returns the state after this news; the same state when the news is old */
export function nextPaymentState(state: PaymentState, news: ProviderState): PaymentState {
  const moves: Partial<Record<ProviderState, PaymentState>> = PAYMENT_MOVES[state]
  return moves[news] ?? state
}

/** Whether a success that arrives in this state comes too late to become a booking. */
export function isTooLate(state: PaymentState): boolean {
  return state === 'cancelled' || state === 'expired'
}

/** Whether the provider still has to be asked about it. */
export function isUnsettled(state: PaymentState): boolean {
  return state === 'open' || state === 'processing'
}

/** Where a refund stands: until it is claimed it can be cancelled. */
export type RefundStatus = 'due' | 'cancelled' | 'claimed' | 'done'

/** Why a payment that was charged bought nothing. `time_gone`: its hold was over, and somebody else has the time. */
export type UnfulfilledReason = 'paid_too_late' | 'wrong_amount' | 'time_gone'

/** Why money goes back. A purchase that can be refunded for another reason adds it here, so that every screen words it. */
export type RefundReason = 'declined' | 'undecided' | 'withdrawn' | UnfulfilledReason

/** Payments that one address may start, repeats of the same one included. */
export const PAYMENT_STARTS_LIMIT = { max: 60, windowMs: 600_000 } as const

/**
 * Times that one browser, and one address, may hold at the same moment without having paid for them, over all businesses.
 * A time that is paid for no longer counts, so a phone network behind one address goes on booking.
 */
export const UNPAID_HOLDS_OF_BROWSER = 5
export const UNPAID_HOLDS_OF_ADDRESS = 20

const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

/** How long to wait after a failed try: 1, 2, 4 … minutes, at most an hour. */
export function pauseAfterTries(tries: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.max(0, tries - 1), LONGEST_PAUSE_MS)
}

/** The cookie that proves that this browser began a payment; it holds the newest few, signed. */
export const BROWSER_PAYMENTS_COOKIE = 'jubilee.payments'
/** Enough that no payment that still holds a time is dropped for one that is over. */
export const BROWSER_PAYMENTS_KEPT = 20
export const BROWSER_PAYMENTS_MAX_AGE_S = 86_400
