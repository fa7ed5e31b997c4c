import type { Cents } from '../../shared/money.ts'
import type { ProviderRefusal } from './port.ts'

/** An open requirement of a vendor's account. The code is the provider's, such as `individual.verification.document`. */
export type AccountRequirement = {
  code: string
  /** Whether the vendor can do something, or the provider is still looking. */
  awaiting: 'vendor' | 'provider'
  /** From when on transfers stop without it; null while there is no such time. */
  dueAt: Date | null
}

/** A vendor's account as the provider has it now. Never taken from an event's payload. */
export type AccountSnapshot = {
  /** The provider's id of the account. It never reaches a browser. */
  reference: string
  /** Our own id of the account, which we gave the provider when we created it. */
  accountId: string | null
  /** Whether it takes transfers. 'none' was never asked for or is not offered. */
  transfers: 'active' | 'pending' | 'restricted' | 'none'
  /** Whether the vendor has sent the form at least once. */
  isSubmitted: boolean
  requirements: AccountRequirement[]
  isClosed: boolean
  /** The provider refuses this vendor for good. */
  isRejected: boolean
  bankLast4: string | null
}

/** Our transfer as the provider has it now. */
export type TransferSnapshot = {
  reference: string
  /** Our own id of the transfer; null if it was made at the provider by hand. */
  transferId: string | null
  amountCents: Cents
  reversedCents: Cents
}

/** A part of a transfer that came back. */
export type ReversalSnapshot = {
  reference: string
  /** Our own id of the reversal; null if it was made at the provider by hand. */
  reversalId: string | null
  transferReference: string
  amountCents: Cents
}

/** A payout from a vendor's balance at the provider to their bank. The provider makes them by itself, daily. */
export type BankPayoutSnapshot = {
  reference: string
  amountCents: Cents
  state: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  /** Why the bank returned it, in the provider's word. */
  failureReason: string | null
  /** The day on which the bank is expected to show it. */
  arrivesAt: Date
  createdAt: Date
}

/** One change of our own balance at the provider. */
export type BalanceMovement = {
  /** The provider's id of the movement. */
  id: string
  kind:
    | 'charge'
    | 'refund'
    | 'refund_failed'
    | 'transfer'
    | 'reversal'
    | 'dispute'
    | 'dispute_reversal'
    | 'fee'
    | 'payout'
    | 'other'
  /**
   * The provider's id of what moved it, as our own rows have it: of the payment for a charge, of the refund, the transfer,
   * the reversal, the dispute, the payout. Null for a fee that belongs to nothing of these.
   */
  reference: string | null
  /** Signed, before the fee. */
  amountCents: Cents
  /** Taken by the provider from this movement, 0 or more. */
  feeCents: Cents
  at: Date
  /** When the money can be paid out or transferred. */
  availableAt: Date
}

/**
 * An account has changed. The event doesn't say how, so the provider is asked.
 * @property payout the payout to the bank that it is about, by the provider's id; null for another event
 */
export type PayoutEvent = {
  id: string
  type: string
  account: string | null
  payout: string | null
  payload: unknown
}

/** The webhook addresses of payouts, each with a secret of its own. */
export type PayoutWebhook = 'connected' | 'accounts'

/** Vendors' accounts at the payment provider, and the money that goes there and comes back. */
export interface PayoutProvider {
  name: 'sandbox' | 'stripe'
  /**
   * Creates a vendor's account, which gets no money before the vendor has filled in the provider's form.
   * @param input.accountId our own id
   * @param input.idempotencyKey the same key always yields the same account
   */
  createAccount(input: {
    accountId: string
    email: string
    registeredName: string
    entityType: 'individual' | 'company'
    abn: string | null
    idempotencyKey: string
  }): Promise<{ ok: true; reference: string } | ProviderRefusal>
  /** A fresh address of the provider's form, for this vendor alone and for once. It is never mailed. */
  createOnboardingLink(input: {
    account: string
    returnUrl: string
    refreshUrl: string
  }): Promise<{ ok: true; url: string } | ProviderRefusal>
  retrieveAccount(
    reference: string,
  ): Promise<
    | { ok: true; snapshot: AccountSnapshot }
    | ProviderRefusal
    | { ok: false; reason: 'unknown_account'; message: string }
  >
  /** Settles that the account is paid out daily and that its negative balance is debited from its bank. Repeats do no harm. */
  prepareAccount(reference: string): Promise<{ ok: true } | ProviderRefusal>
  /** Makes payouts of our own balance manual, since refunds are paid from it. Safe to repeat. */
  preparePlatform(): Promise<{ ok: true } | ProviderRefusal>
  /**
   * Moves money from our balance to a vendor's account.
   * @param input.charge the payment that the money comes from, by the provider's id: the transfer may then be made before the
   *   charge is available, and never exceeds it. Null takes it from the balance
   * @param input.group the payment's id, which its charge names too; null for charges from before
   * @param input.transferId our own id, which is also what the idempotency key names
   */
  transfer(input: {
    account: string
    amountCents: Cents
    charge: string | null
    group: string | null
    transferId: string
  }): Promise<{ ok: true; transfer: TransferSnapshot } | ProviderRefusal>
  /** All transfers of one payment's group, newest first. */
  listTransfers(group: string): Promise<{ ok: true; transfers: TransferSnapshot[] } | ProviderRefusal>
  /**
   * Brings a part of a transfer back.
   * @param input.reversalId our own id, which is also what the idempotency key names
   * @returns 'empty' when the account has less than that; nothing has moved then
   */
  reverse(input: {
    transfer: string
    amountCents: Cents
    reversalId: string
  }): Promise<
    | { ok: true; reversal: ReversalSnapshot }
    | ProviderRefusal
    | { ok: false; reason: 'empty'; message: string }
  >
  /** All reversals of one transfer, newest first. */
  listReversals(transfer: string): Promise<{ ok: true; reversals: ReversalSnapshot[] } | ProviderRefusal>
  /** The payouts of one account since a moment, newest first, page by page. */
  listBankPayouts(input: {
    account: string
    createdSince: Date
    after: string | null
  }): Promise<{ ok: true; payouts: BankPayoutSnapshot[]; next: string | null } | ProviderRefusal>
  /** The transfers that one payout took to the bank, by the provider's ids. */
  listTransfersOfPayout(input: {
    account: string
    payout: string
  }): Promise<{ ok: true; transfers: string[] } | ProviderRefusal>
  /** Our own balance, in cents. */
  retrieveBalance(): Promise<{ ok: true; availableCents: Cents; pendingCents: Cents } | ProviderRefusal>
  /**
   * The movements of our balance since a moment, newest first, page by page.
   * @param input.after `next` of the previous page; null for the first
   */
  listMovements(input: {
    since: Date
    after: string | null
  }): Promise<{ ok: true; movements: BalanceMovement[]; next: string | null } | ProviderRefusal>
  /** @returns null when the signature doesn't match the body or is too old */
  parseWebhook(webhook: PayoutWebhook, rawBody: string, headers: Headers): PayoutEvent | null
}
