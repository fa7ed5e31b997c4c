import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { DOCUMENTS } from './rules.ts'

/**
 * Stores that a vendor accepts the vendor agreement. Repeats do no harm: the first acceptance of a version stays.
 * @param input.version the version that the vendor read
 * @returns refuses with 'other_version' when another one is in force now
 */
export async function acceptAgreement(
  deps: { db: Database | DatabaseTransaction; now: () => Date },
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

/**
 * Stores that a vendor is told of the vendor agreement in force, in the transaction that tells them.
 * @returns whether they had not been told before
 */
export async function addAgreementNotice(
  tx: DatabaseTransaction,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('agreement_notices')
    .values({ user_id: userId, version: DOCUMENTS.vendor_agreement.version, told_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}
