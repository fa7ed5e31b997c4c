import {
  type BookingPlace,
  firstDays,
  sectionsOf,
  shownCount,
  summaryOf,
} from '../../features/bookings/list/my-bookings-rules.ts'
import { listBookingPlaces, listBookingsOfCustomer } from '../../features/bookings/list/queries.server.ts'
import type { CustomerBooking } from '../../features/bookings/rules.ts'
import { findFirstPictures } from '../../features/businesses/queries.server.ts'
import { findReviewedBookings } from '../../features/reviews/queries.server.ts'
import { reviewRefusal } from '../../features/reviews/rules.ts'
import { MyBookingsFailure, MyBookingsScreen } from '../../features/reviews/screens/my-bookings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
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
    const customer = { userId: uid, verifiedEmail: emailVerified ? email : null }
    const at = now()
    const sections = sectionsOf(await listBookingPlaces(db, customer), at)
    const counts = {
      upcoming: shownCount(url.searchParams.get('upcoming'), 'upcoming'),
      past: shownCount(url.searchParams.get('past'), 'past'),
      off: shownCount(url.searchParams.get('off'), 'off'),
    }
    const visible = {
      upcoming: firstDays(sections.upcoming, counts.upcoming),
      past: firstDays(sections.past, counts.past),
      off: firstDays(sections.off, counts.off),
    }
    // The sums are over everything ahead; of the others only those that are shown are read.
    const ids = [...sections.upcoming, ...visible.past, ...visible.off].map(({ id }) => id)
    const bookings = await listBookingsOfCustomer(db, { ...customer, secret: config.secret, ids })
    const byId = new Map(bookings.map((booking) => [booking.id, booking]))
    const bookingsAt = (places: readonly BookingPlace[]) => places.flatMap(({ id }) => byId.get(id) ?? [])
    const upcoming = bookingsAt(sections.upcoming)
    const past = bookingsAt(visible.past)
    const reviewed = await findReviewedBookings(
      db,
      past.map(({ id }) => id),
    )
    const isReviewable = ({ id, stored, timeZone }: CustomerBooking) =>
      !reviewed.has(id) && reviewRefusal({ status: stored.status, date: stored.date, timeZone }, at) === null
    return {
      now: at.toISOString(),
      counts,
      rest: {
        upcoming: sections.upcoming.length - visible.upcoming.length,
        past: sections.past.length - visible.past.length,
        off: sections.off.length - visible.off.length,
      },
      reviewable: past.filter(isReviewable).map(({ id }) => id),
      summary: summaryOf(upcoming),
      upcoming: bookingsAt(visible.upcoming),
      past,
      off: bookingsAt(visible.off),
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
