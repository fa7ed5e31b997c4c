import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { type MovementDeps, readMovements } from './movement-commands.server.ts'
import { findDifferences, proveLedger } from './queries.server.ts'
import type { LedgerCheck } from './rules.ts'

export type ProofDeps = MovementDeps & {
  /** Compares the ledger with the payments' own tables. */
  provePayments(db: Database): Promise<LedgerCheck>
}

/** The result of a proof. */
export type Proof = {
  checks: LedgerCheck[]
  differenceCount: number
  /** Why the provider could not be compared with, in its words; null if it could, or if there is none to ask. */
  failure: string | null
}

/** A movement and its transaction may be so far apart: a webhook is late, or the list of the provider. */
const LATE_MS = 3_600_000

/**
 * Proves the ledger: by its postings, against the payments' tables, and against the provider's movements and balance. Stores
 * the result. Changes nothing else, apart from reading new movements and posting their fees.
 */
export async function prove(deps: ProofDeps): Promise<Proof> {
  const { db, now } = deps
  const beganAt = now()
  const checks = [...(await proveLedger(db)), await deps.provePayments(db)]
  const atProvider = await proveProvider(deps)
  checks.push(...atProvider.checks)
  const differenceCount = checks.reduce((sum, { count }) => sum + count, 0)
  await db
    .insertInto('proofs')
    .values({
      id: newId(),
      began_at: beganAt,
      ended_at: now(),
      difference_count: differenceCount,
      checks: JSON.stringify(checks),
      failure: atProvider.failure,
      available_cents: atProvider.availableCents,
      pending_cents: atProvider.pendingCents,
    })
    .execute()
  return { checks, differenceCount, failure: atProvider.failure }
}

type ProviderProof = {
  checks: LedgerCheck[]
  failure: string | null
  availableCents: Cents | null
  pendingCents: Cents | null
}

async function proveProvider(deps: ProofDeps): Promise<ProviderProof> {
  const { db, payouts, now } = deps
  const failed = (failure: string | null): ProviderProof => ({
    checks: [],
    failure,
    availableCents: null,
    pendingCents: null,
  })
  if (!payouts) return failed(null)
  // Twice at most: money may move between the two questions.
  for (let attempt = 1; ; attempt++) {
    const read = await readMovements(deps)
    if (!read.ok) return failed(read.message)
    const balance = await payouts.retrieveBalance()
    if (!balance.ok) return failed(balance.message)
    const { availableCents, pendingCents } = balance
    const moved = await proveBalance(db, payouts.name, availableCents + pendingCents)
    if (moved.count > 0 && attempt === 1) continue
    const late = new Date(now().getTime() - LATE_MS)
    return {
      checks: [
        await findDifferences(db, 'movements_are_posted', unmatchedReferences(late)),
        await findDifferences(db, 'fees_are_posted', unpostedFees(late)),
        moved,
      ],
      failure: null,
      availableCents,
      pendingCents,
    }
  }
}

/**
 * Compares the sum that each reference moved at the provider with its sum in the ledger. A refund that came back before we
 * saw it moved 0 in total, so it needs no transaction.
 */
const unmatchedReferences = (late: Date) => sql`
  with moved as (
    select coalesce(reference, id) as subject, sum(amount_cents) as cents, max(moved_at) as moved_at
    from provider_movements where kind not in ('fee', 'payout') group by 1
  ), posted as (
    select coalesce(t.provider_reference, t.key) as subject, sum(p.cents) as cents, max(t.posted_at) as posted_at
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where p.account = 'provider_balance' and t.key not like 'fee:%' and t.key not like 'payout:%'
    group by 1
  )
  select subject, coalesce(moved.cents, 0) - coalesce(posted.cents, 0) as cents
  from moved full join posted using (subject)
  where coalesce(moved.cents, 0) <> coalesce(posted.cents, 0)
    and coalesce(greatest(moved.moved_at, posted.posted_at), ${late}) <= ${late}`

const unpostedFees = (late: Date) => sql`
  select m.id as subject, m.fee_cents - case when kind in ('fee', 'payout') then m.amount_cents else 0 end
    + coalesce(p.cents, 0) as cents
  from provider_movements m
  left join (
    select substr(t.key, strpos(t.key, ':') + 1) as id, sum(p.cents) as cents
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where p.account = 'provider_balance' and (t.key like 'fee:%' or t.key like 'payout:%')
    group by 1
  ) p on p.id = m.id
  where m.fee_cents - case when kind in ('fee', 'payout') then m.amount_cents else 0 end + coalesce(p.cents, 0) <> 0
    and m.moved_at <= ${late}`

function proveBalance(db: Database, provider: string, balanceCents: Cents): Promise<LedgerCheck> {
  return findDifferences(
    db,
    'provider_balance_moved',
    sql`
      select ${provider}::text as subject, ${balanceCents}::bigint - cents as cents from (
        select coalesce(sum(amount_cents - fee_cents), 0) as cents from provider_movements where provider = ${provider}
      ) moved where cents <> ${balanceCents}::bigint`,
  )
}
