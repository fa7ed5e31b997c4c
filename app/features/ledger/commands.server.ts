import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { type Entry, OPERATOR_OWN, type Posting } from './rules.ts'

/** A transaction to post: the entry of a rule, and its subject. */
export type LedgerTransaction = Entry & {
  /** Names the event. The same event has the same key in whatever process it is posted. */
  key: string
  /** null for money of the operator alone. */
  vendorUserId: string | null
  /** null for the money of an unfulfilled payment, or that is about no booking. */
  bookingId: string | null
  paymentId: string | null
  providerReference: string | null
  at: Date
}

/** A key was used for another event: a bug of the caller. */
export class LedgerKeyReused extends Error {
  constructor(key: string) {
    super(`Another ledger transaction already has the key ${key}.`)
    this.name = 'LedgerKeyReused'
  }
}

/**
 * Locks the money of vendors until the transaction ends. A command that decides by sums reads them after this. Lock all
 * vendors at once, and after all other locks but the payout queue (LOCK_ORDER).
 */
export async function lockLedger(tx: DatabaseTransaction, vendorUserIds: readonly string[]): Promise<void> {
  await sql`select lock_ledger(array(select json_array_elements_text(${JSON.stringify(vendorUserIds)}::json)))`.execute(
    tx,
  )
}

/**
 * Posts transactions to the ledger: the only writer of its tables. Skips a transaction whose key exists or that moves
 * nothing. Triggers keep the balances and, at the commit, demand that each transaction sums to 0.
 *
 * Locks the vendors' money until the commit (see `lockLedger`), so a transaction that posts for several vendors passes all
 * of them in one call.
 * @returns the keys posted now
 * @throws LedgerKeyReused when a key stands for another event; its time alone may differ
 */
export async function postTransactions(
  tx: DatabaseTransaction,
  transactions: readonly LedgerTransaction[],
): Promise<ReadonlySet<string>> {
  const moving = transactions.filter(({ postings }) => postings.length > 0)
  if (moving.length === 0) return new Set()
  const keys = new Set<string>()
  for (const { key } of moving) {
    if (keys.has(key)) throw new LedgerKeyReused(key)
    keys.add(key)
  }
  const given = JSON.stringify(moving.map(toRow))
  // Each CTE reads the one before it, so the locks come first and the keys are inserted in one order.
  const { rows } = await sql<{ key: string }>`
    with given as materialized (
      select key, kind, vendor, booking, payment, reference, at, postings
      from json_to_recordset(${given}::json) as t (key text, kind text, vendor text, booking text, payment text,
        reference text, at timestamptz, postings json)
    ), locked as materialized (
      select lock_ledger(array(select vendor from given))
    ), made as (
      insert into ledger_transactions
        (key, kind, vendor_user_id, booking_id, payment_id, provider_reference, posted_at)
      select key, kind, vendor, booking, payment, reference, at from locked, given order by key
      on conflict (key) do nothing
      returning id, key, vendor_user_id, booking_id
    ), posted as (
      insert into ledger_postings (transaction_id, line, account, vendor_user_id, booking_id, cents)
      select made.id, row_number() over (partition by made.id), p.account, made.vendor_user_id,
        coalesce(p.booking, made.booking_id), p.cents
      from made join given using (key), json_to_recordset(given.postings) as p (account text, booking text, cents bigint)
    )
    select key from made`.execute(tx)
  const posted = new Set(rows.map(({ key }) => key))
  if (posted.size < moving.length)
    await compareWithPosted(
      tx,
      moving.filter(({ key }) => !posted.has(key)),
    )
  return posted
}

type Row = ReturnType<typeof toRow>

function toRow(transaction: LedgerTransaction) {
  const { key, kind, vendorUserId, bookingId, paymentId, providerReference, at, postings } = transaction
  return {
    key,
    kind,
    vendor: vendorUserId ?? OPERATOR_OWN,
    booking: bookingId,
    payment: paymentId,
    reference: providerReference,
    at: at.toISOString(),
    postings: postings.map((posting: Posting) => ({
      account: posting.account,
      booking: posting.bookingId ?? bookingId,
      cents: posting.cents,
    })),
  }
}

/** The keys exist: the content must be theirs, or money would be left unposted without a trace. */
async function compareWithPosted(
  tx: DatabaseTransaction,
  transactions: readonly LedgerTransaction[],
): Promise<void> {
  const { rows } = await sql<Omit<Row, 'at'>>`
    select t.key, t.kind, t.vendor_user_id as vendor, t.booking_id as booking, t.payment_id as payment,
      t.provider_reference as reference,
      json_agg(json_build_object('account', p.account, 'booking', p.booking_id, 'cents', p.cents)) as postings
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where t.key in (select json_array_elements_text(${JSON.stringify(transactions.map(({ key }) => key))}::json))
    group by t.id`.execute(tx)
  const standing = new Map(rows.map((row) => [row.key, contentOf(row)]))
  for (const transaction of transactions) {
    if (standing.get(transaction.key) !== contentOf(toRow(transaction)))
      throw new LedgerKeyReused(transaction.key)
  }
}

function contentOf({ kind, vendor, booking, payment, reference, postings }: Omit<Row, 'at'>): string {
  const lines = postings.map(({ account, booking: of, cents }) =>
    JSON.stringify([account, of, Number(cents)]),
  )
  return JSON.stringify([kind, vendor, booking, payment, reference, lines.toSorted()])
}

/**
 * Sets a rate of commission from a time on. Earlier rates stay, for the payments that began under them.
 * @param rate.basisPoints 0 to 10,000
 * @returns refuses with 'exists' when there is a rate from the same time on
 */
export async function setCommissionRate(
  tx: DatabaseTransaction,
  rate: {
    of: { category: string } | { vendorUserId: string }
    basisPoints: number
    validFrom: Date
    at: Date
  },
): Promise<{ ok: true } | { ok: false; reason: 'exists' }> {
  const inserted = await tx
    .insertInto('commission_rates')
    .values({
      id: newId(),
      category: 'category' in rate.of ? rate.of.category : null,
      vendor_user_id: 'vendorUserId' in rate.of ? rate.of.vendorUserId : null,
      basis_points: rate.basisPoints,
      valid_from: rate.validFrom,
      created_at: rate.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted ? { ok: true } : refuse('exists')
}
