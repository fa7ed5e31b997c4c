import type { BookingStatus, VendorBooking } from '../rules.ts'

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
