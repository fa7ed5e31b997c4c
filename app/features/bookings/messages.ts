import type { CalendarEntry } from '../availability/calendar-rules.ts'
import { formatEventSpan } from '../availability/rules.ts'
import { UNPAID_HOLDS_OF_BROWSER } from '../payments/rules.ts'

/** The fixed sentences of booking and payment. Where the specification gives the words, these are its words. */

// The booking screen (Specification, sections 2 and 8).
export const bookTitle = (vendorName: string) => `Book ${vendorName}`
export const YOUR_INFORMATION = 'Your Information'
export const EVENT_DETAILS = 'Event Details'
export const BOOKING_NEEDS_SCRIPT =
  'Booking needs JavaScript, as paying by card does. Switch it on in your browser to go on.'
export const PROCEED_TO_PAYMENT = 'Proceed to Payment'
export const QUANTITY_LABELS = { perPerson: 'Number of Attendees', perHour: 'Hours' } as const
export const BOOKING_TYPE_LABELS = { perPerson: 'Per person', perHour: 'Per hour' } as const
export const VENDOR_NOT_FOUND = 'Vendor not found!'
export const VENDOR_FETCH_ERROR = 'Error fetching vendor!'

// The payment screen (Specification, sections 2 and 8).
export const LOADING_PAYMENT = 'Loading payment...'
export const COMPLETE_YOUR_PAYMENT = 'Complete Your Payment'
export const payLabel = (total: string) => `Pay ${total}`
export const PROCESSING = 'Processing...'
export const PAYMENT_INIT_FAILED = 'Failed to initialize payment. Try again.'
/** Why there is no payment secret: follows PAYMENT_INIT_FAILED. */
export const PAYMENT_INIT_REASONS = {
  no_connection: 'The connection was lost.',
  unavailable: 'The payment service isn’t answering at the moment.',
  key_spent: 'This payment has run out of time.',
  gone: 'This business no longer takes bookings.',
  rate_limited: 'Too many payments were started from here. Wait a few minutes.',
  too_many_held_by_browser: `You are holding ${UNPAID_HOLDS_OF_BROWSER} times that are not paid for yet. Pay for one of them, or wait a few minutes until one is released.`,
  too_many_held_by_address:
    'Too many times are held from your network and not paid for yet. Wait a few minutes, or use another connection.',
} as const
export const PAID_BUT_NOT_SAVED = 'Payment successful but booking not saved. Contact support.'
/** Once it is saved, for somebody who was told PAID_BUT_NOT_SAVED. */
export const SAVED_AFTER_ALL = 'Your booking arrived after all. You don’t need to contact support.'
/** Until then. */
export const NOT_SAVED_YET =
  'Your booking isn’t saved yet. We keep trying, and your payment is safe: don’t pay again.'
/** Above a form whose business was handed over and could not be read again. */
export const BUSINESS_NOT_CHECKED =
  'We couldn’t check this listing just now. You can go on: price and time are checked before you pay.'
export const CONNECTION_LOST =
  'We lost the connection while paying. Try again: you are never charged twice for this booking.'
/** Before the minutes and seconds that are left. */
export const HELD_FOR = 'This time is held for you for'
export const heldMinutesLeft = (minutes: number) =>
  `This time is held for you for ${minutes === 1 ? 'one more minute' : `${minutes} more minutes`}.`
export const HOLD_OVER = 'This time is no longer held for you'
export const HOLD_OVER_DETAIL =
  'Nothing has been charged, and your booking details are kept. If nobody else has taken the time, you can go on.'
export const HOLD_AGAIN = 'Hold it again'

// The vendor's overview.
export const MY_DASHBOARD = 'My Dashboard'

// The vendor's list (Specification, sections 2, 4 and 8).
export const YOUR_BOOKINGS = 'Your Bookings'
export const BOOKINGS_LOAD_FAILED = 'Error loading bookings'
export const APPROVE = 'Approve'
export const DECLINE = 'Decline'
export const STATUS_TOASTS = { approved: 'Booking approved', declined: 'Booking declined' } as const
export const STATUS_UPDATE_FAILED = 'Error updating status'
/** Two people decide at once: the second is told. */
export const ALREADY_DECIDED = 'Somebody else had already decided that.'
export const DECIDED_MEANWHILE =
  'This booking was changed a moment ago, so your answer was not saved. Look at it again.'
