import { formatTime, wallTimeAt } from '../../../shared/dates.ts'
import { DECLINE_CODES, type DeclineCode } from './decline-rules.ts'

/** The buttons of the reasons. */
export const DECLINE_LABELS = {
  already_booked: 'Already booked',
  too_small: 'Too small',
  too_large: 'Too large',
  too_far: 'Too far',
  not_my_kind: 'Not my kind of event',
  price: 'Price',
  closed: 'Closed that day',
  other: 'Other',
} as const satisfies Record<DeclineCode, string>

export const DECLINE_OPTIONS = DECLINE_CODES.map((code) => ({ code, label: DECLINE_LABELS[code] }))

/** The reasons as the customer reads them. 'Other' has no sentence. */
const DECLINE_SENTENCES = {
  already_booked: 'Already booked at that time.',
  too_small: 'The event is smaller than we take on.',
  too_large: 'The event is larger than we can take on.',
  too_far: 'The event is too far away.',
  not_my_kind: 'It isn’t the kind of event we do.',
  price: 'We can’t do it at this price.',
  closed: 'Closed on that day.',
  other: null,
} as const satisfies Record<DeclineCode, string | null>

/**
 * The reason of a decline as the customer reads it: the sentence of its code, then the vendor's own words.
 * @returns null where the vendor gave neither
 */
export function declineReasonText(code: DeclineCode | null, words: string | null): string | null {
  const parts = [code && DECLINE_SENTENCES[code], words].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

export const DECLINE_WORDS = 'A few words for the customer'
/** Before the reason in the vendor's list, until the customer is told and then. */
export const REASON_TO_GIVE = 'Your reason:'
export const REASON_GIVEN = 'Reason given to the customer:'
export const TAP_TO_DECLINE = 'Tap the reason to decline'
export const UNDO_DECLINE = 'Undo'
export const DECLINE_UNDONE = 'Decline undone. The customer wasn’t told.'
/** The refusal of an undo, or of an approval in its place, that comes too late. */
export const DECLINE_TOLD = 'Too late to undo: the customer has been told, or is being told now.'
/** The vendor's note under a decline that isn't told yet. @param timeZone the reader's */
export function notToldText(customerName: string, tellsAt: string, timeZone: string): string {
  const { time } = wallTimeAt(new Date(tellsAt), timeZone)
  return `${customerName} hasn’t been told yet. We’ll tell them at ${formatTime(time)}. Until then their booking stays as it is.`
}
export const blockDayLabel = (day: string) => `Block ${day}`
export const DAY_BLOCKED = 'Blocked. Customers can’t book this day.'
export const DAY_NOT_BLOCKED = 'The day couldn’t be blocked. Try it in your calendar.'
