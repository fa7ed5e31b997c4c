import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { LedgerCheck } from './rules.ts'

/** The last proof. Times are ISO 8601, UTC. */
export type ProofView = {
  beganAt: string
  endedAt: string
  checks: LedgerCheck[]
  differenceCount: number
  failure: string | null
  /** Our balance at the provider; null if it wasn't asked or didn't answer. */
  availableCents: Cents | null
  pendingCents: Cents | null
}

/** Finds the newest proof; null before the first. */
export async function findLastProof(db: Database): Promise<ProofView | null> {
  const row = await db
    .selectFrom('proofs')
    .selectAll()
    .orderBy('began_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const centsOf = (cents: string | number | null) => (cents === null ? null : Number(cents))
  return {
    beganAt: row.began_at.toISOString(),
    endedAt: row.ended_at.toISOString(),
    checks: row.checks,
    differenceCount: row.difference_count,
    failure: row.failure,
    availableCents: centsOf(row.available_cents),
    pendingCents: centsOf(row.pending_cents),
  }
}

/** A rate of commission of a category or a vendor. */
export type RateView = {
  id: string
  category: string | null
  vendorUserId: string | null
  basisPoints: number
  /** ISO 8601, UTC. */
  validFrom: string
}

/** Lists the newest rates of commission, also those that begin later. */
export async function listCommissionRates(db: Database, limit: number): Promise<RateView[]> {
  const rows = await db
    .selectFrom('commission_rates')
    .selectAll()
    .orderBy('valid_from', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    category: row.category,
    vendorUserId: row.vendor_user_id,
    basisPoints: row.basis_points,
    validFrom: row.valid_from.toISOString(),
  }))
}
