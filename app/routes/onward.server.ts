import type { StoredBooking } from '../features/bookings/rules.ts'
import { listOnward, type OnwardLink } from '../features/search/onward-queries.server.ts'
import type { Services } from '../services.server.ts'
import { wallTimeAt } from '../shared/dates.ts'

/** The zone whose day is the last to begin in Australia, so that no link asks for a day that is over somewhere. */
const LAST_ZONE = 'Australia/Perth'

/** Lists searches that lead on from a booking. None once its day is over. */
export async function listOnwardOf(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  stored: StoredBooking,
  wanted: 'others' | 'more',
): Promise<OnwardLink[]> {
  const { vendorId: businessId, date, bookingType, quantity } = stored
  if (date < wallTimeAt(now(), LAST_ZONE).date) return []
  const context = { nearKm: config.nearKm, now: now() }
  return listOnward(db, { businessId, date, bookingType, quantity, wanted }, context)
}
