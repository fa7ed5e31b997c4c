import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FaultPoint } from '../../adapters/payments/fault-points.ts'
import type { Cents } from '../../shared/money.ts'
import type { Providers } from './providers.server.ts'
import type { PaymentRow } from './queries.server.ts'
import type { RefundState, UnfulfilledReason } from './rules.ts'

/** The services that payment commands need. */
export type PaymentDeps = {
  db: Database
  providers: Providers
  now: () => Date
  /** How long a payment stays open once its card's confirmation begins. */
  paymentExpiryMs: number
  fulfilment: Fulfilment
  /** Tells the operators of trouble with money, by a mail that is sent if the transaction commits. */
  tellOperators(tx: DatabaseTransaction, trouble: MoneyTrouble): Promise<void>
  /** Does nothing, except in the test that kills the process at each of these points. */
  faultPoint: FaultPoint
}

/** A refund of a purchase that has moved; null where other money of the purchase has. */
export type RefundNews = { refundId: string; state: RefundState; amountCents: Cents } | null

/** A report to the operators: a dispute, a refund that came back, or a purchase that was called off late. */
export type MoneyTrouble = {
  paymentId: string
  amountCents: Cents
  /** Until when an answer is taken; null where there is no such time. */
  dueAt: Date | null
  /** Names the trouble, so that it is told once. */
  key: string
} & (
  | { kind: 'dispute' | 'instalment_not_created' }
  | {
      kind: 'refund_failed'
      /** Whether the customer could be asked where to send it. A deleted account leaves no address. */
      isCustomerAsked: boolean
    }
  | {
      /** The vendor declined an approved booking shortly before its event. */
      kind: 'near_decline'
      vendorName: string
      /** The event, in words. */
      span: string
      daysBefore: number
      reason: string
      /** Whether the refund waits for a dispute. */
      waits: boolean
    }
)

/**
 * The steps of a purchase, passed in by the feature that sells. Payments decides when each step runs, the seller what
 * it does. Every step runs inside the transaction that moves the payment or completes its refund.
 */
export type Fulfilment = {
  /** Runs while a card is being charged: reserves the purchase until the payment ends. */
  whenProcessing(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /**
   * Runs when the charge has succeeded: stores the purchase, once.
   * @param reference the provider's id of the payment
   * @returns the purchase's id, or a refusal with its reason if the purchase is no longer available. The payment is then
   *   refunded in the same transaction
   */
  whenPaid(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    reference: string,
  ): Promise<{ ok: true; purchaseId: string } | { ok: false; reason: UnfulfilledReason }>
  /** Runs when the customer gives up, before the provider has cancelled the payment: lets others take the purchase. */
  whenGivenUp(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** Runs when the payment ends without a purchase: releases the reservation. */
  whenEnded(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** Runs when the refund of an unfulfilled payment is ordered: notifies the customer. */
  whenUnfulfilled(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    refund: { amountCents: Cents; reason: UnfulfilledReason },
  ): Promise<void>
  /**
   * Runs when an account is named or replaced, for refunds that came back: notifies the customer.
   * @param account.masked the account as its customer recognises it
   */
  whenAccountNamed(
    tx: DatabaseTransaction,
    firstPaymentId: string,
    account: { amountCents: Cents; masked: string; isReplaced: boolean; at: Date },
  ): Promise<void>
  /**
   * Locks what a refund is for, ahead of the payment and of the refund's own row.
   * @param item.line null for an unfulfilled payment
   * @returns what follows once that row says where the refund stands
   */
  lockPurchase(
    tx: DatabaseTransaction,
    item: { paymentId: string; line: number | null },
  ): Promise<(news: RefundNews) => Promise<void>>
  /** Finds the provider's customer whose card the payment saves, or may charge; null without one. */
  findCard(payment: PaymentRow): Promise<{ customer: string; use: 'save' | 'charge' } | null>
  /** Finds the id of the payment's purchase; null while there is none. */
  findPurchase(tx: DatabaseTransaction, paymentId: string): Promise<string | null>
}
