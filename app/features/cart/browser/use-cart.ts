import { useSyncExternalStore } from 'react'
import {
  addToCart,
  CART_STORAGE_KEY,
  type CartItem,
  cartCount,
  cartTotal,
  type NewCartItem,
  parseCart,
  putBackInCart,
  removeFromCart,
  updateCartQuantity,
  vendorCount,
} from '../rules.ts'

const EMPTY: readonly CartItem[] = []
const listeners = new Set<() => void>()
// React needs the same list while nothing has changed, so the parsed list is cached with its source text.
let cached: { stored: string | null; items: readonly CartItem[] } = { stored: null, items: EMPTY }
// In a private window or with full storage, writing may fail. Then the cart lasts as long as the page.
let unsaved: readonly CartItem[] | null = null

function readCart(): readonly CartItem[] {
  if (unsaved) return unsaved
  let stored: string | null
  try {
    stored = localStorage.getItem(CART_STORAGE_KEY)
  } catch {
    stored = null
  }
  if (stored !== cached.stored) cached = { stored, items: parseCart(stored) }
  return cached.items
}

function writeCart(items: readonly CartItem[]) {
  try {
    localStorage.setItem(CART_STORAGE_KEY, JSON.stringify(items))
    unsaved = null
  } catch {
    unsaved = items
  }
  for (const listener of listeners) listener()
}

// The event reports only writes by other tabs. A null key means that the whole storage was cleared.
function onStorage(event: StorageEvent) {
  if (event.key !== CART_STORAGE_KEY && event.key !== null) return
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

// Each change starts from the stored cart, so that it never undoes another tab's change.
const changes = {
  /** Adds one more of this item (Specification, section 4). */
  add: (item: NewCartItem) => writeCart(addToCart(readCart(), item)),
  remove: (id: string) => writeCart(removeFromCart(readCart(), id)),
  /** Sets a quantity, never below 1 (Specification, section 4). */
  updateQuantity: (id: string, quantity: number) => writeCart(updateCartQuantity(readCart(), id, quantity)),
  clear: () => writeCart([]),
  /** Undoes a removal. */
  putBack: (item: CartItem, index: number) => writeCart(putBackInCart(readCart(), item, index)),
  /** Undoes clearing. Items added since stay, after the restored ones. */
  putAllBack: (items: readonly CartItem[]) =>
    writeCart(items.reduce((cart, item, index) => putBackInCart(cart, item, index), [...readCart()])),
}

/**
 * The cart of this browser, kept in sync across its tabs. Empty on the server and in the first render. `count` is the
 * sum of quantities, `vendors` the number of items, and `total` the sum of price times quantity in cents (Specification, section 3). `isRead`
 * distinguishes an empty cart from a cart that hasn't been read from storage yet.
 */
export function useCart() {
  const items = useSyncExternalStore(subscribe, readCart, () => EMPTY)
  const isRead = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
  return {
    items,
    isRead,
    count: cartCount(items),
    vendors: vendorCount(items),
    total: cartTotal(items),
    ...changes,
  }
}
