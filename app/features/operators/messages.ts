import type { DisputeSnapshot } from '../../adapters/payments/port.ts'
import { HOME_ZONE } from '../../shared/dates.ts'
import { type Cents, formatMoney, formatShortMoney } from '../../shared/money.ts'
import type { HidingParty } from '../businesses/rules.ts'
import type { BorneBy, LedgerAccount, LedgerCheck } from '../ledger/rules.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import type { Role } from './role-rules.ts'
import {
  type AccountFilter,
  type BookingFilter,
  COUNT_LIMIT,
  type DifferenceKind,
  EXPORT_LIMIT,
  type ListingFilter,
  MIN_WORDS,
  type PaymentFilter,
} from './rules.ts'

/** The answer to a refund: what comes off the balance, and what goes back. */
export function refundedText(amountCents: Cents, reducedCents: Cents): string {
  const backCents = amountCents - reducedCents
  const off = `${formatMoney(reducedCents)} came off the balance`
  if (backCents === 0) return `${off}.`
  const back = `${formatMoney(backCents)} is on its way back.`
  return reducedCents > 0 ? `${off}. ${back}` : back
}

export const SECOND_OPERATOR_ASKED = 'A second person has to confirm this within 3 days.'

/** Operators see every time in one zone, whatever the venue's. */
export const OPERATIONS_ZONE = HOME_ZONE

export const FILTER_LABELS = {
  all: 'All',
  open: 'Open',
  stuck: 'Stuck',
  paid: 'Paid',
  unpaid: 'Unpaid balances',
  refunds: 'Refunded',
  due: 'Refunds due',
  failing: 'Failing refunds',
  failed: 'Failed',
} as const satisfies Record<PaymentFilter, string>

export const FILTER_EMPTY = {
  all: 'No payment has been started yet.',
  open: 'No payment is waiting for its card.',
  stuck: 'Nothing is stuck. Payments that should have ended on their own appear here.',
  paid: 'No payment has been made yet.',
  unpaid:
    'Every balance that was due is paid. One whose card was refused appears here until it is paid or its booking ends.',
  refunds: 'No refund is due or made.',
  due: 'No refund is due. One that is ordered appears here until it leaves.',
  failing: 'Every refund has gone through. Refunds that are refused or overdue appear here.',
  failed: 'No payment has failed.',
} as const satisfies Record<PaymentFilter, string>

export const BOOKING_FILTER_LABELS = {
  all: 'All',
  waiting: 'Waiting for an answer',
  overdue: 'Answer overdue',
  approved: 'Approved',
  ended: 'Declined or withdrawn',
} as const satisfies Record<BookingFilter, string>

export const BOOKING_FILTER_EMPTY = {
  all: 'Nothing has been booked yet.',
  waiting: 'No booking is waiting for its vendor.',
  overdue: 'Every vendor has answered in time. Bookings whose time to answer is over appear here.',
  approved: 'No booking is approved.',
  ended: 'No booking has been declined or withdrawn.',
} as const satisfies Record<BookingFilter, string>

export const ACCOUNT_FILTER_LABELS = {
  all: 'All',
  new: 'New this week',
  registered: 'Registered this week',
  register: 'Denied by the register',
} as const satisfies Record<AccountFilter, string>

export const LISTING_FILTER_LABELS = {
  all: 'All',
  new: 'New this week',
} as const satisfies Record<ListingFilter, string>

export const EXPORT_NOTE = `Every row of this filter, up to ${EXPORT_LIMIT.toLocaleString('en-AU')}. Each download is logged.`

export const NOTHING_OVERDUE = 'Nothing is overdue.'
export const VOLUME_UNIT = 'Card payments that succeeded, by day in Sydney. Refunds don’t reduce them.'
export const REFUNDED_UNIT = 'Refunds that left us, by day in Sydney.'

/** The finding of the volume's charts: '$12,480 paid in 30 days'. */
export function volumeFinding(what: 'paid' | 'refunded', cents: Cents): string {
  return `${formatShortMoney(Math.round(cents / 100) * 100)} ${what} in 30 days`
}

export const SEARCH_LABEL = 'Name, email, business, ABN, phone or id'
/** Inside the field, where a phone shows no more. */
export const SEARCH_HINT = 'Name, email, ABN or phone'

