export const CART_TITLE = 'Your cart'
export const CART_EMPTY = 'Nothing in your cart yet.'
export const CART_NEEDS_SCRIPT =
  'Your browser keeps the cart, and needs JavaScript to show it. Turn JavaScript on to see what’s in yours.'
export const CART_EMPTY_HINT =
  'Add the venues and vendors you like from their pages. They wait here, in this browser, until you book them.'
/** The cart shows a total, but each booking is paid on its own. */
export const PAID_SEPARATELY = 'Each booking is paid separately'
export const PAID_SEPARATELY_DETAIL =
  'You choose the date and the guests or hours when you book, and that sets the final price. Nothing is held or charged while it’s in your cart.'
