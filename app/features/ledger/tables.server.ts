import type { ColumnType } from 'kysely'
import type { LedgerAccount, TransactionKind } from './rules.ts'

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

declare module '../../adapters/database/port.ts' {
  interface Tables {
    ledger_transactions: LedgerTransactionsTable
    ledger_postings: LedgerPostingsTable
    ledger_balances: LedgerBalancesTable
    commission_rates: CommissionRatesTable
  }
}
