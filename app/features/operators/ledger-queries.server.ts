import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { findLastProof, listCommissionRates, type ProofView } from '../ledger/proof-queries.server.ts'
import { findOwedCents, findTrialBalance } from '../ledger/queries.server.ts'
import { type LedgerAccount, withdrawableCents } from '../ledger/rules.ts'
import { PAGE_SIZE } from './rules.ts'

/** The books: balances, the last proof, what may be withdrawn, and the rates of commission. */
export type LedgerView = {
  balances: Record<LedgerAccount, Cents>
  proof: ProofView | null
  /** Null while our balance at the provider isn't known. */
  withdrawable: ({ availableCents: Cents } & ReturnType<typeof withdrawableCents>) | null
  rates: { id: string; of: string; basisPoints: number; validFrom: string }[]
}

/** Reads the books. What may be withdrawn counts with the provider's balance of the last proof,
 * what has left it since, and what is owed now. */
export async function findLedger(
  db: Database,
  { reserveBasisPoints }: { reserveBasisPoints: number },
): Promise<LedgerView> {
  const [balances, owedCents, proof, rates] = await Promise.all([
    findTrialBalance(db),
    findOwedCents(db),
    findLastProof(db),
    listCommissionRates(db, PAGE_SIZE),
  ])
  const vendorIds = rates.flatMap(({ vendorUserId }) => vendorUserId ?? [])
  const vendors = vendorIds.length
    ? await db.selectFrom('users').select(['id', 'email']).where('id', 'in', vendorIds).execute()
    : []
  const emails = new Map(vendors.map(({ id, email }) => [id, email]))
  const availableCents = proof?.availableCents ?? null
  return {
    balances,
    proof,
    withdrawable:
      availableCents === null
        ? null
        : {
            availableCents,
            ...withdrawableCents({
              availableCents,
              balanceCents: balances.provider_balance,
              owedCents,
              reserveBasisPoints,
            }),
          },
    rates: rates.map(({ id, category, vendorUserId, basisPoints, validFrom }) => ({
      id,
      of: category ?? emails.get(vendorUserId ?? '') ?? 'A closed account',
      basisPoints,
      validFrom,
    })),
  }
}
