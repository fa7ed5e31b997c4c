import { normalForm } from '../../shared/normal-form.ts'

/**
 * The letters that Unicode doesn't split into a plain one and its accent, as English writes them in names.
 */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'Th', ł: 'l', Ł: 'L', ħ: 'h', Ħ: 'H', ı: 'i', ŋ: 'ng', Ŋ: 'Ng', ŧ: 't', Ŧ: 'T' },
  ...{ '’': "'", '‘': "'", ʻ: "'", ʼ: "'", '“': '"', '”': '"', '–': '-', '—': '-', '‐': '-', '‑': '-' },
}
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'gu')

/** Accents, once they stand apart from their letters. */
const ACCENTS = /\p{M}/gu
/** All but the characters that the Tax Office accepts ('SERR report common mistakes', ato.gov.au, 20 January 2026). */
const NOT_ALLOWED = /[^0-9a-zA-Z .,?(){}:;'|\-_=\\/@#$%*&"]/gu
/** A letter or digit that no rule here can write in English. Without it, the name would be another one. */
const OTHER_LETTER = /(?![0-9a-zA-Z])[\p{L}\p{N}]/u
const SPACES = / {2,}/g
const LETTER = /[0-9a-zA-Z]/

/** The longest text of a field. The guide's limits aren't known, so this is the shortest that our own forms need. */
export const MAX_REPORT_TEXT = 254

/**
 * Writes a text with the letters that the report may have: 'Zoë Åkesson & Søn' becomes 'Zoe Akesson & Son'. Symbols that it may not
 * have are left out.
 * @returns null where it has letters of another script, such as 王: only the person knows how they spell their name in English. Null
 * also when nothing is left, and for one that is too long: a name that is cut off would be another one
 */
export function toReportText(text: string): string | null {
  const spelled = normalForm(text, 'NFKC')
    .replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFD')
    .replace(ACCENTS, '')
  if (OTHER_LETTER.test(spelled)) return null
  const written = spelled.replace(NOT_ALLOWED, ' ').replace(SPACES, ' ').trim()
  return LETTER.test(written) && written.length <= MAX_REPORT_TEXT ? written : null
}

/** An email address or phone number as it stands, or null where it has a character that the report may not have: '+'. */
export function toReportEmail(email: string): string | null {
  return toReportText(email) === email ? email : null
}

/** A phone number of digits and spaces: '+61 400 000 000' becomes '0400 000 000'. @returns null without a digit */
export function toReportPhone(phone: string): string | null {
  const national = phone.trim().replace(/^\+61 ?(?:\(0\))? ?/, '0')
  return toReportText(national.replaceAll('+', '00'))
}

/**
 * The name of a person in two parts, as the report writes them. The last word counts as the family name: registrations ask for one
 * name. Words without a letter are left out. @returns empty parts where the name can't be written
 */
export function splitName(name: string): { givenName: string; familyName: string } {
  const words = (toReportText(name) ?? '').split(' ').filter((word) => LETTER.test(word))
  return { givenName: words.slice(0, -1).join(' '), familyName: words.at(-1) ?? '' }
}
