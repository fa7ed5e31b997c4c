import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { findLastProof, listCommissionRates, type ProofView } from '../ledger/proof-queries.server.ts'
import { findOwedCents, findTrialBalance } from '../ledger/queries.server.ts'
import { type LedgerAccount, type TransactionKind, withdrawableCents } from '../ledger/rules.ts'
import { addMonths } from '../payouts/earning-rules.ts'
import { OPERATIONS_ZONE } from './messages.ts'
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

/** A line of the journal: one posting with its transaction. `postedAt` is ISO 8601, UTC. */
export type JournalLine = {
  cursor: string
  transactionId: string
  postedAt: string
  kind: TransactionKind
  /** Names the event. */
  key: string
  account: LedgerAccount
  /** A debit is positive. */
  cents: Cents
  vendorUserId: string
  bookingId: string | null
  paymentId: string | null
  reference: string | null
}

const JOURNAL_CURSOR = /^(\d{1,18})-(\d{1,4})$/

/**
 * Lists the postings of the ledger, the newest first.
 * @param range.month 'YYYY-MM' in Sydney; null for all
 * @param range.before the cursor of the last line; null to begin
 */
export async function listJournal(
  db: Database,
  { month, before, limit }: { month: string | null; before: string | null; limit: number },
): Promise<JournalLine[]> {
  const [, transactionId, line] = JOURNAL_CURSOR.exec(before ?? '') ?? []
  const span = month && monthSpan(month)
  const rows = await db
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_transactions as t', 't.id', 'p.transaction_id')
    .select([
      sql<string>`p.transaction_id::text`.as('transaction_id'),
      'p.line',
      't.posted_at',
      't.kind',
      't.key',
      'p.account',
      'p.cents',
      'p.vendor_user_id',
      'p.booking_id',
      't.payment_id',
      't.provider_reference',
    ])
    .$if(Boolean(span), (query) => {
      const { from, until } = span as Exclude<typeof span, null | ''>
      return query.where('t.posted_at', '>=', from).where('t.posted_at', '<', until)
    })
    .$if(transactionId !== undefined, (query) =>
      query.where(sql<boolean>`(p.transaction_id, p.line) < (${transactionId}::bigint, ${line}::smallint)`),
    )
    .orderBy('p.transaction_id', 'desc')
    .orderBy('p.line', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    cursor: `${row.transaction_id}-${row.line}`,
    transactionId: row.transaction_id,
    postedAt: row.posted_at.toISOString(),
    kind: row.kind,
    key: row.key,
    account: row.account,
    cents: Number(row.cents),
    vendorUserId: row.vendor_user_id,
    bookingId: row.booking_id,
    paymentId: row.payment_id,
    reference: row.provider_reference,
  }))
}

function monthSpan(month: string): { from: Date; until: Date } {
  const start = (of: string) => wallTimeToUtc(`${of}-01`, '00:00', OPERATIONS_ZONE)
  return { from: start(month), until: start(addMonths(month, 1)) }
}
