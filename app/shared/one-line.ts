/** What a text on one line may hold, and what a person's name may not look like. */

/** Characters of a person's name, as JavaScript counts them. */
export const MAX_PERSON_NAME_LENGTH = 80

/** Characters of the longest e-mail address that can be delivered to (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/**
 * Control characters with every kind of line break, half surrogate pairs, and the characters that turn the direction of
 * the text around them: with those, a name can break out of its place in a mail, a calendar or a page.
 */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Whether a text is one line without control characters. */
export function isOneLine(text: string): boolean {
  return !NOT_ON_ONE_LINE.test(text)
}

/** The same text on one line, for places that break at others, such as calendars: rows are older than the rule. */
export function toOneLine(text: string): string {
  return text.split(NOT_ON_ONE_LINE).filter(Boolean).join(' ')
}

/**
 * What mail programs turn into a link. Their lists of top-level domains change by the week, so any word with a dot in
 * it counts ('Amy.Smith' needs a space), but single letters don't ('J.R.R.').
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

/** Whether a mail program may turn a part of this text into a link. */
export function looksLikeLink(text: string): boolean {
  // Programs look at what is seen: full-width letters and dots are plain ones, and invisible characters are nothing.
  const seen = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[。．｡]/gu, '.')
  return LINKS.some((link) => link.test(seen))
}

/** Whether a text can be a person's name: not empty, short, on one line, nothing that becomes a link in a mail. */
export function isPersonName(text: string): boolean {
  return (
    text.trim() !== '' && text.length <= MAX_PERSON_NAME_LENGTH && isOneLine(text) && !looksLikeLink(text)
  )
}
