import type { Cents } from '../../shared/money.ts'

/** A payment's state at its provider. It only ever moves towards `succeeded` or `cancelled`. */
export type ProviderState = 'open' | 'processing' | 'succeeded' | 'cancelled'

/** A payment's current state, retrieved from the provider. Never taken from a webhook's payload. */
export type PaymentSnapshot = {
  /** The provider's id of the payment: the specification's paymentId. */
  reference: string
  state: ProviderState
  amountCents: Cents
  currency: string
  refundedCents: Cents
  /** Our own id of the payment, which we gave the provider when we created it. */
  paymentId: string
  /** The provider's message about the last refused card. */
  lastError: string | null
}

/** 'refused' means that the provider did nothing. After 'unreachable' it may or may not have acted. */
export type ProviderRefusal = { ok: false; reason: 'refused' | 'unreachable'; message: string }

export type WebhookEvent = { id: string; type: string; reference: string | null; payload: unknown }

/** Contains no secret, because it is sent to the browser. */
export type PublicPaymentConfig = { provider: 'sandbox' } | { provider: 'stripe'; publishableKey: string }

export interface PaymentProvider {
  name: 'sandbox' | 'stripe'
  /**
   * Creates a payment that waits for a card and is captured as soon as the card is confirmed.
   * @param input.idempotencyKey the same key always yields the same payment
   */
  create(input: {
    paymentId: string
    amountCents: Cents
    currency: 'aud'
    description: string
    idempotencyKey: string
  }): Promise<{ ok: true; reference: string; clientSecret: string } | ProviderRefusal>
  retrieve(
    reference: string,
  ): Promise<
    | { ok: true; snapshot: PaymentSnapshot; clientSecret: string }
    | ProviderRefusal
    | { ok: false; reason: 'unknown_payment'; message: string }
  >
  /** Cancels a payment. Refuses one that has already succeeded. */
  cancel(reference: string): Promise<{ ok: true } | ProviderRefusal>
  refund(input: {
    reference: string
    amountCents: Cents
    idempotencyKey: string
  }): Promise<{ ok: true } | ProviderRefusal>
  /**
   * Lists our payments at the provider since a moment, newest first, page by page, to compare them with ours.
   * @param input.after `next` of the previous page; null for the first
   */
  list(input: {
    createdSince: Date
    after: string | null
  }): Promise<{ ok: true; snapshots: PaymentSnapshot[]; next: string | null } | ProviderRefusal>
  /**
   * The reference of a client secret's payment, read from the secret itself without a request.
   * @returns null for a text that isn't a client secret of this provider
   */
  referenceOf(clientSecret: string): string | null
  /** @returns null when the signature doesn't match the body or is too old */
  parseWebhook(rawBody: string, headers: Headers): WebhookEvent | null
  /** The browser's settings for the card form. Contains no secret. */
  publicConfig(): PublicPaymentConfig
  /** The minutely work of a provider that runs inside this process. A real provider has none. */
  runDueWork?(): Promise<void>
}
