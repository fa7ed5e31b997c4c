import { type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { listedPrice } from '../businesses/price-rules.ts'
import { offeredBookingTypes, type Pricing } from '../businesses/rules.ts'
import { refusalText } from '../pricing/messages.ts'
import type { Price } from '../pricing/rules.ts'
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
 * The price of the quantity in the form's field.
 * @param maxGuests the most people that the business takes; null for no limit of its own
 * @returns null while the quantity can't be booked: missing, not whole, over a limit, or of a type without a price
 */
export function bookablePrice(
  pricing: Pricing,
  { quantity, bookingType }: Pick<BookingForm, 'quantity' | 'bookingType'>,
  maxGuests: number | null,
): Price | null {
  if (bookingType === 'perPerson' && maxGuests !== null && quantity > maxGuests) return null
  const price = listedPrice(pricing, bookingType, quantity)
  return price.ok ? price : null
}

/** The specification's default if the listing takes it, else the listing's own type. */
export function defaultBookingType(offer: Pricing): PriceUnit {
  return offeredBookingTypes(offer).includes('perPerson') ? 'perPerson' : offer.priceUnit
}

/**
 * Checks the rules of a booking that need the business or the clock: the booking type is offered, quantity and total
 * are within their limits (Decision 5), and the event is in the future by the venue's clock.
 * @param booking a booking that has passed the schema
 * @returns messages by field; empty when the booking can be paid
 */
export function checkBooking(booking: BookingForm, offer: BookingOffer, now: Date): BookingFieldErrors {
  const errors: BookingFieldErrors = {}
  const price = listedPrice(offer, booking.bookingType, booking.quantity)
  if (!price.ok) errors[price.field === 'unit' ? 'bookingType' : 'quantity'] = refusalText(price)
  // Dates and times have a fixed width, so text order is time order.
  const there = wallTimeAt(now, offer.timeZone)
  if (booking.date < there.date) errors.date = FIELD_MESSAGES.datePast
  else if (booking.date === there.date && booking.time <= there.time) errors.time = FIELD_MESSAGES.timePast
  return errors
}
