import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { BookedEvent, ChangeSide, ChangeState } from './changes/rules.ts'
import type { DeclineCode } from './decisions/decline-rules.ts'
import type { BookingStatus, PaymentStatus } from './status-rules.ts'

type BookingsTable = {
  id: string
  payment_row_id: string
  line: Generated<number>
  vendor_id: string
  vendor_name: string
  customer_name: string
  email: string
  phone: string
  /** The drivers return dates as different types, so read it with to_char (`selectBookings`). */
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
  /** When the vendor is reminded and by when they decide, as promised when the booking was paid (Decision 7). */
  remind_at: Date
  decide_by: Date
  /** When the vendor was reminded of the event, and the customer's account notified. */
  event_reminded_at: Generated<Date | null>
  /** The vendor's reason for a decline, in one tap and in their own words. */
  decline_code: Generated<DeclineCode | null>
  decline_words: Generated<string | null>
  /** When the customer is told of a decline that waits; null while none does. */
  tells_at: Generated<Date | null>
  /** When the customer was told of the decline. A declined booking without it was told at once. */
  told_at: Generated<Date | null>
  /** When the customer ended the mails about the coming event. */
  reminders_ended_at: Generated<Date | null>
  created_at: Generated<Date>
}

type CancellationsTable = {
  id: string
  booking_id: string
  cancelled_by: 'customer' | 'vendor' | 'operator' | 'overdue'
  share_basis_points: number
  refund_cents: ColumnType<string | number, Cents, Cents>
  kept_cents: ColumnType<string | number, Cents, Cents>
  uncollected_cents: ColumnType<string | number, Cents, Cents>
  shown_at: Date | null
  reason: string | null
  created_at: Date
}

type ChangesTable = {
  id: string
  booking_id: string
  proposed_by: ChangeSide
  state: ChangeState
  ended_by: ChangeSide | null
  sale_before: ColumnType<BookedEvent, string, never>
  sale_after: ColumnType<BookedEvent, string, never>
  due_cents: ColumnType<string | number, Cents, Cents>
  refund_cents: ColumnType<string | number, Cents, Cents>
  payment_id: string | null
  expires_at: Date
  created_at: Date
  answered_at: Date | null
  ended_at: Date | null
}

type EventRemindersTable = {
  booking_id: string
  event_from: Date
  days_before: number
  sent_at: Date
}

/** A row of `changes`, as queries return it. */
export type ChangeRow = Selectable<ChangesTable>

declare module '../../adapters/database/port.ts' {
  interface Tables {
    bookings: BookingsTable
    cancellations: CancellationsTable
    changes: ChangesTable
    event_reminders: EventRemindersTable
  }
}
