import { isLocalDate, type LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { lineCents } from '../pricing/line-rules.ts'
import type { PriceRefusal } from '../pricing/rules.ts'

/** The localStorage key of the cart (Specification, section 9). */
export const CART_STORAGE_KEY = 'cart'
/** The lowest quantity, and that of an added item (Specification, section 9). */
export const MIN_CART_QUANTITY = 1
/** The most that can be booked (Decision 5). Keeps sums exact, whatever is typed or stored. */
export const MAX_CART_QUANTITY = 10_000

/** An item to add: a business with its first image, and any other fields. */
export type NewCartItem = {
  id: string
  /** In dollars, as a number or a numeric string. Missing counts as 0 (Specification, section 3). */
  price?: number | string | null
  name?: string
  image?: string
  [other: string]: unknown
}

export type CartItem = NewCartItem & { quantity: number }

/**
 * Returns the cart with one more of this item (Specification, section 4). An item already in the cart gains 1 and keeps
 * its position and fields. A new one is appended with quantity 1.
 */
export function addToCart(items: readonly CartItem[], added: NewCartItem): CartItem[] {
  if (items.some((item) => item.id === added.id)) {
    return items.map((item) =>
      item.id === added.id ? { ...item, quantity: Math.min(item.quantity + 1, MAX_CART_QUANTITY) } : item,
    )
  }
  return [...items, { ...added, quantity: MIN_CART_QUANTITY }]
}

/** Returns the cart without the item of this id. An unknown id changes nothing (Specification, section 4). */
export function removeFromCart(items: readonly CartItem[], id: string): CartItem[] {
  return items.filter((item) => item.id !== id)
}

/**
 * Returns the cart with another quantity of an item, truncated to a whole number and never below 1 (Specification,
 * section 4). NaN changes nothing.
 */
export function updateCartQuantity(items: readonly CartItem[], id: string, quantity: number): CartItem[] {
  if (Number.isNaN(quantity)) return [...items]
  return items.map((item) => (item.id === id ? { ...item, quantity: wholeQuantity(quantity) } : item))
}

/** The quantity that a text in the cart's field means: 2.7 for '2.7', 1,000 for '1,000'. NaN for none. */
export function typedQuantity(text: string): number {
  const plain = text.replace(/[\s,]/g, '')
  return plain === '' ? Number.NaN : Number(plain)
}

/**
 * Undoes a removal: returns the cart with the item at its old position, with its quantity. If the item was added again
 * since, the cart stays as it is.
 */
export function putBackInCart(items: readonly CartItem[], item: CartItem, index: number): CartItem[] {
  return items.some((present) => present.id === item.id) ? [...items] : items.toSpliced(index, 0, item)
}

/** The number of things in the cart: the sum of quantities (Specification, section 3). */
export function cartCount(items: readonly CartItem[]): number {
  return items.reduce((count, item) => count + item.quantity, 0)
}

/** The number of vendors in the cart, for its icon: '91 items' would be 90 guests and a photographer. */
export function vendorCount(items: readonly CartItem[]): number {
  return items.length
}

/**
 * Whether an item can be booked on the day of the cart; 'gone' for one that takes no bookings any more, the reason why its quantity
 * can't be booked on any day, and the limit of one that never takes as many guests.
 */
export type DayAnswer = 'free' | 'taken' | 'gone' | 'unknown' | PriceRefusal | { maxGuests: number }

/** The stored day of the cart; '' for none, and for one that has passed. */
export function readCartDay(stored: string | null, today: LocalDate): LocalDate {
  return stored !== null && isLocalDate(stored) && stored >= today ? stored : ''
}

/** The query of an item's booking page: its quantity with the unit that it counts, and the day of the cart. */
export function bookingQuery({ quantity, priceUnit }: CartItem, day: LocalDate): string {
  const query = new URLSearchParams(quantity > 1 ? { quantity: String(quantity) } : {})
  // A vendor may offer another unit first by now: 90 guests must not become 90 hours.
  if (quantity > 1 && (priceUnit === 'perPerson' || priceUnit === 'perHour')) query.set('type', priceUnit)
  if (isLocalDate(day)) query.set('date', day)
  return query.size > 0 ? `?${query}` : ''
}

/** The unit that an item's quantity counts. An older cart may not know it. */
export function unitOfItem({ priceUnit }: CartItem): 'perPerson' | 'perHour' {
  return priceUnit === 'perHour' ? 'perHour' : 'perPerson'
}

/** The sum of price times quantity in whole cents (Specification, section 3). */
export function cartTotal(items: readonly CartItem[]): Cents {
  return items.reduce((total, item) => total + itemTotal(item), 0)
}

/** An item's price times its quantity, in whole cents. */
export function itemTotal({ price, quantity }: CartItem): Cents {
  return lineCents({ quantity, unitPriceCents: cartPriceCents(price) })
}

/** An item's price in whole cents. 0 for a price that is missing, invalid, negative or infinite. */
export function cartPriceCents(price: unknown): Cents {
  const dollars = typeof price === 'string' && price.trim() !== '' ? Number(price) : price
  if (typeof dollars !== 'number' || !Number.isFinite(dollars) || dollars < 0) return 0
  const cents = Math.round(dollars * 100)
  return Number.isSafeInteger(cents * MAX_CART_QUANTITY) ? cents : 0
}

/**
 * Reads the stored cart. Other programs and older versions may have written it, so nothing is trusted: anything but a
 * list is an empty cart, invalid entries are left out, an invalid quantity counts as 1, and entries with the same id
 * are merged.
 */
export function parseCart(stored: string | null): CartItem[] {
  if (!stored) return []
  let found: unknown
  try {
    found = JSON.parse(stored)
  } catch {
    return []
  }
  if (!Array.isArray(found)) return []
  const items = new Map<string, CartItem>()
  for (const entry of found as unknown[]) {
    if (typeof entry !== 'object' || entry === null) continue
    const { id, name, image, price, quantity, ...others } = entry as Record<string, unknown>
    if (typeof id !== 'string' || id === '') continue
    const before = items.get(id)
    items.set(id, {
      ...others,
      id,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof image === 'string' ? { image } : {}),
      ...(typeof price === 'string' || typeof price === 'number' ? { price } : {}),
      ...before,
      quantity: wholeQuantity((before?.quantity ?? 0) + wholeQuantity(quantity)),
    })
  }
  return [...items.values()]
}

function wholeQuantity(quantity: unknown): number {
  if (typeof quantity !== 'number' || Number.isNaN(quantity)) return MIN_CART_QUANTITY
  return Math.min(Math.max(Math.trunc(quantity), MIN_CART_QUANTITY), MAX_CART_QUANTITY)
}
