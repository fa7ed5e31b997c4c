/** The wording of the page where a booking's balance is paid, and its card changed. */

export const NOTHING_DUE = 'Nothing is due'
export const INSTALMENT_REFUSALS = {
  unknown_booking: 'We can’t find this booking any more.',
  nothing_due: 'Nothing is due any more for this booking.',
  amount_changed:
    'The amount has changed in the meantime, so we haven’t charged anything. Check the new amount before you pay.',
  unknown_setup: 'The card couldn’t be saved. Please enter it again.',
  unreadable: 'We couldn’t read this request. Please try again.',
  time_gone: 'Someone else has booked this time in the meantime. The booking stays as it is.',
  balance_unpaid: 'The balance of this booking is being charged or is overdue. Pay it first.',
  too_small: 'The difference is too small for a card.',
  provider_unavailable: 'We couldn’t reach the payment service. Please try again in a moment.',
} as const
export const CARD_NOT_LOADED = 'The card form couldn’t be loaded. Check your connection and try again.'
export const PAYMENT_UNDER_WAY = 'Your payment is on its way. This page shows it as soon as it is confirmed.'
export const PAYMENT_DONE = 'Payment received'
export const CARD_SAVED = 'Card saved'
