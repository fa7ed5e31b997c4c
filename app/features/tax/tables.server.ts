import type { ColumnType } from 'kysely'
import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import type { DocumentKind, DocumentSubject } from './rules.ts'

/** The database refuses to change or delete a row. */
type Stored<Value> = ColumnType<Value, Value, never>
/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type StoredCents = ColumnType<string | number, Cents, never>

type TaxSeriesTable = { issuer: string; last_number: number }

type TaxDocumentsTable = {
  id: Stored<string>
  issuer: Stored<string>
  number: Stored<number>
  subject: Stored<DocumentSubject>
  kind: Stored<DocumentKind>
  is_taxed: Stored<boolean>
  vendor_user_id: Stored<string>
  booking_id: Stored<string | null>
  /** 'YYYY-MM', of commission. */
  month: Stored<string | null>
  /** The id of the invoice that a note adjusts. */
  adjusts: Stored<string | null>
  cents: StoredCents
  gst_cents: StoredCents
  /** The drivers return dates as different types, so read it with to_char. */
  supplied_on: ColumnType<unknown, LocalDate, never>
  issued_at: Stored<Date>
  /** JSON, as text: its hash is of these bytes. */
  content: Stored<string>
  /** In hex. */
  sha256: Stored<string>
}

/** The transactions of the ledger whose commission is on a document. */
type InvoicedCommissionsTable = {
  transaction_id: Stored<string | number>
  document_id: Stored<string | null>
}

/** Triggers add the bookings whose price or status has changed. */
type TaxQueueTable = {
  booking_id: string
  approved_at: Date | null
  look_at: Date
  /** Since when it waits for the business register. */
  waits_since: Date | null
}

type AccountantsTable = {
  vendor_user_id: string
  id: string
  email: string
  asked_at: Date
  confirmed_at: Date | null
  ended_at: Date | null
}

/** The addresses that a vendor has asked, as keyed hashes. One that agrees leaves it until it ends the mails. */
type AccountantAddressesTable = {
  vendor_user_id: string
  address_hash: string
  asked_at: Date
  ended_at: Date | null
}

/** The month is 'YYYY-MM'. */
type AccountantMailsTable = {
  accountant_id: string
  month: string
  /** When it was made. */
  sent_at: Date
  /** When it is queued again; null once a mail server has accepted it, and where there is nothing to send. */
  try_at: Date | null
  claimed_at: Date | null
  accepted_at: Date | null
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    tax_series: TaxSeriesTable
    tax_documents: TaxDocumentsTable
    invoiced_commissions: InvoicedCommissionsTable
    tax_queue: TaxQueueTable
    accountants: AccountantsTable
    accountant_addresses: AccountantAddressesTable
    accountant_mails: AccountantMailsTable
  }
}
