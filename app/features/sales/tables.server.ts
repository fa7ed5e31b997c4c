import type { ColumnType } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { CommissionTerms } from '../ledger/rules.ts'
import type { SaleTerms } from '../terms/rules.ts'
import type { SaleQuote } from './rules.ts'

/** One driver returns bigint as text and the other as a number. `saleJson` returns numbers. */
type NumberColumn = ColumnType<string | number, number, number>
/** The drivers return dates and times of day as different types. `saleJson` returns text. */
type TextColumn = ColumnType<unknown, string, string>
type Json<T> = ColumnType<T, string, string>

type SalesTable = {
  /** The id of its first payment. */
  id: string
  owner_user_id: string
  customer_user_id: string | null
  link_hash: string
  terms_version: string
  customer_name: string
  customer_email: string
  customer_phone: string
  business_id: string
  business_name: string
  place: string
  time_zone: string
  abn: string | null
  gst_registered: boolean
  date: TextColumn
  time: TextColumn
  quantity: number
  booking_type: PriceUnit
  event_from: Date
  event_until: Date
  occupied_from: Date
  occupied_until: Date
  unit_price_cents: ColumnType<string | number, Cents, Cents>
  price_cents: ColumnType<string | number, Cents, Cents>
  commission: Json<CommissionTerms> | null
  policy: Json<AgreedPolicy> | null
  instalments: Json<AgreedInstalments> | null
  quote: Json<SaleQuote> | null
  answer_within_ms: NumberColumn | null
  created_at: Date
}

type AgreedPolicy = SaleTerms['policy']
type AgreedInstalments = SaleTerms['instalments']

declare module '../../adapters/database/port.ts' {
  interface Tables {
    sales: SalesTable
  }
}
