import type { DifferenceKind, OperatorAction, PaymentFilter } from './rules.ts'

/** Operators read every time in one zone, whatever the venue's. */
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
  stuck: 'Nothing is stuck. Payments that should have ended by themselves would stand here.',
  paid: 'No payment has been made yet.',
  refunds: 'No refund is due or made.',
  failing: 'Every refund has gone through. Refunds that are refused or overdue appear here.',
  failed: 'No payment has failed.',
} as const satisfies Record<PaymentFilter, string>

/** Beside a payment that the present provider does not know. */
export const OTHER_PROVIDER =
  'This payment belongs to another payment provider than the one in the settings. Nothing asks about it, and its refund waits, until the settings name its provider again.'

export const ACTION_LABELS = {
  'ask-provider': 'Asked the provider',
  'retry-refund': 'Tried a refund again',
  compare: 'Compared with the provider',
  'approve-review': 'Approved a review',
  'reject-review': 'Rejected a review',
  'disable-account': 'Disabled an account',
  'enable-account': 'Enabled an account',
  'hide-listing': 'Hid a listing',
  'show-listing': 'Showed a listing',
} as const satisfies Record<OperatorAction, string>

/** What a difference means, and what to do about it. */
export const DIFFERENCE_LABELS = {
  unknown_here: 'The provider has a payment of ours that we do not have. Refund it there.',
  unknown_there: 'The provider knows no such payment.',
  paid_there_only: 'Paid at the provider, not here. Ask the provider again.',
  paid_here_only: 'Paid here, not at the provider.',
  paid_without_booking: 'Paid, but neither booked nor refunded.',
  booking_without_payment: 'A booking without a payment.',
  amount: 'The amounts differ.',
  refunded_there: 'More was refunded at the provider than here.',
  refunded_here: 'A refund that is done here is not at the provider.',
} as const satisfies Record<DifferenceKind, string>

export const REASON_MISSING = 'Say why: the reason is kept, and people are told.'
export const MAX_REASON_LENGTH = 500
