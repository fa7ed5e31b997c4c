import { type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import { type Cents, type PriceUnit, toNumericString } from '../../shared/money.ts'
import { signText } from '../../shared/signed.ts'
import { offeredBookingTypes, type Pricing, unitPriceFor } from '../businesses/rules.ts'
import type { RefundReason, RefundStatus } from '../payments/rules.ts'
import { FIELD_MESSAGES as say } from './messages.ts'

// Limits of Decision 5.
export const MIN_TOTAL_CENTS: Cents = 50
export const MAX_TOTAL_CENTS: Cents = 99_999_999
export const MAX_HOURS = 24
export const MAX_PEOPLE = 10_000

// Times of Decision 7 for a booking that nobody decides; settings can change them.
const HOUR_MS = 3_600_000
export const REMIND_VENDOR_AFTER_MS = 24 * HOUR_MS
export const DECLINE_UNDECIDED_AFTER_MS = 48 * HOUR_MS
export const DECLINE_BEFORE_EVENT_MS = 24 * HOUR_MS
/** When both sides are reminded of an event that is near; a setting can change it. */
export const REMIND_BEFORE_EVENT_MS = 48 * HOUR_MS

/** When the vendor is reminded, and by when they have to decide (Decision 7). */
export type UndecidedTimes = { remindAfterMs: number; declineAfterMs: number; declineBeforeEventMs: number }

export const UNDECIDED_TIMES: UndecidedTimes = {
  remindAfterMs: REMIND_VENDOR_AFTER_MS,
  declineAfterMs: DECLINE_UNDECIDED_AFTER_MS,
  declineBeforeEventMs: DECLINE_BEFORE_EVENT_MS,
}

/** What the booking form asks (Specification, section 3). */
export type BookingForm = {
  fullName: string
  email: string
  phone: string
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
}

export type BookingField = keyof BookingForm
export type BookingFieldErrors = Partial<Record<BookingField, string>>

/** What the rules need to know of the business that is booked. */
export type BookingOffer = Pricing & { timeZone: string }

/**
 * Price times quantity (Specification, section 4), in whole cents.
 * @param unitPriceCents the price of one hour or one person
 * @returns null while the quantity is no whole number of 1 or more, or the product is past what a number holds
 */
export function totalPrice(unitPriceCents: Cents, quantity: number): Cents | null {
  if (!Number.isInteger(quantity) || quantity < 1) return null
  const total = unitPriceCents * quantity
  return Number.isSafeInteger(total) ? total : null
}

/**
 * The total of a quantity as it stands in the form's field.
 * @param maxGuests the most people that the business takes; null for no limit of its own
 * @returns null while no such quantity can be booked: none, not whole, beyond a limit, or of a type without a price
 */
export function bookableTotal(
  pricing: Pricing,
  { quantity, bookingType }: Pick<BookingForm, 'quantity' | 'bookingType'>,
  maxGuests: number | null,
): Cents | null {
  const unitPrice = unitPriceFor(pricing, bookingType)
  if (unitPrice === null || quantity > maxQuantity(bookingType)) return null
  if (bookingType === 'perPerson' && maxGuests !== null && quantity > maxGuests) return null
  const total = totalPrice(unitPrice, quantity)
  return total === null || total < MIN_TOTAL_CENTS || total > MAX_TOTAL_CENTS ? null : total
}

/** The specification's default where the listing takes it, else the type that it takes. */
export function defaultBookingType(offer: Pricing): PriceUnit {
  return offeredBookingTypes(offer).includes('perPerson') ? 'perPerson' : offer.priceUnit
}

/** The largest quantity of a booking type (Decision 5). */
export function maxQuantity(bookingType: PriceUnit): number {
  return bookingType === 'perHour' ? MAX_HOURS : MAX_PEOPLE
}

/**
 * Everything about a booking that needs the business or the clock: whether it takes that booking type, the limits of
 * quantity and total (Decision 5), and that the event is still to come at the venue.
 * @param booking already through the schema
 * @returns messages by field; empty when the booking can be paid
 */
export function checkBooking(booking: BookingForm, offer: BookingOffer, now: Date): BookingFieldErrors {
  const errors: BookingFieldErrors = {}
  const unitPrice = unitPriceFor(offer, booking.bookingType)
  if (unitPrice === null) errors.bookingType = say.bookingTypeNotOffered
  if (booking.quantity > maxQuantity(booking.bookingType)) {
    errors.quantity = booking.bookingType === 'perHour' ? say.hoursTooMany : say.peopleTooMany
  } else if (unitPrice !== null) {
    const total = totalPrice(unitPrice, booking.quantity)
    if (total === null) errors.quantity = say.quantityMissing
    else if (total < MIN_TOTAL_CENTS) errors.quantity = say.totalTooSmall
    else if (total > MAX_TOTAL_CENTS) errors.quantity = say.totalTooLarge
  }
  // Both are fixed-width, so text order is time order.
  const there = wallTimeAt(now, offer.timeZone)
  if (booking.date < there.date) errors.date = say.datePast
  else if (booking.date === there.date && booking.time <= there.time) errors.time = say.timePast
  return errors
}

export const BOOKING_STATUSES = ['pending', 'approved', 'declined', 'withdrawn'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]
export type PaymentStatus = 'paid' | 'refund due' | 'refunded'

/** Who may move a booking where (Specification, section 4, and Decision 7). A move that is not here is refused. */
export const STATUS_MOVES = {
  approved: { by: 'vendor', from: ['pending', 'declined'] },
  declined: { by: 'vendor', from: ['pending', 'approved'] },
  withdrawn: { by: 'customer', from: ['pending'] },
} as const satisfies Record<
  Exclude<BookingStatus, 'pending'>,
  { by: 'vendor' | 'customer'; from: readonly BookingStatus[] }
>

export type Decision = 'approved' | 'declined'

/** Whether the table of moves has this one. Refunds may still forbid it (`isFinal`). */
export function canMove(from: BookingStatus, to: keyof typeof STATUS_MOVES): boolean {
  return (STATUS_MOVES[to].from as readonly BookingStatus[]).includes(from)
}

export type RefundState = Exclude<RefundStatus, 'cancelled'>

/** From the moment a refund is claimed the status is final (Decision 7); a withdrawn booking is final at once. */
export function isFinal(booking: { status: BookingStatus; refund: { state: RefundState } | null }): boolean {
  if (booking.status === 'withdrawn') return true
  return booking.refund !== null && booking.refund.state !== 'due'
}

/** The decisions that the vendor's list offers: Approve is hidden when approved, Decline when declined. */
export function offeredDecisions(booking: {
  status: BookingStatus
  refund: { state: RefundState } | null
}): Decision[] {
  if (isFinal(booking)) return []
  return (['approved', 'declined'] as const).filter((decision) => canMove(booking.status, decision))
}

/** Until it is decided the customer can withdraw a booking (Decision 7). */
export function canWithdraw(booking: { status: BookingStatus }): boolean {
  return canMove(booking.status, 'withdrawn')
}

/**
 * When an undecided booking is declined: after two days, or a day before the event if that comes first, but
 * never before the vendor was told of it (Decision 7).
 */
export function undecidedUntil(
  createdAt: Date,
  eventAt: Date,
  times: Pick<UndecidedTimes, 'declineAfterMs' | 'declineBeforeEventMs'> = UNDECIDED_TIMES,
): Date {
  const latest = Math.min(
    createdAt.getTime() + times.declineAfterMs,
    eventAt.getTime() - times.declineBeforeEventMs,
  )
  // Booked less than a day ahead: the vendor has until the event begins.
  return new Date(latest > createdAt.getTime() ? latest : eventAt.getTime())
}

/**
 * The record stored on payment: exactly the fields of the specification, section 3, and the status (Decision 2).
 * It has no businessId, name or message.
 */
export type StoredBooking = {
  /** The id in /book/{id}, which is the business's. */
  vendorId: string
  vendorName: string
  customerName: string
  email: string
  phone: string
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  /** A numeric string such as '1200.50' (Decision 5). */
  totalPrice: string
  paymentStatus: PaymentStatus
  /** The provider's id of the payment. */
  paymentId: string
  /** ISO 8601, UTC. */
  createdAt: string
  status: BookingStatus
}

/** What the vendor's list reads (Specification, section 3): another shape than what is stored, kept as observed. */
export type ListedBooking = {
  businessId: string
  name: string
  email: string
  date: LocalDate
  time: LocalTime
  /** The record written on payment has none. */
  message: string | undefined
  status: BookingStatus
  createdAt: string
}

/** Makes the list's shape from the stored record: the one place where the two meet (Decision 2). */
export function toListedBooking(stored: StoredBooking): ListedBooking {
  return {
    businessId: stored.vendorId,
    name: stored.customerName,
    email: stored.email,
    date: stored.date,
    time: stored.time,
    message: undefined,
    status: stored.status,
    createdAt: stored.createdAt,
  }
}

/** What a screen says about money on its way back. Times are ISO 8601, UTC; the amount is a numeric string. */
export type RefundView = {
  state: RefundState
  amount: string
  dueAt: string
  doneAt: string | null
  reason: RefundReason
}

/** Makes a refund's shape for screens. */
export function toRefundView(refund: {
  state: RefundState
  amountCents: Cents
  dueAt: Date
  doneAt: Date | null
  reason: RefundReason
}): RefundView {
  return {
    state: refund.state,
    amount: toNumericString(refund.amountCents),
    dueAt: refund.dueAt.toISOString(),
    doneAt: refund.doneAt?.toISOString() ?? null,
    reason: refund.reason,
  }
}

/** One item of the vendor's list, with what the buttons need to know. */
export type VendorBooking = {
  id: string
  listed: ListedBooking
  stored: StoredBooking
  /** From when to when, and whose clock: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  refund: RefundView | null
  /** Empty when the decision is final. */
  decisions: Decision[]
}

export type VendorContact = { name: string; phone: string | null; email: string }

/** One booking as its customer sees it. The vendor's contact goes to a customer who has paid (Decision 20). */
export type CustomerBooking = {
  id: string
  stored: StoredBooking
  refund: RefundView | null
  canWithdraw: boolean
  /** By when the vendor answers, as it was promised when the booking was paid. ISO 8601, UTC. */
  decidedBy: string
  timeZone: string
  /** From when to when, and whose clock: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** The same in UTC, ISO 8601. */
  event: { from: string; until: string }
  place: string
  contact: VendorContact | null
  /** The path of the unguessable link to this booking. */
  link: string
}

/**
 * The unguessable token of a booking's link (Decision 3): it can be made again for every mail, while the database
 * holds only its hash.
 * @param paymentId our payment's id
 */
export function bookingLinkToken(secret: string, paymentId: string): Promise<string> {
  return signText(secret, `booking-link:${paymentId}`)
}

/** Sorts bookings by their event, as each place's clock shows it. */
export function eventOrder({ stored }: { stored: { date: string; time: string } }): string {
  return `${stored.date} ${stored.time}`
}
