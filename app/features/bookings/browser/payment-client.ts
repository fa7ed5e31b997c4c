import { href } from 'react-router'
import type { PaymentProvider } from '../../../adapters/payments/port.ts'
import type { Cents } from '../../../shared/money.ts'
import { parseTimeProblem, type TimeProblem } from '../../availability/rules.ts'
import type { PAYMENT_INIT_REASONS } from '../messages.ts'
import type { BookingFieldErrors } from '../rules.ts'
import { handedTotalCents, type PaymentHandoff } from './payment-handoff.ts'

/** What a card form needs before it can be shown. */
export type StartedPayment = {
  clientSecret: string
  /** The provider's id of the payment. */
  reference: string
  provider: ReturnType<PaymentProvider['publicConfig']>
  /** Until when the time is kept free, by this browser's clock. */
  heldUntilMs: number
  /** The event, from its start to its end; null where the service does not say. */
  span: string | null
}

type StartOutcome =
  | ({ ok: true } & StartedPayment)
  | { ok: false; reason: 'already_paid'; reference: string }
  /** The price has changed: nothing was charged, and this is the right total. */
  | { ok: false; reason: 'amount_differs'; totalCents: Cents }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | { ok: false; reason: 'time_gone'; problem: TimeProblem }
  | { ok: false; reason: keyof typeof PAYMENT_INIT_REASONS }

/**
 * Asks for a payment secret (Specification, section 7). The same submit key gives the same payment, so a reload or
 * a second press starts nothing twice.
 * @returns 'key_spent' when this press of the button can't be paid any more and a new key is needed; 'no_connection'
 * without an answer; 'unavailable' for everything else that a second try may mend, a missing secret included
 */
export async function startPayment(handoff: PaymentHandoff, signal: AbortSignal): Promise<StartOutcome> {
  const body = {
    amount: handedTotalCents(handoff),
    submitKey: handoff.submitKey,
    businessId: handoff.vendor.id,
    booking: handoff.booking,
  }
  const answered = await post(href('/create-payment-intent'), body, signal)
  // Offline, a restart, or no JSON: the person can try again with the same key.
  return answered ? readAnswer(answered.answer, answered.aheadMs) : { ok: false, reason: 'no_connection' }
}

/** Sends JSON. @returns the answer, and how far this browser's clock is ahead of the server's; null without one */
async function post(path: string, body: object, signal?: AbortSignal) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    const answer = (await response.json()) as unknown
    // It names whole seconds, cut off: the second more keeps the countdown from ending too late.
    const serverMs = Date.parse(response.headers.get('date') ?? '') + 1_000
    return { answer, aheadMs: Number.isNaN(serverMs) ? 0 : Date.now() - serverMs }
  } catch {
    return null
  }
}

/**
 * Makes an outcome of the service's answer; what is not understood counts as unavailable.
 * @param aheadMs how far this browser's clock is ahead of the server's
 */
export function readAnswer(answer: unknown, aheadMs = 0): StartOutcome {
  const { clientSecret, payment, provider, expiresAt, span, alreadyPaid, error } = (answer ?? {}) as Record<
    string,
    unknown
  >
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

const REFUSALS = ['gone', 'rate_limited', 'too_many_held_by_browser', 'too_many_held_by_address'] as const

function heldUntil(expiresAt: unknown, aheadMs: number): number {
  const atMs = Date.parse(String(expiresAt))
  // Without an answer nothing is counted down: the server knows when the time is over.
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs + aheadMs
}

type ConfirmationOutcome =
  | { ok: true; heldUntilMs: number }
  | { ok: false; reason: 'already_paid'; reference: string }
  | { ok: false; reason: 'time_gone'; problem: TimeProblem }
  /** 'over': the hold ran out, and a new payment is needed. */
  | { ok: false; reason: 'over' | 'unavailable' }

/**
 * Says that the card is about to be confirmed: from then on the time is kept until the payment ends. Without an ok the
 * card must not be confirmed.
 */
export async function beginConfirmation(submitKey: string): Promise<ConfirmationOutcome> {
  const answered = await post(href('/api/hold'), { submitKey, do: 'keep' })
  return answered ? readConfirmation(answered.answer, answered.aheadMs) : { ok: false, reason: 'unavailable' }
}

/** Makes an outcome of the answer; what is not understood counts as unavailable. */
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

/** Gives the time back, since somebody went back to the form. Nobody waits for the answer. */
export function releaseHold(submitKey: string) {
  navigator.sendBeacon(href('/api/hold'), JSON.stringify({ submitKey, do: 'release' }))
}

/**
 * Tells the server that the card went through, so that it asks the provider and stores the booking.
 * @returns whether the booking is stored now; if not, the provider's own message or the sweep will store it
 */
export async function reportPayment(clientSecret: string): Promise<boolean> {
  const answered = await post(href('/api/payment-report'), { clientSecret })
  const { state, bookingId } = (answered?.answer ?? {}) as { state?: string; bookingId?: string | null }
  return state === 'paid' && Boolean(bookingId)
}

function isProvider(value: unknown): value is StartedPayment['provider'] {
  const { provider } = (value ?? {}) as { provider?: unknown }
  return provider === 'sandbox' || provider === 'stripe'
}
