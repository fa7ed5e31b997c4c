import type { Database } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { CATEGORY_PATHS, type Category } from '../businesses/rules.ts'
import { placeLabel, type State } from '../places/rules.ts'
import { onwardText } from './messages.ts'
import type { SearchContext } from './page-queries.server.ts'
import { listFoundIds } from './queries.server.ts'
import { NO_SEARCH, type Search, searchHref } from './schema.ts'

/** The trades that most events need, in the order in which they are booked. */
const USUAL_CATEGORIES: readonly Category[] = [
  'Venues',
  'Catering',
  'Photographers',
  'Sounds & DJ',
  'Event Planners',
]
const MAX_ONWARD = 3

/** A link to a search that finds something: 'Photographers free on 20 March near Yarraville'. */
export type OnwardLink = { text: string; to: string }

/** The booking from which the links lead on. */
type OnwardBooking = {
  businessId: string
  date: LocalDate
  bookingType: PriceUnit
  quantity: number
  /** 'others' for businesses in place of this one, 'more' for the other trades of the same day. */
  wanted: 'others' | 'more'
}

/**
 * Lists searches for the day and place of a booking: near its place, or in its state if nothing is free nearby. Each is
 * run first, so that no link leads to nothing.
 */
export async function listOnward(
  db: Database,
  { businessId, date, bookingType, quantity, wanted }: OnwardBooking,
  context: SearchContext,
): Promise<OnwardLink[]> {
  const business = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.category', 'places.name', 'places.state'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()
  if (!business) return []
  const categories =
    wanted === 'others'
      ? [business.category]
      : USUAL_CATEGORIES.filter((category) => category !== business.category).slice(0, MAX_ONWARD)
  // Another trade has other quantities: a photographer isn't booked for 90 guests.
  const guests = wanted === 'others' && bookingType === 'perPerson' ? quantity : null
  const found = await Promise.all(
    categories.map(async (category) => {
      for (const where of [
        { place: placeLabel(business), near: true },
        { place: business.state, near: false },
      ]) {
        const search: Search = { ...NO_SEARCH, category, date, guests, ...where }
        const ids = await listFoundIds(db, search, context)
        if (ids.some((id) => id !== businessId)) return [linkTo(search, business)]
      }
      return []
    }),
  )
  return found.flat()
}

function linkTo(search: Search, place: { name: string; state: State }): OnwardLink {
  const { category, date, near } = search
  if (!category || !date) throw new Error('An onward search has a category and a day')
  return {
    text: onwardText(category, date, near ? `near ${place.name}` : `in ${place.state}`),
    to: searchHref(CATEGORY_PATHS[category], { ...search, category: null }),
  }
}
