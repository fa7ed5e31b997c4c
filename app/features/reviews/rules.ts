import type { LocalDate } from '../../shared/dates.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import type { BookingStatus } from '../bookings/rules.ts'

/** Stars of a review (the database holds the same). */
export const MIN_RATING = 1
export const MAX_RATING = 5
/** Characters of a review's text (the database holds the same). */
export const MAX_REVIEW_LENGTH = 2000

/**
 * The mean of ratings, to the tenth that is shown.
 * @param ratings whole stars from 1 to 5
 * @returns null where there is none, since no rating is not a bad one
 */
export function averageRating(ratings: readonly number[]): number | null {
  if (ratings.length === 0) return null
  const sum = ratings.reduce((total, rating) => total + rating, 0)
  return Math.round((sum / ratings.length) * 10) / 10
}

/** A sentence fits beside a picture; a whole letter does not, and two words say nothing. */
const QUOTE_MIN_LENGTH = 40
const QUOTE_MAX_LENGTH = 220

/**
 * Picks the review that a page quotes: the newest with the most stars that is short enough to be quoted whole, since
 * words cut out of a review are no longer its writer's.
 * @param reviews newest first
 */
export function pickQuote<R extends { rating: number; body: string }>(reviews: readonly R[]): R | null {
  const quotable = reviews.filter(
    ({ rating, body }) => rating >= 4 && body.length >= QUOTE_MIN_LENGTH && body.length <= QUOTE_MAX_LENGTH,
  )
  return quotable.find(({ rating }) => rating === MAX_RATING) ?? quotable[0] ?? null
}

/**
 * Whether a booking can be reviewed: approved, and its day is over at the venue (Decision 12).
 * @returns why not, or null when it can
 */
export function reviewRefusal(
  booking: { status: BookingStatus; date: LocalDate; timeZone: string },
  now: Date,
): 'not_approved' | 'not_over' | null {
  if (booking.status !== 'approved') return 'not_approved'
  return booking.date < wallTimeAt(now, booking.timeZone).date ? null : 'not_over'
}

/** How a customer is named under their review: 'Kim Lee' becomes 'Kim L.', since all the world reads it. */
export function reviewerName(customerName: string): string {
  const names = customerName.trim().split(/\s+/)
  const last = names.length > 1 ? [...(names.at(-1) ?? '')][0] : undefined
  return last ? `${names[0]} ${last.toLocaleUpperCase('en-AU')}.` : (names[0] ?? '')
}
