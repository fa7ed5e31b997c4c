import type { ColumnType, Generated } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { BookingStatus, PaymentStatus } from './rules.ts'

type BookingsTable = {
  id: string
  payment_row_id: string
  line: Generated<number>
  vendor_id: string
  vendor_name: string
  customer_name: string
  email: string
  phone: string
  /** The drivers disagree on what a date is in JavaScript: read it with to_char (`bookingColumns`). */
  date: ColumnType<unknown, string, string>
  time: ColumnType<unknown, string, string>
  quantity: number
  booking_type: PriceUnit
  total_price_cents: ColumnType<string | number, Cents, Cents>
  payment_status: Generated<PaymentStatus>
  payment_id: string
  status: Generated<BookingStatus>
  decided_at: Date | null
  reminded_at: Date | null
  /** When the vendor is reminded and until when they can decide, as promised when it was paid (Decision 7). */
  remind_at: Date
  decide_by: Date
  /** Both sides were reminded of the event. */
  event_reminded_at: Generated<Date | null>
  created_at: Generated<Date>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    bookings: BookingsTable
  }
}
