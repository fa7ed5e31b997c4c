import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { PaymentDeps } from '../payments/deps.server.ts'

/** The services that instalments need in addition to those of payments. */
export type InstalmentDeps = PaymentDeps & {
  jobs: Jobs
  brand: string
  publicUrl: URL
  /** Finds how a vendor is reached; null once their account is deleted. */
  findVendor(
    db: Database | DatabaseTransaction,
    ownerUserId: string,
  ): Promise<{ name: string; email: string } | null>
  /** Tells open pages that a purchase has changed, once the transaction commits. */
  publish(tx: DatabaseTransaction, firstPaymentId: string): Promise<void>
  /** Whether a purchase is about to be called off, so that nothing further is charged. The purchase is locked. */
  isEnding(tx: DatabaseTransaction, firstPaymentId: string): Promise<boolean>
  /**
   * Calculates what the customer would get back if the purchase ended at a moment by its cancellation terms, in cents; null where
   * there are no terms.
   */
  refundAt(tx: DatabaseTransaction, firstPaymentId: string, at: Date): Promise<Cents | null>
  /** Waits between batches of charges. */
  pause(ms: number): Promise<void>
}
