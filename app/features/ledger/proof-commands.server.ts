import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import {
  type Comparison,
  compareAll,
  findDifferences,
  type PurchasePages,
} from './comparison-queries.server.ts'
import { type MovementDeps, readMovements } from './movement-commands.server.ts'
import { proveLedger } from './queries.server.ts'
import type { LedgerCheck } from './rules.ts'

export type ProofDeps = MovementDeps & {
  /** Compare the ledger with the tables of the later features. */
  comparisons: readonly Comparison[]
  listPurchases: PurchasePages
  /** Hears that money moved during a look at the provider, so that another follows. */
  tellMoving?: (look: number) => void
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

/** Between reading the movements and asking for the balance, money may move. */
const MOST_LOOKS = 10
/** Why the provider could not be compared with while money moved during every look. */
export const MOVING = `Money was moving in each of ${MOST_LOOKS} looks. Prove again in a quieter minute.`

/**
 * Proves the ledger: by its postings, against all tables whose money it should have, and against the provider's movements and
 * balance. Stores the result. Changes nothing else, apart from reading new movements and posting their fees.
 */
export async function prove(deps: ProofDeps): Promise<Proof> {
  const { db, now } = deps
  const beganAt = now()
  const checks = [...(await proveLedger(db)), ...(await compareAll(db, deps.comparisons, deps.listPurchases))]
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

/**
 * Compares with the provider. A difference counts once two looks in a row have found the same: any other may be money that moved
 * between reading the movements and asking for the balance.
 */
async function proveProvider(deps: ProofDeps): Promise<ProviderProof> {
  const failed = (failure: string | null): ProviderProof => ({
    checks: [],
    failure,
    availableCents: null,
    pendingCents: null,
  })
  if (!deps.payouts) return failed(null)
  let before = ''
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const seen = await lookAtProvider(deps, deps.payouts)
    if (typeof seen === 'string') return failed(seen)
    const text = JSON.stringify(seen)
    if (seen.checks.every(({ count }) => count === 0) || text === before) return seen
    before = text
    // The first difference may be lasting.
    if (look > 1 && look < MOST_LOOKS) deps.tellMoving?.(look)
  }
  return failed(MOVING)
}

/** @returns the provider's message if it doesn't answer */
async function lookAtProvider(
  deps: ProofDeps,
  payouts: NonNullable<ProofDeps['payouts']>,
): Promise<ProviderProof | string> {
  const { db, now } = deps
  const read = await readMovements(deps)
  if (!read.ok) return read.message
  const balance = await payouts.retrieveBalance()
  if (!balance.ok) return balance.message
  const { availableCents, pendingCents } = balance
  const late = new Date(now().getTime() - LATE_MS)
  return {
    checks: [
      await findDifferences(db, 'movements_are_posted', unmatchedReferences(late)),
      await findDifferences(db, 'fees_are_posted', unpostedFees(late)),
      await proveBalance(db, payouts.name, availableCents + pendingCents),
    ],
    failure: null,
    availableCents,
    pendingCents,
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
