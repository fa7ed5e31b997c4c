import { type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { MAX_GUESTS, MAX_HOURS, MAX_TOTAL_CENTS, MIN_TOTAL_CENTS } from '../businesses/limits.ts'
import { offeredBookingTypes, type Pricing, unitPriceFor } from '../businesses/rules.ts'
import { FIELD_MESSAGES } from './field-messages.ts'

/** The fields of the booking form (Specification, section 3). */
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

/** The data of the booked business that the rules need. */
export type BookingOffer = Pricing & { timeZone: string }

/**
 * Price times quantity (Specification, section 4), in whole cents.
 * @param unitPriceCents the price of one hour or one person
 * @returns null unless the quantity is a whole number of 1 or more and the product is a safe integer
 */
export function totalPrice(unitPriceCents: Cents, quantity: number): Cents | null {
  if (!Number.isInteger(quantity) || quantity < 1) return null
  const total = unitPriceCents * quantity
  return Number.isSafeInteger(total) ? total : null
}

/**
 * The total for the quantity in the form's field.
 * @param maxGuests the most people that the business takes; null for no limit of its own
 * @returns null while the quantity can't be booked: missing, not whole, over a limit, or of a type without a price
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

/** The specification's default if the listing takes it, else the listing's own type. */
export function defaultBookingType(offer: Pricing): PriceUnit {
  return offeredBookingTypes(offer).includes('perPerson') ? 'perPerson' : offer.priceUnit
}

/** The largest quantity of a booking type (Decision 5). */
export function maxQuantity(bookingType: PriceUnit): number {
  return bookingType === 'perHour' ? MAX_HOURS : MAX_GUESTS
}

/**
 * Checks the rules of a booking that need the business or the clock: the booking type is offered, quantity and total
 * are within their limits (Decision 5), and the event is in the future by the venue's clock.
 * @param booking a booking that has passed the schema
 * @returns messages by field; empty when the booking can be paid
 */
export function checkBooking(booking: BookingForm, offer: BookingOffer, now: Date): BookingFieldErrors {
  const errors: BookingFieldErrors = {}
  const unitPrice = unitPriceFor(offer, booking.bookingType)
  if (unitPrice === null) errors.bookingType = FIELD_MESSAGES.bookingTypeNotOffered
  if (booking.quantity > maxQuantity(booking.bookingType)) {
    errors.quantity =
      booking.bookingType === 'perHour' ? FIELD_MESSAGES.hoursTooMany : FIELD_MESSAGES.peopleTooMany
  } else if (unitPrice !== null) {
    const total = totalPrice(unitPrice, booking.quantity)
    if (total === null) errors.quantity = FIELD_MESSAGES.quantityMissing
    else if (total < MIN_TOTAL_CENTS) errors.quantity = FIELD_MESSAGES.totalTooSmall
    else if (total > MAX_TOTAL_CENTS) errors.quantity = FIELD_MESSAGES.totalTooLarge
  }
  // Dates and times have a fixed width, so text order is time order.
  const there = wallTimeAt(now, offer.timeZone)
  if (booking.date < there.date) errors.date = FIELD_MESSAGES.datePast
  else if (booking.date === there.date && booking.time <= there.time) errors.time = FIELD_MESSAGES.timePast
  return errors
}
