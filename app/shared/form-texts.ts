import { z } from 'zod'
import { cleanEmail } from './contact.ts'
import { isLocalDate, isLocalTime } from './dates.ts'
import { isOneLine, looksLikeLink, MAX_EMAIL_LENGTH, MAX_PERSON_NAME_LENGTH } from './one-line.ts'

// PostgreSQL refuses NUL in text, and a lone surrogate isn't a valid character.
const unstorable = /[\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const NOT_STORABLE = 'This has a character that we can’t store. Type it again.'
const NOT_ONE_LINE = 'Type this on one line, without invisible characters.'
/** The refusal of a person's name that mail programs would turn into a link. */
export const PERSON_NAME_LINK =
  'A name can’t contain a web address, email address or phone number. Put a space after each dot.'

/** A form's own messages, in place of the schema's. */
type TextAnswers = {
  tooLong?: string
  /** For characters that can't be stored, and for more than one line. */
  unreadable?: string
  /** Gives at most one message per text: validation stops at the first failed rule. */
  abort?: boolean
}

/**
 * A text that people type: trimmed, bounded, and safe to store. One line without control characters, so that mails,
 * calendars and headers can contain it.
 * @param rule.required the message for an empty text; without it the text may be empty
 * @param rule.max the maximum length in characters
 * @param rule.multiline allows paragraphs, for the few texts that have them
 */
export function plainText(rule: { required?: string; max: number; multiline?: true } & TextAnswers) {
  const { required, max, multiline, tooLong, unreadable, abort = false } = rule
  const base = z
    .string({ error: required ?? 'Enter text.' })
    .trim()
    .max(max, { error: tooLong ?? `Use at most ${max} characters.`, abort })
    .refine((text) => !unstorable.test(text), { error: unreadable ?? NOT_STORABLE, abort })
    .refine((text) => multiline || unstorable.test(text) || isOneLine(text), {
      error: unreadable ?? NOT_ONE_LINE,
      abort,
    })
  return required ? base.min(1, { error: required, abort }) : base
}

/** A person's name, in every form that has one. @param required the message for an empty name */
export function personName(required: string, answers: TextAnswers = {}) {
  return plainText({ required, max: MAX_PERSON_NAME_LENGTH, ...answers }).refine(
    (name) => !looksLikeLink(name),
    PERSON_NAME_LINK,
  )
}

/** An email address, stored in lower case and with its domain as mail servers know it. */
export function emailField(required: string) {
  return plainText({ required, max: MAX_EMAIL_LENGTH })
    .transform((text) => cleanEmail(text.toLowerCase()))
    .pipe(z.email('Enter an email address like name@example.com.'))
}

/** A date, 'YYYY-MM-DD', as a date field sends it. */
export function dayText({ missing, wrong }: { missing: string; wrong: string }) {
  return z
    .string({ error: missing })
    .min(1, { error: missing, abort: true })
    .refine(isLocalDate, { error: wrong })
}

/** A time of day, 'HH:mm', as a time field sends it. */
export function timeText({ missing, wrong }: { missing: string; wrong: string }) {
  return z
    .string({ error: missing })
    .min(1, { error: missing, abort: true })
    .refine(isLocalTime, { error: wrong })
}
