import { href } from 'react-router'
import { linkTokenOf } from '../../features/bookings/components/booking-receipt.tsx'
import { BookingsFailure } from '../../features/bookings/components/bookings-failure.tsx'
import { CustomerBookings } from '../../features/bookings/components/customer-bookings.tsx'
import { listBookingsOfCustomer } from '../../features/bookings/queries.server.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { findReviewedBookings } from '../../features/reviews/queries.server.ts'
import { reviewRefusal } from '../../features/reviews/rules.ts'
import { WRITE_A_REVIEW } from '../../features/reviews/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Picture } from '../../ui/picture.tsx'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/my-bookings'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('My Bookings', matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    const { uid, email, emailVerified } = session.user
    const bookings = await listBookingsOfCustomer(db, {
      userId: uid,
      verifiedEmail: emailVerified ? email : null,
      secret: config.secret,
    })
    // Each event is over or not by the clock of its own place.
    const isPast = (booking: (typeof bookings)[number]) =>
      booking.stored.date < wallTimeAt(now(), booking.timeZone).date
    const reviewed = await findReviewedBookings(
      db,
      bookings.map((booking) => booking.id),
    )
    const isReviewable = ({ id, stored, timeZone }: (typeof bookings)[number]) =>
      !reviewed.has(id) &&
      reviewRefusal({ status: stored.status, date: stored.date, timeZone }, now()) === null
    return {
      reviewable: bookings.filter(isReviewable).map((booking) => booking.id),
      upcoming: bookings
        .filter((booking) => !isPast(booking))
        .toSorted((one, other) => eventOrder(one).localeCompare(eventOrder(other))),
      past: bookings
        .filter(isPast)
        .toSorted((one, other) => eventOrder(other).localeCompare(eventOrder(one))),
      unverifiedEmail: emailVerified ? null : email,
    }
  })
}

const eventOrder = ({ stored }: { stored: { date: string; time: string } }) => `${stored.date} ${stored.time}`

// The server listens for a few subjects at once; the soonest events are the ones that still change.
const MAX_WATCHED = 4

export default function MyBookings({
  loaderData: { upcoming, past, reviewable, unverifiedEmail },
}: Route.ComponentProps) {
  const watched = upcoming.slice(0, MAX_WATCHED).map((booking) => `booking-${linkTokenOf(booking)}`)
  useLiveUpdates(['notifications', ...watched])
  return (
    <>
      <h1>My Bookings</h1>
      {unverifiedEmail ? (
        <p className="mt-4 max-w-prose text-sm text-quiet">
          Bookings made without signing in appear here once you have confirmed {unverifiedEmail} by the link
          in our mail.
        </p>
      ) : null}
      {upcoming.length + past.length === 0 ? (
        <EmptyState
          illustration={
            <Picture
              image={{
                url: href('/illustrations/:scene/:seed/:ratio?', {
                  scene: 'empty-bookings',
                  seed: 'my-bookings',
                  ratio: '4x3',
                }),
                width: 960,
                height: 720,
                colour: null,
              }}
              alt=""
              sizes="280px"
              ratio="4 / 3"
            />
          }
          title="No bookings yet"
          text="Once you have booked a venue or a vendor, you find its answer, its date and its receipt here."
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

/** Shown inside the frame, whose menu still works. */
export function ErrorBoundary() {
  return <BookingsFailure heading="My Bookings" />
}
