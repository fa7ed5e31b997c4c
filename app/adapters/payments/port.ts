import type { Cents } from '../../shared/money.ts'

/** Where a payment stands at its provider. It only ever moves towards `succeeded` or `cancelled`. */
export type ProviderState = 'open' | 'processing' | 'succeeded' | 'cancelled'

/** What the provider says of one payment, asked for at this moment. Never taken from an event's payload. */
export type PaymentSnapshot = {
  /** The provider's id of the payment: the specification's paymentId. */
  reference: string
  state: ProviderState
  amountCents: Cents
  currency: string
  refundedCents: Cents
  /** Our payment's id, which we gave the provider when we asked it to make the payment. */
  paymentId: string
  /** Why the last card was refused, in the provider's words. */
  lastError: string | null
}

/** A definite answer 'no' leaves nothing behind at the provider; 'unreachable' leaves it open whether it acted. */
export type ProviderRefusal = { ok: false; reason: 'refused' | 'unreachable'; message: string }

export type WebhookEvent = { id: string; type: string; reference: string | null; payload: unknown }

/** Holds no secret: it goes to the browser. */
export type PublicPaymentConfig = { provider: 'sandbox' } | { provider: 'stripe'; publishableKey: string }

export interface PaymentProvider {
  name: 'sandbox' | 'stripe'
  /**
   * Makes a payment that waits for a card, captured as soon as the card is confirmed.
   * @param idempotencyKey the same key gives the same payment, however often it is sent
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
  /** Cancelling what has already succeeded is refused. */
  cancel(reference: string): Promise<{ ok: true } | ProviderRefusal>
  refund(input: {
    reference: string
    amountCents: Cents
    idempotencyKey: string
  }): Promise<{ ok: true } | ProviderRefusal>
  /**
   * The payments that we made there since a moment, newest first, page by page: for comparing them with ours.
   * @param input.after the last answer's `next`; null for the first page
   */
  list(input: {
    createdSince: Date
    after: string | null
  }): Promise<{ ok: true; snapshots: PaymentSnapshot[]; next: string | null } | ProviderRefusal>
  /**
   * Which payment a client secret opens, read from the secret itself; nothing is asked.
   * @returns null when it is no client secret of this provider
   */
  referenceOf(clientSecret: string): string | null
  /** @returns null when the signature does not belong to this body or is too old */
  parseWebhook(rawBody: string, headers: Headers): WebhookEvent | null
  /** What the browser needs to show the card form. Holds no secret. */
  publicConfig(): PublicPaymentConfig
  /** Work of its own that a provider inside this process has to do each minute; a real one has none. */
  runDueWork?(): Promise<void>
}
