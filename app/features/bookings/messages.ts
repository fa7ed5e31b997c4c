import { formatDay, formatInstant, type LocalDate } from '../../shared/dates.ts'
import { answerTimeText } from '../../shared/durations.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { formatEventSpan } from '../../shared/time-span.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import type { CalendarEntry } from '../availability/calendar-rules.ts'
import { UNPAID_HOLDS_OF_BROWSER } from '../availability/rules.ts'
import type { RefundState } from '../payments/rules.ts'
import { EXTENSION_DAYS } from '../sales/plan-rules.ts'
import { dayText } from '../terms/timeline-messages.ts'
import type { CancelRefusal } from './cancellation/rules.ts'
import type { OffPrice, PartPayment } from './rules.ts'
import type { BookingStatus } from './status-rules.ts'

/** The fixed wording of booking and payment. Wording that the specification gives is its own, to the letter. */

// The booking screen (Specification, sections 2 and 8).
export const bookTitle = (vendorName: string) => `Book ${vendorName}`
export const YOUR_INFORMATION = 'Your Information'
export const EVENT_DETAILS = 'Event Details'
export const BOOKING_NEEDS_SCRIPT =
  'Booking and paying by card need JavaScript. Turn it on in your browser to continue.'
export const PROCEED_TO_PAYMENT = 'Proceed to Payment'
export const QUANTITY_LABELS = { perPerson: 'Number of Attendees', perHour: 'Hours' } as const
export const BOOKING_TYPE_LABELS = { perPerson: 'Per person', perHour: 'Per hour' } as const
export const VENDOR_NOT_FOUND = 'Vendor not found!'
export const VENDOR_FETCH_ERROR = 'Error fetching vendor!'

// The payment screen (Specification, sections 2 and 8).
export const LOADING_PAYMENT = 'Loading payment...'
export const NO_UNFINISHED_PAYMENT = 'No payment is waiting. Choose a venue or vendor to book.'
export const COMPLETE_YOUR_PAYMENT = 'Complete Your Payment'
export const payLabel = (total: string) => `Pay ${total}`
export const PROCESSING = 'Processing...'
export const PAYMENT_INIT_FAILED = 'Failed to initialize payment. Try again.'
/** The reason why there is no payment secret, shown after PAYMENT_INIT_FAILED. */
export const PAYMENT_INIT_REASONS = {
  no_connection: 'The connection was lost.',
  unavailable: 'The payment service isn’t answering at the moment.',
  key_spent: 'This payment has expired.',
  gone: 'This business no longer takes bookings.',
  vendor_paused: 'This vendor can’t take bookings at the moment. Please choose another one.',
  rate_limited: 'Too many payments were started from your network. Wait a few minutes.',
  too_many_held_by_browser: `You’re holding ${UNPAID_HOLDS_OF_BROWSER} unpaid times. Pay for one, or wait a few minutes until one is released.`,
  too_many_held_by_address:
    'Too many unpaid times are held from your network. Wait a few minutes, or use another connection.',
} as const
export const PAID_BUT_NOT_SAVED = 'Payment successful but booking not saved. Contact support.'
/** Shown after PAID_BUT_NOT_SAVED, once the booking is saved. */
export const SAVED_AFTER_ALL = 'Your booking is saved after all. You don’t need to contact support.'
/** Shown after PAID_BUT_NOT_SAVED, until the booking is saved. */
export const NOT_SAVED_YET =
  'Your booking isn’t saved yet. We’re still trying. Your payment is safe, so don’t pay again.'
/** Shown above the form when the server could not be asked about a handed business. */
export const BUSINESS_NOT_CHECKED =
  'We couldn’t check this listing just now. You can continue: we check the price and time before you pay.'
export const SEE_YOUR_BOOKING = 'See your booking'
/** Above the form of a business that this browser has just booked. */
export const bookedForText = (date: LocalDate) => `You booked this for ${formatDay(date)}.`
export const CONFIRMED = 'Confirmed'
export const CONNECTION_LOST =
  'The connection was lost during payment. Try again: you won’t be charged twice for this booking.'
/** Followed by the minutes and seconds left. */
export const HELD_FOR = 'This time is held for you for'
export const heldMinutesLeft = (minutes: number) =>
  `This time is held for you for ${minutes === 1 ? 'one more minute' : `${minutes} more minutes`}.`
