import type { ColumnType, Generated } from 'kysely'
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

/** The receipts of lodged reports that were typed again; the newest counts. */
type IncomeReportReceiptsTable = {
  id: Generated<string | number>
  report_id: string
  receipt: string
  noted_at: Date
  noted_by: string
}

/** A listing before each change that a report may need. A trigger fills it. */
type FormerListingsTable = {
  id: Generated<string | number>
  business_id: string
  user_id: string
  until: Date
  category: string
  services: ColumnType<unknown, never, never>
  name: string
  services_offered: ColumnType<unknown, never, never>
  description: string
  has_moved: boolean
  address: string | null
}

type IncomeReportRemindersTable = { half_year: DateColumn; days_before: number; sent_at: Date }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    identities: IdentitiesTable
    property_addresses: PropertyAddressesTable
    income_reports: IncomeReportsTable
    former_listings: FormerListingsTable
    income_report_receipts: IncomeReportReceiptsTable
    income_report_reminders: IncomeReportRemindersTable
  }
}
