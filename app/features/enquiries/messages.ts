import {
  FILES_LIMIT,
  GUEST_FILES_LIMIT,
  MAX_MESSAGE_FILES,
  MAX_MESSAGE_LENGTH,
  MAX_SAVED_REPLIES,
  MIN_CONVERSATIONS_SHOWN,
  type ResponseTimes,
  START_LIMIT,
} from './rules.ts'

/** The messages beside the fields of the enquiry form, the message form and the saved replies. */
export const FIELD_TEXTS = {
  nameMissing: 'Enter your name.',
  emailMissing: 'Enter your email address.',
  messageMissing: 'Write a message.',
  messageTooLong: `A message has at most ${MAX_MESSAGE_LENGTH.toLocaleString('en-AU')} characters.`,
  dateWrong: 'Choose a date.',
  datePast: 'Choose a date from today on.',
  guestsWrong: 'Enter a number of guests from 1 to 1,000,000.',
  budgetWrong: 'Enter an amount like 5,000 or 5,000.00.',
  tooManyFiles: `Attach at most ${MAX_MESSAGE_FILES} files.`,
  titleMissing: 'Give the reply a name.',
  replyMissing: 'Write the reply.',
  reasonMissing: 'Say what is wrong.',
} as const

/** Why an attached file was refused. Its name comes first: 'menu.exe: …'. */
export const FILE_REFUSALS = {
  empty: 'This file is empty.',
  too_large: 'This file is larger than 10 MB.',
  wrong_type: 'Attach a picture (JPEG, PNG, WebP, AVIF or GIF) or a PDF.',
  too_many_pixels: 'This picture has more than 50 million pixels.',
  active_pdf:
    'This PDF has scripts, attachments, media, hidden layers or links to files. Print it to a new PDF and attach that one.',
  locked_pdf: 'This PDF is protected by a password or restrictions. Attach a copy without protection.',
  signed_pdf:
    'This PDF has a digital signature, which we couldn’t keep. Print it to a new PDF and attach that one.',
  unreadable_pdf: 'We couldn’t read this PDF. Save it again, or print it to a new PDF, and attach that one.',
  too_many: `Attach at most ${MAX_MESSAGE_FILES} files.`,
  too_much_today: `You’ve attached ${FILES_LIMIT.max} MB within a day. Send your message without files, or try again tomorrow.`,
  too_much_as_guest: `Without an account you can attach ${GUEST_FILES_LIMIT.max} MB a day. Log in, or send your question without files.`,
  too_many_today: 'You’ve sent too many large pictures today. Try again tomorrow, or send a smaller one.',
  too_many_at_once: 'Your other files are still uploading. Try again in a minute.',
  overrun: 'We can’t take files right now. Try again in a few minutes.',
} as const

/** Returns the message beside the files field. */
export function fileRefusedText(refused: { file: string; why: keyof typeof FILE_REFUSALS }): string {
  return `${refused.file}: ${FILE_REFUSALS[refused.why]}`
}

/** Why a conversation couldn't be started. */
export const START_REFUSALS = {
  gone: 'This business doesn’t take questions any more.',
  own_business: 'This is your own business.',
  too_many: `You’ve sent ${START_LIMIT.max} first messages within an hour. Try again in an hour.`,
  blocked: 'This business doesn’t take messages from you.',
  file: 'A file couldn’t be attached.',
} as const

/** Why a message, or another change of a conversation, was refused. */
export const CONVERSATION_REFUSALS = {
  not_found: 'There is no such conversation.',
  unverified: 'Open the link that we emailed you and confirm your question first.',
  blocked: 'You can’t write in this conversation any more.',
  blocked_by_you: 'You’ve blocked this person. Unblock them to write again.',
  left: 'This person no longer has an account here.',
  too_many: 'You’ve sent many messages within an hour. Try again later.',
  file: 'A file couldn’t be attached.',
  too_many_replies: `You can save at most ${MAX_SAVED_REPLIES} replies. Delete one first.`,
} as const

/** In the mail about a reply to a mail that went to an earlier address of the account. */
export const OLD_REPLY_ADDRESS = 'You answered an email that no longer takes replies.'

/** The note beside a message with a phone number, an address or a link. */
export const CONTACT_NOTE = 'Payment protection needs a booking here: we can’t refund what is paid elsewhere.'

/**
 * How fast a business answers, as its listing says it: 'Usually answers within 3 hours. Answers 92% of questions within a
 * day.'
 * @returns null while there are too few conversations to say so
 */
export function responseText({ conversations, medianMs, answeredInADay }: ResponseTimes): string | null {
  if (conversations < MIN_CONVERSATIONS_SHOWN || medianMs === null) return null
  const hours = Math.ceil(medianMs / 3_600_000)
  const days = Math.ceil(hours / 24)
  const usually = hours <= 1 ? 'an hour' : hours <= 24 ? `${hours} hours` : `${days} days`
  return `Usually answers within ${usually}. Answers ${Math.floor(answeredInADay * 100)}% of questions within a day.`
}
