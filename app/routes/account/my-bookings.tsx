import { shownCount } from '../../features/bookings/my-bookings-rules.ts'
import { listBookingsOfCustomer } from '../../features/bookings/queries.server.ts'
import { eventOrder } from '../../features/bookings/rules.ts'
import { findFirstPictures } from '../../features/businesses/queries.server.ts'
import { findReviewedBookings } from '../../features/reviews/queries.server.ts'
import { reviewRefusal } from '../../features/reviews/rules.ts'
import { MyBookingsFailure, MyBookingsScreen } from '../../features/reviews/screens/my-bookings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
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
    // Whether an event is over depends on the local time of its own place.
    const isPast = (booking: (typeof bookings)[number]) =>
      booking.stored.date < wallTimeAt(now(), booking.timeZone).date
    const isOff = ({ stored }: (typeof bookings)[number]) =>
      stored.status === 'declined' || stored.status === 'withdrawn'
    const latestFirst = (one: (typeof bookings)[number], other: (typeof bookings)[number]) =>
      eventOrder(other).localeCompare(eventOrder(one))
    const reviewed = await findReviewedBookings(
      db,
      bookings.map((booking) => booking.id),
    )
    const isReviewable = ({ id, stored, timeZone }: (typeof bookings)[number]) =>
      !reviewed.has(id) &&
      reviewRefusal({ status: stored.status, date: stored.date, timeZone }, now()) === null
    const past = bookings.filter((booking) => isPast(booking) && !isOff(booking)).toSorted(latestFirst)
    const off = bookings.filter(isOff).toSorted(latestFirst)
    const counts = {
      past: shownCount(url.searchParams.get('past')),
      off: shownCount(url.searchParams.get('off')),
    }
    return {
      now: now().toISOString(),
      counts,
      rest: { past: past.length - counts.past, off: off.length - counts.off },
      reviewable: bookings.filter(isReviewable).map((booking) => booking.id),
      upcoming: bookings
        .filter((booking) => !isPast(booking) && !isOff(booking))
        .toSorted((one, other) => eventOrder(one).localeCompare(eventOrder(other))),
      past: past.slice(0, counts.past),
      off: off.slice(0, counts.off),
      pictures: await findFirstPictures(
        db,
        bookings.map(({ stored }) => stored.vendorId),
      ),
      unverifiedEmail: emailVerified ? null : email,
    }
  })
}

export default function MyBookings({ loaderData }: Route.ComponentProps) {
  return <MyBookingsScreen loaderData={loaderData} />
}

export function ErrorBoundary() {
  return <MyBookingsFailure />
}
