import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { formatMoney, type PriceUnit } from '../../shared/money.ts'
import { BOOKING_TYPE_LABELS } from '../bookings/messages.ts'
import { guestsText, hoursText } from '../businesses/asked-rules.ts'
import { CONVERSATION_REFUSALS } from '../enquiries/messages.ts'
import { endOf, lastValidDay, leastOf, type QuoteLine, type QuoteState, type QuoteView } from './rules.ts'

/** The fixed wording of quotes. */

export const quoteTitle = (businessName: string) => `Quote from ${businessName}`
export const ACCEPT_AND_PAY = 'Accept and pay'
export const UPDATE_TOTAL = 'Update the total'
export const CONTINUE_TO_PAYMENT = 'Continue to payment'
export const CHOOSE_AGAIN = 'Choose again'
export const DECLINE_QUOTE = 'Decline the quote'
export const OPTIONAL_HINT = 'Tick the optional lines that you want.'
export const NOTHING_CHARGED_YET = 'You see the card form next. Nothing is charged until you press Pay there.'
export const SEE_CONVERSATION = 'See the conversation'
export const WRITE_TO_VENDOR = 'Write to the vendor'
export const TIME_TAKEN = 'This time can’t be booked any more, and nothing has been charged.'
export const TIME_TAKEN_NEXT = 'These times are free. Ask the vendor for a new quote with one of them:'
export const YOUR_DETAILS = 'Your details'
export const PAYING_NOW = 'You have accepted this quote. Its payment waits for your card.'
export const QUOTE_NOT_FOUND = 'We can’t find this quote'
export const VENDOR_SEES = 'This is your quote as your customer sees it.'
export const TOTAL_CHANGED = 'The total has changed with your choice. Check it, then accept.'

/** A state as a label for the vendor, who has sent the quote. */
export const STATE_LABELS = {
  draft: 'Draft',
  sent: 'Sent',
  viewed: 'Seen',
  accepted: 'Being paid',
  booked: 'Booked',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  superseded: 'Replaced',
} as const satisfies Record<QuoteState, string>

/** The answers to a customer whose press came too late, or can't be carried out. */
export const QUOTE_REFUSALS = {
  expired: 'This quote has expired. Ask the vendor for a new one.',
  superseded: 'The vendor has sent a newer quote in place of this one.',
  withdrawn: 'The vendor has withdrawn this quote.',
  declined: 'You have declined this quote. Ask the vendor if you have changed your mind.',
  booked: 'This quote is already booked.',
  being_paid:
    'You have accepted this quote with other lines in another tab. Continue to payment there, or choose again here.',
  not_found: 'We can’t find this quote.',
  not_accepted: 'The time to pay has run out, and nothing was charged. Accept the quote again.',
  blocked: 'This conversation is closed, so its quote can’t be accepted.',
  gone: 'This business no longer takes bookings.',
  vendor_paused: 'This vendor can’t take bookings at the moment.',
  too_many_held_by_browser: 'You’re holding too many unpaid times. Pay for one, or wait a few minutes.',
  too_many_held_by_address: 'Too many unpaid times are held from your network. Wait a few minutes.',
  rate_limited: 'Too many payments were started from your network. Wait a few minutes and try again.',
  time_gone: TIME_TAKEN,
  total_changed: TOTAL_CHANGED,
  fields: 'Please correct the marked details.',
} as const

/** The end of a quote, told to its customer; null while it waits for them. */
export const STATE_NOTICES = {
  draft: null,
  sent: null,
  viewed: null,
  accepted: null,
  // Not 'paid': a deposit may be all that has been.
  booked: 'You have accepted this quote. Your booking is confirmed.',
  declined: 'You have declined this quote.',
  expired: 'This quote has expired. Ask the vendor for a new one.',
  withdrawn: 'The vendor has withdrawn this quote.',
  superseded: 'The vendor has sent a newer quote in place of this one.',
} as const satisfies Record<QuoteState, string | null>

