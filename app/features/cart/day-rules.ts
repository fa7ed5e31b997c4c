import { askFor, type PriceRefusal, priceOf } from '../pricing/rules.ts'
import { type CartItem, cartPriceCents, unitOfItem } from './rules.ts'

/** Why an item's quantity can't be booked on any day, such as 30 hours; null if it can. */
export function itemRefusal(item: CartItem): PriceRefusal | null {
  const unit = unitOfItem(item)
  const price = priceOf({ base: { [unit]: cartPriceCents(item.price) } }, askFor(unit, item.quantity))
  return price.ok ? null : price
}
