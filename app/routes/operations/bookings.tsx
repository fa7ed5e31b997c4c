import { listBookings } from '../../features/operators/booking-queries.server.ts'
import { readWords } from '../../features/operators/rules.ts'
import { bookingFilterSchema } from '../../features/operators/schema.ts'
import { BookingsScreen } from '../../features/operators/screens/bookings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/bookings'
import { loadPage } from './list-page.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Bookings | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext)
  const filter = bookingFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const words = readWords(url.searchParams.get('q'))
  const now = clock()
  const { rows, ...page } = await loadPage(
    { db, url },
    (range) => listBookings(db, { filter, words, now, ...range }),
    ({ businessId }) => businessId,
  )
  return { filter, words, bookings: rows, ...page, now: now.toISOString() }
}

export default function Bookings({ loaderData }: Route.ComponentProps) {
  return <BookingsScreen {...loaderData} />
}
