import type { ColumnType, GeneratedAlways } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { LedgerAccount, TransactionKind } from './rules.ts'

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, never>

/** Transactions and postings are written by `postTransactions` alone, and never changed: the database refuses it. */
type LedgerTransactionsTable = {
  id: GeneratedAlways<string | number>
  key: ColumnType<string, string, never>
  kind: ColumnType<TransactionKind, TransactionKind, never>
  /** '' for money of the operator alone. */
  vendor_user_id: ColumnType<string, string, never>
  booking_id: ColumnType<string | null, string | null, never>
  payment_id: ColumnType<string | null, string | null, never>
  provider_reference: ColumnType<string | null, string | null, never>
  posted_at: ColumnType<Date, Date, never>
}

type LedgerPostingsTable = {
  transaction_id: ColumnType<string | number, string | number, never>
  line: ColumnType<number, number, never>
  account: ColumnType<LedgerAccount, LedgerAccount, never>
  vendor_user_id: ColumnType<string, string, never>
  booking_id: ColumnType<string | null, string | null, never>
  cents: CentsColumn
}

/** A trigger on postings keeps these sums. The database refuses every other write. */
type LedgerBalancesTable = {
  vendor_user_id: ColumnType<string, never, never>
  account: ColumnType<LedgerAccount, never, never>
  cents: ColumnType<string | number, never, never>
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
