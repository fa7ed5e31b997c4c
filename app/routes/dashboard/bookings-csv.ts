import { listedBusiness } from '../../features/availability/calendar-rules.ts'
import {
  listVendorPlaces,
  writeBookingsCsv,
} from '../../features/bookings/list/vendor-list-queries.server.ts'
import { filterBookings, readListFilter } from '../../features/bookings/list/vendor-list-rules.ts'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { csvResponse } from '../csv-response.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/bookings-csv'

/** Sends the vendor's bookings as CSV, with the filter of Your Bookings. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const { user } = await requireSession({ request, url, context })
  const businesses = await listBusinessesOfVendor(db, user.uid)
  const vendor = {
    userId: user.uid,
    businessId: listedBusiness(businesses, url.searchParams.get('business')),
  }
  const found = filterBookings(await listVendorPlaces(db, vendor), readListFilter(url.searchParams))
  const ids = found.map(({ id }) => id)
  return csvResponse('bookings', writeBookingsCsv(db, { ...vendor, ids, now: now() }))
}
