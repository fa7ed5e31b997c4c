import { parseUrl } from '../../shared/parse-url.ts'

/** The business structures (Specification, section 9). */
export const BUSINESS_STRUCTURES = ['Sole Trader', 'Partnership', 'Company', 'Trust'] as const
export type BusinessStructure = (typeof BUSINESS_STRUCTURES)[number]

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
const ABN_MODULUS = 89

/**
 * Whether this is an ABN: without spaces, eleven digits whose weighted sum, after subtracting 1 from the first digit,
 * is divisible by 89 (Specification, section 5).
 */
export function isValidAbn(text: string): boolean {
  const digits = text.replaceAll(' ', '')
  if (!/^\d{11}$/.test(digits)) return false
  const sum = ABN_WEIGHTS.reduce((total, weight, index) => {
    const digit = Number(digits[index]) - (index === 0 ? 1 : 0)
    return total + digit * weight
  }, 0)
  return sum % ABN_MODULUS === 0
}

const ABN_DIGITS = 11

/** The length of a grouped ABN: 2-3-3-3 with three spaces (Specification, section 5). */
export const GROUPED_ABN_LENGTH = 14

/** Returns the digits of the typed text, at most eleven (Specification, section 5). */
export function abnDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, ABN_DIGITS)
}

/** Groups the ABN digits typed so far as 2-3-3-3. */
export function groupAbnDigits(digits: string): string {
  return [digits.slice(0, 2), digits.slice(2, 5), digits.slice(5, 8), digits.slice(8, ABN_DIGITS)]
    .filter(Boolean)
    .join(' ')
}

export type AbnState = 'neutral' | 'valid' | 'invalid'

/**
 * The state of the indicator beside the ABN (Specification, section 4). During typing, fewer than eleven digits are
 * unchecked; after leaving the field, they are wrong.
 */
export function abnState(text: string, isTyping: boolean): AbnState {
  const digits = abnDigits(text)
  if (digits === '' || (isTyping && digits.length < ABN_DIGITS)) return 'neutral'
  return isValidAbn(digits) ? 'valid' : 'invalid'
}

/** The maximum length of an ACN (Specification, section 9). */
export const MAX_ACN_LENGTH = 9
const ACN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1]

/**
 * Whether this is an ACN: nine digits, the last a check digit. The first eight are multiplied by 8 down to 1, and the
 * ninth is the difference from their sum to the next multiple of ten (ASIC, 'Australian Company Number digit check').
 * The form only hints at it: the specification requires no more than a maximum of nine characters.
 */
export function isValidAcn(text: string): boolean {
  const digits = text.replaceAll(' ', '')
  if (!/^\d{9}$/.test(digits)) return false
  const sum = ACN_WEIGHTS.reduce((total, weight, index) => total + Number(digits[index]) * weight, 0)
  return (10 - (sum % 10)) % 10 === Number(digits[8])
}

/** Whether there is text before an @ and, after it, a dot within text, without spaces (Specification, section 5). */
export function isBusinessEmail(text: string): boolean {
  const domain = text.slice(text.indexOf('@') + 1)
  return /^[^\s@]+@[^\s@]+$/.test(text) && domain.slice(1, -1).includes('.')
}

/**
 * Whether this is 6 to 15 characters of digits, spaces, plus, parentheses and hyphen (Specification, section 5), with
 * at least one digit.
 */
export function isBusinessPhone(text: string): boolean {
  return /^(?=.*[0-9])[0-9 +()-]{6,15}$/.test(text)
}

/** Whether this is the full http(s) address of a web page. */
export function isWebsite(text: string): boolean {
  const { protocol, hostname } = parseUrl(text) ?? {}
  return (protocol === 'https:' || protocol === 'http:') && hostname !== undefined && hostname.includes('.')
}

/** The maximum length of a business description, in characters (Specification, section 9). */
export const MAX_BUSINESS_DESCRIPTION_LENGTH = 500

/** The earliest date of birth: nobody alive was born before it. */
export const EARLIEST_BIRTH = '1900-01-01'
