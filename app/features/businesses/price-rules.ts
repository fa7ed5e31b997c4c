import type { PriceUnit } from '../../shared/money.ts'
import { askFor, type Price, type PricePlan, type PriceRefusal, priceOf } from '../pricing/rules.ts'
import { offeredPrices, type Pricing } from './rules.ts'

/** The plan of a listing's prices: the price of one, times the quantity (Specification, section 4). */
function planOf(pricing: Pricing): PricePlan {
  return { base: Object.fromEntries(offeredPrices(pricing).map(({ unit, cents }) => [unit, cents])) }
}

/** The price of a number of people or hours of a listing. @param quantity null while it is unknown */
export function listedPrice(
  pricing: Pricing,
  unit: PriceUnit,
  quantity: number | null,
): Price | PriceRefusal {
  return priceOf(planOf(pricing), askFor(unit, quantity))
}
