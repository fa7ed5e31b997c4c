import type { DisputeSnapshot } from '../../adapters/payments/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import type { DifferenceKind, OperatorAction, PaymentFilter } from './rules.ts'

/** Operators see every time in one zone, whatever the venue's. */
export const OPERATIONS_ZONE = 'Australia/Sydney'

export const FILTER_LABELS = {
  all: 'All',
  open: 'Open',
  stuck: 'Stuck',
  paid: 'Paid',
  refunds: 'Refunded',
  failing: 'Failing refunds',
  failed: 'Failed',
} as const satisfies Record<PaymentFilter, string>

export const FILTER_EMPTY = {
  all: 'No payment has been started yet.',
  open: 'No payment is waiting for its card.',
  stuck: 'Nothing is stuck. Payments that should have ended on their own appear here.',
  paid: 'No payment has been made yet.',
  refunds: 'No refund is due or made.',
  failing: 'Every refund has gone through. Refunds that are refused or overdue appear here.',
  failed: 'No payment has failed.',
} as const satisfies Record<PaymentFilter, string>

/** Shown beside a payment that the configured provider does not have. */
export const OTHER_PROVIDER =
  'This payment belongs to a payment provider other than the one in the settings. We can’t check it or send its refund until the settings name its provider again.'

export const ACTION_LABELS = {
  'ask-provider': 'Asked the provider',
  'retry-refund': 'Tried a refund again',
  refund: 'Ordered a refund',
  'cancel-booking': 'Cancelled a booking',
  'refund-again': 'Ordered a refund again',
  'paid-otherwise': 'Paid a refund another way',
  compare: 'Compared with the provider',
  'approve-review': 'Approved a review',
  'reject-review': 'Rejected a review',
  'disable-account': 'Disabled an account',
  'enable-account': 'Enabled an account',
  'hide-listing': 'Hid a listing',
  'show-listing': 'Showed a listing',
} as const satisfies Record<OperatorAction, string>

/** The kinds of difference, and what to do about them. */
export const DIFFERENCE_LABELS = {
  unknown_here: 'The provider has a payment of ours that we don’t have. Refund it there.',
  unknown_there: 'The provider has no such payment.',
  paid_there_only: 'Paid at the provider, not here. Ask the provider again.',
  paid_here_only: 'Paid here, not at the provider.',
  paid_without_booking: 'Paid, but neither booked nor refunded.',
  booking_without_payment: 'A booking without a payment.',
  amount: 'The amounts differ.',
  refunded_there: 'More was refunded at the provider than here.',
  refunded_here: 'The provider doesn’t have a refund that is done here.',
} as const satisfies Record<DifferenceKind, string>

/** Texts for the place of the disputed money. */
export const DISPUTE_FUNDS_TEXTS = {
  held: 'No money has been taken yet.',
  withdrawn: 'The bank has the money, so no refund leaves.',
  reinstated: 'The money is back with us.',
} as const satisfies Record<DisputeSnapshot['funds'], string>

export const NEAR_DECLINES = 'Declined shortly before the event'
export const NEAR_DECLINES_HINT =
  'Vendors declined these approved bookings in the last 30 days, within 30 days of the event. Their customers may need help.'
/** How long before its event a booking was declined: '12 days before the event'. */
export function daysBeforeText(days: number): string {
  if (days === 0) return 'on the day of the event'
  return days === 1 ? 'the day before the event' : `${days} days before the event`
}

export const REASON_MISSING = 'Give a reason: we store it and tell the people it affects.'
export const MAX_REASON_LENGTH = 500
export const MAX_REFERENCE_LENGTH = 100
export const REFERENCE_MISSING = 'Enter the reference of the transfer.'
export const AMOUNT_INVALID = 'Enter an amount in dollars, such as 120 or 85.50.'
export const amountTooHigh = (leftCents: Cents) =>
  leftCents === 0
    ? 'Nothing is left to refund of this payment.'
    : `At most ${formatMoney(leftCents)} is left to refund.`

/** Why a refund stays due: for the screen of a disputed payment, and after an operation on it. */
export const REFUNDS_WAIT = 'This payment is disputed. Refunds wait until the bank has decided.'
