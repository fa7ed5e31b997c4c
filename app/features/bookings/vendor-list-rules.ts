import { csvText } from '../../shared/csv.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { parsePrice, toNumericString } from '../../shared/money.ts'
import type { CancelledBy } from './cancellation-rules.ts'
import { type BookingStatus, eventOrder, type RefundView, type VendorBooking } from './rules.ts'

/**
 * Filters the vendor's bookings.
 * @param filter.name any part of the customer's name, regardless of case and accents; '' for all
 */
export function filterBookings(
  bookings: readonly VendorBooking[],
  filter: { status: BookingStatus | 'all'; name: string },
): VendorBooking[] {
  const wanted = plain(filter.name)
  return bookings.filter(
    ({ listed }) =>
      (filter.status === 'all' || listed.status === filter.status) && plain(listed.name).includes(wanted),
  )
}

/** The newest bookings that a vendor's list begins with, and how many each 'Show more' adds. */
export const LIST_STEP = 25
/** The next events that stand in the list from the start, however long ago they were booked. */
const NEXT_EVENTS = 5
/** More presses than 500 bookings need. */
const MAX_STEPS = 40

/** How often 'Show more' was pressed, from an address; 0 for anything else. */
export function stepsIn(text: string | null): number {
  return /^\d{1,2}$/.test(text ?? '') ? Math.min(Number(text), MAX_STEPS) : 0
}

/**
 * The bookings that are shown of a list, in its order: the newest, and besides them all that wait for somebody and the
 * next events.
 * @param steps how often 'Show more' was pressed
 * @param now ISO 8601
 */
export function shownBookings(
  bookings: readonly VendorBooking[],
  { steps, now }: { steps: number; now: string },
): VendorBooking[] {
  const next = new Set(
    bookings
      .filter(
        ({ stored, timeZone }) =>
          stored.status === 'approved' && stored.date >= wallTimeAt(new Date(now), timeZone).date,
      )
      .toSorted((one, other) => eventOrder(one).localeCompare(eventOrder(other)))
      .slice(0, NEXT_EVENTS),
  )
  const waits = ({ stored, due, change }: VendorBooking) =>
    stored.status === 'pending' || change !== null || (due !== null && due.standing !== 'scheduled')
  const count = LIST_STEP * (1 + steps)
  return bookings.filter((booking, index) => index < count || waits(booking) || next.has(booking))
}

function plain(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

const COLUMNS = [
  'Date',
  'Time',
  'Status',
  'Name',
  'Email',
  'Phone',
  'Business',
  'Quantity',
  'Per',
  'Total (AUD)',
  'Payment',
  'Reference',
  'Booked at (UTC)',
  'Cancelled by',
  'Cancelled at (UTC)',
  'Refunds (AUD)',
] as const

const CANCELLED_BY = {
  customer: 'customer',
  vendor: 'vendor',
  operator: 'operator',
  overdue: 'unpaid balance',
} as const satisfies Record<CancelledBy, string>

/** What has been ordered back of a booking; empty where nothing has. */
function refundsText(refunds: readonly Pick<RefundView, 'amount'>[]): string {
  if (refunds.length === 0) return ''
  return toNumericString(refunds.reduce((sum, { amount }) => sum + (parsePrice(amount) ?? 0), 0))
}

/** The vendor's bookings as CSV. */
export function bookingsCsv(bookings: readonly VendorBooking[]): string {
  const rows = bookings.map(({ stored, cancellation, refund, otherRefunds }) => [
    stored.date,
    stored.time,
    cancellation ? 'cancelled' : stored.status,
    stored.customerName,
    stored.email,
    stored.phone,
    stored.vendorName,
    String(stored.quantity),
    stored.bookingType === 'perHour' ? 'hour' : 'person',
    stored.totalPrice,
    stored.paymentStatus,
    stored.paymentId,
    stored.createdAt,
    cancellation ? CANCELLED_BY[cancellation.by] : '',
    cancellation?.at ?? '',
    refundsText(refund ? [refund, ...otherRefunds] : otherRefunds),
  ])
  return csvText([COLUMNS, ...rows])
}
