import { type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { type Cents, parsePrice, toNumericString } from '../../../shared/money.ts'
import { normalForm } from '../../../shared/normal-form.ts'
import { paidAndDueOf, returnedCentsOf } from '../../sales/amount-rules.ts'
import { RETURNED_BY_BANK } from '../bank-messages.ts'
import type { CancelledBy } from '../cancellation/rules.ts'
import { DUE_LABELS } from '../messages.ts'
import {
  type BookingTerms,
  isReturned,
  partPaymentOf,
  type RefundView,
  type VendorBooking,
} from '../rules.ts'
import type { BookingStatus, PaymentStatus } from '../status-rules.ts'

/** The columns that decide where a booking stands in the vendor's list. `timeZone` is its venue's. */
export type VendorPlace = {
  id: string
  status: BookingStatus
  /** The customer's. */
  name: string
  date: LocalDate
  time: string
  timeZone: string
  /** For an answer of either side, for an overdue payment, or for the customer to be told of a decline. */
  waits: boolean
  /** Whether the customer isn't told of its decline yet. */
  isUntold: boolean
  /** Until when the vendor can answer an undecided booking. ISO 8601, UTC. */
  decideBy: string
}

export type ListFilter = { status: BookingStatus | 'all'; name: string }

export const NO_FILTER: ListFilter = { status: 'all', name: '' }

/** The statuses that the list can be filtered by. */
export const FILTERED_STATUSES = ['all', 'pending', 'approved', 'declined'] as const

const MAX_NAME_LENGTH = 200

/** Reads the filter from an address. Anything unknown filters nothing. */
export function readListFilter(query: URLSearchParams): ListFilter {
  const status = FILTERED_STATUSES.find((each) => each === query.get('status')) ?? NO_FILTER.status
  return { status, name: (query.get('name') ?? '').slice(0, MAX_NAME_LENGTH) }
}

/**
 * The query of the list's address.
 * @param business the listing in the address; null for none
 * @param steps how often 'Show more' was pressed
 * @returns '' for the whole list from its beginning
 */
export function listQuery(
  business: string | null,
  { status, name }: ListFilter = NO_FILTER,
  steps = 0,
): string {
  const query = new URLSearchParams({
    ...(business && { business }),
    ...(status !== 'all' && { status }),
    ...(name.trim() && { name: name.trim() }),
    ...(steps && { more: String(steps) }),
  }).toString()
  return query && `?${query}`
}

/**
 * Filters the vendor's bookings. Undecided ones are in the order in which they have to be answered, among them those whose
 * decline can be undone: it was pressed in that list.
 * @param filter.name any part of the customer's name, regardless of case and accents; '' for all
 */
export function filterBookings<Place extends Pick<VendorPlace, 'status' | 'name' | 'decideBy' | 'isUntold'>>(
  places: readonly Place[],
  filter: ListFilter,
): Place[] {
  const wanted = plain(filter.name)
  const found = places.filter(
    ({ status, name, isUntold }) =>
      (filter.status === 'all' || status === filter.status || (filter.status === 'pending' && isUntold)) &&
      plain(name).includes(wanted),
  )
  // ISO texts in UTC are in the order of time.
  return filter.status === 'pending'
    ? found.toSorted((one, other) => one.decideBy.localeCompare(other.decideBy))
    : found
}

/** The newest bookings that a vendor's list begins with, and how many each 'Show more' adds. */
export const LIST_STEP = 25
/** The next events that stand in the list from the start, however long ago they were booked. */
const NEXT_EVENTS = 5
/** One page holds a thousand bookings at most. The filter and the CSV reach the others. */
export const MAX_STEPS = 40

/** How often 'Show more' was pressed, from an address; 0 for anything else. */
export function stepsIn(text: string | null): number {
  return /^\d{1,2}$/.test(text ?? '') ? Math.min(Number(text), MAX_STEPS) : 0
}

/**
 * Returns the bookings of a list to show, in the list's order: the newest, all that wait for an answer or a payment, and the
 * next events.
 * @param steps how often 'Show more' was pressed
 */
export function shownBookings<Place extends Omit<VendorPlace, 'name' | 'decideBy' | 'isUntold'>>(
  places: readonly Place[],
  { steps, now }: { steps: number; now: Date },
): Place[] {
  const orderOf = ({ date, time }: Place) => `${date} ${time}`
  const next = new Set(
    places
      .filter(({ status, date, timeZone }) => status === 'approved' && date >= wallTimeAt(now, timeZone).date)
      .toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)))
      .slice(0, NEXT_EVENTS),
  )
  const count = LIST_STEP * (1 + steps)
  return places.filter((place, index) => index < count || place.waits || next.has(place))
}

