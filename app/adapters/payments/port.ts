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

/** Our side of a dispute, for the cardholder's bank. An empty text is left out. */
export type DisputeEvidence = {
  customerName: string
  customerEmail: string
  /** The service that was sold. */
  product: string
  /** When the service was or will be provided, in words. */
  serviceDate: string
  /** The terms of refunds, and how the customer accepted them. */
  terms: string
  /** Why the customer isn't entitled to a refund. */
  refusal: string
  /** Everything else: what happened, and when. */
  statement: string
  /** The provider's id of an uploaded receipt; null for none. */
  receiptFile: string | null
}

/** One dispute with our answer to it, as the provider has it now. */
export type DisputeDetails = {
  dispute: DisputeSnapshot
  evidence: DisputeEvidence
  /** How often evidence was sent to the bank. */
  submissionCount: number
  /** The idempotency key that sent the newest evidence; null if it was sent at the provider by hand. */
  answerKey: string | null
}

/** 'refused' means that the provider did nothing. After 'unreachable' it may or may not have acted. */
export type ProviderRefusal = { ok: false; reason: 'refused' | 'unreachable'; message: string }

export type WebhookEvent = {
  id: string
  type: string
  /** The provider's id of the payment; null for an event about something else. */
  reference: string | null
  /** The provider's id of the card, or of the card setup, that the event is about. */
  card?: { method: string } | { setup: string }
  payload: unknown
}

/** A card that the provider keeps for a customer. */
export type ProviderCard = {
  /** The provider's id of the payment method. */
  method: string
  /** In the provider's word, such as 'visa'. */
  brand: string
  lastFour: string
  expiresYear: number
  /** 1 to 12. */
  expiresMonth: number
}

/** The provider's present state of one card setup. */
export type CardSetupSnapshot = {
  reference: string
  /** The provider's id of the customer that the card is kept for. */
  customer: string
  state: 'open' | 'succeeded' | 'cancelled'
  /** Null until it has succeeded, and after the card was detached. */
  card: ProviderCard | null
}

/** The refusal of a card whose bank wants the customer to approve the payment. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'

/** Contains no secret, because it is sent to the browser. */
export type PublicPaymentConfig = { provider: 'sandbox' } | { provider: 'stripe'; publishableKey: string }

export interface PaymentProvider {
  name: 'sandbox' | 'stripe'
  /**
   * Creates a customer, for whom a card can be kept. It holds no personal data, only our payment's id.
   * @param input.idempotencyKey the same key always yields the same customer
   */
  createCustomer(input: {
    paymentId: string
    idempotencyKey: string
  }): Promise<{ ok: true; customer: string } | ProviderRefusal>
  /**
   * Creates a payment that waits for a card and is captured as soon as the card is confirmed.
   * @param input.card the customer whose card is kept for later charges ('save'), or may be charged ('charge')
   * @param input.group the first payment of the purchase, which its transfers will name; by default this payment
   * @param input.idempotencyKey the same key always yields the same payment
   */
  create(input: {
    paymentId: string
    amountCents: Cents
    currency: 'aud'
    description: string
    /** The text after our own name on the card's statement: capital letters, digits and spaces, at least one letter. */
    statementSuffix: string
    card?: { customer: string; use: 'save' | 'charge' }
    group?: string
    idempotencyKey: string
  }): Promise<{ ok: true; reference: string; clientSecret: string } | ProviderRefusal>
  retrieve(
    reference: string,
  ): Promise<
    | { ok: true; snapshot: PaymentSnapshot; clientSecret: string }
    | ProviderRefusal
    | { ok: false; reason: 'unknown_payment'; message: string }
  >
  /**
   * Charges a kept card while the customer is away. A payment succeeds once at most, so repeating a lost call, even with
   * another key, never charges twice.
   * @param input.reference a payment that was created for the card's customer
   * @param input.idempotencyKey the same key always yields the answer of the first try
   * @returns the payment as it stands now, with the card's refusal in the provider's word; null unless it was refused
   */
  chargeSavedCard(input: {
    reference: string
    method: string
    idempotencyKey: string
  }): Promise<{ ok: true; snapshot: PaymentSnapshot; declineCode: string | null } | ProviderRefusal>
  /** The card that a payment has saved; null where it saved none, or the card was detached. */
  savedCardOf(reference: string): Promise<{ ok: true; card: ProviderCard | null } | ProviderRefusal>
  /** A kept card as it is now: its expiry may have been renewed. Null once it was detached. */
  retrieveCard(method: string): Promise<{ ok: true; card: ProviderCard | null } | ProviderRefusal>
  /**
   * Begins to keep another card for a customer. Its form takes the client secret.
   * @param input.idempotencyKey the same key always yields the same setup
   */
  createCardSetup(input: {
    customer: string
    idempotencyKey: string
  }): Promise<{ ok: true; reference: string; clientSecret: string } | ProviderRefusal>
  retrieveCardSetup(
    reference: string,
  ): Promise<{ ok: true; setup: CardSetupSnapshot; clientSecret: string } | ProviderRefusal>
  /** Deletes a kept card. A card detached before counts as deleted. */
  detachCard(method: string): Promise<{ ok: true } | ProviderRefusal>
  /** Cancels a payment. Refuses if it has already succeeded. */
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
  /** One dispute, with what was sent to the bank about it. @returns 'refused' for an unknown one */
  retrieveDispute(reference: string): Promise<({ ok: true } & DisputeDetails) | ProviderRefusal>
  /** Stores a PDF that evidence can name. A file that no evidence names is harmless. */
  uploadReceipt(file: {
    name: string
    bytes: Uint8Array
  }): Promise<{ ok: true; file: string } | ProviderRefusal>
  /**
   * Sends evidence to the bank, or only stores it at the provider. Evidence can be sent once.
   * @param input.submit false stores it, so that it can still be changed
   * @param input.idempotencyKey the same key sends the same evidence once
   * @returns 'refused' for a dispute that takes none (it is decided, or evidence was sent before), and for texts beyond
   *   `EVIDENCE_TEXT_LIMITS`
   */
  answerDispute(input: {
    reference: string
    evidence: DisputeEvidence
    submit: boolean
    idempotencyKey: string
  }): Promise<({ ok: true } & DisputeDetails) | ProviderRefusal>
  /**
   * Gives a dispute up, which loses it at once and for good.
   * @returns 'refused' for an inquiry, and for a dispute that is decided or with the bank
   */
  acceptDispute(input: {
    reference: string
    idempotencyKey: string
  }): Promise<({ ok: true } & DisputeDetails) | ProviderRefusal>
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
