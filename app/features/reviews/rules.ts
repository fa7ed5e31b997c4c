import type { LocalDate } from '../../shared/dates.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import type { BookingStatus } from '../bookings/status-rules.ts'

/** The stars of a review (the database enforces the same). */
export const MIN_RATING = 1
export const MAX_RATING = 5
/** The maximum length of a review's text, in characters (the database enforces the same). */
export const MAX_REVIEW_LENGTH = 2000

/**
 * Returns the mean of ratings, to the displayed precision of one decimal.
 * @param ratings whole stars from 1 to 5
 * @returns null without ratings, since no rating is not a bad one
 */
export function averageRating(ratings: readonly number[]): number | null {
  if (ratings.length === 0) return null
  const sum = ratings.reduce((total, rating) => total + rating, 0)
  return Math.round((sum / ratings.length) * 10) / 10
}

/** A sentence fits beside a picture. A long review doesn't, and two words mean little. */
const QUOTE_MIN_LENGTH = 40
const QUOTE_MAX_LENGTH = 220

/**
 * Picks the review that a page quotes: of the best-rated ones that are short enough to quote in full, the newest. An
 * excerpt would no longer be the author's own words.
 * @param reviews newest first
 */
export function pickQuote<R extends { rating: number; body: string }>(reviews: readonly R[]): R | null {
  const quotable = reviews.filter(
    ({ rating, body }) => rating >= 4 && body.length >= QUOTE_MIN_LENGTH && body.length <= QUOTE_MAX_LENGTH,
  )
  return quotable.find(({ rating }) => rating === MAX_RATING) ?? quotable[0] ?? null
}

/**
 * Checks whether a booking can be reviewed: approved, and its day is over at the venue (Decision 12).
 * @returns the reason why not, or null when it can
 */
export function reviewRefusal(
  booking: { status: BookingStatus; date: LocalDate; timeZone: string },
  now: Date,
): 'not_approved' | 'not_over' | null {
  if (booking.status !== 'approved') return 'not_approved'
  return booking.date < wallTimeAt(now, booking.timeZone).date ? null : 'not_over'
}

/** The customer's name under a review: 'Kim Lee' becomes 'Kim L.', because reviews are public. */
export function reviewerName(customerName: string): string {
  const names = customerName.trim().split(/\s+/)
  const last = names.length > 1 ? [...(names.at(-1) ?? '')][0] : undefined
  return last ? `${names[0]} ${last.toLocaleUpperCase('en-AU')}.` : (names[0] ?? '')
}