export const NOTHING_CHARGED = 'Nothing was charged.'
/**
 * What a card that was refused leaves behind.
 * @param leftMs for how long the time is still held; Infinity where nothing holds it for a while
 */
export function nothingChargedText(leftMs: number): string {
  const minutes = Math.floor(leftMs / MINUTE_MS)
  const held = Number.isFinite(minutes) && minutes > 0 ? ` ${heldMinutesLeft(minutes)}` : ''
  return `${NOTHING_CHARGED}${held} Check the card’s details, or use another card.`
}
export const HOLD_OVER = 'This time is no longer held for you'
export const HOLD_OVER_DETAIL =
  'Nothing has been charged, and your booking details are saved. If the time is still free, you can hold it again.'
export const HOLD_AGAIN = 'Hold it again'

// The vendor's overview.
/** The blocks about conversations on both overviews. */
export const MESSAGES_TITLE = 'Messages'
export const NO_NEW_MESSAGES = 'Answers from venues and vendors come here.'

/** How many customers wait for a vendor's answer. */
export function waitingText(count: number): string {
  if (count === 0) return 'Nobody is waiting for your answer.'
  return count === 1
    ? '1 customer is waiting for your answer.'
    : `${count} customers are waiting for your answer.`
}

export const MY_DASHBOARD = 'My Dashboard'

// The vendor's list (Specification, sections 2, 4 and 8).
export const YOUR_BOOKINGS = 'Your Bookings'
export const BOOKINGS_LOAD_FAILED = 'Error loading bookings'
export const APPROVE = 'Approve'
export const DECLINE = 'Decline'
/** Declining an approved booking, by its own name and away from the daily buttons. */
export const CANCEL_THIS_BOOKING = 'Cancel this booking'
export const DETAILS = 'Details'
export const MORE = 'More'
/** The headline of a row: the vendor's share of the price, after refunds. */
export const youReceiveText = (shareCents: Cents) => `You receive ${formatMoney(shareCents)}`
export const STATUS_TOASTS = { approved: 'Booking approved', declined: 'Booking declined' } as const
export const STATUS_UPDATE_FAILED = 'Error updating status'
/** For the second of two people who make the same decision at once. */
export const ALREADY_DECIDED = 'Someone else had already decided that.'
export const DECIDED_MEANWHILE =
  'This booking changed a moment ago, so your answer wasn’t saved. Check the booking and answer again.'
/** The refusal of a decision whose booking no longer has the status that it was made on. */
export const statusNow = (status: BookingStatus) =>
  `This booking is now ${STATUS_LABELS[status].toLowerCase()}. Check it before you answer.`
export const WITHDRAWN_MEANWHILE = 'The customer has just withdrawn this booking.'
/** The refusal to approve a declined booking whose time these entries have taken since. */
export const goneTo = (takers: readonly CalendarEntry[], timeZone: string) =>
  `This booking stays declined because its time is now taken by ${takers.map((taker) => takerText(taker, timeZone)).join(' and ')}.`

function takerText(taker: CalendarEntry, timeZone: string): string {
  const span = formatEventSpan(taker.event, timeZone)
  switch (taker.kind) {
    case 'booking':
      return `a booking by ${taker.title} (${span})`
    case 'hold':
      return 'a customer who is paying for it right now'
    case 'block':
      return `a time you blocked (${taker.title || span})`
    case 'outside':
      return `‘${taker.title}’ in your calendar ${taker.calendarName} (${span})`
  }
}

/** The observed empty message names the business id. */
export const noBookingsFor = (businessId: string) => `No bookings found for business ${businessId}.`
/** Decision 2: 'All' has no single id to name. */
export const NO_BOOKINGS_FOR_ANY = 'No bookings yet for any of your businesses.'
/** Decision 2: the id in the screen's address when the vendor has no business, as observed. */
export const PLACEHOLDER_BUSINESS_ID = 'your-business-id'

/** Above the specified sentence, which stays small. */
export const NO_BOOKINGS_TITLE = 'No bookings yet'
export const NO_BOOKINGS_TEXT = 'They’ll arrive paid, with a date and numbers.'
export const SHARE_PAGE = 'Share your page'

