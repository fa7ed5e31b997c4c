import { type Cents, formatMoney, type PriceUnit } from '../../shared/money.ts'
import { EXAMPLE_DAYS_AHEAD, heldDays, type TermsExample } from '../terms/example-rules.ts'
import { daysText, shareText } from '../terms/policy-messages.ts'
import {
  BALANCE_NOTICE_DAYS,
  COOLING_OFF_HOURS,
  DEFAULT_PLAN,
  MAX_BALANCE_DAYS,
  MAX_DEPOSIT_BP,
  MIN_BALANCE_DAYS,
  MIN_DEPOSIT_BP,
  type PaymentPlan,
  type PayoutTimes,
} from '../terms/rules.ts'
import { COUNTED_TEXTS, UNIT_TEXTS } from './messages.ts'
// A module of its own, so that visitors' pages don't load these texts.
import type { HidingParty } from './rules.ts'

// My Listings (Specification, sections 2, 4, 5 and 8).
export const MY_LISTINGS_TITLE = 'My Listings'
export const LISTINGS_HEADING = 'Your Listed Businesses'
export const LIST_BUTTON_TEXT = '+ List Your Business'
export const NO_LISTINGS_TEXT = 'No businesses listed yet.'
export const LOG_IN_TO_LIST_TEXT = 'Please log in to list your business.'
export const NEW_LISTING_TITLE = 'List Your Business'
export const EDIT_LISTING_TITLE = 'Edit Business'
export const DELETE_QUESTION = 'Are you sure you want to delete this business?'
/** In place of the specified question where nothing would be deleted (Decision 29). */
export const HIDE_QUESTION = 'Hide this business instead?'
export const DELETE_FAILED_TEXT = 'Failed to delete business.'
export const REQUIRED_FIELDS_TEXT = 'Please fill in all required fields.'
export const IMAGE_ALT_LABEL = 'What it shows'
export const TOO_MANY_IMAGES_TEXT = 'You can only upload up to 3 images.'
export const oversizedImageText = (fileName: string) => `File ${fileName} exceeds 2MB and was skipped.`
export const SUBMIT_FAILED_TEXT = 'Error submitting business. Please try again.'
export const LISTING_CHANGED_MEANWHILE_TEXT = 'This listing has changed since you opened it.'
export const LISTED_TEXT = 'Your business is listed.'
/** A new listing that waits for the vendor agreement. */
export const LISTING_WAITS_TEXT = 'Your listing is saved. It isn’t public yet.'
/** On its card, beside the link to the agreement. */
export const WAITING_TEXT = 'Customers see it once you accept the vendor agreement.'
export const READ_AND_ACCEPT_TEXT = 'Read and accept'
/** Stays on My Listings after the toast. */
export const PAGE_LIVE_TITLE = 'Your page is live'
export const NEXT_STEPS_TITLE = 'Next'
export const NOW_LISTED_TEXT = 'Customers can find your business now.'
/** Leads from a new listing to what customers see. */
export const SEE_PAGE_TEXT = 'See your page'
export const LISTING_CHANGED_TEXT = 'Your changes are saved.'
/**
 * Specification, section 9: the duration of a toast on the listing form, and the delay before it closes after a save.
 */
export const LISTING_TOAST_LIFE_MS = 1500
export const LISTING_CLOSES_AFTER_MS = 1500

/** The error of each required field when it's empty. The summary above them is `REQUIRED_FIELDS_TEXT`. */
export const MISSING_FIELD_TEXTS = {
  name: 'Enter the name of your business.',
  category: 'Choose a category.',
  description: 'Describe what you offer.',
  price: 'Enter a price.',
  location: 'Enter the suburb or town.',
  servicesOffered: 'Enter at least one service.',
} as const

export const PRICE_UNCLEAR_TEXT = 'Enter a price like 1200 or 1,200.50, without words.'
export const PRICE_TOO_HIGH_TEXT = 'Enter a price of at most $999,999.99.'
export const SECOND_PRICE_ZERO_TEXT = 'Enter a price above $0, or take bookings of one kind only.'
export const secondPriceMissingText = (unit: PriceUnit) =>
  `Enter a price ${UNIT_TEXTS[unit]}, or untick ‘${UNIT_LABELS[unit]}’.`
export const UNIT_LABELS = {
  perPerson: 'Per person',
  perHour: 'Per hour',
} as const satisfies Record<PriceUnit, string>
/** The label of the second price. Without JavaScript its unit may not be known yet. */
export const secondPriceLabel = (unit: PriceUnit | null) =>
  unit ? `Price ${UNIT_TEXTS[unit]}` : 'Price of the other booking type'
/**
 * For a listing from the time when one price covered both units. The second unit can't be booked until it has a price.
 */
export const addPriceText = (unit: PriceUnit) =>
  `Add a price ${UNIT_TEXTS[unit]} to take bookings by the ${unit === 'perHour' ? 'hour' : 'person'}.`
export const bookedByOneUnitText = (unit: PriceUnit) =>
  `Customers can book this listing ${UNIT_TEXTS[unit]} only.`
