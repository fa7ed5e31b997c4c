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
} from '../rules.ts'

const EMPTY: readonly CartItem[] = []
const listeners = new Set<() => void>()
// React wants the same list as long as nothing changed, so the parsed one is kept beside the text it came from.
let kept: { stored: string | null; items: readonly CartItem[] } = { stored: null, items: EMPTY }
// A private window or a full disk may refuse to store: then the cart lives as long as the page.
let unsaved: readonly CartItem[] | null = null

function readCart(): readonly CartItem[] {
  if (unsaved) return unsaved
  let stored: string | null
  try {
    stored = localStorage.getItem(CART_STORAGE_KEY)
  } catch {
    stored = null
  }
  if (stored !== kept.stored) kept = { stored, items: parseCart(stored) }
  return kept.items
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

// The browser reports only what other tabs wrote; a null key means that all of the storage was emptied.
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

// Each change starts from what is stored now, so that another tab's change is never undone.
const changes = {
  /** One more of this item (Specification, section 4). */
  add: (item: NewCartItem) => writeCart(addToCart(readCart(), item)),
  remove: (id: string) => writeCart(removeFromCart(readCart(), id)),
  /** Never below 1 (Specification, section 4). */
  updateQuantity: (id: string, quantity: number) => writeCart(updateCartQuantity(readCart(), id, quantity)),
  clear: () => writeCart([]),
  /** Undoes a removal. */
  putBack: (item: CartItem, index: number) => writeCart(putBackInCart(readCart(), item, index)),
  /** Undoes clearing: what was added since stays, behind what comes back. */
  putAllBack: (items: readonly CartItem[]) =>
    writeCart(items.reduce((cart, item, index) => putBackInCart(cart, item, index), [...readCart()])),
}

/**
 * The cart of this browser, in step in all its tabs. It is empty on the server and in the first browser render.
 * `count` is the sum of quantities and `total` the sum of price times quantity in cents (Specification, section 3).
 * `isRead` tells an empty cart from one that the browser has not been asked for yet.
 */
export function useCart() {
  const items = useSyncExternalStore(subscribe, readCart, () => EMPTY)
  const isRead = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
  return { items, isRead, count: cartCount(items), total: cartTotal(items), ...changes }
}
