import { href } from 'react-router'
import type { PaymentProvider } from '../../../../adapters/payments/port.ts'
import type { Cents } from '../../../../shared/money.ts'
import { parseTimeProblem, type TimeProblem } from '../../../availability/rules.ts'
import type { SaleTerms } from '../../../terms/rules.ts'
import { DECLINE_UNDECIDED_AFTER_MS } from '../../decisions/rules.ts'
import type { BookingFieldErrors } from '../../form-rules.ts'
import type { PAYMENT_INIT_REASONS } from '../../messages.ts'
import { handedTotalCents, type PaymentHandoff } from './payment-handoff.ts'

/** A started payment, with everything that the card form needs. */
export type StartedPayment = {
  clientSecret: string
  /** The provider's id of the payment. */
  reference: string
  provider: ReturnType<PaymentProvider['publicConfig']>
  /** The end of the hold, by this browser's clock. */
  heldUntilMs: number
  /** The event from start to end, in words; null when the response has none. */
  span: string | null
  /** The amount that is charged now: the whole price, or a deposit. Null when the response has none. */
  chargedCents: Cents | null
  /** How long the vendor has to answer. */
  answerWithinMs: number
  /** The terms that paying agrees to. Null for a payment that began before there were terms. */
  agreed: { terms: SaleTerms; timeZone: string; consent: string | null; now: Date } | null
}

type StartOutcome =
  | ({ ok: true } & StartedPayment)
  | { ok: false; reason: 'already_paid'; reference: string }
  /** The price has changed. Nothing was charged; `totalCents` is the right total. */
  | { ok: false; reason: 'amount_differs'; totalCents: Cents }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | { ok: false; reason: 'time_gone'; problem: TimeProblem }
  | { ok: false; reason: keyof typeof PAYMENT_INIT_REASONS }

/**
 * Requests a client secret (Specification, section 7). The same submit key gets the same payment, so a reload or a
 * second press starts nothing twice.
 * @returns the payment. Refuses with 'key_spent' when this submit key can't be paid any more and a new one is needed,
 *   with 'no_connection' when there is no response, and with 'unavailable' when another try may help, as after a
 *   response without a secret
 */
export async function startPayment(handoff: PaymentHandoff, signal: AbortSignal): Promise<StartOutcome> {
  const body = {
    amount: handedTotalCents(handoff),
    submitKey: handoff.submitKey,
    businessId: handoff.vendor.id,
    booking: handoff.booking,
  }
  const answered = await post(href('/create-payment-intent'), body, signal)
  // Offline, a restarting server, or no JSON: another try with the same key is safe.
  return answered ? readAnswer(answered.answer, answered.aheadMs) : { ok: false, reason: 'no_connection' }
}

/**
 * Posts JSON.
 * @returns the parsed response and how far this browser's clock is ahead of the server's; null without a response
 */
async function post(path: string, body: object, signal?: AbortSignal) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    const answer = (await response.json()) as unknown
    // The Date header truncates to whole seconds. The extra second keeps the countdown from ending too late.
    const serverMs = Date.parse(response.headers.get('date') ?? '') + 1_000
    return { answer, aheadMs: Number.isNaN(serverMs) ? 0 : Date.now() - serverMs }
  } catch {
    return null
  }
}

/**
 * Reads the response to a payment start. A response that makes no sense counts as 'unavailable'.
 * @param aheadMs how far this browser's clock is ahead of the server's
 */
