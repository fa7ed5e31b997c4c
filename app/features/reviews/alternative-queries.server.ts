import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { listBookable } from '../availability/slot-queries.server.ts'
import type { AlternativesRequest } from '../bookings/deps.server.ts'
import type { Alternative } from '../bookings/rules.ts'
import { offeredBookingTypes } from '../businesses/rules.ts'
import { listSimilarNearby } from './card-queries.server.ts'

const MAX_ALTERNATIVES = 3
/** The nearest of the category whose calendars are looked at. */
const MAX_LOOKED_AT = 24

/**
 * Lists businesses that could replace a business that has called a booking off: the same category, another vendor, free at
 * that time for as many people or hours, nearest first.
 */
export async function listAlternatives(
  db: Database | DatabaseTransaction,
  booking: AlternativesRequest,
  now: Date,
): Promise<Alternative[]> {
  const { businessId, date, time, bookingType, quantity } = booking
  const business = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['category', 'user_id as userId', 'latitude', 'longitude'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()
  if (!business) return []
  const near = await listSimilarNearby(db, { ...business, place: business }, MAX_LOOKED_AT)
  const bookable = await listBookable(
    db,
    near.map(({ id }) => id),
    {
      days: [date],
      time,
      guests: bookingType === 'perPerson' ? quantity : null,
      isSeated: false,
      hours: bookingType === 'perHour' ? quantity : null,
      unitOf: (pricing) =>
        offeredBookingTypes(pricing).includes(bookingType) ? bookingType : pricing.priceUnit,
    },
    now,
  )
  return near
    .filter(({ id }) => bookable.has(id))
    .slice(0, MAX_ALTERNATIVES)
    .map(({ id, name, location }) => ({ id, name, location }))
}
