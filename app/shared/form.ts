import { z } from 'zod'
import { isOneLine, looksLikeLink, MAX_PERSON_NAME_LENGTH } from './one-line.ts'

// PostgreSQL refuses NUL in text, and a lone surrogate is no character at all.
const unstorable = /[\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const NOT_ONE_LINE = 'Type this on one line, without invisible characters.'
/** For every name of a person: mails would make a link of it. */
export const PERSON_NAME_LINK =
  'A name can’t have a web address, an e-mail address or a phone number in it. Put a space after each dot.'

/**
 * A text that people type: trimmed, bounded, and safe to store. One line without control characters, so that it can
 * stand in mails, calendars and headers.
 * @param rule.required what to say when it is empty; without it the field may be empty
 * @param rule.max characters
 * @param rule.multiline for the few texts that have paragraphs
 */
export function plainText(rule: { required?: string; max: number; multiline?: true }) {
  const base = z
    .string({ error: rule.required ?? 'Enter a text.' })
    .trim()
    .max(rule.max, `Use at most ${rule.max} characters.`)
    .refine((text) => !unstorable.test(text), 'This has a character that can’t be stored. Type it again.')
    .refine((text) => rule.multiline || unstorable.test(text) || isOneLine(text), NOT_ONE_LINE)
  return rule.required ? base.min(1, rule.required) : base
}

/** A person's name, wherever one is typed. @param required what to say when it is empty */
export function personName(required: string) {
  return plainText({ required, max: MAX_PERSON_NAME_LENGTH }).refine(
    (name) => !looksLikeLink(name),
    PERSON_NAME_LINK,
  )
}

/** An e-mail address, stored in lower case as people mean it. */
export function emailField(required: string) {
  return plainText({ required, max: 254 })
    .toLowerCase()
    .pipe(z.email('Enter an e-mail address like name@example.com.'))
}

/**
 * Where to go after signing in: only a path of our own, never another site.
 * @returns the path, or the fallback for anything else
 */
export function ownPath(target: string | null | undefined, fallback: string): string {
  if (!target?.startsWith('/') || target.startsWith('//')) return fallback
  // Browsers read a backslash as a slash and drop line breaks: both can turn a path into another site.
  return /[\\\p{Cc}]/u.test(target) ? fallback : target
}

/**
 * Reads a posted form.
 * @throws a 400 answer when the body is no form at all
 */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw new Response('This form arrived broken. Go back and send it again.', { status: 400 })
  }
}