export const WITHDRAWN_MEANWHILE = 'The customer has withdrawn this booking in the meantime.'
/** Approving after all is too late: declining had given the time back, and these have it now. */
export const goneTo = (takers: readonly CalendarEntry[], timeZone: string) =>
  `This booking stays declined, since its time is taken by ${takers.map((taker) => takerText(taker, timeZone)).join(' and ')}.`

function takerText(taker: CalendarEntry, timeZone: string): string {
  const span = formatEventSpan(taker.event, timeZone)
  switch (taker.kind) {
    case 'booking':
      return `the booking of ${taker.title} (${span})`
    case 'hold':
      return 'a customer who is paying for it at this moment'
    case 'block':
      return `a time that you have blocked (${taker.title || span})`
    case 'outside':
      return `‘${taker.title}’ in your calendar ${taker.calendarName} (${span})`
  }
}

/** The observed empty message names the business id. */
export const noBookingsFor = (businessId: string) => `No bookings found for business ${businessId}.`
/** Decision 2: with 'All' there is no one id to name. */
export const NO_BOOKINGS_FOR_ANY = 'No bookings yet for any of your businesses.'
/** Decision 2: what the screen is given when the vendor has no business, as observed. */
export const PLACEHOLDER_BUSINESS_ID = 'your-business-id'

// Decision 7: what the screen says around refunds.
export const DECLINE_REFUNDS = 'Declining refunds the customer in full.'
export const DECISION_FINAL = 'The refund has been made, so this decision is final.'
export const STATUS_LABELS = {
  pending: 'Pending',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
} as const
export const PAYMENT_STATUS_LABELS = {
  paid: 'Paid',
  'refund due': 'Refund due',
  refunded: 'Refunded',
} as const

/** Stands beside 'Pay $' and is kept with the payment (Decision 7). A changed text gets a new version. */
export const TERMS_VERSION = '2026-11-01'
export const PAYMENT_TERMS = [
  "The vendor answers within two days. You get a full refund if they can't host you, or if they don't answer in time.",
  'Until they have answered you can withdraw the booking yourself, with a full refund.',
] as const

// Beside the fields of the booking form.
export const FIELD_MESSAGES = {
  fullNameMissing: 'Enter your full name.',
  emailMissing: 'Enter your e-mail address.',
  emailWrong: 'Enter an e-mail address like name@example.com.',
  phoneMissing: 'Enter a phone number the vendor can reach you on.',
  dateMissing: 'Choose a date for your event.',
  dateWrong: "That day isn't in the calendar. Choose another date.",
  datePast: 'That date has passed. Choose a later one.',
  timeMissing: 'Choose a starting time.',
  timeWrong: 'Enter a time like 16:00.',
  timePast: 'That time has passed today. Choose a later one.',
  quantityMissing: 'Enter a whole number of 1 or more.',
  peopleTooMany: 'Bookings take at most 10,000 people.',
  hoursTooMany: 'Bookings take at most 24 hours.',
  bookingTypeMissing: 'Choose per person or per hour.',
  bookingTypeNotOffered: "This vendor doesn't take bookings of that kind. Choose the other one.",
  totalTooSmall: 'The total must be at least $0.50.',
  totalTooLarge: 'The total can be at most $999,999.99. Contact the vendor for a larger event.',
  tooLong: "That's too long. Shorten it.",
  unreadable: "This has characters we can't store. Type it again.",
} as const

/** What an answer of the payment service says to a person, by its code. */
export const PAYMENT_ERROR_MESSAGES = {
  malformed: 'The request could not be read.',
  fields: 'Some of the booking details need another look.',
  gone: 'This business no longer takes bookings.',
  amount_differs: 'The price has changed since you opened this page.',
  submit_key_reused: 'These details were changed after the payment began. Start again from the booking form.',
  already_paid: 'This booking is paid already.',
  payment_ended: 'This payment has run out of time. Start again from the booking form.',
  rate_limited: 'Too many payments were started from here. Wait a few minutes and try again.',
  too_many_held_by_browser: PAYMENT_INIT_REASONS.too_many_held_by_browser,
  too_many_held_by_address: PAYMENT_INIT_REASONS.too_many_held_by_address,
  provider_unavailable: PAYMENT_INIT_FAILED,
  unknown_payment: "We don't know this payment.",
} as const
