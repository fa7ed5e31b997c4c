import { formatDay, formatTime, wallTimeAt } from '../../shared/dates.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { type Lateness, latenessOf, type Side, type Wish } from './rules.ts'

export const INBOX_TITLE = 'Inbox'
export const MESSAGES_LOAD_FAILED = 'We couldn’t load your messages'

export const ASK_TITLES = {
  question: (businessName: string) => `Ask ${businessName} a question`,
  quote: (businessName: string) => `Ask ${businessName} for a quote`,
} as const satisfies Record<Wish, (businessName: string) => string>

/** The note on the enquiry form: what happens after it is sent. */
export const ASK_NEXT = {
  account: 'We tell you by email when there is an answer.',
  guest: 'We email you a link first. Open it to confirm your address, and your message goes to the vendor.',
} as const

export const SEND_LINK_AGAIN = 'Send the link again'
export const LINK_SENT_AGAIN = 'Sent again. It may take a minute to arrive.'
export const LINK_AGAIN_REFUSALS = {
  too_many: 'We can’t send the link again for now. Look in your junk mail, or send a new message tomorrow.',
  not_found: 'This page is out of date. Send your message again.',
} as const

/** The step from a booking to its vendor. */
export const messageTitle = (vendorName: string) => `Message ${vendorName}`

/** Beside a blocked conversation. */
export function blockedText(blockedBy: Side, side: Side, otherName: string): string {
  return blockedBy === side
    ? `You blocked ${otherName}. Neither of you can write here.`
    : 'This conversation is blocked, so messages can’t be sent.'
}

/** Before a conversation with an open quote is closed or blocked. */
export const ENDS_QUOTE = {
  vendor: 'Closing or blocking withdraws your open quote and frees the time that it holds.',
  customer: 'Closing or blocking declines the open quote and frees the time that it holds.',
} as const satisfies Record<Side, string>

export const CLOSED_TEXT = 'This conversation is closed. A new message opens it again.'
export const UNVERIFIED_TEXT =
  'The vendor can’t see this yet. Confirm your email address, and your message is on its way.'
export const CONFIRMED_TEXT = 'Your message is with the vendor.'
export const NEW_MESSAGES = 'New'
export const SEND_UNREADABLE = 'This form arrived incomplete. Reload the page and send it again.'

/** The confirmations of a conversation's buttons. */
export const CHANGED_TEXTS = {
  read: 'Marked as read.',
  verify: CONFIRMED_TEXT,
  close: 'The conversation is closed.',
  block: 'Blocked. Neither of you can write here.',
  unblock: 'Unblocked. You can both write again.',
  report: 'Thank you. Our team will read this conversation.',
  'save-reply': 'Reply saved.',
  'delete-reply': 'Reply deleted.',
} as const

/** In the address of a form that nobody pressed, so its failure needs no message. */
export const QUIET_PARAMETER = 'quiet'

/** The id of the field for the next message. */
export const COMPOSER_ID = 'message'
export const FILES_LOST = 'If you attached files, choose them again.'

/**
 * How long a customer has been waiting for an answer: 'Waiting 3 hours'.
 * @param since the first message without an answer, ISO 8601
 * @param now ISO 8601
 */
export function waitingOf(since: string, now: string): { lateness: Lateness; text: string } {
  const lateness = latenessOf(new Date(since), new Date(now))
  const hours = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / HOUR_MS))
  return { lateness, text: `Waiting ${spanText(hours)}` }
}

function spanText(hours: number): string {
  if (hours < 1) return 'less than an hour'
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${Math.floor(hours / 24)} days`
}

/** The day of a message, as a divider of the thread: 'Today', 'Yesterday' or 'Saturday 14 March 2027'. */
export function messageDayText(at: string, now: string, timeZone: string): string {
  const { date } = wallTimeAt(new Date(at), timeZone)
  if (date === wallTimeAt(new Date(now), timeZone).date) return 'Today'
  if (date === wallTimeAt(new Date(Date.parse(now) - DAY_MS), timeZone).date) return 'Yesterday'
  return formatDay(date)
}

/** The time of a message: '4:00 pm'. */
export const messageTimeText = (at: string, timeZone: string) =>
  formatTime(wallTimeAt(new Date(at), timeZone).time)

/** The time of a conversation's last message, for a narrow column: '4:00 pm', 'Yesterday', '14 Mar' or '14 Mar 2026'. */
export function lastMessageText(at: string, now: string, timeZone: string): string {
  const day = messageDayText(at, now, timeZone)
  if (day === 'Today') return messageTimeText(at, timeZone)
  if (day === 'Yesterday') return day
  const { date } = wallTimeAt(new Date(at), timeZone)
  const isThisYear = date.slice(0, 4) === wallTimeAt(new Date(now), timeZone).date.slice(0, 4)
  return isThisYear ? shortDayText(date).slice(0, -5) : shortDayText(date)
}

/** '14 Mar 2027'. */
export function shortDayText(date: string): string {
  const [, day, month = '', year] = formatDay(date).split(' ')
  return `${day} ${month.slice(0, 3)} ${year}`
}

/** The size of a file: '240 kB' or '3.1 MB'. */
export function fileSizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export const guestsText = (guests: number) =>
  guests === 1 ? '1 guest' : `${guests.toLocaleString('en-AU')} guests`
export const unreadText = (count: number) => (count === 1 ? '1 unread' : `${count} unread`)
