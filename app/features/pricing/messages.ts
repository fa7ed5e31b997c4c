import type { PriceRefusal } from './rules.ts'

/** Messages beside the fields of a form, for what has no price. */
export const PRICE_MESSAGES = {
  quantityMissing: 'Enter a whole number of 1 or more.',
  peopleTooMany: 'Bookings take at most 10,000 people.',
  hoursTooMany: 'A booking can’t be longer than 24 hours.',
  bookingTypeNotOffered: 'This vendor doesn’t take that booking type. Choose the other one.',
  totalTooSmall: 'The total must be at least $0.50.',
  totalTooLarge: 'The total can be at most $999,999.99. Contact the vendor for a larger event.',
} as const

/** The message of a refusal, for its field. */
export function refusalText({ field, reason }: PriceRefusal): string {
  switch (reason) {
    case 'not_offered':
      return PRICE_MESSAGES.bookingTypeNotOffered
    case 'missing':
      return PRICE_MESSAGES.quantityMissing
    case 'too_many':
      return field === 'hours' ? PRICE_MESSAGES.hoursTooMany : PRICE_MESSAGES.peopleTooMany
    case 'total_too_small':
      return PRICE_MESSAGES.totalTooSmall
    case 'total_too_large':
      return PRICE_MESSAGES.totalTooLarge
  }
}
