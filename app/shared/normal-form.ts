/**
 * The longest text that is worth comparing, in UTF-16 code units: NFKC writes one character as up to 18, and a message
 * has at most 5,000.
 */
const MAX_LENGTH = 100_000

/**
 * Normalises a text of people to compare it or to search in it. Everybody who needs a compatibility form uses this one
 * place, because the result can be 18 times as long as what was typed: 'ﷺ' becomes four words.
 */
export function normalForm(text: string, form: 'NFKC' | 'NFKD'): string {
  return text.slice(0, MAX_LENGTH).normalize(form).slice(0, MAX_LENGTH)
}
