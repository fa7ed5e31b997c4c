import { formatEventTime } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import type { OpenBooking } from '../rules.ts'

/** The open bookings that prevent the account from being deleted. */
export function OpenBookingList({ bookings }: { bookings: readonly OpenBooking[] }) {
  return (
    <ul className="mt-4 border-line border-t">
      {bookings.map((booking) => (
        <li key={booking.id} className="flex flex-wrap justify-between gap-x-6 border-line border-b py-3">
          <div className="min-w-0">
            <p className="font-medium [overflow-wrap:anywhere]">
              {booking.customerName}, {booking.businessName}
            </p>
            <p className="figures text-quiet text-sm">{formatEventTime(booking.date, booking.time)}</p>
          </div>
          <p className="figures">{formatMoney(booking.totalCents)}</p>
        </li>
      ))}
    </ul>
  )
}