export const PLAN_CHOICES = [
  { value: 'full', label: 'In full', hint: 'The whole price when they book.' },
  {
    value: 'deposit',
    label: 'Deposit and balance',
    hint: `A part when they book. We charge the rest to the same card before the event. If they book less than ${BALANCE_NOTICE_DAYS} days before that, they pay in full.`,
  },
] as const
export const DEPOSIT_LABEL = 'Deposit in percent'
export const DEPOSIT_HINT = `${MIN_DEPOSIT_BP / 100} to ${MAX_DEPOSIT_BP / 100}% of the price.`
export const BALANCE_LABEL = 'Balance due, in days before the event'
export const BALANCE_HINT = `${MIN_BALANCE_DAYS} to ${MAX_BALANCE_DAYS} days.`
/** A stretch of days to remember: '12 weeks'; a short one in days. */
const weeksText = (days: number) => (days < 14 ? daysText(days) : `${Math.round(days / 7)} weeks`)

/** How far ahead payment in full is possible, and when a deposit reaches the vendor. */
export function payoutsText(plan: PaymentPlan, times: PayoutTimes): string {
  const days = daysText(heldDays(times))
  const deposit = `The deposit is paid out to you once you’ve approved the booking and ${COOLING_OFF_HOURS} hours have passed since they paid`
  if (plan.kind === 'deposit')
    return `${deposit}, if the event is more than about ${days} away. Otherwise it stays with us until after the event, like the balance.`
  const { depositBasisPoints, balanceDaysBefore } = DEFAULT_PLAN
  return `Events within about ${weeksText(heldDays(times))} are paid in full. For later ones, customers pay ${shareText(depositBasisPoints)} now and the rest ${daysText(balanceDaysBefore)} before. ${deposit}.`
}

export const EXAMPLE_LABEL = 'An example with your price'
export const EXAMPLE_COLUMNS = ['If they cancel', 'They get back', 'You keep'] as const
export const EXAMPLE_RECEIVE_TEXT = 'You receive'
export const EXAMPLE_BACK_TEXT = 'Everything'
/** '60 guests at $145.00, 200 days ahead: $1,740.00 when they book, $6,960.00 30 days before. You receive $7,830.00 of $8,700.00.' */
export function examplePaidText(
  { quantity, unitPrice, priceCents, depositCents, balance, isDepositPaidEarly }: TermsExample,
  shareOf: ((cents: Cents) => Cents) | null,
): string {
  const count = `${quantity} ${COUNTED_TEXTS[unitPrice.unit]}`
  const rest = balance ? `, ${formatMoney(balance.cents)} ${daysText(balance.daysBefore)} before` : ''
  const early =
    shareOf && isDepositPaidEarly ? `, ${formatMoney(shareOf(depositCents))} of it before the event` : ''
  const share = shareOf
    ? ` You receive ${formatMoney(shareOf(priceCents))} of ${formatMoney(priceCents)}${early}.`
    : ''
  return `${count} at ${formatMoney(unitPrice.cents)}, ${daysText(EXAMPLE_DAYS_AHEAD)} ahead: ${formatMoney(depositCents)} when they book${rest}.${share}`
}
/** @param daysBefore null for the last stretch */
export const exampleStepText = (daysBefore: number | null) =>
  daysBefore === null ? 'After that' : `Until ${daysText(daysBefore)} before`

export const DEPOSIT_PERCENT_TEXT = `Enter a deposit from ${MIN_DEPOSIT_BP / 100} to ${MAX_DEPOSIT_BP / 100}%.`
export const BALANCE_DAYS_TEXT = `Enter ${MIN_BALANCE_DAYS} to ${MAX_BALANCE_DAYS} days, in whole days.`
export const UNKNOWN_PLACE_TEXT =
  'We don’t know this place. Choose the nearest suburb or town from the list, with its state.'
export const ambiguousPlaceText = (place: string) =>
  `There is more than one ${place}. Choose the one in your state from the list.`
/** @param max the limit in the settings */
export const tooManyListingsText = (max: number) =>
  `An account can have up to ${max} listings. Delete one that you no longer need, or write to us if you need more.`
export const UNKNOWN_IMAGE_TEXT = 'One of the images is no longer available. Remove it and add it again.'

/** The tag on the card of a hidden listing, which only its owner sees. */
export const HIDDEN_LABELS = {
  owner: 'Hidden',
  operator: 'Hidden by an operator',
  disabling: 'Hidden with your account',
  deactivation: 'Hidden with your account',
  agreement: 'Not public yet',
} as const satisfies Record<HidingParty, string>

/** A listing with open bookings is hidden instead of deleted. Shown before and after. */
export const openBookingsText = (count: number) =>
  count === 1
    ? 'It has an open booking, so it can’t be deleted yet. It’s hidden from new customers instead.'
    : `It has ${count} open bookings, so it can’t be deleted yet. It’s hidden from new customers instead.`
/** The listing was hidden, as agreed, although its last open booking had ended by then. */
export const HIDDEN_INSTEAD_TEXT =
  'It’s hidden from new customers. It has no open bookings any more, so you can delete it now.'
