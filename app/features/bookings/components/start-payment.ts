import type { PaymentProvider } from '../../../adapters/payments/port.ts'
import type { Cents } from '../../../shared/money.ts'
import type { BookingFieldErrors } from '../rules.ts'
import { handedTotalCents, type PaymentHandoff } from './payment-handoff.ts'

const START_PAYMENT_PATH = '/create-payment-intent'
const REPORT_PAYMENT_PATH = '/api/payment-report'

/** What a card form needs before it can be shown. */
export type StartedPayment = {
  clientSecret: string
  /** The provider's id of the payment. */
  reference: string
  provider: ReturnType<PaymentProvider['publicConfig']>
}

type StartOutcome =
  | ({ ok: true } & StartedPayment)
  | { ok: false; reason: 'already_paid'; reference: string }
  /** The price has changed: nothing was charged, and this is the right total. */
  | { ok: false; reason: 'amount_differs'; totalCents: Cents }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | { ok: false; reason: 'key_spent' | 'gone' | 'rate_limited' | 'unavailable' }

/**
 * Asks for a payment secret (Specification, section 7). The same submit key gives the same payment, so a reload or
 * a second press starts nothing twice.
 * @returns 'key_spent' when this press of the button can't be paid any more and a new key is needed; 'unavailable'
 * for everything that a second try may mend, a missing secret included
 */
export async function startPayment(handoff: PaymentHandoff, signal: AbortSignal): Promise<StartOutcome> {
  let answer: unknown
  try {
    const response = await fetch(START_PAYMENT_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        amount: handedTotalCents(handoff),
        submitKey: handoff.submitKey,
        businessId: handoff.vendor.id,
        booking: handoff.booking,
      }),
      signal,
    })
    answer = await response.json()
  } catch {
    // Offline, a restart, or no JSON: the person can try again with the same key.
    return { ok: false, reason: 'unavailable' }
  }
  return readAnswer(answer)
}

/** Makes an outcome of the service's answer; what is not understood counts as unavailable. */
export function readAnswer(answer: unknown): StartOutcome {
  const { clientSecret, payment, provider, alreadyPaid, error } = (answer ?? {}) as Record<string, unknown>
  if (alreadyPaid === true && typeof payment === 'string') {
    return { ok: false, reason: 'already_paid', reference: payment }
  }
  if (
    typeof clientSecret === 'string' &&
    clientSecret !== '' &&
    typeof payment === 'string' &&
    isProvider(provider)
  ) {
    return { ok: true, clientSecret, reference: payment, provider }
  }
  const { code, fields, amount } = (error ?? {}) as {
    code?: string
    fields?: BookingFieldErrors
    amount?: number
  }
  if (code === 'amount_differs' && typeof amount === 'number') {
    return { ok: false, reason: 'amount_differs', totalCents: amount }
  }
  if (code === 'fields' && fields) return { ok: false, reason: 'fields', fields }
  if (code === 'submit_key_reused' || code === 'payment_ended') return { ok: false, reason: 'key_spent' }
  if (code === 'gone' || code === 'rate_limited') return { ok: false, reason: code }
  return { ok: false, reason: 'unavailable' }
}

/**
 * Tells the server that the card went through, so that it asks the provider and stores the booking.
 * @returns whether the booking is stored now; if not, the provider's own message or the sweep will store it
 */
export async function reportPayment(clientSecret: string): Promise<boolean> {
  try {
    const response = await fetch(REPORT_PAYMENT_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientSecret }),
    })
    if (!response.ok) return false
    const { state, bookingId } = (await response.json()) as { state?: string; bookingId?: string | null }
    return state === 'paid' && Boolean(bookingId)
  } catch {
    return false
  }
}

function isProvider(value: unknown): value is StartedPayment['provider'] {
  const { provider } = (value ?? {}) as { provider?: unknown }
  return provider === 'sandbox' || provider === 'stripe'
}
