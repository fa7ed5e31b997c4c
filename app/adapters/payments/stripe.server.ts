import Stripe from 'stripe'
import type {
  PaymentProvider,
  PaymentSnapshot,
  ProviderRefusal,
  ProviderState,
  WebhookEvent,
} from './port.ts'

export const STRIPE_SIGNATURE_HEADER = 'stripe-signature'

/** Which of Stripe's payments are ours, and which of ours each of them is. */
const OUR_PAYMENT = 'jubilee_payment'
/** Which of our refunds a refund is: Stripe forgets idempotency keys after a day, this stays. */
const OUR_REFUND = 'jubilee_refund'

// Longer than Stripe takes, shorter than people wait.
const TIMEOUT_MS = 15_000
const RETRIES = 2
const SIGNATURE_TOLERANCE_S = 300
const LISTED_AT_ONCE = 100
/** JSON of somebody else's in the place of Stripe: whether they acted is as open as after silence. */
const NO_ANSWER_OF_THEIRS = {
  ok: false,
  reason: 'unreachable',
  message: 'This is no answer of Stripe’s.',
} as const satisfies ProviderRefusal

const states: Readonly<Record<string, ProviderState>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  // Not with automatic capture; if it ever is, the money is neither ours nor free.
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

export type StripeOptions = {
  secretKey: string
  publishableKey: string
  webhookSecret: string
  now: () => Date
  /** Where Stripe's interface is, for tests; its own address otherwise. */
  host?: string
  port?: number
  protocol?: 'http' | 'https'
  timeoutMs?: number
  retries?: number
}

/** Stripe, by its own library: Australian dollars, cards only, captured as soon as the card is confirmed. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    // The library repeats what got no answer with the same idempotency key.
    maxNetworkRetries: options.retries ?? RETRIES,
    telemetry: false,
    ...(options.host ? { host: options.host, port: options.port, protocol: options.protocol } : {}),
  })

  return {
    name: 'stripe',

    async create(input) {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: input.amountCents,
            currency: input.currency,
            // Replaces payment_method_types from version 2026-09-30 of their interface on.
            allowed_payment_method_types: ['card'],
            capture_method: 'automatic',
            description: input.description,
            metadata: { [OUR_PAYMENT]: input.paymentId },
          },
          { idempotencyKey: input.idempotencyKey },
        )
        if (!intent.id) return NO_ANSWER_OF_THEIRS
        if (!intent.client_secret)
          return { ok: false, reason: 'refused', message: 'Stripe gave no client secret.' }
        return { ok: true, reference: intent.id, clientSecret: intent.client_secret }
      } catch (error) {
        return refusalOf(error)
      }
    },

    async retrieve(reference) {
      try {
        const intent = await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })
        if (intent.id !== reference) return NO_ANSWER_OF_THEIRS
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
        return intent.status === 'canceled' ? { ok: true } : NO_ANSWER_OF_THEIRS
      } catch (error) {
        // Cancelled before: that is what was asked for.
        if (error instanceof Stripe.errors.StripeError && error.payment_intent?.status === 'canceled')
          return { ok: true }
        return refusalOf(error)
      }
    },

    refund: (input) => refund(stripe, input),

    async list({ createdSince, after }) {
      try {
        const page = await stripe.paymentIntents.list({
          created: { gte: Math.floor(createdSince.getTime() / 1000) },
          limit: LISTED_AT_ONCE,
          expand: ['data.latest_charge'],
          ...(after ? { starting_after: after } : {}),
        })
        if (!Array.isArray(page.data)) return NO_ANSWER_OF_THEIRS
        return {
          ok: true,
          // The account may serve other products too.
          snapshots: page.data.filter((intent) => intent.metadata?.[OUR_PAYMENT]).map(snapshotOf),
          next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
        }
      } catch (error) {
        return refusalOf(error)
      }
    },

    referenceOf(clientSecret) {
      return /^(pi_[A-Za-z0-9]{10,64})_secret_[A-Za-z0-9]{10,64}$/.exec(clientSecret)?.[1] ?? null
    },

    parseWebhook: (rawBody, headers) => parseWebhook(stripe, options, rawBody, headers),
    publicConfig: () => ({ provider: 'stripe', publishableKey: options.publishableKey }),
  }
}

type Refund = Parameters<PaymentProvider['refund']>[0]

async function refund(stripe: Stripe, input: Refund): Promise<{ ok: true } | ProviderRefusal> {
  try {
    const refund = await stripe.refunds.create(
      {
        payment_intent: input.reference,
        amount: input.amountCents,
        metadata: { [OUR_REFUND]: input.idempotencyKey },
      },
      { idempotencyKey: input.idempotencyKey },
    )
    if (refund.object !== 'refund') return NO_ANSWER_OF_THEIRS
    if (refund.status === 'failed' || refund.status === 'canceled')
      return { ok: false, reason: 'refused', message: refund.failure_reason ?? `refund ${refund.status}` }
    return { ok: true }
  } catch (error) {
    try {
      if (
        error instanceof Stripe.errors.StripeInvalidRequestError &&
        error.code === 'charge_already_refunded' &&
        (await wasRefunded(stripe, input))
      )
        return { ok: true }
    } catch (listing) {
      return refusalOf(listing)
    }
    return refusalOf(error)
  }
}

/** Whether a refund with this name was made before, whatever Stripe has forgotten of its key. */
async function wasRefunded(stripe: Stripe, input: Refund): Promise<boolean> {
  const refunds = await stripe.refunds.list({ payment_intent: input.reference, limit: LISTED_AT_ONCE })
  return refunds.data.some(
    (refund) =>
      refund.metadata?.[OUR_REFUND] === input.idempotencyKey &&
      refund.amount === input.amountCents &&
      refund.status !== 'failed' &&
      refund.status !== 'canceled',
  )
}