// Decision 7: wording around refunds.
/** The refund of a booking that ends undecided or declined. An operator may have refunded a part of the payment before. */
export const refundText = (refundCents: Cents, paidCents: Cents) =>
  refundCents === paidCents
    ? `a full refund of ${formatMoney(refundCents)}`
    : `${formatMoney(refundCents)} back, the rest of your payment`
export const ALL_REFUNDED = 'All of your payment has been refunded already.'

export const DECLINE_REFUNDS = 'Declining refunds the customer in full.'
export const declineTitle = (customerName: string) => `Decline ${customerName}?`
export const KEEP_THE_BOOKING = 'Keep the booking'
export const NOT_DECLINED = 'This booking wasn’t declined'
export const DECLINE_REASON = 'Reason'
export const DECLINE_REASON_HINT = 'They get this by email and see it with their booking.'
export const MIN_DECLINE_REASON_LENGTH = 10
export const MAX_DECLINE_REASON_LENGTH = 500
export const DECLINE_REASON_MISSING = 'Tell the customer why.'
export const DECLINE_REASON_SHORT = `Say a little more: at least ${MIN_DECLINE_REASON_LENGTH} characters.`
export const EVENT_OVER = 'This event is over, so you can’t change your answer any more.'
export const PAYOUTS_MISSING = 'Set up your payouts before you approve a booking, so that we can pay you.'
export const DECISION_FINAL = 'The refund has been made, so this decision is final.'
export const STATUS_LABELS = {
  pending: 'Pending',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
} as const
/** Beside the status of a booking that was approved before it was withdrawn. */
export const CANCELLED = 'Cancelled'
export const PAYMENT_STATUS_LABELS = {
  paid: 'Paid',
  'refund due': 'Refund due',
  refunded: 'Refunded',
} as const

/** Tells a customer how much was taken off a price before it was paid; null where nothing was. */
export function takenOffText(cents: Cents): string | null {
  return offPriceText({ refundedCents: 0, isGone: true, takenOffCents: cents })
}

/** Tells a vendor how much has come off a price: 'of which $300.00 was refunded'; null where nothing has. */
export function offPriceText({
  refundedCents,
  isGone,
  takenOffCents,
}: Omit<OffPrice, 'ourCents'>): string | null {
  const refunded = isGone
    ? `${formatMoney(refundedCents)} was refunded`
    : `${formatMoney(refundedCents)} goes back to the customer`
  const parts = [
    ...(refundedCents > 0 ? [refunded] : []),
    ...(takenOffCents > 0 ? [`${formatMoney(takenOffCents)} was taken off`] : []),
  ]
  return parts.length > 0 ? `of which ${parts.join(' and ')}` : null
}

/** A price that is paid in parts, to its vendor. */
export const DUE_LABELS = {
  scheduled: 'Deposit paid',
  failing: 'Balance unpaid',
  overdue: 'Balance overdue',
} as const satisfies Record<PartPayment['standing'], string>

const DUE_WORDS = { scheduled: 'due on', failing: 'unpaid since', overdue: 'overdue since' } as const

/** '$1,740.00 paid · $6,960.00 due on 21 September 2028'. */
export function partPaymentText({ paidCents, cents, at, standing }: PartPayment, timeZone: string): string {
  return `${formatMoney(paidCents)} paid · ${formatMoney(cents)} ${DUE_WORDS[standing]} ${dayText(new Date(at), timeZone)}`
}

/** The consequences of an unpaid balance, by its state; null while it isn't due. */
export const UNPAID_TEXTS = {
  scheduled: null,
  failing: 'The card was refused. We’ve asked the customer to pay.',
  overdue: 'The customer hasn’t paid in time, so the booking ends by its cancellation policy.',
} as const satisfies Record<PartPayment['standing'], string | null>
export const GIVE_MORE_TIME = `Give ${EXTENSION_DAYS} more days`
/** The vendor's one extension, once it is given. */
export const moreTimeText = (until: string, timeZone: string) =>
  `More time until ${formatInstant(new Date(until), timeZone)}.`
