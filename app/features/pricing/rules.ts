import type { Cents, PriceUnit } from '../../shared/money.ts'
import { MAX_GUESTS, MAX_HOURS, MAX_TOTAL_CENTS, MIN_TOTAL_CENTS } from './limits.ts'
import { lineCents } from './line-rules.ts'

/**
 * How a listing charges.
 * @property base the price of one person or one hour, in cents. A unit without a price can't be booked
 */
export type PricePlan = { base: Readonly<Partial<Record<PriceUnit, Cents>>> }

/**
 * What a customer asks the price of. Null for what they haven't said.
 * @property unit what the booking counts, its booking type
 */
export type Ask = { unit: PriceUnit; people: number | null; hours: number | null }

/** A line of a price: so many people or hours, at the price of one. */
export type PriceLine = { unit: PriceUnit; quantity: number; unitPriceCents: Cents; cents: Cents }

/** The price of a booking. Its lines add up to the total. */
export type Price = { ok: true; lines: readonly PriceLine[]; totalCents: Cents }

/**
 * Why there is no price, with the field that is to change: the unit has no price, its quantity is missing or not a whole number, or
 * above the limit of a booking (Decision 5), or the total is below or above its limits.
 */
export type PriceRefusal = {
  ok: false
  field: 'unit' | 'people' | 'hours'
  reason: 'not_offered' | 'missing' | 'too_many' | 'total_too_small' | 'total_too_large'
}

/** The field of an ask that a unit counts. */
const COUNTED = { perPerson: 'people', perHour: 'hours' } as const satisfies Record<PriceUnit, keyof Ask>

/** The largest quantity of a booking by this unit (Decision 5). */
export function maxQuantity(unit: PriceUnit): number {
  return unit === 'perHour' ? MAX_HOURS : MAX_GUESTS
}

/** The ask for so many people or hours. */
export function askFor(unit: PriceUnit, quantity: number | null): Ask {
  return { unit, people: null, hours: null, [COUNTED[unit]]: quantity }
}

/**
 * The price of what is asked: the price of one times the quantity (Specification, section 4). Every total of the product comes from
 * here or from `lineCents` (decision 96).
 */
export function priceOf({ base }: PricePlan, ask: Ask): Price | PriceRefusal {
  const { unit } = ask
  const unitPriceCents = base[unit]
  if (unitPriceCents === undefined) return { ok: false, field: 'unit', reason: 'not_offered' }
  const field = COUNTED[unit]
  const quantity = ask[field]
  if (quantity === null || !Number.isInteger(quantity) || quantity < 1)
    return { ok: false, field, reason: 'missing' }
  if (quantity > maxQuantity(unit)) return { ok: false, field, reason: 'too_many' }
  const cents = lineCents({ quantity, unitPriceCents })
  if (cents < MIN_TOTAL_CENTS) return { ok: false, field, reason: 'total_too_small' }
  if (cents > MAX_TOTAL_CENTS) return { ok: false, field, reason: 'total_too_large' }
  return { ok: true, lines: [{ unit, quantity, unitPriceCents, cents }], totalCents: cents }
}