function parseWebhook(
  stripe: Stripe,
  options: StripeOptions,
  rawBody: string,
  headers: Headers,
): WebhookEvent | null {
  try {
    const event = stripe.webhooks.constructEvent(
      rawBody,
      headers.get(STRIPE_SIGNATURE_HEADER) ?? '',
      options.webhookSecret,
      SIGNATURE_TOLERANCE_S,
      undefined,
      options.now().getTime(),
    )
    return { id: event.id, type: event.type, reference: paymentOf(event), payload: event }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}

function snapshotOf(intent: Stripe.PaymentIntent): PaymentSnapshot {
  const charge = intent.latest_charge
  return {
    reference: intent.id,
    // A state that is newer than this: neither paid nor free, so it is asked for again.
    state: states[intent.status] ?? 'processing',
    amountCents: intent.amount,
    currency: intent.currency,
    refundedCents: charge && typeof charge !== 'string' ? charge.amount_refunded : 0,
    paymentId: intent.metadata?.[OUR_PAYMENT] ?? '',
    lastError: intent.last_payment_error?.message ?? null,
  }
}

/** The payment that an event is about: itself, or the one that its charge, refund or dispute belongs to. */
function paymentOf(event: Stripe.Event): string | null {
  const about = event.data.object as { object?: string; id?: string; payment_intent?: unknown }
  const reference = about.object === 'payment_intent' ? about.id : about.payment_intent
  return typeof reference === 'string' ? reference : null
}

/**
 * What a failed call means. Only an answer that says no for good is a refusal; silence, a fault of theirs, too many
 * requests or a lock leave it open whether they acted.
 * @throws what is no error of Stripe's: a bug of ours
 */
function refusalOf(error: unknown): ProviderRefusal {
  const { errors } = Stripe
  if (!(error instanceof errors.StripeError)) throw error
  const isOpen =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    error.code === 'lock_timeout' ||
    error.code === 'idempotency_key_in_use'
  return { ok: false, reason: isOpen ? 'unreachable' : 'refused', message: error.message }
}
