import { refusalText } from '../pricing/messages.ts'
import type { DayAnswer } from './rules.ts'

export const CART_TITLE = 'Your cart'
export const CART_EMPTY = 'Nothing in your cart yet.'
export const CART_NEEDS_SCRIPT =
  'Your browser keeps the cart, and needs JavaScript to show it. Turn JavaScript on to see what’s in yours.'
export const CART_EMPTY_HINT =
  'Add the venues and vendors you like from their pages. They wait here, in this browser, until you book them.'
/** The cart shows a total, but each booking is paid on its own. */
export const PAID_SEPARATELY = 'Each booking is paid separately'
export const PAID_SEPARATELY_DETAIL =
  'You choose the date and the guests or hours when you book, and that sets the final price. Nothing is held or charged while it’s in your cart.'

export const DAY_LABEL = 'Your day'
export const DAY_HINT = 'See who is free. You choose the time when you book.'
export const CHOOSE_ANOTHER_DAY = 'Choose another day'
export const CHECKING_TEXT = 'Checking the day…'

/** Whether an item can be booked on the cart's day. @param day 'Saturday 20 March 2027' */
export function dayText(answer: DayAnswer, day: string): string {
  if (typeof answer === 'object') {
    if ('reason' in answer) return refusalText(answer)
    return answer.maxGuests === 1
      ? 'Takes 1 guest at most'
      : `Takes at most ${answer.maxGuests.toLocaleString('en-AU')} guests`
  }
  return {
    free: `Free on ${day}`,
    taken: `Not free on ${day}`,
    gone: 'Takes no bookings at the moment',
    unknown: 'We couldn’t check the day. Try again in a minute.',
  }[answer]
}

const NAMELESS = 'a listing without a name'

/**
 * Explains a total that mixes prices per person and per hour: 'Adds up 90 guests at Harbour Light Pavilion and 7 hours of
 * The Brass Tacks.' Null if all prices have the same unit.
 */
export function addedUpText(
  items: readonly { name?: string; priceUnit?: unknown; quantity: number }[],
): string | null {
  const units = items.map(({ priceUnit }) => priceUnit)
  // An older cart may not know its units.
  if (!units.includes('perHour') || !units.includes('perPerson') || units.includes(undefined)) return null
  const each = items.map(({ name, priceUnit, quantity }) => {
    const [one, many, of] = priceUnit === 'perHour' ? ['hour', 'hours', 'of'] : ['guest', 'guests', 'at']
    return `${quantity} ${quantity === 1 ? one : many} ${of} ${name?.trim() || NAMELESS}`
  })
  return `Adds up ${new Intl.ListFormat('en-AU').format(each)}.`
}
