/** Money is always a whole number of Australian cents. Floating-point dollars never enter a rule. */
export type Cents = number

/** Decision 5: what the price of a listing is per. */
export type PriceUnit = 'perPerson' | 'perHour'
export const PRICE_UNITS = ['perPerson', 'perHour'] as const satisfies readonly PriceUnit[]

/** A price and what it is per. */
export type UnitPrice = { unit: PriceUnit; cents: Cents }

const dollars = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' })

/**
 * Shows an amount as people read it, always with two decimals: 120050 becomes '$1,200.50' (Decision 5).
 * @param cents whole cents
 */
export function formatMoney(cents: Cents): string {
  return dollars.format(cents / 100)
}

/**
 * The numeric string that forms, JSON and the cart carry at the edge: 120050 becomes '1200.50' (Decision 5).
 * @param cents whole cents
 */
export function toNumericString(cents: Cents): string {
  const sign = cents < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = Math.abs(cents) % 100
  return `${sign}${whole}.${String(rest).padStart(2, '0')}`
}

/**
 * Reads a price as people type it: '1200', '1,200.50' and '$1,200' are understood.
 * @returns whole cents, or null for words, more than two decimals, a misplaced comma or a negative amount
 */
export function parsePrice(text: string): Cents | null {
  const match = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match?.[1]) return null
  const whole = Number(match[1].replaceAll(',', ''))
  const cents = whole * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(cents) ? cents : null
}