/** The consequence of an unpaid balance, to the vendor. */
export const endsText = (endsAt: string, timeZone: string) =>
  `If nothing is paid by ${formatInstant(new Date(endsAt), timeZone)}, the booking ends by its cancellation policy.`
export const NOT_EXTENDABLE =
  'You can’t give more time for this balance any more. It has been paid, it’s overdue, or you’ve given more time already.'
export const MORE_TIME_FAILED = 'The extra time couldn’t be saved.'
export const UNPAID_BALANCES = 'Unpaid balances'

/** A refund that has left, in place of 'Refund due'. */
export const MOVING_REFUND_LABELS: Partial<Record<RefundState, string>> = {
  claimed: 'Refund on its way',
  sent: 'Refund on its way',
  failed: 'The refund came back',
}

// The links to the next payment.
export const PAY_NOW = 'Pay now'
export const CHANGE_CARD = 'Change card'

/**
 * The version of `paymentTerms`, stored with each payment (Decision 7) beside the vendor's time to answer. A changed text
 * needs a new version.
 */
export const TERMS_VERSION = '2026-11-28'
/** The terms beside 'Pay $'. @param answerWithinMs how long the vendor has to answer */
export function paymentTerms(answerWithinMs: number): string[] {
  return [
    `The vendor answers within ${answerTimeText(answerWithinMs)}. You get a full refund if they can’t take your booking, or if they don’t answer in time.`,
    'Until they have answered you can withdraw the booking yourself, with a full refund.',
  ]
}

/** In their place for a quote, whose vendor has agreed already. */
export const QUOTE_PAYMENT_TERMS = [
  'The vendor has agreed by their quote, so your booking is confirmed once you have paid.',
] as const
export const QUOTE_TERMS_VERSION = '2026-11-23-quote'
export const BACK_TO_QUOTE = 'Back to the quote'

/** Before the names of other businesses, once a vendor has called an approved booking off. */
/** Above links to searches, once a booking won't take place, and once it is made. */
export const STILL_LOOKING = 'Still looking?'
export const SAME_DAY = 'For the same day'
export const FREE_INSTEAD = 'These are free at the same time:'

// Cancelling an approved booking.
export const CANCEL_BOOKING = 'Cancel booking'
export const CANCEL_AND_REFUND = 'Cancel and refund'
export const NOTHING_COMES_BACK = 'You get nothing back if you cancel now.'
export const QUOTE_LABELS = {
  paid: 'Paid so far',
  refund: 'You get back',
  kept: 'Kept by the vendor under the cancellation policy',
  uncollected: 'Never charged',
} as const
export const QUOTE_CHANGED =
  'Nothing has been cancelled yet, because you were shown this more than 15 minutes ago or it has changed since. This is how it stands now.'
/** Why a booking can't be cancelled. */
export const CANCEL_REFUSALS = {
  pending:
    'The vendor hasn’t answered yet. Until then you can withdraw the booking and get all of your money back.',
  over: 'This booking no longer takes place, so there’s nothing left to cancel.',
  no_terms: 'This booking was made before bookings could be cancelled here. Please contact the vendor.',
  event_begun: 'This event has begun, so it can’t be cancelled any more.',
} as const satisfies Record<CancelRefusal, string>
export const CANCEL_FAILED = 'That didn’t work. Check your connection and try again.'

/** The payment service's messages, by error code. */
export const PAYMENT_ERROR_MESSAGES = {
  malformed: 'We couldn’t read this request.',
  fields: 'Please correct some booking details.',
  gone: 'This business no longer takes bookings.',
  vendor_paused: PAYMENT_INIT_REASONS.vendor_paused,
  amount_differs: 'The price has changed since you opened this page.',
  submit_key_reused: 'These details were changed after the payment began. Start again from the booking form.',
  already_paid: 'This booking is already paid.',
  payment_ended: 'This payment has expired. Start again from the booking form.',
  rate_limited: 'Too many payments were started from your network. Wait a few minutes and try again.',
  too_many_held_by_browser: PAYMENT_INIT_REASONS.too_many_held_by_browser,
  too_many_held_by_address: PAYMENT_INIT_REASONS.too_many_held_by_address,
  provider_unavailable: PAYMENT_INIT_FAILED,
  unknown_payment: 'We can’t find this payment.',
} as const
