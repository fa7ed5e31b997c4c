import type Stripe from 'stripe'
import type { PaymentSnapshot, ProviderState } from './port.ts'

/** The metadata key that marks a Stripe payment or customer as ours. Its value is our payment's id. */
export const OUR_PAYMENT = 'jubilee_payment'

const states: Readonly<Record<string, ProviderState>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  // Never happens with automatic capture. If it did, the money would be neither captured nor released.
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

/** Reads a payment of Stripe's. Its charge has to be expanded, or nothing counts as refunded. */
export function snapshotOf(intent: Stripe.PaymentIntent): PaymentSnapshot {
  const charge = intent.latest_charge
  return {
    reference: intent.id,
    // A state newer than this code counts as processing, so the payment is retrieved again later.
    state: states[intent.status] ?? 'processing',
    amountCents: intent.amount,
    currency: intent.currency,
    refundedCents: charge && typeof charge !== 'string' ? charge.amount_refunded : 0,
    paymentId: intent.metadata?.[OUR_PAYMENT] ?? '',
    lastError: intent.last_payment_error?.message ?? null,
  }
}
