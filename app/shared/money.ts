/** An amount of money: always a whole number of Australian cents. Rules never use floating-point dollars. */
export type Cents = number

/** The unit that a listing's price is per (Decision 5). */
export type PriceUnit = 'perPerson' | 'perHour'
export const PRICE_UNITS = ['perPerson', 'perHour'] as const satisfies readonly PriceUnit[]

/** A price and its unit. */
export type UnitPrice = { unit: PriceUnit; cents: Cents }

const dollars = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' })

/**
 * Formats an amount for people, always with two decimals: 120050 becomes '$1,200.50' (Decision 5).
 * @param cents whole cents
 */
export function formatMoney(cents: Cents): string {
  // Without a minus for nothing: -0 + 0 is 0.
  return dollars.format(cents / 100 + 0)
}

const wholeDollars = new Intl.NumberFormat('en-AU', {
  style: 'currency',
  currency: 'AUD',
  maximumFractionDigits: 0,
})

/** Formats an amount without cents if there are none: '$8,000', '$84.50'. @param cents whole cents */
export function formatShortMoney(cents: Cents): string {
  return cents % 100 === 0 ? wholeDollars.format(cents / 100 + 0) : formatMoney(cents)
}

/**
 * Formats an amount for forms, JSON and the cart: 120050 becomes '1200.50' (Decision 5).
 * @param cents whole cents
 */
export function toNumericString(cents: Cents): string {
  const sign = cents < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = Math.abs(cents) % 100
  return `${sign}${whole}.${String(rest).padStart(2, '0')}`
}

/**
 * Reads a price as people type it: '1200', '1,200.50' or '$1,200'.
 * @returns whole cents, or null for words, more than two decimals, a misplaced comma or a negative amount
 */
export function parsePrice(text: string): Cents | null {
  const match = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match?.[1]) return null
  const whole = Number(match[1].replaceAll(',', ''))
  const cents = whole * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(cents) ? cents : null
}

/** GST adds a tenth to the price, so it is one eleventh of a price that includes it. */
const GST_SHARE = 11

/**
 * The GST inside a total that includes it: one eleventh, to the cent.
 * @param totalCents a GST-inclusive amount (Decision 25)
 */
export function gstIncluded(totalCents: Cents): Cents {
  return Math.round(totalCents / GST_SHARE)
}
