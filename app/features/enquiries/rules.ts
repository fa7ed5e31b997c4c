import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { normalForm } from '../../shared/normal-form.ts'
import { parseUrl } from '../../shared/parse-url.ts'
import { hashText, signText } from '../../shared/signed.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { trimEndWhere } from '../../shared/trim-end.ts'

/** The two who talk in a conversation. */
export type Side = 'customer' | 'vendor'
/** The ways to begin a conversation: 'quote' asks for a price. */
export const WISHES = ['question', 'quote'] as const
export type Wish = (typeof WISHES)[number]
export type ConversationStatus = 'open' | 'quoted' | 'booked' | 'closed' | 'blocked'

/** Characters of a message after trimming. */
export const MAX_MESSAGE_LENGTH = 4_000
export const MAX_MESSAGE_FILES = 5
export const MAX_MESSAGE_FILE_BYTES = 10 * 1_048_576
/** The largest body of a form with a message: its files, and room for its texts and boundaries. */
export const MAX_MESSAGE_BODY_BYTES = MAX_MESSAGE_FILES * MAX_MESSAGE_FILE_BYTES + 262_144

/** The body of a received mail: Postmark takes 35 MB, whose attachments it encodes as base64. */
export const MAX_MAIL_BODY_BYTES = 48 * 1_048_576

export const MAX_SAVED_REPLIES = 50
export const MAX_SAVED_REPLY_TITLE = 80
export const MAX_REPORT_REASON = 1_000

/** New conversations of one client address, one account and one guest's email address. */
export const START_LIMIT = { max: 20, windowMs: HOUR_MS }
/** How often a guest's link is mailed again for one question, ever. */
export const MAX_LINKS_AGAIN = 3
/** How often links are mailed again to one email address, and at the request of one network. */
export const LINK_AGAIN_EMAIL_LIMIT = { max: 5, windowMs: DAY_MS }
export const LINK_AGAIN_NETWORK_LIMIT = { max: 10, windowMs: HOUR_MS }
/** Messages of one side of a conversation. */
export const MESSAGE_LIMIT = { max: 60, windowMs: HOUR_MS }

/** Megabytes of files that an account attaches, or a confirmed guest in one conversation. */
export const FILES_LIMIT = { max: 200, windowMs: DAY_MS }
/** Megabytes of files that are attached to unconfirmed questions, from one network and for one email address. */
export const GUEST_FILES_LIMIT = { max: 60, windowMs: DAY_MS }
/** Bytes of all files that wait with unconfirmed questions. More are refused until some are confirmed or deleted. */
export const MAX_UNCONFIRMED_BYTES = 2_048 * 1_048_576

/** The marks of the vendor's clock: an answer is late after the first, very late after the second. */
export const LATE_AFTER_MS = DAY_MS
export const VERY_LATE_AFTER_MS = 72 * HOUR_MS

/** How long conversations stay after their last message. */
export const RETENTION_MONTHS = 24
/** How long a guest's first message waits to be confirmed. */
export const UNVERIFIED_KEPT_MS = 7 * DAY_MS

/** Messages that a page of a conversation shows, and conversations that a page of an inbox shows. */
export const MESSAGES_PAGE = 100
export const INBOX_PAGE = 30

/** Returns the other side of a conversation. */
export function otherSide(side: Side): Side {
  return side === 'customer' ? 'vendor' : 'customer'
}

/**
 * The person who asks for a conversation: a signed-in account, with its address only if that is verified; the holder of
 * the mailed link, who is the customer; or the writer of a mail to a side's reply address.
 */
export type Participant =
  | { userId: string; verifiedEmail: string | null }
  | { linkToken: string }
  | { replyToken: string }

/** A participant who reads on the site. A mail becomes a message and nothing else, so its writer isn't one. */
export type SiteParticipant = Exclude<Participant, { replyToken: string }>

/** Two halves of 80 bits: each is unguessable, and both are short enough for an address before the '@' (RFC 5321). */
export const REPLY_TOKEN_LENGTH = 40
const PLACE_LENGTH = REPLY_TOKEN_LENGTH / 2

/**
 * Derives the token of a side's reply address. Its first half finds the conversation. The second proves that the mail
 * which is answered went to `email`: whoever took over the account for a while keeps the mails of that time. Mail servers
 * may change its case, so it has one case only.
 */
export async function replyTokenOf(
  secret: string,
  { conversationId, side, email }: { conversationId: string; side: Side; email: string },
): Promise<string> {
  const half = async (text: string) =>
    Buffer.from(await signText(secret, text), 'base64url')
      .toString('hex')
      .slice(0, PLACE_LENGTH)
  const place = await half(`reply-address:${side}:${conversationId}`)
  return place + (await half(`reply-address-of:${side}:${conversationId}:${email.toLowerCase()}`))
}

/** The stored hash of what a reply token finds its conversation by. */
export function replyTokenHash(token: string): Promise<string> {
  return hashText(token.slice(0, PLACE_LENGTH))
}

/** Derives the token of a customer's link to a conversation. The database stores only its hash. */
export function conversationLinkToken(secret: string, conversationId: string): Promise<string> {
  return signText(secret, `conversation-link:${conversationId}`)
}

/**
 * Derives what lets the writer of a guest's question have its link mailed again. It opens nothing, and names no address.
 */
