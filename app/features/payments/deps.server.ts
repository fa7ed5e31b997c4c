import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FaultPoint } from '../../adapters/payments/fault-points.ts'
import type { Cents } from '../../shared/money.ts'
import type { Providers } from './providers.server.ts'
import type { UnfulfilledReason } from './rules.ts'
import type { PaymentRow } from './tables.server.ts'

/** The services that payment commands need. */
export type PaymentDeps = {
  db: Database
  providers: Providers
  now: () => Date
  /** How long a payment stays open once its card's confirmation begins. */
  paymentExpiryMs: number
  fulfilment: Fulfilment
  /** Does nothing, except in the test that kills the process at each of these points. */
  faultPoint: FaultPoint
}

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
   * @returns a refusal with its reason if the purchase is no longer available. The payment is then refunded in the same
   *   transaction
   */
  whenPaid(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    reference: string,
  ): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }>
  /** Runs when the customer gives up, before the provider has cancelled the payment: lets others take the purchase. */
  whenGivenUp(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** Runs when the payment ends without a purchase: releases the reservation. */
  whenEnded(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** Runs when a charge bought nothing and its refund is ordered: notifies the customer. */
  whenUnfulfilled(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    refund: { amountCents: Cents; reason: UnfulfilledReason },
  ): Promise<void>
  /**
   * Locks the purchase of one line item, before the refund's own row is locked.
   * @returns a callback to run once the refund is marked as done; null if the line item bought nothing
   */
  lockBought(
    tx: DatabaseTransaction,
    bought: { paymentId: string; line: number },
  ): Promise<(() => Promise<void>) | null>
  /** Finds the id of the payment's purchase; null while there is none. */
  findBought(tx: DatabaseTransaction, paymentId: string): Promise<string | null>
}
