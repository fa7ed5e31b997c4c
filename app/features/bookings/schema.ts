import { z } from 'zod'
import { cleanEmail, cleanPhone } from '../../shared/contact.ts'
import { dayText, personName, plainText, timeText } from '../../shared/form-texts.ts'
import { MAX_EMAIL_LENGTH, toOneLine } from '../../shared/one-line.ts'
import { shownCentsSchema } from '../instalments/schema.ts'
import { MAX_GUESTS, MAX_HOURS } from '../pricing/limits.ts'
import { DECLINE_CODES } from './decisions/decline-rules.ts'
import { FIELD_MESSAGES } from './field-messages.ts'
import type { BookingField, BookingFieldErrors } from './form-rules.ts'
import {
  DECLINE_REASON_MISSING,
  DECLINE_REASON_SHORT,
  MAX_DECLINE_REASON_LENGTH,
  MIN_DECLINE_REASON_LENGTH,
} from './messages.ts'
import { BOOKING_STATUSES } from './status-rules.ts'

const MAX_PHONE_LENGTH = 40

const answers = { tooLong: FIELD_MESSAGES.tooLong, unreadable: FIELD_MESSAGES.unreadable, abort: true }

/**
 * The booking form (Specification, sections 3 and 5), for the browser and the server. Rules that need the clock or the
 * business are in rules.ts (`checkBooking`).
 */
export const bookingSchema = z
  .object({
    fullName: personName(FIELD_MESSAGES.fullNameMissing, answers),
    // The browser's own definition of an address, and a dot in its domain: the browser takes 'ana@gmail', which gets no
    // mail, and the link to the booking is in a mail.
    email: plainText({ required: FIELD_MESSAGES.emailMissing, max: MAX_EMAIL_LENGTH, ...answers })
      .transform(cleanEmail)
      .refine((email) => z.regexes.html5Email.test(email) && /@[^@.]+\../.test(email), {
        error: FIELD_MESSAGES.emailWrong,
      }),
    // Extensions and notes are allowed (Specification, section 5: type tel, no pattern), but '------' is no number.
    phone: z
      .string({ error: FIELD_MESSAGES.phoneMissing })
      .transform(cleanPhone)
      .pipe(
        plainText({ required: FIELD_MESSAGES.phoneMissing, max: MAX_PHONE_LENGTH, ...answers }).regex(
          /\p{Nd}/u,
          {
            error: FIELD_MESSAGES.phoneMissing,
          },
        ),
      ),
    date: dayText({ missing: FIELD_MESSAGES.dateMissing, wrong: FIELD_MESSAGES.dateWrong }),
    time: timeText({ missing: FIELD_MESSAGES.timeMissing, wrong: FIELD_MESSAGES.timeWrong }),
    quantity: z
      .int({ error: FIELD_MESSAGES.quantityMissing })
      .min(1, { error: FIELD_MESSAGES.quantityMissing })
      .max(MAX_GUESTS, { error: FIELD_MESSAGES.peopleTooMany }),
    bookingType: z.enum(['perPerson', 'perHour'], { error: FIELD_MESSAGES.bookingTypeMissing }),
  })
  .refine((booking) => booking.bookingType !== 'perHour' || booking.quantity <= MAX_HOURS, {
    path: ['quantity'],
    error: FIELD_MESSAGES.hoursTooMany,
  })

/** A booking form that has passed the schema. */
export type BookingDraft = z.output<typeof bookingSchema>

/** The booking form's initial client state (Specification, section 3), without the typed fields. */
export const BOOKING_DEFAULTS = {
  quantity: 1,
  bookingType: 'perPerson',
} as const satisfies Partial<BookingDraft>

// Random and unguessable, because it authorises continuing the payment.
const submitKeySchema = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/)
const businessIdSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/)

/** The body of POST /create-payment-intent. The booking's fields are checked separately, for their messages. */
export const paymentRequestSchema = z.object({
  amount: z.number(),
  submitKey: submitKeySchema,
  businessId: businessIdSchema,
  booking: z.record(z.string(), z.unknown()),
})