export async function linkAgainKey(secret: string, conversationId: string): Promise<string> {
  return `${conversationId}.${await signText(secret, `conversation-link-again:${conversationId}`)}`
}

/** How late the vendor's answer is. */
export type Lateness = 'in_time' | 'late' | 'very_late'

/** Returns how late an answer is. @param waitingSince the first unanswered message; null if none is */
export function latenessOf(waitingSince: Date | null, now: Date): Lateness {
  const waitedMs = waitingSince ? now.getTime() - waitingSince.getTime() : 0
  if (waitedMs >= VERY_LATE_AFTER_MS) return 'very_late'
  return waitedMs >= LATE_AFTER_MS ? 'late' : 'in_time'
}

/** A conversation as a list shows it. Times are ISO 8601, UTC. */
export type ListedConversation = {
  id: string
  businessId: string
  businessName: string
  customerName: string
  /** The other side's name: the business for a customer, the customer for a vendor. */
  otherName: string
  wish: Wish
  /** The booking that it is about; null for none. */
  bookingId: string | null
  eventDate: LocalDate | null
  guests: number | null
  budgetCents: Cents | null
  status: ConversationStatus
  /** False until a guest has confirmed the mailed link. */
  isVerified: boolean
  /** The time of the customer's first unanswered message; null if none is. */
  waitingSince: string | null
  lastMessageAt: string
  /** The beginning of the last message; '' for files alone. */
  lastMessage: string
  lastSender: Side
  /** This side's unread messages. */
  unread: number
}

/** A conversation with its messages, as one side sees it. */
export type ConversationView = Omit<ListedConversation, 'lastMessage' | 'lastSender'> & {
  /** Whether the viewer has an unread notification that opening the conversation deals with. */
  hasNotice: boolean
  /** The viewer's side. */
  side: Side
  /** The vendor's account. */
  ownerUserId: string
  blockedBy: Side | null
  /** Whether the viewer has an open report about this conversation. */
  isReported: boolean
  /** A message of either side has contact details. */
  hasContactDetails: boolean
  createdAt: string
  messages: MessageView[]
  /** Whether there are messages before these. */
  hasOlder: boolean
}

export type MessageView = {
  id: string
  /** The order of arrival, for `before`. */
  number: number
  sender: Side
  isMine: boolean
  body: string
  sentBy: 'web' | 'mail'
  readAt: string | null
  createdAt: string
  files: MessageFileView[]
}

export type MessageFileView = {
  id: string
  name: string
  contentType: 'image/webp' | 'application/pdf'
  bytes: number
}

export type SavedReply = { id: string; title: string; body: string }

// Before phone numbers are looked for: dates and times, whose digits aren't one.
const DATES = /\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[:.]\d{2}\b/g
const ADDRESSES = [
  // kim@example.com, kim at example dot com
  // It begins where its run of characters begins: without that, each of them would be tried.
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu,
  /\b(?:https?:\/\/|www\.)[^\s<>"']+/giu,
]
const NUMBERS = [
  // +61 412 345 678, 0412 345 678, (03) 9555 0123, 1300 555 012
  /(?<![\p{L}\d.,/-])(?:\+\d{1,3}|\(0\d\)|0\d|1[38]00)(?:[\s().-]{0,3}\d){6,11}(?!\d)/gu,
  // 13 55 01
  /(?<![\p{L}\d.,/$-])13(?:[\s-]?\d{2}){2}(?![\d.,])/gu,
]

/** Whether a text has a phone number, an email address or a link. */
export function hasContactDetails(text: string): boolean {
  const normalised = normalForm(text, 'NFKC').replaceAll(DATES, ' ')
  return [...ADDRESSES, ...NUMBERS].some((pattern) => normalised.search(pattern) >= 0)
}

/** The text in place of contact details that are masked until a booking is paid. */
export const MASKED = '•••'

const BETWEEN_DATES = new RegExp(`(${DATES.source})`)

/** Masks the phone numbers, email addresses and links of a text. Dates and times stay. */
export function maskContacts(text: string): string {
  const mask = (part: string, patterns: readonly RegExp[]) =>
    patterns.reduce((masked, pattern) => masked.replaceAll(pattern, MASKED), part)
  // A date within an address or a link is masked with it.
  return mask(text, ADDRESSES)
    .split(BETWEEN_DATES)
    .map((part, index) => (index % 2 === 1 ? part : mask(part, NUMBERS)))
    .join('')
}

/** A part of a message: plain text, or a link with its address. */
export type TextPart = { text: string; href: string | null }

/**
 * Splits a message into text and links. A link shows its whole address. One with a user name before its host stays text:
 * it would look like another site's.
 */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/giu)) {
    // A sentence's punctuation is not the address's.
    const address = trimEndWhere(match[0], /[.,;:!?'’”)\]]/u)
    const parsed = parseUrl(address)
    if (!parsed || parsed.username) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null })
    parts.push({ text: address, href: address })
    end = match.index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null })
  return parts
}

/** How fast a business answers, over the last 90 days. */
export type ResponseTimes = {
  /** The conversations counted. */
  conversations: number
  /** The median time to the first answer, in milliseconds; null if none was answered. */
  medianMs: number | null
  /** The share answered within 24 hours, 0 to 1. */
  answeredInADay: number
}

/** Response times cover this time, and are shown from this number of conversations on. */
export const RESPONSE_WINDOW_MS = 90 * DAY_MS
export const MIN_CONVERSATIONS_SHOWN = 5
