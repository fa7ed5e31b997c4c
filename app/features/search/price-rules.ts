import type { Cents, PriceUnit, UnitPrice } from '../../shared/money.ts'
import { priceAsked } from '../businesses/asked-rules.ts'
import { listedPrice } from '../businesses/price-rules.ts'
import type { Pricing } from '../businesses/rules.ts'
import { MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import { hoursOf } from './rules.ts'
import type { Search } from './schema.ts'

/** The search's guests or hours, by which a price of this unit is multiplied. null if the search doesn't give them. */
export function quantityOf(search: Search, unit: PriceUnit): number | null {
  return unit === 'perPerson' ? search.guests : hoursOf(search)
}

/** The hours for which an hourly price counts beside totals for guests, if the search gives no hours. */
export const TYPICAL_HOURS = 4

/**
 * By how much a price of this unit is multiplied to compare it: the quantity if the search gives it. With guests alone
 * an hourly price counts for `TYPICAL_HOURS`, or $650 an hour would stand before $7,560 for everything. Otherwise by
 * one, the least that can be booked.
 */
export function timesOf(search: Search, unit: PriceUnit): number {
  const isBesideTotals = unit === 'perHour' && search.guests !== null && search.per === null
  return quantityOf(search, unit) ?? (isBesideTotals ? TYPICAL_HOURS : 1)
}

/**
 * The price unit that a search requests: the unit that it names, else the unit whose quantity it gives.
 * @returns null if it names none and gives both quantities or neither
 */
export function requestedUnit(search: Search): PriceUnit | null {
  const hours = hoursOf(search)
  if (search.per) return search.per
  if ((search.guests === null) === (hours === null)) return null
  return hours === null ? 'perPerson' : 'perHour'
}

/**
 * The one price of a listing that filters, order and total use for a search (Decision 28). It's the price of the
 * requested unit. If the search gives both quantities, it's the price with the lower total. In all other cases it's the
 * first price. `sidesOf` in filter-queries.server.ts does the same in SQL.
 */
export function comparedPrice(search: Search, pricing: Pricing): UnitPrice {
  const { secondPrice, priceUnit, priceCents } = pricing
  if (search.per && secondPrice)
    return secondPrice.unit === search.per ? secondPrice : { unit: priceUnit, cents: priceCents }
  return priceAsked({ guests: search.guests, hours: hoursOf(search) }, pricing)
}

/** The total that the booking form would show. null without a price or a quantity, and for what can't be booked. */
export function totalOf(
  search: Search,
  listing: Pricing,
): { cents: Cents; quantity: number; unit: PriceUnit } | null {
  const { unit } = comparedPrice(search, listing)
  const quantity = quantityOf(search, unit)
  const price = listedPrice(listing, unit, quantity)
  return price.ok && quantity !== null ? { cents: price.totalCents, quantity, unit } : null
}

/**
 * The total by which a list orders a listing and a budget filters it. For guests alone, that of an hourly price is an
 * example of `TYPICAL_HOURS`.
 */
export function comparedTotalOf(search: Search, listing: Pricing) {
  const { unit } = comparedPrice(search, listing)
  const quantity = timesOf(search, unit)
  const isExample = quantityOf(search, unit) === null
  const price = listedPrice(listing, unit, quantity)
  // The example of one would be the price itself.
  if (!price.ok || (isExample && quantity === 1)) return null
  return { cents: price.totalCents, quantity, unit, isExample }
}

/**
 * The range of listed prices that a search allows for a unit, both ends included. The budget is divided by the guests
 * or hours: see `timesOf`.
 * @returns null if every price matches, 'none' if no price can
 */
export function pricesOf(search: Search, unit: PriceUnit): { from: Cents; to: Cents } | 'none' | null {
  if (search.per && search.per !== unit) return 'none'
  const { minCents, maxCents, budgetCents } = search
  if (minCents === null && maxCents === null && budgetCents === null) return null
  const affordable = budgetCents === null ? null : Math.floor(budgetCents / timesOf(search, unit))
  const to = Math.min(maxCents ?? MAX_TOTAL_CENTS, affordable ?? MAX_TOTAL_CENTS)
  const from = Math.max(1, minCents ?? 1)
  return from > to ? 'none' : { from, to }
}

const PRICE_STEPS_PER_OCTAVE = 4

/**
 * The markers of a range of prices of one unit. The steps are quarter octaves, so that low and high steps hold about as
 * many listings. The range is rounded outwards.
 */
export function priceMarkers(unit: PriceUnit, { from, to }: { from: Cents; to: Cents }): string[] {
  const step = (cents: Cents) => Math.floor(Math.log2(cents + 1) * PRICE_STEPS_PER_OCTAVE)
  // One more at either end, since the database's logarithm may round to the other side of a step.
  const [first, last] = [step(from) - 1, step(to) + 1]
  return Array.from({ length: last - first + 1 }, (_, index) => `d/${unit}${first + index}`)
}
