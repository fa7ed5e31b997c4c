import type { PriceUnit } from '../../shared/money.ts'

export const REVIEWS_HEADING = 'Reviews'
export const NO_REVIEWS_TEXT =
  'No reviews yet. Only customers whose booking has taken place can write one, and a person reads each before it appears.'

// Writing one (Decision 12).
export const WRITE_A_REVIEW = 'Write a review'
export const reviewTitle = (vendorName: string) => `How was ${vendorName}?`
export const RATING_MISSING = 'Choose from one star to five.'
export const REVIEW_MISSING = 'Write a few words about how it was.'
export const REVIEW_THANKS =
  'Thank you. A person reads your review before it appears on the page. We’ll tell you either way.'
export const REVIEW_REFUSALS = {
  not_found: 'We can’t find this booking.',
  not_approved: 'Only bookings that took place can be reviewed.',
  not_over: 'You can write a review from the day after your event.',
  own_business: 'You can’t review your own business.',
  already_written: 'You have already written a review of this booking.',
  business_gone: 'This business is no longer here, so there is no page for a review.',
} as const

// The free days on a business's page.
export const FREE_DAYS_TITLE = 'Free days and your total'
export const FREE_DAYS_UNITS = 'What you pay by'
export const QUANTITY_NAMES = { perPerson: 'Guests', perHour: 'Hours' } as const satisfies Record<
  PriceUnit,
  string
>
export const GO_TO_FORM = 'Go to the booking form'
export const totalMissingText = (unit: PriceUnit) =>
  unit === 'perPerson' ? 'Enter your guests to see the total.' : 'Enter your hours to see the total.'
export const placeDaysText = (place: string) =>
  `Days are those in ${place}. You choose the time in the booking form.`