/** The answers to a vendor. */
export const VENDOR_REFUSALS = {
  not_found: 'We can’t find this conversation or quote.',
  blocked: 'This conversation is blocked, so no quote can be sent.',
  left: CONVERSATION_REFUSALS.left,
  being_paid: 'The customer is paying for your quote right now, so it can’t be changed.',
  too_often: 'You’ve changed a lot in a short time. Wait a few minutes, then try again.',
  changed: 'You have sent another quote in the meantime. Check it before you send a new one.',
  gone: 'This listing is hidden or deleted, so no quote can be sent for it.',
  vendor_paused: 'You can’t take bookings at the moment. Check your payouts.',
  payouts_missing: 'Set up payouts before you send a quote.',
  time_gone: 'This time can’t be booked.',
  fields: 'Please correct the marked details.',
  not_open: 'This quote is no longer open.',
} as const

export const SEND_QUOTE = 'Send the quote'
export const SEND_NEW_VERSION = 'Send the new quote'
export const SAVE_DRAFT = 'Save the draft'
export const WITHDRAW_QUOTE = 'Withdraw the quote'
export const ADD_LINE = 'Add a line'
export const WRITE_QUOTE = 'Write a quote'
export const WRITE_NEW_QUOTE = 'Change the quote'
export const NEAREST_TIMES = 'Free nearby:'

export const HOLD_LABELS = { 0: 'Not held', 24: 'For 24 hours', 48: 'For 48 hours' } as const

/** A state as a label for its reader: for the customer, an open quote waits for them. */
export function stateText(
  { state, validUntil, timeZone }: Pick<QuoteView, 'state' | 'validUntil' | 'timeZone'>,
  isMine: boolean,
): string {
  const isOpen = state === 'sent' || state === 'viewed'
  if (isMine || !isOpen) return STATE_LABELS[state]
  const [, day, month] = formatDay(lastValidDay(new Date(validUntil), timeZone)).split(' ')
  return `Waiting for you, until ${day} ${month}`
}

/** '$3,200.00', or 'from $3,200.00' while optional lines can be added. */
export function priceText(quote: Pick<QuoteView, 'lines' | 'takenLines' | 'acceptedCents'>): string {
  const isFrom = quote.takenLines === null && quote.lines.some(({ isOptional }) => isOptional)
  return `${isFrom ? 'from ' : ''}${formatMoney(leastOf(quote))}`
}

/** '10 hours · 110 guests' */
export function countText({
  bookingType,
  quantity,
  guests,
}: Pick<QuoteView, 'bookingType' | 'quantity' | 'guests'>): string {
  if (bookingType === 'perPerson')
    return quantity === 1 ? '1 person' : `${quantity.toLocaleString('en-AU')} people`
  return [hoursText(quantity), ...(guests === null ? [] : [guestsText(guests)])].join(' · ')
}

/** The event that the composer's fields describe: 'From 1:00 pm to 11:00 pm · 10 hours · 110 guests'. */
export function typedEventText(time: LocalTime, minutes: number, guests: number | null): string {
  return [
    `From ${formatTime(time)} to ${formatTime(endOf(time, minutes))}`,
    hoursText(minutes / 60),
    ...(guests === null ? [] : [guestsText(guests)]),
  ].join(' · ')
}

export const START_FROM_PRICE = 'Start from my price'
/** The line that the listing's price fills in. */
export const pricedLine = (businessName: string, unit: PriceUnit) =>
  `${businessName}, ${BOOKING_TYPE_LABELS[unit].toLowerCase()}`

/** '80 × Long-table dinner', or the label alone for a quantity of one. */
export function lineText({ label, quantity }: Pick<QuoteLine, 'label' | 'quantity'>): string {
  return quantity === 1 ? label : `${quantity.toLocaleString('en-AU')} × ${label}`
}

/** 'Valid until the end of Monday 30 November 2026'. */
export const validText = (lastDay: LocalDate) => `Valid until the end of ${formatDay(lastDay)}`
