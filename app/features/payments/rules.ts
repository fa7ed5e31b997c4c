import type { ProviderState } from '../../adapters/payments/port.ts'

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

/** The state of a refund. It can be cancelled until it is claimed. */
export type RefundStatus = 'due' | 'cancelled' | 'claimed' | 'done'

/** Why a charged payment bought nothing. `time_gone`: its hold had run out and the time was taken. */
export type UnfulfilledReason = 'paid_too_late' | 'wrong_amount' | 'time_gone'

/** Why money is refunded. Add any new reason here, so that the compiler demands its wording on every screen. */
export type RefundReason = 'declined' | 'undecided' | 'withdrawn' | UnfulfilledReason

/** Payments that one IP address may start, repeats of the same payment included. */
export const PAYMENT_STARTS_LIMIT = { max: 60, windowMs: 600_000 } as const

/**
 * How many unpaid times one browser, and one IP address, may hold at once, over all businesses. A paid time no longer
 * counts, so the many customers of a phone network behind one address can keep booking.
 */
export const UNPAID_HOLDS_OF_BROWSER = 5
export const UNPAID_HOLDS_OF_ADDRESS = 20

const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

/** How long to wait after a failed try: 1, 2, 4 … minutes, at most an hour. */
export function pauseAfterTries(tries: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.max(0, tries - 1), LONGEST_PAUSE_MS)
}

/** The signed cookie that proves that this browser began a payment. It lists the newest few. */
export const BROWSER_PAYMENTS_COOKIE = 'jubilee.payments'
/** Large enough that ended payments don't push out one that still holds a time. */
export const BROWSER_PAYMENTS_KEPT = 20
export const BROWSER_PAYMENTS_MAX_AGE_S = 86_400
