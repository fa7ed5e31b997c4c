import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { ListingTerms } from '../terms/rules.ts'
import type { QuoteLine, QuoteState } from './rules.ts'

type QuotesTable = {
  id: string
  conversation_id: string
  version: number
  state: QuoteState
  lines: ColumnType<QuoteLine[], string, string>
  note: string
  /** The drivers return dates as different types, so read it with to_char. */
  event_date: ColumnType<unknown, string, string>
  event_time: string
  event_minutes: number
  booking_type: PriceUnit
  quantity: number
  /** Null where the vendor gave none, as in quotes from before. */
  guests: Generated<number | null>
  terms: ColumnType<ListingTerms, string, string>
  valid_until: Date
  held_until: Date | null
  sent_at: Date | null
  viewed_at: Date | null
  decided_at: Date | null
  taken_lines: ColumnType<string[] | null, string | null, string | null>
  accepted_cents: ColumnType<string | number | null, Cents | null, Cents | null>
  payment_id: string | null
  created_at: Date
}

/** A row of `quotes`, as queries return it. */
export type QuoteRow = Selectable<QuotesTable>

declare module '../../adapters/database/port.ts' {
  interface Tables {
    quotes: QuotesTable
  }
}
