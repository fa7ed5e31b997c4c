import type { PriceUnit } from '../../shared/money.ts'
import { UNIT_TEXTS } from './messages.ts'
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
export const DELETE_FAILED_TEXT = 'Failed to delete business.'
export const REQUIRED_FIELDS_TEXT = 'Please fill in all required fields.'
export const TOO_MANY_IMAGES_TEXT = 'You can only upload up to 3 images.'
export const oversizedImageText = (fileName: string) => `File ${fileName} exceeds 2MB and was skipped.`
export const SUBMIT_FAILED_TEXT = 'Error submitting business. Please try again.'
export const LISTED_TEXT = 'Your business is listed.'
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
} as const satisfies Record<HidingParty, string>

/** A listing with open bookings is hidden instead of deleted. Shown before and after. */
export const openBookingsText = (count: number) =>
  count === 1
    ? 'It has an open booking, so it can’t be deleted yet. It’s hidden from new customers instead.'
    : `It has ${count} open bookings, so it can’t be deleted yet. It’s hidden from new customers instead.`
