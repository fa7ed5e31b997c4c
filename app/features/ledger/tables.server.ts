import type { ColumnType } from 'kysely'
import type { BalanceMovement } from '../../adapters/payments/payout-port.ts'
import type { Cents } from '../../shared/money.ts'
import type { LedgerAccount, LedgerCheck, TransactionKind } from './rules.ts'

/** Kysely can't write such a column. Only the SQL of `postTransactions` does. */
type ReadOnly<Value> = ColumnType<Value, never, never>

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ReadOnly<string | number>

/** The database refuses every change of transactions and postings. */
type LedgerTransactionsTable = {
  id: ReadOnly<string | number>
  key: ReadOnly<string>
  kind: ReadOnly<TransactionKind>
  /** '' for money of the operator alone. */
  vendor_user_id: ReadOnly<string>
  booking_id: ReadOnly<string | null>
  payment_id: ReadOnly<string | null>
  provider_reference: ReadOnly<string | null>
  posted_at: ReadOnly<Date>
}

type LedgerPostingsTable = {
  transaction_id: ReadOnly<string | number>
  line: ReadOnly<number>
  account: ReadOnly<LedgerAccount>
  vendor_user_id: ReadOnly<string>
  booking_id: ReadOnly<string | null>
  cents: CentsColumn
}

/** A trigger on postings keeps these sums. The database refuses every other write. */
type LedgerBalancesTable = {
  vendor_user_id: ReadOnly<string>
  account: ReadOnly<LedgerAccount>
  cents: CentsColumn
}

type CommissionRatesTable = {
  id: ColumnType<string, string, never>
  category: ColumnType<string | null, string | null, never>
  vendor_user_id: ColumnType<string | null, string | null, never>
  basis_points: ColumnType<number, number, never>
  valid_from: ColumnType<Date, Date, never>
  created_at: ColumnType<Date, Date, never>
}

/** Movements as the provider lists them. */
type ProviderMovementsTable = {
  provider: string
  id: string
  kind: BalanceMovement['kind']
  reference: string | null
  amount_cents: ColumnType<string | number, Cents, Cents>
  fee_cents: ColumnType<string | number, Cents, Cents>
  moved_at: Date
  available_at: Date
  created_at: Date
}

type ProofsTable = {
  id: string
  began_at: Date
  ended_at: Date
  difference_count: number
  checks: ColumnType<LedgerCheck[], string, never>
  failure: string | null
  available_cents: ColumnType<string | number | null, Cents | null, never>
  pending_cents: ColumnType<string | number | null, Cents | null, never>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    ledger_transactions: LedgerTransactionsTable
    ledger_postings: LedgerPostingsTable
    ledger_balances: LedgerBalancesTable
    commission_rates: CommissionRatesTable
    provider_movements: ProviderMovementsTable
    proofs: ProofsTable
  }
}