/** The body of POST /api/hold: extend the hold while the card is confirmed, or release it. */
export const holdRequestSchema = z.object({ submitKey: submitKeySchema, do: z.enum(['keep', 'release']) })

const clientSecretSchema = z.string().regex(/^[\x21-\x7e]{10,300}$/)

/** The body of POST /api/payment-report. */
export const paymentReportSchema = z.object({ clientSecret: clientSecretSchema })

/**
 * The vendor's decision on a booking. `seen` is the status that the vendor saw. `reason` is checked by
 * `declineReasonSchema` where `needsReason` wants one, else by `declineWordsSchema`.
 */
export const decisionSchema = z.object({
  bookingId: z.string().min(1).max(100),
  decision: z.enum(['approved', 'declined']),
  seen: z.enum(BOOKING_STATUSES),
  code: z.enum(DECLINE_CODES).optional(),
  reason: z.string().default(''),
})

/** The form with which a vendor takes back a decline that the customer hasn't been told of. */
export const undoDeclineSchema = z.object({
  intent: z.literal('undo-decline'),
  bookingId: z.string().min(1).max(100),
})

/** The reason for declining an approved booking. A mail states it, so lines that were typed become one. */
export const declineReasonSchema = z.object({
  reason: plainText({ required: DECLINE_REASON_MISSING, max: MAX_DECLINE_REASON_LENGTH, multiline: true })
    .transform(toOneLine)
    .refine((text) => text.length === 0 || text.length >= MIN_DECLINE_REASON_LENGTH, DECLINE_REASON_SHORT),
})

/** The words with which a pending booking is declined, if any. */
export const declineWordsSchema = z.object({
  reason: plainText({ max: MAX_DECLINE_REASON_LENGTH, multiline: true }).transform(toOneLine).default(''),
})

/** The form with which a vendor gives more time for an unpaid balance. */
export const extendSchema = z.object({ intent: z.literal('extend'), bookingId: z.string().min(1).max(100) })

/** The form of /bookings/{linkToken}/cancel. `quote` is the signed quote that it shows. */
export const cancelSchema = z.object({ intent: z.literal('cancel'), quote: z.string().max(100) })

const linkTokenSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** Whether this could be the token of /bookings/{linkToken}: 32 bytes in base64url. */
export const isLinkToken = (text: unknown): text is string => linkTokenSchema.safeParse(text).success

/** The first message of each field, for forms and the payment service's responses. */
export function bookingFieldErrors(error: z.ZodError<z.input<typeof bookingSchema>>): BookingFieldErrors {
  const errors: BookingFieldErrors = {}
  for (const issue of error.issues) {
    const field = issue.path[0] as BookingField
    errors[field] ??= issue.message
  }
  return errors
}

/** The fields of another date, time or number of a booking. They are in the address of the form that shows what changes. */
export const proposedEventSchema = z.object({
  date: dayText({ missing: FIELD_MESSAGES.dateMissing, wrong: FIELD_MESSAGES.dateWrong }),
  time: timeText({ missing: FIELD_MESSAGES.timeMissing, wrong: FIELD_MESSAGES.timeWrong }),
  quantity: z
    .string({ error: FIELD_MESSAGES.quantityMissing })
    .regex(/^\d{1,9}$/, { error: FIELD_MESSAGES.quantityMissing })
    .transform(Number)
    .pipe(z.int({ error: FIELD_MESSAGES.quantityMissing }).min(1, { error: FIELD_MESSAGES.quantityMissing })),
})

const changeId = z.string().min(1).max(100)
const shown = z.string().max(100)

/** The forms of /bookings/{key}/change. `shown` is what stood beside the button. */
export const changeSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('propose'), shown, ...proposedEventSchema.shape }),
  z.object({ intent: z.literal('agree'), changeId, shown }),
  z.object({ intent: z.literal('decline'), changeId }),
  z.object({ intent: z.literal('open'), shownCents: shownCentsSchema }),
])

/** The id of a booking, with which its signed-in vendor opens some of its pages in place of the link. */
export const bookingIdSchema = z.string().regex(/^[\w-]{8,42}$/)
