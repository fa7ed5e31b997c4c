import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { linkTokenOf } from '../../bookings/components/booking-receipt.tsx'
import { BookingsFailure } from '../../bookings/components/bookings-failure.tsx'
import { CustomerBookings } from '../../bookings/components/customer-bookings.tsx'
import type { CustomerBooking } from '../../bookings/rules.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { WRITE_A_REVIEW } from '../messages.ts'

// The server limits the subjects of one stream. The soonest events are the ones that may still change.
const MAX_WATCHED = 4

/** A customer's bookings, live: upcoming ones first, then past ones with a link to write a review. */
export function MyBookingsScreen({
  loaderData: { upcoming, past, reviewable, unverifiedEmail },
}: {
  loaderData: {
    upcoming: CustomerBooking[]
    past: CustomerBooking[]
    /** The ids of bookings that can be reviewed now. */
    reviewable: string[]
    unverifiedEmail: string | null
  }
}) {
  const watched = upcoming.slice(0, MAX_WATCHED).map((booking) => `booking-${linkTokenOf(booking)}`)
  useLiveUpdates(['notifications', ...watched])
  return (
    <>
      <h1>My Bookings</h1>
      {unverifiedEmail ? (
        <p className="mt-4 max-w-prose text-sm text-quiet">
          Bookings made without signing in appear here once you have confirmed {unverifiedEmail} with the link
          in our email.
        </p>
      ) : null}
      {upcoming.length + past.length === 0 ? (
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
      <CustomerBookings heading="Coming up" bookings={upcoming} />
      <CustomerBookings
        heading="Past"
        bookings={past}
        further={({ id }) =>
          reviewable.includes(id) ? (
            <ButtonLink variant="brand" to={href('/my-bookings/:bookingId/review', { bookingId: id })}>
              {WRITE_A_REVIEW}
            </ButtonLink>
          ) : null
        }
      />
    </>
  )
}

/** Shown inside the frame, so the menu still works. */
export function MyBookingsFailure() {
  return <BookingsFailure heading="My Bookings" />
}