export function readAnswer(answer: unknown, aheadMs = 0): StartOutcome {
  const {
    clientSecret,
    payment,
    provider,
    expiresAt,
    span,
    chargedCents,
    terms,
    answerWithinMs,
    timeZone,
    consent,
    alreadyPaid,
    error,
  } = (answer ?? {}) as Record<string, unknown>
  if (alreadyPaid === true && typeof payment === 'string') {
    return { ok: false, reason: 'already_paid', reference: payment }
  }
  if (
    typeof clientSecret === 'string' &&
    clientSecret !== '' &&
    typeof payment === 'string' &&
    isProvider(provider)
  ) {
    return {
      ok: true,
      clientSecret,
      reference: payment,
      provider,
      heldUntilMs: heldUntil(expiresAt, aheadMs),
      span: typeof span === 'string' ? span : null,
      chargedCents: typeof chargedCents === 'number' ? chargedCents : null,
      answerWithinMs: typeof answerWithinMs === 'number' ? answerWithinMs : DECLINE_UNDECIDED_AFTER_MS,
      agreed:
        isTerms(terms) && typeof timeZone === 'string'
          ? {
              terms,
              timeZone,
              consent: typeof consent === 'string' ? consent : null,
              now: new Date(Date.now() - aheadMs),
            }
          : null,
    }
  }
  const { code, fields, amount } = (error ?? {}) as {
    code?: string
    fields?: BookingFieldErrors
    amount?: number
  }
  const problem = code === 'time_gone' ? parseTimeProblem(error) : null
  if (problem) return { ok: false, reason: 'time_gone', problem }
  if (code === 'amount_differs' && typeof amount === 'number') {
    return { ok: false, reason: 'amount_differs', totalCents: amount }
  }
  if (code === 'fields' && fields) return { ok: false, reason: 'fields', fields }
  if (code === 'submit_key_reused' || code === 'payment_ended') return { ok: false, reason: 'key_spent' }
  return { ok: false, reason: REFUSALS.find((refusal) => refusal === code) ?? 'unavailable' }
}

const REFUSALS = [
  'gone',
  'vendor_paused',
  'rate_limited',
  'too_many_held_by_browser',
  'too_many_held_by_address',
] as const

function heldUntil(expiresAt: unknown, aheadMs: number): number {
  const atMs = Date.parse(String(expiresAt))
  // Without an expiry there is no countdown. The server enforces the end of the hold.
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs + aheadMs
}

type ConfirmationOutcome =
  | { ok: true; heldUntilMs: number }
  | { ok: false; reason: 'already_paid'; reference: string }
  | { ok: false; reason: 'time_gone'; problem: TimeProblem }
  /** 'over': the hold has ended, and a new payment is needed. */
  | { ok: false; reason: 'over' | 'unavailable' }

/**
 * Announces that the card is about to be confirmed, which extends the hold to the end of the payment. Unless this
 * succeeds, the card must not be confirmed.
 */
export async function beginConfirmation(submitKey: string): Promise<ConfirmationOutcome> {
  const answered = await post(href('/api/hold'), { submitKey, do: 'keep' })
  return answered ? readConfirmation(answered.answer, answered.aheadMs) : { ok: false, reason: 'unavailable' }
}

/** Reads the response to `beginConfirmation`. A response that makes no sense counts as 'unavailable'. */
export function readConfirmation(answer: unknown, aheadMs = 0): ConfirmationOutcome {
  const { expiresAt, error } = (answer ?? {}) as Record<string, unknown>
  if (typeof expiresAt === 'string') return { ok: true, heldUntilMs: heldUntil(expiresAt, aheadMs) }
  const { code, payment } = (error ?? {}) as { code?: string; payment?: unknown }
  const problem = code === 'time_gone' ? parseTimeProblem(error) : null
  if (problem) return { ok: false, reason: 'time_gone', problem }
  if (code === 'already_paid' && typeof payment === 'string') {
    return { ok: false, reason: 'already_paid', reference: payment }
  }
  if (code === 'payment_ended' || code === 'gone') return { ok: false, reason: 'over' }
  return { ok: false, reason: 'unavailable' }
}

/** Releases the hold when the customer goes back to the form. A beacon, so nothing waits for the response. */
export function releaseHold(submitKey: string) {
  navigator.sendBeacon(href('/api/hold'), JSON.stringify({ submitKey, do: 'release' }))
}

/**
 * Reports to the server that the card was charged, so that it asks the provider and stores the booking.
 * @returns whether the booking is stored. If not, the webhook or the sweep will store it
 */
export async function reportPayment(clientSecret: string): Promise<boolean> {
  const answered = await post(href('/api/payment-report'), { clientSecret })
  const { state, bookingId } = (answered?.answer ?? {}) as { state?: string; bookingId?: string | null }
  return state === 'paid' && Boolean(bookingId)
}

function isTerms(value: unknown): value is SaleTerms {
  const { policy, instalments } = (value ?? {}) as { policy?: unknown; instalments?: unknown }
  return typeof policy === 'object' && Array.isArray(instalments)
}

function isProvider(value: unknown): value is StartedPayment['provider'] {
  const { provider } = (value ?? {}) as { provider?: unknown }
  return provider === 'sandbox' || provider === 'stripe'
}
