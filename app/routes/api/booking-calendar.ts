import { ICalCalendarMethod, ICalEventStatus, default as ical } from 'ical-generator'
import { findCalendarVersion } from '../../features/bookings/list/calendar-queries.server.ts'
import { calendarNoteText } from '../../features/bookings/list/my-bookings-messages.ts'
import { findBookingByLink } from '../../features/bookings/list/queries.server.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import type { BookingStatus } from '../../features/bookings/status-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/booking-calendar'

const statuses = {
  pending: ICalEventStatus.TENTATIVE,
  approved: ICalEventStatus.CONFIRMED,
  declined: ICalEventStatus.CANCELLED,
  withdrawn: ICalEventStatus.CANCELLED,
} as const satisfies Record<BookingStatus, ICalEventStatus>

/** A booking as a calendar entry, by its unguessable link (Decision 3). Times are UTC, so every calendar agrees. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const { linkToken } = params
  const booking = isLinkToken(linkToken) ? await findBookingByLink(db, linkToken) : null
  if (!booking) return new Response('There is no such booking.', { status: 404 })
  const { stored } = booking
  const { sequence, changedAt } = await findCalendarVersion(db, booking.id)
  const calendar = ical({
    name: config.brand,
    prodId: { company: config.brand, product: 'bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  })
  calendar.createEvent({
    id: `${booking.id}@${config.publicUrl.hostname}`,
    sequence,
    stamp: changedAt,
    start: new Date(booking.event.from),
    end: new Date(booking.event.until),
    summary: stored.vendorName,
    location: booking.place,
    description: calendarNoteText(booking),
    status: statuses[stored.status],
    url: new URL(booking.link, config.publicUrl).href,
  })
  // Every line ends with a line break (RFC 5545, 3.1), the last one too, which the library leaves out.
  return new Response(`${calendar.toString()}\r\n`, {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="booking.ics"',
      'cache-control': 'private, no-store',
    },
  })
}