/** Whether the customer of a refund that came back was asked where to send it. An account that is deleted has no address, but may have named one before. */
export function askedText({
  email,
  areRefundsBlocked,
  hasAccount,
}: {
  email: string
  areRefundsBlocked: boolean
  hasAccount: boolean
}): string {
  if (areRefundsBlocked) return 'We ask the customer where to send it once the bank has decided the dispute.'
  if (email === '' && !hasAccount) return 'The customer’s account is deleted, so there’s no address to ask.'
  return 'We’ve asked the customer where to send it.'
}
export const WORDS_TOO_SHORT = `Enter at least ${MIN_WORDS} characters.`

/** '12', or '1,000+' for more than are counted. */
export function countText(count: number): string {
  return count > COUNT_LIMIT ? `${COUNT_LIMIT.toLocaleString('en-AU')}+` : count.toLocaleString('en-AU')
}

export const INSTALMENT_STATE_LABELS = {
  scheduled: 'to be charged',
  reminded: 'announced',
  charging: 'being charged',
  paid: 'paid',
  needs_customer: 'waits for the customer',
  failed: 'refused, tried again',
  overdue: 'overdue',
  ended: 'ended',
} as const satisfies Record<InstalmentState, string>

/** Shown beside a payment that the configured provider does not have. */
export const OTHER_PROVIDER =
  'This payment belongs to a payment provider other than the one in the settings. We can’t check it or send its refund until the settings name its provider again.'

/** The party that keeps a listing hidden, as a tag. */
export const HIDDEN_BY = {
  owner: 'hidden by its owner',
  operator: 'hidden by an operator',
  disabling: 'hidden with its disabled account',
  deactivation: 'hidden with its deactivated account',
  agreement: 'not public until its owner accepts the vendor agreement',
} as const satisfies Record<HidingParty, string>

/** The answer to showing a listing that stays hidden, by who hides it still. */
export const STILL_HIDDEN = {
  owner: 'Still hidden: its owner had hidden it.',
  disabling: 'Still hidden: its account is disabled.',
  deactivation: 'Still hidden: its owner’s account is deactivated.',
  agreement: 'Still hidden: its owner hasn’t accepted the vendor agreement.',
} as const satisfies Record<Exclude<HidingParty, 'operator'>, string>

export const NO_ACCOUNT_ACTIVITY = 'Nothing has happened to this account in the last 180 days.'

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

/** The choice of who bears a refund. */
export const BORNE_BY_LABELS = {
  vendor: 'The vendor',
  operator: 'We do',
} as const satisfies Record<BorneBy, string>

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
export const MAX_LETTER_LENGTH = 2_000
export const LETTER_MISSING = 'Write the message.'
export const MAX_VENDOR_LENGTH = 254
export const REFERENCE_MISSING = 'Enter the reference of the transfer.'
export const AMOUNT_INVALID = 'Enter an amount in dollars, such as 120 or 85.50.'
/** An amount above what a debt or a share has open. */
export const orderTooHigh = (leftCents: Cents) =>
  leftCents === 0 ? 'Nothing is open any more.' : `At most ${formatMoney(leftCents)} is open.`
export const amountTooHigh = (leftCents: Cents) =>
  leftCents === 0
    ? 'Nothing is left to refund of this payment.'
    : `At most ${formatMoney(leftCents)} is left to refund.`

/** Why a refund stays due: for the screen of a disputed payment, and after an operation on it. */
export const REFUNDS_WAIT = 'This payment is disputed. Refunds wait until the bank has decided.'

export const LEDGER_HINT =
  'Every movement of money, as postings that sum to 0. Debits are positive, credits negative. Each night they are proved against the payments and against the provider.'
export const JOURNAL_HINT = `Each posting with its account, debit or credit, for your bookkeeping: the newest first, up to ${EXPORT_LIMIT.toLocaleString('en-AU')} rows. Each download is logged.`
export const NO_BALANCE = 'Our balance at the provider isn’t known yet. Prove the ledger to ask for it.'
export const RATES_HINT =
  'A booking keeps the rate that was in force when its payment began. A later change doesn’t affect it.'
export const RATE_INVALID = 'Enter a rate from 0 to 100 percent, such as 10 or 12.5.'
export const VENDOR_MISSING = 'Enter the email address of the vendor’s account.'
export const VENDOR_UNKNOWN = 'No vendor has this email address.'

export const ACCOUNT_LABELS = {
  provider_balance: 'At the provider',
  bank: 'At our bank',
  customer_money_held: 'Held for customers',
  vendor_payable: 'Payable to vendors',
  vendor_receivable: 'Owed by vendors',
  commission: 'Commission',
  gst_on_commission: 'GST on commission',
  provider_fees: 'Charge fees',
  disputed: 'Disputed, with banks',
  losses: 'Losses',
} as const satisfies Record<LedgerAccount, string>

