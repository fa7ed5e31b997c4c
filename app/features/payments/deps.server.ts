import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FaultPoint } from '../../adapters/payments/fault-points.ts'
import type { Cents } from '../../shared/money.ts'
import type { Providers } from './providers.server.ts'
import type { UnfulfilledReason } from './rules.ts'
import type { PaymentRow } from './tables.server.ts'

/** The services of every command of payments. */
export type PaymentDeps = {
  db: Database
  providers: Providers
  now: () => Date
  /** How long a payment stays open from the moment its card is being confirmed. */
  paymentExpiryMs: number
  fulfilment: Fulfilment
  /** Does nothing but in the test that kills the process at each of these points. */
  faultPoint: FaultPoint
}

/**
 * The purchase behind a payment, as steps that the selling feature passes in. Payments decides when each step happens, the
 * seller decides what it does. Every step runs inside the transaction that moves the payment or completes its refund.
 */
export type Fulfilment = {
  /** A card is being charged: keeps what is paid for until the payment ends. */
  whenProcessing(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /**
   * The money is there: stores what was bought, once.
   * @param reference the provider's id of the payment
   * @returns why it can't be had any more; the payment is then refunded in the same transaction
   */
  whenPaid(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    reference: string,
  ): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }>
  /** The customer gave the payment up, and the provider has not cancelled it yet: others may have what it was for. */
  whenGivenUp(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** The payment ends without a purchase: releases whatever was kept for it. */
  whenEnded(tx: DatabaseTransaction, paymentId: string): Promise<void>
  /** The card was charged for nothing and the refund is ordered: tells the customer. */
  whenUnfulfilled(
    tx: DatabaseTransaction,
    payment: PaymentRow,
    refund: { amountCents: Cents; reason: UnfulfilledReason },
  ): Promise<void>
  /**
   * Locks the purchase of one line of the payment, ahead of the refund's own row.
   * @returns what follows once that row says that the refund is made; null if the line bought nothing
   */
  lockBought(
    tx: DatabaseTransaction,
    bought: { paymentId: string; line: number },
  ): Promise<(() => Promise<void>) | null>
  /** Finds the id of what the payment bought; null while it has bought nothing. */
  findBought(tx: DatabaseTransaction, paymentId: string): Promise<string | null>
}
