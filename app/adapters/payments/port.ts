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

/** The provider's words for a refund. `requires_action` waits for the customer, and cards never need it. */
export const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const

export type ProviderRefundStatus = (typeof REFUND_STATUSES)[number]

/** The provider's present state of one refund. Never taken from an event's payload. */
export type RefundSnapshot = {
  /** The provider's id of the refund. */
  reference: string
  /** The idempotency key that ordered it; null for a refund that was made at the provider by hand. */
  idempotencyKey: string | null
  amountCents: Cents
  status: ProviderRefundStatus
  /** Why it is still pending, in the provider's word: `insufficient_funds` needs an operator. */
  pendingReason: string | null
  /** Why it failed, in the provider's word. */
  failureReason: string | null
}

/** The provider's words for a dispute; `warning_*` is an inquiry, which takes no money yet. */
export const DISPUTE_STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'prevented',
  'won',
  'lost',
] as const

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** The provider's present state of one dispute. Never taken from an event's payload. */
export type DisputeSnapshot = {
  /** The provider's id of the dispute. */
  reference: string
  /** The provider's id of the payment. */
  paymentReference: string
  amountCents: Cents
  /** The card network's ground, in the provider's word. */
  reason: string
  status: DisputeStatus
  /** Whether the disputed amount has left the provider's balance, and whether it came back. */
  funds: 'held' | 'withdrawn' | 'reinstated'
  isChargeRefundable: boolean
  /** Until when evidence is taken; null once it is too late or none is wanted. */
  evidenceDueAt: Date | null
  openedAt: Date
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
    /** The text after our own name on the card's statement: capital letters, digits and spaces, at least one letter. */
    statementSuffix: string
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
  /**
   * Orders a refund, in full or in part. A refund that the provider has failed at once is an `ok` answer with that status.
   * @param idempotencyKey the same key gives the same refund, however often it is sent and however long ago
   * @returns 'refused' also for more than is left of the payment
   */
  refund(input: {
    reference: string
    amountCents: Cents
    idempotencyKey: string
  }): Promise<{ ok: true; refund: RefundSnapshot } | ProviderRefusal>
  /** All refunds of one payment, newest first. */
  listRefunds(reference: string): Promise<{ ok: true; refunds: RefundSnapshot[] } | ProviderRefusal>
  /** All disputes of one payment, newest first. */
  listDisputesOf(reference: string): Promise<{ ok: true; disputes: DisputeSnapshot[] } | ProviderRefusal>
  /**
   * The disputes that were opened since a moment, newest first, page by page.
   * @param input.after the last answer's `next`; null for the first page
   */
  listDisputes(input: {
    createdSince: Date
    after: string | null
  }): Promise<{ ok: true; disputes: DisputeSnapshot[]; next: string | null } | ProviderRefusal>
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
