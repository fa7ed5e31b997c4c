import { z } from 'zod'
import { isLocalDate, isLocalTime } from './dates.ts'
import { isOneLine, looksLikeLink, MAX_EMAIL_LENGTH, MAX_PERSON_NAME_LENGTH } from './one-line.ts'

// PostgreSQL refuses NUL in text, and a lone surrogate is no character at all.
const unstorable = /[\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const NOT_STORABLE = 'This has a character that can’t be stored. Type it again.'
const NOT_ONE_LINE = 'Type this on one line, without invisible characters.'
/** For every name of a person: mails would make a link of it. */
export const PERSON_NAME_LINK =
  'A name can’t have a web address, an e-mail address or a phone number in it. Put a space after each dot.'

/** How a schema answers, where a form has words of its own. */
type TextAnswers = {
  tooLong?: string
  /** For characters that can't be stored, and for more than one line. */
  unreadable?: string
  /** Gives one answer for each text: no rule is asked after one that failed. */
  abort?: boolean
}

/**
 * A text that people type: trimmed, bounded, and safe to store. One line without control characters, so that it can
 * stand in mails, calendars and headers.
 * @param rule.required what to say when it is empty; without it the field may be empty
 * @param rule.max characters
 * @param rule.multiline for the few texts that have paragraphs
 */
export function plainText(rule: { required?: string; max: number; multiline?: true } & TextAnswers) {
  const { required, max, multiline, tooLong, unreadable, abort = false } = rule
  const base = z
    .string({ error: required ?? 'Enter a text.' })
    .trim()
    .max(max, { error: tooLong ?? `Use at most ${max} characters.`, abort })
    .refine((text) => !unstorable.test(text), { error: unreadable ?? NOT_STORABLE, abort })
    .refine((text) => multiline || unstorable.test(text) || isOneLine(text), {
      error: unreadable ?? NOT_ONE_LINE,
      abort,
    })
  return required ? base.min(1, { error: required, abort }) : base
}

/** A person's name, wherever one is typed. @param required what to say when it is empty */
export function personName(required: string, answers: TextAnswers = {}) {
  return plainText({ required, max: MAX_PERSON_NAME_LENGTH, ...answers }).refine(
    (name) => !looksLikeLink(name),
    PERSON_NAME_LINK,
  )
}

/** An e-mail address, stored in lower case as people mean it. */
export function emailField(required: string) {
  return plainText({ required, max: MAX_EMAIL_LENGTH })
    .toLowerCase()
    .pipe(z.email('Enter an e-mail address like name@example.com.'))
}

/** A day, 'YYYY-MM-DD', as a date field sends it. */
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
