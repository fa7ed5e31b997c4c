import Stripe from 'stripe'
import { AUTHENTICATION_REQUIRED, type PaymentProvider, type ProviderCard } from './port.ts'
import { askStripe, NOT_FROM_STRIPE, refusalOf } from './stripe-client.server.ts'
import { OUR_PAYMENT, snapshotOf } from './stripe-snapshot.server.ts'

type SavedCardCalls = Pick<
  PaymentProvider,
  | 'createCustomer'
  | 'chargeSavedCard'
  | 'savedCardOf'
  | 'retrieveCard'
  | 'createCardSetup'
  | 'retrieveCardSetup'
  | 'detachCard'
>

/** Calls about customers and the cards that Stripe keeps for them. */
export function savedCardCalls(stripe: Stripe): SavedCardCalls {
  return {
    createCustomer: ({ paymentId, idempotencyKey }) =>
      askStripe(async () => {
        const customer = await stripe.customers.create(
          { metadata: { [OUR_PAYMENT]: paymentId } },
          { idempotencyKey },
        )
        return customer.object === 'customer' ? { ok: true, customer: customer.id } : NOT_FROM_STRIPE
      }),

    async chargeSavedCard({ reference, method, idempotencyKey }) {
      try {
        const intent = await stripe.paymentIntents.confirm(
          reference,
          { payment_method: method, off_session: 'one_off', expand: ['latest_charge'] },
          { idempotencyKey },
        )
        if (intent.id !== reference) return NOT_FROM_STRIPE
        return { ok: true, snapshot: snapshotOf(intent), declineCode: declineOf(intent) }
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError) || error.payment_intent?.id !== reference)
          return refusalOf(error)
        const snapshot = snapshotOf(error.payment_intent)
        // Stripe answers a refused card with 402 and the payment inside the error.
        if (error instanceof Stripe.errors.StripeCardError)
          return { ok: true, snapshot, declineCode: error.decline_code ?? error.code ?? UNEXPLAINED }
        // It was paid before, by the customer or by a try whose answer was lost.
        if (snapshot.state === 'succeeded' || snapshot.state === 'processing')
          return { ok: true, snapshot, declineCode: null }
        return refusalOf(error)
      }
    },

    savedCardOf: (reference) =>
      askStripe(async () => {
        const intent = await stripe.paymentIntents.retrieve(reference, { expand: ['payment_method'] })
        if (intent.id !== reference) return NOT_FROM_STRIPE
        return { ok: true, card: intent.status === 'succeeded' ? cardOf(intent.payment_method) : null }
      }),

    retrieveCard: (method) =>
      askStripe(async () => {
        const found = await stripe.paymentMethods.retrieve(method)
        return found.id === method ? { ok: true, card: cardOf(found) } : NOT_FROM_STRIPE
      }),

    createCardSetup: ({ customer, idempotencyKey }) =>
      askStripe(async () => {
        const setup = await stripe.setupIntents.create(
          { customer, usage: 'off_session', allowed_payment_method_types: ['card'] },
          { idempotencyKey },
        )
        if (setup.object !== 'setup_intent' || !setup.client_secret) return NOT_FROM_STRIPE
        return { ok: true, reference: setup.id, clientSecret: setup.client_secret }
      }),

    retrieveCardSetup: (reference) =>
      askStripe(async () => {
        const setup = await stripe.setupIntents.retrieve(reference, { expand: ['payment_method'] })
        if (setup.id !== reference) return NOT_FROM_STRIPE
        const isSucceeded = setup.status === 'succeeded'
        return {
          ok: true,
          setup: {
            reference,
            customer: idOf(setup.customer),
            state: isSucceeded ? 'succeeded' : setup.status === 'canceled' ? 'cancelled' : 'open',
            card: isSucceeded ? cardOf(setup.payment_method) : null,
          },
          clientSecret: setup.client_secret ?? '',
        }
      }),

    async detachCard(method) {
      try {
        const detached = await stripe.paymentMethods.detach(method)
        return detached.id === method && !detached.customer ? { ok: true } : NOT_FROM_STRIPE
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal.reason === 'unreachable') return refusal
        // Stripe refuses to detach a card twice, and knows a deleted one no more.
        return (await isDetached(stripe, method)) ? { ok: true } : refusal
      }
    },
  }
}

const UNEXPLAINED = 'card_declined'

/** A bank that wants the customer's approval may leave the payment waiting for it, without an error. */
const declineOf = (intent: Stripe.PaymentIntent) =>
  intent.status === 'requires_action' ? AUTHENTICATION_REQUIRED : null

const idOf = (customer: string | { id: string } | null) =>
  typeof customer === 'string' ? customer : (customer?.id ?? '')

/** @returns null for a card that isn't kept: never attached to a customer, or detached */
function cardOf(method: Stripe.PaymentMethod | string | null): ProviderCard | null {
  if (!method || typeof method === 'string' || !method.card || !method.customer) return null
  const { brand, last4, exp_year, exp_month } = method.card
  return { method: method.id, brand, lastFour: last4, expiresYear: exp_year, expiresMonth: exp_month }
}

async function isDetached(stripe: Stripe, method: string): Promise<boolean> {
  try {
    return (await stripe.paymentMethods.retrieve(method)).customer === null
  } catch (error) {
    return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
  }
}
