export const CART_TITLE = 'Your cart'
export const CART_EMPTY = 'Nothing in your cart yet.'
export const CART_NEEDS_SCRIPT =
  'The cart is kept by your browser, which needs JavaScript for it. Switch it on to see what is in yours.'
export const CART_EMPTY_HINT =
  'Add the venues and vendors you like from their pages. They wait here, in this browser, until you book them.'
/** The cart sums up, but nothing is charged for all of it at once. */
export const PAID_SEPARATELY = 'Each booking is paid separately'
export const PAID_SEPARATELY_DETAIL =
  'You choose the date and the guests or hours when you book, and that sets the final price. Nothing is held or charged while it is in your cart.'
