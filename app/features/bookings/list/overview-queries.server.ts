import { sql } from 'kysely'
import type { Database } from '../../../adapters/database/port.ts'
import {
  formatInstantMonth,
  type LocalDate,
  type LocalTime,
  wallTimeAt,
  wallTimeToUtc,
} from '../../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../../shared/money.ts'
import { findVendorZone } from '../../businesses/owner-queries.server.ts'
import { hasRevenue, offRevenueCents } from '../insights/revenue-queries.server.ts'
import { isOnForVendor, isOpenBooking, partPayments } from '../open-queries.server.ts'
import { type BookingTerms, type PartPayment, partPaymentOf } from '../rules.ts'

/** One booking on the vendor's overview. */
export type OverviewBooking = {
  id: string
  vendorId: string
  vendorName: string
  customerName: string
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  totalCents: Cents
  /** The unpaid rest of the price; null once nothing is due. */
  due: PartPayment | null
  timeZone: string
}

/** The bookings on My Dashboard below what waits for the vendor's answer. */
export type VendorOverview = {
  /** Approved and not over, the next one first. */
  nextEvents: OverviewBooking[]
  /** With a payment that was due and isn't paid, the longest waiting first. */
  unpaid: OverviewBooking[]
  /** Paid of bookings made since the month began, less what is or will be refunded at the vendor's cost. */
  paidThisMonthCents: Cents
  /** The month as 'November 2026', in the zone of the vendor's oldest business. */
  month: string
  hasEverBeenBooked: boolean
}

const OVERVIEW_ROWS = 5

/** Reads one vendor's overview: the bookings of their businesses, deleted businesses included. */
export async function findVendorOverview(db: Database, userId: string, now: Date): Promise<VendorOverview> {
  const timeZone = await findVendorZone(db, userId)
  const monthStart = wallTimeToUtc(`${wallTimeAt(now, timeZone).date.slice(0, 7)}-01`, '00:00', timeZone)
  const owned = db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .where('sales.owner_user_id', '=', userId)
  const rows = owned.select([
    'bookings.id',
    'bookings.vendor_id',
    'bookings.vendor_name',
    'bookings.customer_name',
    sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('day'),
    sql<string>`to_char(bookings.time, 'HH24:MI')`.as('start'),
    'bookings.quantity',
    'bookings.booking_type',
    'bookings.total_price_cents',
    partPayments('bookings.payment_row_id').as('payments'),
    'sales.time_zone',
  ])
  const [nextEvents, unpaid, sums] = await Promise.all([
    rows
      .where('bookings.status', '=', 'approved')
      .where('bookings.tells_at', 'is', null)
      .where(isOpenBooking(now))
      .orderBy('bookings.date')
      .orderBy('bookings.time')
      .limit(OVERVIEW_ROWS)
      .execute(),
    rows
      .innerJoin('instalments', 'instalments.payment_id', 'bookings.payment_row_id')
      .where(isOnForVendor())
      .where('instalments.state', 'in', ['failed', 'needs_customer', 'overdue'])
      .orderBy('instalments.due_at')
      .orderBy('bookings.id')
      .limit(OVERVIEW_ROWS)
      .execute(),
    owned
      .select([
        (eb) => eb.fn.countAll<string>().as('bookings'),
        sql<string>`coalesce(sum(greatest(0, bookings.total_price_cents - ${offRevenueCents()} - coalesce((
          select sum(i.amount_cents) from instalments i
          where i.payment_id = bookings.payment_row_id and i.state <> 'paid'), 0))) filter (
          where bookings.created_at >= ${monthStart.toISOString()}::timestamptz and ${hasRevenue()}), 0)`.as(
          'paid_this_month',
        ),
      ])
      .executeTakeFirstOrThrow(),
  ])
  return {
    nextEvents: nextEvents.map(toOverviewBooking),
    unpaid: unpaid.map(toOverviewBooking),
    paidThisMonthCents: Number(sums.paid_this_month),
    month: formatInstantMonth(now, timeZone),
    hasEverBeenBooked: Number(sums.bookings) > 0,
  }
}

function toOverviewBooking(row: {
  id: string
  vendor_id: string
  vendor_name: string
  customer_name: string
  day: string
  start: string
  quantity: number
  booking_type: PriceUnit
  total_price_cents: string | number
  payments: BookingTerms['payments'] | null
  time_zone: string
}): OverviewBooking {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    date: row.day,
    time: row.start,
    quantity: row.quantity,
    bookingType: row.booking_type,
    totalCents: Number(row.total_price_cents),
    due: row.payments && partPaymentOf({ payments: row.payments }),
    timeZone: row.time_zone,
  }
}
