import { normalForm } from './normal-form.ts'

/** Phone numbers, email addresses and ABNs as people type or paste them, in the form that the rules judge and we store. */

/** Copied from address books: they change the direction of the text around them, or have no width. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * Returns a phone number with plain spaces, hyphens and digits, and without the '(0)' after a country's code, which is
 * not dialled with it. Words, as of an extension, stay.
 */
export function cleanPhone(typed: string): string {
  return normalForm(typed, 'NFKC')
    .replace(INVISIBLE, '')
    .replace(/\p{Pd}|−/gu, '-')
    .replace(/[\s./]+/g, ' ')
    .trim()
    .replace(/^(\+\d{1,3}) ?\(0\) ?/, '$1 ')
}

/**
 * Returns an email address with its domain as mail servers know it: 'kim@müller.example' as
 * 'kim@xn--mller-kva.example', which some browsers send by themselves. Text that is no address stays as it is.
 */
export function cleanEmail(typed: string): string {
  const at = typed.lastIndexOf('@')
  const domain = typed.slice(at + 1)
  if (at < 1 || !/[^\0-\x7f]/.test(domain) || /[\s/:?#[\]@\\%]/.test(domain)) return typed
  try {
    return `${typed.slice(0, at)}@${new URL(`http://${domain}`).hostname}`
  } catch {
    return typed
  }
}

/** Returns an ABN without what people put between its digits, and without the word 'ABN' before it. */
export function cleanAbn(typed: string): string {
  return normalForm(typed, 'NFKC')
    .replace(INVISIBLE, '')
    .replace(/^\s*abn\b[\s:]*/i, '')
    .replace(/[\s.]|\p{Pd}|−/gu, '')
}
