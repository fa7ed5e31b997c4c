import type { ColumnType } from 'kysely'
import type { LocalDate } from '../../shared/dates.ts'
import type { Identity, LeftOut } from './rules.ts'

/** The drivers return dates as different types, so read them with to_char. */
type DateColumn = ColumnType<unknown, LocalDate, LocalDate>

type IdentitiesTable = {
  user_id: string
  kind: Identity['kind'] | null
  full_name: string | null
  business_name: string | null
  abn: string | null
  birth_date: ColumnType<unknown, LocalDate | null, LocalDate | null>
  address: string | null
  email: string | null
  phone: string | null
  left_out: LeftOut | null
  asked_at: Date | null
  account_deleted_at: Date | null
  updated_at: Date
}

type PropertyAddressesTable = { business_id: string; user_id: string; address: string; updated_at: Date }

/** The database refuses to change a lodged one. */
type IncomeReportsTable = {
  id: string
  half_year: DateColumn
  version: number
  content: string
  xml: string
  /** The hash of the XML, in hex. */
  sha256: string
  made_at: Date
  /** An operator's address. */
  made_by: string
  /** When its file was first downloaded before it was noted as lodged. */
  downloaded_at: Date | null
  lodged_at: Date | null
  lodged_by: string | null
  receipt: string | null
}

type IncomeReportRemindersTable = { half_year: DateColumn; days_before: number; sent_at: Date }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    identities: IdentitiesTable
    property_addresses: PropertyAddressesTable
    income_reports: IncomeReportsTable
    income_report_reminders: IncomeReportRemindersTable
  }
}
