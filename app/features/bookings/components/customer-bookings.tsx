import type { ReactNode } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import type { CustomerBooking } from '../rules.ts'
import { keepTimesWhole, quantityText } from './booking-facts.tsx'
import { CalendarLink } from './booking-receipt.tsx'
import { nextSentence, PaymentStatusTag, StatusTag, shownAmount } from './booking-status.tsx'
import { DueLinks } from './due-links.tsx'
import { WithdrawButton } from './withdraw-button.tsx'

/** A customer's bookings under a heading. Renders nothing when there are none. */
export function CustomerBookings({
  heading,
  bookings,
  timeline,
  further,
}: {
  heading: string
  bookings: readonly CustomerBooking[]
  /** The line of a booking's payments. */
  timeline?: (booking: CustomerBooking) => ReactNode
  /** Further actions for a booking, after its own buttons. */
  further?: (booking: CustomerBooking) => ReactNode
}) {
  if (bookings.length === 0) return null
  return (
    <section className="mt-10">
      <h2 className="text-xl">{heading}</h2>
      <ul className="mt-4 border-t border-line">
        {bookings.map((booking) => (
          <CustomerBookingItem
            key={booking.id}
            booking={booking}
            timeline={timeline?.(booking)}
            further={further?.(booking)}
          />
        ))}
      </ul>
    </section>
  )
}

function CustomerBookingItem({
  booking,
  timeline,
  further,
}: {
  booking: CustomerBooking
  timeline: ReactNode
  further: ReactNode
}) {
  const { stored, place } = booking
  const isOver = stored.status === 'declined' || stored.status === 'withdrawn'
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line py-6 sm:grid-cols-[76px_1fr]">
      <DateLeaf date={stored.date} faded={isOver} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h3 className="min-w-0 text-lg leading-tight [overflow-wrap:anywhere]">{stored.vendorName}</h3>
          <p className="flex flex-wrap gap-2">
            <StatusTag status={stored.status} cancellation={booking.cancellation} />
            {stored.paymentStatus === 'paid' ? null : (
              <PaymentStatusTag paymentStatus={stored.paymentStatus} refund={booking.refund} />
            )}
          </p>
        </div>
        <p className="figures mt-1 text-balance">
          <time dateTime={booking.event.from}>{keepTimesWhole(booking.span)}</time>
        </p>
        <p className="figures text-sm text-quiet">
          {[place, quantityText(stored.quantity, stored.bookingType), shownAmount(stored.totalPrice)].join(
            ' · ',
          )}
        </p>
        <p className="mt-3 max-w-prose text-sm [overflow-wrap:anywhere]">{nextSentence(booking)}</p>
        {timeline}
        <div className="mt-4 flex flex-wrap gap-3">
          <DueLinks booking={booking} />
          <ButtonLink to={booking.link}>Details</ButtonLink>
          <CalendarLink booking={booking} />
          <WithdrawButton booking={booking} />
          {further}
        </div>
      </div>
    </li>
  )
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The day as a leaf of a calendar. Decorative, since the text beside it has the date. */
export function DateLeaf({ date, faded }: { date: string; faded?: boolean }) {
  const [year, month, day] = date.split('-').map(Number)
  return (
    <div
      aria-hidden="true"
      className={`figures hidden h-fit overflow-hidden rounded-card border border-line bg-surface text-center sm:block ${faded ? 'opacity-60' : ''}`}
    >
      <span className="block bg-brand py-1 text-xs font-semibold text-on-brand">
        {MONTHS[(month ?? 1) - 1]} {year}
      </span>
      <span className="block py-2 font-display text-2xl">{day}</span>
    </div>
  )
}