export const CHECK_LABELS = {
  transactions_sum_to_zero: 'Transactions that don’t sum to 0',
  balances_equal_postings: 'Balances that aren’t the sum of their postings',
  bookings_accounted_for: 'Bookings whose money isn’t accounted for',
  sales_agree: 'Sales whose parts contradict them',
  payments_are_of_sales: 'Payments without a sale',
  payments_are_posted: 'Payments that differ from the ledger',
  refunds_are_posted: 'Refunds that differ from the ledger',
  payments_agree: 'Payments that contradict their own records',
  commission_is_of_the_sale: 'Sales whose commission isn’t their agreed rate',
  ledger_names_payments: 'Transactions of payments, refunds or disputes that don’t exist',
  instalments_agree: 'Instalments that differ from the sale or its payments',
  purchases_are_booked: 'Paid purchases without a booking, or bookings without a payment',
  prices_are_agreed: 'Bookings at another price than was agreed',
  statuses_are_decided: 'Bookings whose status doesn’t follow from what happened',
  cancellations_agree: 'Cancellations that differ from their refunds',
  changes_agree: 'Changes that differ from their prices, payments or refunds',
  ledger_names_bookings: 'Transactions of bookings that don’t exist, or of the wrong one',
  quotes_agree: 'Quotes sold at another price than was accepted',
  transfers_are_posted: 'Transfers and reversals that differ from the ledger',
  ledger_names_transfers: 'Transactions of transfers, reversals or orders that don’t exist',
  orders_are_posted: 'Operators’ orders that differ from the ledger',
  bank_payouts_agree: 'Bank payouts that differ from their transfers',
  tax_documents_agree: 'Tax documents that differ from what vendors keep',
  tax_numbers_are_dense: 'Series of tax documents with a gap, or a changed document',
  commission_is_invoiced: 'Commission invoices that differ from the ledger',
  income_reports_agree: 'Lodged income reports that differ from the ledger',
  movements_are_posted: 'Movements at the provider that differ from the ledger',
  fees_are_posted: 'Fees and payouts that aren’t in the ledger',
  provider_balance_moved: 'Our balance at the provider differs from its movements',
} as const satisfies Record<LedgerCheck['name'], string>

/** The name of an account whose events outlive it. */
export const DELETED_ACCOUNT = 'Deleted account'

/** The purpose of each role, shown beside the choice of one. */
export const ROLE_HINTS = {
  support: 'Can look, reply and moderate. Can’t move money.',
  finance: 'Refunds, payouts, disputes and the ledger.',
  admin: 'Everything, and naming operators.',
} as const satisfies Record<Role, string>

export const PEOPLE_HINT =
  'An operator needs an account with a confirmed email address, and outside the demo two-step login or a passkey. Every change is logged and mailed to the person and to all admins.'
export const ONLY_ADMIN_HINT =
  'You are the only admin, so the roles finance and admin take effect at once. The log says that one person gave them.'
export const SECOND_ADMIN_HINT =
  'The roles finance and admin move money, so another admin has to confirm them.'
export const NAMING_WAITS = 'Another admin has to confirm this within 3 days.'
export const EMAIL_MISSING = 'Enter the email address of their account.'

/** The roles as words: 'finance or admin'. */
export function rolesText(roles: readonly Role[]): string {
  return new Intl.ListFormat('en-AU', { type: 'disjunction' }).format(roles)
}

export const ADMIN_LEFT =
  'An admin lost their role or their account in the last 3 days. Until those are over, one admin alone can’t give this role.'

/** Why an account can't become an operator's, beside the address that was typed. */
export const NAMING_REFUSALS = {
  no_account: 'No account has this address. Ask them to sign up first.',
  unproved: 'This account hasn’t confirmed its address yet.',
  closed: 'This account is disabled or deactivated.',
  is_operator: 'This person is already an operator.',
  waiting: 'A role for this person already waits for another admin.',
  admin_left: ADMIN_LEFT,
} as const

/** Why 'See as this person' didn't start, or that it has ended. */
export const VIEW_NOTES = {
  ended: 'The view has ended.',
  reason_missing: 'Give a reason to view the site as someone else.',
  not_found: 'That account no longer exists.',
  own_account: 'This is your own account.',
  is_operator: 'You can’t see the site as another operator.',
} as const

/** To the operator who asked: nobody has confirmed it in time. */
export const expiredNotice = (about: string) => ({
  title: 'Nobody confirmed it in time',
  body: `${about}. It has expired. If it’s still needed, ask again.`,
})
