import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import { partPayments, wasCalledOff } from '../bookings/open-queries.server.ts'
import type { BookingTerms } from '../bookings/rules.ts'
import type { BookingStatus, PaymentStatus } from '../bookings/status-rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { cursorMicros, cursorOf, isOlder, likePart } from './list-queries.server.ts'
import { type BookingFilter, PAGE_SIZE } from './rules.ts'

/** A row of the operators' bookings. Times are ISO 8601, UTC. */
export type ListedBooking = {
  id: string
  /** Its position in a list. */
  cursor: string
  paymentId: string
  businessId: string
  businessName: string
  customerName: string
  email: string
  /** 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** ISO 8601, in the venue's zone. */
  date: string
  amountCents: Cents
  status: BookingStatus
  paymentStatus: PaymentStatus
  /** The payments of a price that is paid in parts; null for a price that is paid at once. */
  payments: BookingTerms['payments'] | null
  createdAt: string
  /** Until when the vendor answers; null once they have. */
  decideBy: string | null
}

/**
 * Lists bookings, newest first.
 * @param input.words part of a name, an email or a business, or an id; '' for all
 * @param input.before the cursor of the last row before; null for the first page
 */
export async function listBookings(
  db: Database,
  input: { filter: BookingFilter; words: string; now: Date; before?: string | null; limit?: number },
): Promise<ListedBooking[]> {
  const before = readPageKey(input.before)
  const condition = conditionOf(input.filter, input.now)
  let page = db
    .selectFrom('bookings')
    .select('bookings.id')
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id', 'desc')
    .limit(input.limit ?? PAGE_SIZE)
  if (condition) page = page.where(condition)
  if (input.words !== '') page = page.where(matchesBooking(input.words))
  if (before) page = page.where(isOlder('bookings', before))
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      'bookings.total_price_cents',
      'bookings.status',
      'bookings.payment_status',
      'bookings.created_at',
      'bookings.decide_by',
      saleJson().as('sale'),
      partPayments('bookings.payment_row_id').as('payments'),
      cursorMicros('bookings'),
    ])
    .where('bookings.id', 'in', page)
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    cursor: cursorOf(row),
    paymentId: row.payment_row_id,
    businessId: row.vendor_id,
    businessName: row.vendor_name,
    customerName: row.customer_name,
    email: row.email,
    span: spanText(row.sale),
    date: row.date,
    amountCents: Number(row.total_price_cents),
    status: row.status,
    paymentStatus: row.payment_status,
    payments: row.payments,
    createdAt: row.created_at.toISOString(),
    decideBy: row.status === 'pending' ? row.decide_by.toISOString() : null,
  }))
}

/** The condition of each filter on `bookings`; null for all. */
function conditionOf(filter: BookingFilter, now: Date): RawBuilder<boolean> | null {
  switch (filter) {
    case 'all':
      return null
    case 'waiting':
      return sql`bookings.status = 'pending' and bookings.decide_by >= ${now}`
    case 'overdue':
      return sql`bookings.status = 'pending' and bookings.decide_by < ${now}`
    case 'approved':
      return sql`bookings.status = 'approved'`
    case 'ended':
      return wasCalledOff()
  }
}

/** The condition that a booking matches the words of a search: part of a name, an email or a business, or an id. */
export function matchesBooking(words: string): RawBuilder<boolean> {
  const part = likePart(words)
  return sql<boolean>`(bookings.id = ${words} or bookings.payment_id = ${words}
    or bookings.payment_row_id = ${words} or bookings.customer_name ilike ${part}
    or bookings.email::text ilike ${part} or bookings.vendor_name ilike ${part})`
}
