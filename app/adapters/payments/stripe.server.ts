import Stripe from 'stripe'
import {
  type PaymentProvider,
  type ProviderRefundStatus,
  type ProviderRefusal,
  REFUND_STATUSES,
  type RefundSnapshot,
  type WebhookEvent,
} from './port.ts'
import { savedCardCalls } from './stripe-cards.server.ts'
import {
  askStripe,
  createStripeClient,
  listAll,
  listPage,
  NOT_FROM_STRIPE,
  readSigned,
  refusalOf,
  refusedWith,
  SIGNATURE_TOLERANCE_S,
  STRIPE_SIGNATURE_HEADER,
  type StripeClientOptions,
} from './stripe-client.server.ts'
import { disputeCalls } from './stripe-disputes.server.ts'
import { OUR_PAYMENT, snapshotOf } from './stripe-snapshot.server.ts'

/** The metadata key that identifies our refund. Stripe forgets idempotency keys after a day, but metadata stays. */
const OUR_REFUND = 'jubilee_refund'

export type StripeOptions = StripeClientOptions & { publishableKey: string; webhookSecret: string }

/** Stripe through its own library: Australian dollars, cards only, captured as soon as the card is confirmed. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = createStripeClient(options)

  return {
    name: 'stripe',

    create: (input) =>
      askStripe(async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: input.amountCents,
            currency: input.currency,
            // Replaces payment_method_types from API version 2026-09-30 on.
            allowed_payment_method_types: ['card'],
            capture_method: 'automatic',
            description: input.description,
            metadata: { [OUR_PAYMENT]: input.paymentId },
            // A charge takes both only when it is made; transfers to the vendor will name the group.
            transfer_group: input.group ?? input.paymentId,
            statement_descriptor_suffix: input.statementSuffix,
            ...(input.card
              ? {
                  customer: input.card.customer,
                  // Only a payment that the customer confirms themselves may save its card.
                  ...(input.card.use === 'save' ? { setup_future_usage: 'off_session' as const } : {}),
                }
              : {}),
          },
          { idempotencyKey: input.idempotencyKey },
        )
        if (!intent.id) return NOT_FROM_STRIPE
        if (!intent.client_secret) return refusedWith('Stripe returned no client secret.')
        return { ok: true, reference: intent.id, clientSecret: intent.client_secret }
      }),

    async retrieve(reference) {
      try {
        const intent = await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })
        if (intent.id !== reference) return NOT_FROM_STRIPE
        return { ok: true, snapshot: snapshotOf(intent), clientSecret: intent.client_secret ?? '' }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
          return { ok: false, reason: 'unknown_payment', message: error.message }
        return refusalOf(error)
      }
    },

    async cancel(reference) {
      try {
        const intent = await stripe.paymentIntents.cancel(reference)
        return intent.status === 'canceled' ? { ok: true } : NOT_FROM_STRIPE
      } catch (error) {
        // It was cancelled before, which is the requested outcome.
        if (error instanceof Stripe.errors.StripeError && error.payment_intent?.status === 'canceled')
          return { ok: true }
        return refusalOf(error)
      }
    },

    ...savedCardCalls(stripe),
    refund: (input) => refund(stripe, input),

    listRefunds: (reference) =>
      askStripe(async () => {
        return { ok: true, refunds: (await refundsOf(stripe, reference)).map(refundSnapshotOf) }
      }),

    ...disputeCalls(stripe),

    async list({ createdSince, after }) {
      const found = await listPage(
        (page) => stripe.paymentIntents.list({ ...page, expand: ['data.latest_charge'] }),
        { since: createdSince, after },
      )
      if (!found.ok) return found
      // The Stripe account may also serve other products.
      const ours = found.items.filter((intent) => intent.metadata?.[OUR_PAYMENT])
      return { ok: true, snapshots: ours.map(snapshotOf), next: found.next }
    },

    referenceOf(clientSecret) {
      return /^(pi_[A-Za-z0-9]{10,64})_secret_[A-Za-z0-9]{10,64}$/.exec(clientSecret)?.[1] ?? null
    },

    parseWebhook: (rawBody, headers) => parseWebhook(stripe, options, rawBody, headers),
    publicConfig: () => ({ provider: 'stripe', publishableKey: options.publishableKey }),
  }
}

type Refund = Parameters<PaymentProvider['refund']>[0]

async function refund(
  stripe: Stripe,
  input: Refund,
): Promise<{ ok: true; refund: RefundSnapshot } | ProviderRefusal> {
  return askStripe(async () => {
    // Stripe forgets a key after a day, and would then make a second refund of a part. The metadata stays.
    const made = await findRefund(stripe, input)
    if (made) return { ok: true, refund: refundSnapshotOf(made) }
    const refund = await stripe.refunds.create(
      {
        payment_intent: input.reference,
        amount: input.amountCents,
        metadata: { [OUR_REFUND]: input.idempotencyKey },
      },
      { idempotencyKey: input.idempotencyKey },
    )
    if (refund.object !== 'refund') return NOT_FROM_STRIPE
    return { ok: true, refund: refundSnapshotOf(refund) }
  })
}

/** The refund that this key ordered before. */
async function findRefund(stripe: Stripe, input: Refund): Promise<Stripe.Refund | undefined> {
  const refunds = await refundsOf(stripe, input.reference)
  return refunds.find(
    (refund) => refund.metadata?.[OUR_REFUND] === input.idempotencyKey && refund.amount === input.amountCents,
  )
}

/** @throws StripeAPIError for an answer that is not Stripe's */
function refundsOf(stripe: Stripe, reference: string): Promise<Stripe.Refund[]> {
  return listAll((page) => stripe.refunds.list({ payment_intent: reference, ...page }))
}

function refundSnapshotOf(refund: Stripe.Refund): RefundSnapshot {
  const isKnown = (status: string | null): status is ProviderRefundStatus =>
    REFUND_STATUSES.some((one) => one === status)
  return {
    reference: refund.id,
    idempotencyKey: refund.metadata?.[OUR_REFUND] ?? null,
    amountCents: refund.amount,
    // A status that is newer than this adapter is not final, so the refund is asked about again.
    status: isKnown(refund.status) ? refund.status : 'pending',
    pendingReason: refund.pending_reason ?? null,
    failureReason: refund.failure_reason ?? null,
  }
}

function parseWebhook(
  stripe: Stripe,
  options: StripeOptions,
  rawBody: string,
  headers: Headers,
): WebhookEvent | null {
  return readSigned(() => {
    const event = stripe.webhooks.constructEvent(
      rawBody,
      headers.get(STRIPE_SIGNATURE_HEADER) ?? '',
      options.webhookSecret,
      SIGNATURE_TOLERANCE_S,
      undefined,
      options.now().getTime(),
    )
    return {
      id: event.id,
      type: event.type,
      reference: paymentOf(event),
      ...cardOf(event),
      payload: event,
    }
  })
}

/** The kept card, or the card setup, that an event is about. */
function cardOf(event: Stripe.Event): Pick<WebhookEvent, 'card'> {
  const { object, id } = event.data.object as { object?: string; id?: string }
  if (!id) return {}
  if (object === 'payment_method') return { card: { method: id } }
  return object === 'setup_intent' ? { card: { setup: id } } : {}
}

/** The payment of an event: its object, or the payment of its charge, refund or dispute. */
function paymentOf(event: Stripe.Event): string | null {
  const about = event.data.object as { object?: string; id?: string; payment_intent?: unknown }
  const reference = about.object === 'payment_intent' ? about.id : about.payment_intent
  return typeof reference === 'string' ? reference : null
}
