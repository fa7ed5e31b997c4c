import type { BookingStatus, VendorBooking } from './rules.ts'

/** In place of a business's id: the bookings of all of them. */
export const ALL_BUSINESSES = 'all'

/**
 * The business whose bookings are listed. One business needs no choice.
 * @param asked what the address says
 */
export function listedBusiness(businesses: readonly { id: string }[], asked: string | null): string {
  const [only, another] = businesses
  if (only && !another) return only.id
  return businesses.find(({ id }) => id === asked)?.id ?? ALL_BUSINESSES
}

/**
 * The bookings that the vendor looks for.
 * @param filter.name any part of the customer's name, whatever its case and accents; '' for all
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

function plain(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

const COLUMNS = [
  'Date',
  'Time',
  'Status',
  'Name',
  'E-mail',
  'Phone',
  'Business',
  'Quantity',
  'Per',
  'Total (AUD)',
  'Payment',
  'Reference',
  'Booked at (UTC)',
] as const

/** The vendor's bookings as a table for a spreadsheet: comma-separated, with a byte order mark so that Excel reads accents. */
export function bookingsCsv(bookings: readonly VendorBooking[]): string {
  const rows = bookings.map(({ stored }) => [
    stored.date,
    stored.time,
    stored.status,
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
  ])
  return `\uFEFF${[COLUMNS, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Customers type some of these: a text that a spreadsheet would take for a formula is marked as text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
