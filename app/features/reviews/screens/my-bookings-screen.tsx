import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { PictureImage } from '../../../ui/picture.tsx'
import { CancelLink } from '../../bookings/cancellation/components/cancel-link.tsx'
import { ChangeLink } from '../../bookings/changes/components/change-link.tsx'
import { linkTokenOf } from '../../bookings/components/booking-receipt.tsx'
import { BookingsFailure } from '../../bookings/list/components/bookings-failure.tsx'
import { ComingUpSummary, CustomerBookings } from '../../bookings/list/components/customer-bookings.tsx'
import {
  type BookingSection,
  type ComingUp,
  MY_BOOKINGS_STEPS,
} from '../../bookings/list/my-bookings-rules.ts'
import { type CustomerBooking, lineOfBooking } from '../../bookings/rules.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { TermsTimeline } from '../../terms/components/terms-timeline.tsx'
import { TIMELINE_TITLE, UNTIL_ANSWERED } from '../../terms/timeline-messages.ts'
import { WRITE_A_REVIEW } from '../messages.ts'

// The server limits the subjects of one stream. The soonest events are the ones that may still change.
const MAX_WATCHED = 4

/**
 * A customer's bookings, live: what they cost and what comes next, upcoming ones by the day of their event, then past ones
 * with a link to write a review, and apart from them those that don't take place.
 */
export function MyBookingsScreen({
  loaderData: { summary, upcoming, past, off, counts, rest, pictures, reviewable, unverifiedEmail, now },
}: {
  loaderData: {
    summary: ComingUp | null
    upcoming: CustomerBooking[]
    past: CustomerBooking[]
    /** Declined, withdrawn and cancelled ones. */
    off: CustomerBooking[]
    /** How many of each section are shown at most, and how many aren't. */
    counts: Record<BookingSection, number>
    rest: Record<BookingSection, number>
    /** The first picture of each business, by its id. */
    pictures: Record<string, PictureImage>
    /** The ids of bookings that can be reviewed now. */
    reviewable: string[]
    unverifiedEmail: string | null
    /** ISO 8601, UTC. */
    now: string
  }
}) {
  const watched = upcoming.slice(0, MAX_WATCHED).map((booking) => `booking-${linkTokenOf(booking)}`)
  useLiveUpdates(['notifications', ...watched])
  const more = (section: BookingSection) => {
    const query = { ...counts, [section]: counts[section] + MY_BOOKINGS_STEPS[section] }
    return {
      rest: rest[section],
      to: `?upcoming=${query.upcoming}&past=${query.past}&off=${query.off}`,
    }
  }
  return (
    <>
      <h1>My Bookings</h1>
      {unverifiedEmail ? (
        <p className="mt-4 max-w-prose text-sm wrap-anywhere text-quiet">
          Bookings made without logging in appear here once you have confirmed {unverifiedEmail} with the link
          in our email.
        </p>
      ) : null}
      {upcoming.length + past.length + off.length === 0 ? (
        <EmptyState
          illustration={<DrawnPicture picture="empty-bookings/my-bookings" />}
          title="No bookings yet"
          text="Once you have booked a venue or a vendor, its answer, date and receipt appear here."
          action={
            <ButtonLink variant="primary" to={href('/venues-vendors')}>
              See venues and vendors
            </ButtonLink>
          }
        />
      ) : null}
      <ComingUpSummary summary={summary} />
      <CustomerBookings
        now={new Date(now)}
        heading="Coming up"
        bookings={upcoming}
        pictures={pictures}
        withMoney
        more={more('upcoming')}
        further={(booking) => (
          <>
            <ChangeLink booking={booking} now={now} onlyOpen />
            <CancelLink booking={booking} now={now} />
          </>
        )}
        timeline={(booking) => <BookingLine booking={booking} now={now} />}
      />
      <CustomerBookings
        now={new Date(now)}
        heading="Past"
        bookings={past}
        isScreenOnly={upcoming.length > 0}
        pictures={pictures}
        withMoney
        more={more('past')}
        further={({ id }) =>
          reviewable.includes(id) ? (
            <ButtonLink variant="brand" to={href('/my-bookings/:bookingId/review', { bookingId: id })}>
              {WRITE_A_REVIEW}
            </ButtonLink>
          ) : null
        }
      />
      <CustomerBookings
        now={new Date(now)}
        heading="Declined or cancelled"
        bookings={off}
        isScreenOnly={upcoming.length > 0}
        pictures={pictures}
        more={more('off')}
        timeline={(booking) => <BookingLine booking={booking} now={now} />}
      />
    </>
  )
}

/** The payments of a booking, and what cancelling costs. Renders nothing for a booking from before there were terms. */
function BookingLine({ booking, now }: { booking: CustomerBooking; now: string }) {
  const line = lineOfBooking(booking, new Date(now))
  if (!line) return null
  const { vendorName, status } = booking.stored
  return (
    <details className="group mt-3 max-w-prose print:hidden" open={booking.due !== null}>
      <summary className="w-fit cursor-pointer py-3 text-sm text-brand">{TIMELINE_TITLE}</summary>
      <div className="pt-3">
        {status === 'pending' && booking.bank.returns.length === 0 ? (
          <p className="mb-4 text-sm text-quiet">{UNTIL_ANSWERED}</p>
        ) : null}
        <TermsTimeline
          line={line}
          timeZone={booking.timeZone}
          isPaid
          caption={`${TIMELINE_TITLE}: ${vendorName}`}
        />
      </div>
    </details>
  )
}

/** Shown inside the frame, so the menu still works. */
export function MyBookingsFailure() {
  return <BookingsFailure heading="My Bookings" />
}
