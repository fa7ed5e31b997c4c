import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { SaleTerms } from '../terms/rules.ts'
import type { InstalmentState } from './plan-rules.ts'
import type { Sale } from './rules.ts'

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>

/** The properties of a sale that are a column each. A new one needs its line here and its column (docs/walk-of-a-booking.md). */
export const PLAIN_COLUMNS = {
  id: 'id',
  ownerUserId: 'owner_user_id',
  customerUserId: 'customer_user_id',
  termsVersion: 'terms_version',
  businessId: 'business_id',
  businessName: 'business_name',
  place: 'place',
  facts: 'facts',
  timeZone: 'time_zone',
  abn: 'abn',
  gstRegistered: 'gst_registered',
  quantity: 'quantity',
  bookingType: 'booking_type',
  unitPriceCents: 'unit_price_cents',
  priceCents: 'price_cents',
  commission: 'commission',
  quote: 'quote',
  answerWithinMs: 'answer_within_ms',
} as const satisfies Partial<Record<keyof Sale, string>>

type PlainName = keyof typeof PLAIN_COLUMNS

/** Written as text, which the database reads as JSON. One driver returns bigint as text: `saleJson` returns numbers. */
type PlainColumns = {
  [Name in PlainName as (typeof PLAIN_COLUMNS)[Name]]: Sale[Name] extends string | boolean | null
    ? Sale[Name]
    : ColumnType<Sale[Name], PlainValue, PlainValue>
}
export type PlainValue = string | number | boolean | null

/** The drivers return dates and times of day as different types. `saleJson` returns text. */
type TextColumn = ColumnType<unknown, string, string>

type SalesTable = PlainColumns & {
  link_hash: string
  customer_name: string
  customer_email: string
  customer_phone: string
  date: TextColumn
  time: TextColumn
  event_from: Date
  event_until: Date
  occupied_from: Date
  occupied_until: Date
  policy: ColumnType<SaleTerms['policy'], string, string> | null
  instalments: ColumnType<SaleTerms['instalments'], string, string> | null
  created_at: Date
}

/** One payment of a sale that is paid in parts, as it stands. */
type InstalmentsTable = {
  id: string
  payment_id: string
  number: number
  amount_cents: CentsColumn
  /** Taken off by an operator before it was paid. */
  reduced_cents: ColumnType<string | number, Cents | undefined, Cents>
  due_at: Date
  state: InstalmentState
  paid_by: string | null
  attempts: Generated<number>
  try_at: Date | null
  claimed_at: Date | null
  decline_code: string | null
  /** When its first card was refused; its later tries and its deadline count from then. */
  unpaid_since: Generated<Date | null>
  extended_at: Date | null
  vendor_notices: Generated<number>
  reminded_at: Date | null
  paid_at: Date | null
  created_at: Date
}

/** A row of `instalments`, as queries return it. */
export type InstalmentRow = Selectable<InstalmentsTable>

declare module '../../adapters/database/port.ts' {
  interface Tables {
    sales: SalesTable
    instalments: InstalmentsTable
  }
}
