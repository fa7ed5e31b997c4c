import type { Cents } from '../../shared/money.ts'

/** Where the browser keeps the cart (Specification, section 9). */
export const CART_STORAGE_KEY = 'cart'
/** An updated quantity is never below this, and an added item starts with it (Specification, section 9). */
export const MIN_CART_QUANTITY = 1
/** More than anybody can book (Decision 5); it keeps sums exact whatever is typed or stored. */
export const MAX_CART_QUANTITY = 10_000

/** What a page hands over to be added: a business with its first image, and whatever else it carries. */
export type NewCartItem = {
  id: string
  /** Dollars, as a number or a numeric string; missing counts as 0 (Specification, section 3). */
  price?: number | string | null
  name?: string
  image?: string
  [other: string]: unknown
}

export type CartItem = NewCartItem & { quantity: number }

/**
 * The cart with one more of this item: an item whose id is present gains 1 and keeps its place and its fields; a
 * new one is appended with quantity 1 (Specification, section 4).
 */
export function addToCart(items: readonly CartItem[], added: NewCartItem): CartItem[] {
  if (items.some((item) => item.id === added.id)) {
    return items.map((item) =>
      item.id === added.id ? { ...item, quantity: Math.min(item.quantity + 1, MAX_CART_QUANTITY) } : item,
    )
  }
  return [...items, { ...added, quantity: MIN_CART_QUANTITY }]
}

/** The cart without the item of this id; an unknown id changes nothing (Specification, section 4). */
export function removeFromCart(items: readonly CartItem[], id: string): CartItem[] {
  return items.filter((item) => item.id !== id)
}

/**
 * Sets the quantity of an item, never below 1 (Specification, section 4). A fraction is cut; what is no number
 * leaves the item as it is.
 */
export function updateCartQuantity(items: readonly CartItem[], id: string, quantity: number): CartItem[] {
  if (Number.isNaN(quantity)) return [...items]
  return items.map((item) => (item.id === id ? { ...item, quantity: wholeQuantity(quantity) } : item))
}

/**
 * Undoes a removal: the item comes back where it was, with its quantity. If it was added again meanwhile, the cart
 * stays as it is.
 */
export function putBackInCart(items: readonly CartItem[], item: CartItem, index: number): CartItem[] {
  return items.some((present) => present.id === item.id) ? [...items] : items.toSpliced(index, 0, item)
}

/** How many things are in the cart: the sum of quantities (Specification, section 3). */
export function cartCount(items: readonly CartItem[]): number {
  return items.reduce((count, item) => count + item.quantity, 0)
}

/** The sum of price times quantity in whole cents (Specification, section 3). */
export function cartTotal(items: readonly CartItem[]): Cents {
  return items.reduce((total, item) => total + cartPriceCents(item.price) * item.quantity, 0)
}

/** An item's price in whole cents. Missing, not a number, negative or endless counts as 0. */
export function cartPriceCents(price: unknown): Cents {
  const dollars = typeof price === 'string' && price.trim() !== '' ? Number(price) : price
  if (typeof dollars !== 'number' || !Number.isFinite(dollars) || dollars < 0) return 0
  const cents = Math.round(dollars * 100)
  return Number.isSafeInteger(cents * MAX_CART_QUANTITY) ? cents : 0
}

/**
 * Reads what the browser kept. Other programs and older versions may have written there, so nothing is trusted:
 * a text that is no list is an empty cart, entries that are no items are left out, an odd quantity counts as 1, and
 * two entries of one id become one.
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
