import { z } from 'zod'
import { isLocalDate } from '../../shared/dates.ts'
import { emailField, personName, plainText } from '../../shared/form-texts.ts'
import { parsePrice } from '../../shared/money.ts'
import { toOneLine } from '../../shared/one-line.ts'
import { FIELD_TEXTS } from './messages.ts'
import {
  MAX_MESSAGE_FILES,
  MAX_MESSAGE_LENGTH,
  MAX_REPORT_REASON,
  MAX_SAVED_REPLY_TITLE,
  WISHES,
} from './rules.ts'

const messageText = plainText({
  max: MAX_MESSAGE_LENGTH,
  multiline: true,
  tooLong: FIELD_TEXTS.messageTooLong,
})

/** The key that a form keeps while it is open: a double click sends one message. */
const submitKey = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/)

// A browser sends a file without a name for an empty field.
const files = z.preprocess(
  (sent) => [sent].flat().filter((file) => file instanceof File && file.name !== ''),
  z.array(z.instanceof(File)).max(MAX_MESSAGE_FILES, { error: FIELD_TEXTS.tooManyFiles }),
)

/** A message in an existing conversation: a text, files, or both. */
export const messageSchema = z
  .object({ body: messageText.default(''), files, submitKey })
  .refine(({ body, files }) => body !== '' || files.length > 0, {
    path: ['body'],
    error: FIELD_TEXTS.messageMissing,
  })

/** Asks for the link of a guest's question again. */
export const linkAgainSchema = z.object({ intent: z.literal('link-again'), again: z.string().max(160) })

/** A first message about a booking. */
export const bookingMessageSchema = z.object({
  body: messageText.min(1, { error: FIELD_TEXTS.messageMissing }),
  submitKey,
})

const optionalText = (max: number) => plainText({ max }).default('')

/** The first message to a business, of a signed-in customer. */
export const enquirySchema = z.object({
  wish: z.enum(WISHES),
  body: messageText.min(1, { error: FIELD_TEXTS.messageMissing }),
  files,
  submitKey,
  eventDate: optionalText(10).refine((date) => date === '' || isLocalDate(date), {
    error: FIELD_TEXTS.dateWrong,
  }),
  guests: optionalText(9).refine((typed) => typed === '' || readGuests(typed) !== null, {
    error: FIELD_TEXTS.guestsWrong,
  }),
  budget: optionalText(20).refine((typed) => typed === '' || parsePrice(typed) !== null, {
    error: FIELD_TEXTS.budgetWrong,
  }),
})

/** The first message of a guest. */
export const guestEnquirySchema = enquirySchema.extend({
  name: personName(FIELD_TEXTS.nameMissing),
  email: emailField(FIELD_TEXTS.emailMissing),
})

/** Reads a number of guests as typed: '1,200'. @returns null for anything but 1 to 1,000,000 */
export function readGuests(typed: string): number | null {
  if (!/^\d{1,3}(?:,?\d{3})*$/.test(typed)) return null
  const guests = Number(typed.replaceAll(',', ''))
  return guests >= 1 && guests <= 1_000_000 ? guests : null
}

/** The facts of an enquiry beside its text. */
export function readFacts(typed: Pick<z.output<typeof enquirySchema>, 'eventDate' | 'guests' | 'budget'>) {
  return {
    eventDate: typed.eventDate || null,
    guests: typed.guests ? readGuests(typed.guests) : null,
    budgetCents: typed.budget ? parsePrice(typed.budget) : null,
  }
}

/** A reply that a vendor saves for later. */
export const savedReplySchema = z.object({
  title: plainText({ required: FIELD_TEXTS.titleMissing, max: MAX_SAVED_REPLY_TITLE }),
  body: plainText({
    required: FIELD_TEXTS.replyMissing,
    max: MAX_MESSAGE_LENGTH,
    multiline: true,
    tooLong: FIELD_TEXTS.messageTooLong,
  }),
})

/** A report of a conversation to the operators. */
export const reportSchema = z.object({
  reason: plainText({
    required: FIELD_TEXTS.reasonMissing,
    max: MAX_REPORT_REASON,
    multiline: true,
  }).transform(toOneLine),
})
