import { PRICE_MESSAGES } from '../pricing/messages.ts'

/** Messages beside the fields of the booking form. */
export const FIELD_MESSAGES = {
  fullNameMissing: 'Enter your full name.',
  emailMissing: 'Enter your email address.',
  emailWrong: 'Enter an email address like name@example.com.',
  phoneMissing: 'Enter a phone number the vendor can reach you on.',
  dateMissing: 'Choose a date for your event.',
  dateWrong: 'That date doesn’t exist. Choose another one.',
  datePast: 'That date has passed. Choose a later one.',
  timeMissing: 'Choose a start time.',
  timeWrong: 'Enter a time like 16:00.',
  timePast: 'That time has passed today. Choose a later one.',
  ...PRICE_MESSAGES,
  bookingTypeMissing: 'Choose per person or per hour.',
  tooLong: 'That’s too long. Shorten it.',
  unreadable: 'This has characters we can’t store. Type it again.',
} as const

/** A quoted booking can move, but its price is for its number. */
export const QUOTED_NUMBER = 'The price was quoted for this number. Ask for a new quote to change it.'
