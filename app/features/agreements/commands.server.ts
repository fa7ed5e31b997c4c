import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { DOCUMENTS } from './rules.ts'

/**
 * Stores that a vendor accepts the vendor agreement. Repeats do no harm: the first acceptance of a version stays.
 * @param input.version the version that the vendor read
 * @returns refuses with 'other_version' when another one is in force by now
 */
export async function acceptAgreement(
  deps: { db: Database; now: () => Date },
  input: { userId: string; version: string },
): Promise<{ ok: true } | { ok: false; reason: 'other_version' }> {
  if (input.version !== DOCUMENTS.vendor_agreement.version) return refuse('other_version')
  await deps.db
    .insertInto('acceptances')
    .values({
      id: newId(),
      user_id: input.userId,
      document: 'vendor_agreement',
      ...DOCUMENTS.vendor_agreement,
      payment_id: null,
      accepted_at: deps.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ok: true }
}

/** Stores, with a new payment, that its customer accepts the terms in force. */
export async function keepCustomerAcceptance(
  tx: DatabaseTransaction,
  acceptance: { userId: string | null; paymentId: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('acceptances')
    .values({
      id: newId(),
      user_id: acceptance.userId,
      document: 'customer_terms',
      ...DOCUMENTS.customer_terms,
      payment_id: acceptance.paymentId,
      accepted_at: acceptance.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
