import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { findDifferences } from './comparison-queries.server.ts'
import {
  type BookingMoney,
  LEDGER_ACCOUNTS,
  type LedgerAccount,
  type LedgerCheck,
  NO_MONEY,
  type Posting,
  type TransactionKind,
} from './rules.ts'

/** The sum of each account over all vendors, in cents. Together they are 0. */
export async function findTrialBalance(db: Database): Promise<Record<LedgerAccount, Cents>> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select((eb) => ['account', eb.fn.sum<string>('cents').as('cents')])
    .groupBy('account')
    .execute()
  return toBalances(rows)
}

/**
 * Adds up what customers and vendors are owed, in cents. Balances are summed by vendor, because one vendor's overpayment can't
 * pay another.
 */
export async function findOwedCents(db: Database): Promise<Cents> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(-cents), 0) as cents from ledger_balances
    where account in ('customer_money_held', 'vendor_payable') and cents < 0`.execute(db)
  return Number(rows[0]?.cents)
}

/** The sum of each account of one vendor, in cents. */
export async function findVendorBalances(
  db: Database | DatabaseTransaction,
  vendorUserId: string,
): Promise<Record<LedgerAccount, Cents>> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['account', 'cents'])
    .where('vendor_user_id', '=', vendorUserId)
    .execute()
  return toBalances(rows)
}

/** The sums of one account by vendor, without those that are 0, largest amount first. */
export async function listBalancesOf(
  db: Database,
  account: LedgerAccount,
): Promise<{ vendorUserId: string; cents: Cents }[]> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['vendor_user_id', 'cents'])
    .where('account', '=', account)
    .where('cents', '<>', 0)
    .orderBy((eb) => eb.fn('abs', ['cents']), 'desc')
    .orderBy('vendor_user_id')
    .execute()
  return rows.map((row) => ({ vendorUserId: row.vendor_user_id, cents: Number(row.cents) }))
}

function toBalances(
  rows: readonly { account: LedgerAccount; cents: string | number }[],
): Record<LedgerAccount, Cents> {
  const cents = new Map(rows.map((row) => [row.account, Number(row.cents)]))
  return Object.fromEntries(LEDGER_ACCOUNTS.map((account) => [account, cents.get(account) ?? 0])) as Record<
    LedgerAccount,
    Cents
  >
}

/** A transaction of a booking, with the postings that are about it. */
export type BookingTransaction = {
  key: string
  kind: TransactionKind
  at: Date
  providerReference: string | null
  postings: Posting[]
}

/** The transactions that post to a booking, oldest first. */
export async function listBookingTransactions(
  db: Database,
  bookingId: string,
): Promise<BookingTransaction[]> {
  const rows = await db
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_transactions as t', 't.id', 'p.transaction_id')
    .select(['t.key', 't.kind', 't.posted_at', 't.provider_reference', 'p.account', 'p.cents'])
    .where('p.booking_id', '=', bookingId)
    .orderBy('t.id')
    .orderBy('p.line')
    .execute()
  const transactions = new Map<string, BookingTransaction>()
  for (const row of rows) {
    const { key, kind, posted_at: at, provider_reference: providerReference } = row
    const transaction = transactions.get(key) ?? { key, kind, at, providerReference, postings: [] }
    transaction.postings.push({ account: row.account, cents: Number(row.cents) })
    transactions.set(key, transaction)
  }
  return [...transactions.values()]
}

/** A transaction of a payment, with its sum by account. */
export type PaymentTransaction = {
  key: string
  kind: TransactionKind
  cents: Partial<Record<LedgerAccount, Cents>>
}

/** The transactions of a payment, oldest first. */
export async function listPaymentTransactions(
  tx: Database | DatabaseTransaction,
  paymentId: string,
): Promise<PaymentTransaction[]> {
  const rows = await tx
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_postings as p', 'p.transaction_id', 't.id')
    .select(['t.key', 't.kind', 'p.account', 'p.cents'])
    .where('t.payment_id', '=', paymentId)
    .orderBy('t.id')
    .orderBy('p.line')
    .execute()
  const transactions = new Map<string, PaymentTransaction>()
  for (const { key, kind, account, cents } of rows) {
    const transaction = transactions.get(key) ?? { key, kind, cents: {} }
    transaction.cents[account] = (transaction.cents[account] ?? 0) + Number(cents)
    transactions.set(key, transaction)
  }
  return [...transactions.values()]
}

/** The money of bookings by where it went. A booking without postings is missing. */
export async function findBookingMoney(
  db: Database | DatabaseTransaction,
  bookingIds: readonly string[],
): Promise<Map<string, BookingMoney>> {
  const { rows } = await sql<MoneyRow & { subject: string }>`/* prepared */
    select p.booking_id as subject, ${moneySums}
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.booking_id in (select json_array_elements_text(${JSON.stringify(bookingIds)}::json))
    group by p.booking_id`.execute(db)
  return new Map(rows.map(({ subject, ...row }) => [subject, toMoney(row)]))
}

/** The money of one booking by where it went. Without postings, all of it is 0. */
export async function findMoneyOf(
  db: Database | DatabaseTransaction,
  bookingId: string,
): Promise<BookingMoney> {
  return (await findBookingMoney(db, [bookingId])).get(bookingId) ?? NO_MONEY
}

/** The money of an unfulfilled payment, or null if it has no postings. */
export async function findUnfulfilledMoney(
  db: Database | DatabaseTransaction,
  paymentId: string,
): Promise<BookingMoney | null> {
  const { rows } = await sql<MoneyRow & { found: number }>`
    select count(*)::int as found, ${moneySums}
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.booking_id is null and t.booking_id is null and t.payment_id = ${paymentId}`.execute(db)
  const [row] = rows
  return row && row.found > 0 ? toMoney(row) : null
}

/** Each sum, in cents. */
type MoneyRow = Record<
  | 'charged'
  | 'covered'
  | 'refunded'
  | 'held'
  | 'earned'
  | 'commission'
  | 'disputed'
  | 'lost'
  | 'payable'
  | 'receivable'
  | 'kept'
  | 'kept_commission'
  | 'kept_gst',
  string
>

const sumOf = (condition: string) => `coalesce(sum(p.cents) filter (where ${condition}), 0)`
const IN_CASH = "p.account in ('provider_balance', 'bank')"
const SINCE_EARNED = "t.kind in ('earned', 'commission', 'refund', 'dispute_opened')"

/**
 * The sums of `BookingMoney` over postings p of transactions t. Transfers and reversals move the vendor's share without
 * changing it, and so does an adjustment between it and cash (a debt paid by bank transfer).
 */
const moneySums: RawBuilder<unknown> = sql.raw(`
  ${sumOf(`${IN_CASH} and t.kind in ('charge', 'opening')`)} as charged,
  ${sumOf("p.account in ('losses', 'provider_fees') and t.kind not in ('fee', 'dispute_fee')")} as covered,
  -${sumOf(`${IN_CASH} and t.kind in ('refund', 'refund_failed')`)} as refunded,
  -${sumOf("p.account in ('customer_money_held', 'disputed')")} as held,
  -${sumOf(`p.account in ('vendor_payable', 'vendor_receivable') and t.kind not in ('transfer', 'reversal')
    or ${IN_CASH} and t.kind = 'adjustment'`)} as earned,
  -${sumOf("p.account in ('commission', 'gst_on_commission')")} as commission,
  ${sumOf("p.account = 'disputed'")} as disputed,
  -${sumOf("p.account = 'disputed' and t.kind = 'dispute_lost'")} as lost,
  -${sumOf("p.account = 'vendor_payable'")} as payable,
  ${sumOf("p.account = 'vendor_receivable'")} as receivable,
  -${sumOf(`p.account in ('vendor_payable', 'commission', 'gst_on_commission') and ${SINCE_EARNED}`)} as kept,
  -${sumOf(`p.account in ('commission', 'gst_on_commission') and ${SINCE_EARNED}`)} as kept_commission,
  -${sumOf(`p.account = 'gst_on_commission' and ${SINCE_EARNED}`)} as kept_gst`)

function toMoney(row: MoneyRow): BookingMoney {
  const cents = (name: keyof MoneyRow): Cents => Number(row[name])
  return {
    chargedCents: cents('charged'),
    coveredCents: cents('covered'),
    refundedCents: cents('refunded'),
    heldCents: cents('held'),
    earnedCents: cents('earned'),
    commissionCents: cents('commission'),
    disputedCents: cents('disputed'),
    lostCents: cents('lost'),
    payableCents: cents('payable'),
    receivableCents: cents('receivable'),
    kept: { cents: cents('kept'), commissionCents: cents('kept_commission'), gstCents: cents('kept_gst') },
  }
}

/**
 * Proves the ledger by its postings: each transaction sums to 0, each balance is the sum of its postings, and the money of
 * each booking is accounted for (the equation of `BookingMoney`, and no amount that is impossible). Reads every posting.
 */
export async function proveLedger(db: Database): Promise<LedgerCheck[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // With the statistics of a smaller ledger, a nested loop over 100,000 bookings took more than ten minutes.
      await sql`set local enable_nestloop = off`.execute(tx)
      return [
        await findDifferences(tx, 'transactions_sum_to_zero', UNBALANCED_TRANSACTIONS),
        await findDifferences(tx, 'balances_equal_postings', WRONG_BALANCES),
        await findDifferences(tx, 'bookings_accounted_for', UNACCOUNTED_BOOKINGS),
      ]
    })
}

const UNBALANCED_TRANSACTIONS = sql`
  select t.key as subject, coalesce(p.cents, 0) as cents
  from ledger_transactions t
  left join (
    select transaction_id, sum(cents) as cents from ledger_postings group by transaction_id
  ) p on p.transaction_id = t.id
  where p.cents is distinct from 0`

const WRONG_BALANCES = sql`
  select vendor_user_id || ' ' || account as subject, coalesce(b.cents, 0) - coalesce(p.cents, 0) as cents
  from ledger_balances b
  full join (
    select vendor_user_id, account, sum(cents) as cents from ledger_postings group by vendor_user_id, account
  ) p using (vendor_user_id, account)
  where coalesce(b.cents, 0) <> coalesce(p.cents, 0)`

const UNACCOUNTED_BOOKINGS = sql`
  select subject, charged + covered - refunded - held - earned - commission - disputed - lost as cents
  from (
    select coalesce(p.booking_id, t.payment_id) as subject, ${moneySums}
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.booking_id is not null or t.payment_id is not null
    group by 1
  ) money
  where charged + covered <> refunded + held + earned + commission + disputed + lost
    or least(charged, refunded, held + disputed, disputed, lost, kept, receivable) < 0`

/**
 * The rate of commission at a moment: the vendor's own, else that of the category, else the default.
 * @returns basis points
 */
export async function findCommissionRate(
  db: Database | DatabaseTransaction,
  sale: { vendorUserId: string; category: string; at: Date; defaultBasisPoints: number },
): Promise<number> {
  const rate = await db
    .selectFrom('commission_rates')
    .select('basis_points')
    .where((eb) => eb.or([eb('vendor_user_id', '=', sale.vendorUserId), eb('category', '=', sale.category)]))
    .where('valid_from', '<=', sale.at)
    .orderBy('vendor_user_id', (order) => order.asc().nullsLast())
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst()
  return rate?.basis_points ?? sale.defaultBasisPoints
}
