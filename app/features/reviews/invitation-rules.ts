import { DAY_MS, HOUR_MS, WEEK_MS } from '../../shared/time-units.ts'
import { MAX_RATING, MIN_RATING } from './rules.ts'

/** The first invitation leaves from ten in the morning of the day after the event, at the venue. */
export const INVITE_AFTER_MIDNIGHT_MS = 10 * HOUR_MS
/** The second one leaves so long after the first. */
export const INVITE_AGAIN_MS = WEEK_MS
/** No first invitation leaves later than this after the event, such as after an outage. */
export const INVITE_WITHIN_MS = WEEK_MS
/** No second one does later than this. */
export const INVITE_AGAIN_WITHIN_MS = 30 * DAY_MS

/** In the address of the form: the rating that is chosen in it already. */
export const RATING_PARAMETER = 'rating'

/** The rating that an address asks for; null for none. */
export function readRating(text: string | null): number | null {
  const rating = text !== null && text.length === 1 ? Number(text) : Number.NaN
  return Number.isInteger(rating) && rating >= MIN_RATING && rating <= MAX_RATING ? rating : null
}