function plain(text: string): string {
  return normalForm(text.trim(), 'NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The first row of the downloaded list. */
export const BOOKING_COLUMNS = [
  'Date',
  'Time',
  'Status',
  'Name',
  'Email',
  'Phone',
  'Business',
  'Quantity',
  'Per',
  'Total (AUD)',
  'Payment',
  'Reference',
  'Booked at (UTC)',
  'Cancelled by',
  'Cancelled at (UTC)',
  'Refunds (AUD)',
  'Taken off the balance (AUD)',
  'Returned by the bank (AUD)',
  'Paid (AUD)',
  'Still due (AUD)',
] as const

const CANCELLED_BY = {
  customer: 'customer',
  vendor: 'vendor',
  operator: 'operator',
  overdue: 'unpaid balance',
} as const satisfies Record<CancelledBy, string>

/**
 * Returns the sum of a booking's refunds at its vendor's cost as a numeric string; empty without one. The refund of a change has
 * lowered the total already.
 */
function refundsText(refunds: readonly Pick<RefundView, 'amount' | 'reason'>[], ourCents: Cents): string {
  const ofPrice = refunds.filter(({ reason }) => reason !== 'changed')
  return centsText(ofPrice.reduce((sum, { amount }) => sum + (parsePrice(amount) ?? 0), 0) - ourCents)
}

const centsText = (cents: Cents) => (cents === 0 ? '' : toNumericString(cents))

/**
 * The state of a booking's money in lists to download, as the screens name it: 'paid' only where the whole price is.
 * @param booking.payments null where all was paid at once
 */
export function paymentWords({
  paymentStatus,
  payments,
}: {
  paymentStatus: PaymentStatus
  payments: BookingTerms['payments'] | null
}): string {
  if (paymentStatus !== 'paid' || !payments) return paymentStatus
  const standing = partPaymentOf({ payments })?.standing
  // The rest of a booking that has ended is never charged.
  const isPart = payments.some(({ state }) => state !== 'paid')
  return standing || isPart ? DUE_LABELS[standing ?? 'scheduled'].toLowerCase() : paymentStatus
}

/** One row of the downloaded list. */
export function bookingCells(booking: VendorBooking): string[] {
  const { stored, cancellation, refund, otherRefunds, off, bank, payments } = booking
  const { paymentStatus } = stored
  const totalCents = parsePrice(stored.totalPrice) ?? 0
  const { paidCents, dueCents } = paidAndDueOf({ payments, totalCents })
  return [
    stored.date,
    stored.time,
    cancellation ? 'cancelled' : stored.status,
    stored.customerName,
    stored.email,
    stored.phone,
    stored.vendorName,
    String(stored.quantity),
    stored.bookingType === 'perHour' ? 'hour' : 'person',
    stored.totalPrice,
    isReturned(booking) ? RETURNED_BY_BANK.toLowerCase() : paymentWords({ paymentStatus, payments }),
    stored.paymentId,
    stored.createdAt,
    cancellation ? CANCELLED_BY[cancellation.by] : '',
    cancellation?.at ?? '',
    refundsText(refund ? [refund, ...otherRefunds] : otherRefunds, off.ourCents),
    centsText(off.takenOffCents),
    centsText(returnedCentsOf(bank)),
    toNumericString(paidCents),
    centsText(dueCents),
  ]
}
