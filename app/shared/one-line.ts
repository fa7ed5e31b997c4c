/** The rules for texts on one line, and for people's names. */
import { normalForm } from './normal-form.ts'

/** The maximum length of a person's name, in UTF-16 code units. */
export const MAX_PERSON_NAME_LENGTH = 80

/** The length of the longest deliverable email address, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/**
 * Control characters including every kind of line break, lone surrogates, and characters that change the direction of
 * the text around them. With these, a name could break out of its place in a mail, a calendar or a page.
 */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Whether a text is one line without control characters. */
export function isOneLine(text: string): boolean {
  return !NOT_ON_ONE_LINE.test(text)
}

/** Puts a text on one line, for formats that depend on it, such as calendars. Some stored texts predate the rule. */
export function toOneLine(text: string): string {
  return text.split(NOT_ON_ONE_LINE).filter(Boolean).join(' ')
}

/**
 * The patterns that mail programs turn into links. Their lists of top-level domains change weekly, so any word with a
 * dot counts ('Amy.Smith' needs a space), but single letters don't ('J.R.R.').
 */
const LINKS = [
  // evil.example, amy.smith
  /[\p{L}\p{N}\p{M}_-]\.\p{L}[\p{L}\p{M}\p{N}-]/u,
  // kim@evil, kim@evil.example
  /\S@\S/u,
  // https://evil, //evil, \\evil\share
  /\/\/|\\\\/u,
  // mailto:kim, tel:000
  /\b(?:mailto|tel|sms|skype|callto|facetime):/iu,
  /\bwww\./iu,
  // 203.0.113.7
  /\d\.\d+\.\d/u,
  // 0412 345 678
  /(?:\d[\s()+.-]*){7}/u,
] as const

/** Whether a mail program may turn part of a text into a link. */
export function looksLikeLink(text: string): boolean {
  // Match the visible text: programs treat full-width letters and dots as plain ones and ignore invisible characters.
  const normalised = normalForm(text, 'NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[。．｡]/gu, '.')
  return LINKS.some((link) => link.test(normalised))
}

/** Whether a text can be a person's name: not empty, short, on one line, and without links for mail programs. */
export function isPersonName(text: string): boolean {
  return (
    text.trim() !== '' && text.length <= MAX_PERSON_NAME_LENGTH && isOneLine(text) && !looksLikeLink(text)
  )
}
