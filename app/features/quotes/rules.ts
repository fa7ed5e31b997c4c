import {
  addDays,
  type LocalDate,
  type LocalTime,
  minuteOf,
  wallTimeAt,
  wallTimeToUtc,
} from '../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { DAY_MINUTES, timeOfMinute } from '../availability/rules.ts'
import { MAX_TOTAL_CENTS, MIN_TOTAL_CENTS } from '../pricing/limits.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { maxQuantity } from '../pricing/rules.ts'
import type { ListingTerms } from '../terms/rules.ts'
import { FIELD_MESSAGES } from './field-messages.ts'

export type QuoteState =
  | 'draft'
  | 'sent'
  | 'viewed'
  | 'accepted'
  | 'booked'
  | 'declined'
  | 'expired'
  | 'withdrawn'
  | 'superseded'

/** The states in which a quote waits for its customer. */
export const OPEN_STATES = ['sent', 'viewed'] as const satisfies readonly QuoteState[]

/** A line of a quote. An optional one is the customer's to leave out. */
export type QuoteLine = {
  id: string
  label: string
  quantity: number
  unitPriceCents: Cents
  isOptional: boolean
}

export const MAX_LINES = 20
export const MAX_LABEL_LENGTH = 120
export const MAX_NOTE_LENGTH = 2_000
export const MAX_LINE_QUANTITY = 10_000
/** A quote is valid to the end of the day this number of days after it was sent. */
export const DEFAULT_VALID_DAYS = 7
export const MAX_VALID_DAYS = 60
/** How long a vendor can hold the time for a quote. */
export const HOLD_HOURS = [0, 24, 48] as const
export type HoldHours = (typeof HOLD_HOURS)[number]
export const MIN_QUOTE_MINUTES = 15
export const MAX_QUOTE_MINUTES = 1_440

/** The price, time and terms that a vendor offers to one customer. */
export type QuoteOffer = {
  lines: QuoteLine[]
  note: string
  date: LocalDate
  time: LocalTime
  minutes: number
  bookingType: PriceUnit
  /** The hours or people that the listing's unit counts: they follow from the length or the guests. */
  quantity: number
  /** Null where the vendor didn't say. */
  guests: number | null
  terms: ListingTerms
  /** The last day on which the quote can be accepted. */
  validTo: LocalDate
  holdHours: HoldHours
}

/** A quote as its page and the conversation show it. Times are ISO 8601, UTC. */
export type QuoteView = Omit<QuoteOffer, 'validTo' | 'holdHours'> & {
  id: string
  conversationId: string
  version: number
  state: QuoteState
  businessId: string
  businessName: string
  customerName: string
  timeZone: string
  /** The event from start to end, in words. */
  span: string
  /** The end of the event. */
  eventUntil: string
  /** The first instant at which the quote can't be accepted any more. */
  validUntil: string
  heldUntil: string | null
  sentAt: string | null
  /** The ids of the optional lines that were taken; null until the quote is accepted. */
  takenLines: string[] | null
  acceptedCents: Cents | null
}

/** The lines of the purchase: all that aren't optional, and the optional ones that are taken. */
export function takenLines(lines: readonly QuoteLine[], taken: readonly string[]): QuoteLine[] {
  return lines.filter(({ id, isOptional }) => !isOptional || taken.includes(id))
}

/** The ids of the optional lines. */
export function optionalIds(lines: readonly QuoteLine[]): string[] {
  return lines.flatMap(({ id, isOptional }) => (isOptional ? [id] : []))
}

/** The length of an event in minutes. An end that isn't after the start is on the next day. */
export function minutesUntil(time: LocalTime, end: LocalTime): number {
  const minutes = minuteOf(end) - minuteOf(time)
  return minutes > 0 ? minutes : minutes + DAY_MINUTES
}

/** The end of an event by the clock. */
export function endOf(time: LocalTime, minutes: number): LocalTime {
  return timeOfMinute(minuteOf(time) + minutes)
}

/** The quantity of a booking in its unit: its guests, or its hours, a begun one included. */
export function countedIn(bookingType: PriceUnit, minutes: number, guests: number | null): number | null {
  return bookingType === 'perPerson' ? guests : Math.ceil(minutes / 60)
}

/** The price that a customer pays at least: without the optional lines, until some are taken. */
export function leastOf({
  lines,
  takenLines: taken,
  acceptedCents,
}: Pick<QuoteView, 'lines' | 'takenLines' | 'acceptedCents'>): Cents {
  return acceptedCents ?? totalOf(lines, taken ?? [])
}

/** The price of a quote. @param taken the ids of the optional lines that are taken; left out, all are */
export function totalOf(lines: readonly QuoteLine[], taken: readonly string[] = optionalIds(lines)): Cents {
  return takenLines(lines, taken).reduce((sum, line) => sum + lineCents(line), 0)
}

/** Whether two selections of optional lines are the same. */
export function isSameSelection(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id))
}

/** The first instant at which a quote isn't valid any more: the midnight that ends its last day, by the venue's clock. */
export function validUntil(validTo: LocalDate, timeZone: string): Date {
  return wallTimeToUtc(addDays(validTo, 1), '00:00', timeZone)
}

/** The last day of a quote, by the venue's clock. */
export function lastValidDay(until: Date, timeZone: string): LocalDate {
  return wallTimeAt(new Date(until.getTime() - 1), timeZone).date
}

/** Until when a quote holds its time; null where it doesn't. A hold never outlasts the quote. */
export function heldUntil(holdHours: HoldHours, until: Date, now: Date): Date | null {
  if (holdHours === 0) return null
  return new Date(Math.min(now.getTime() + holdHours * HOUR_MS, until.getTime()))
}

export type OfferField = keyof QuoteOffer | `lines[${number}].${'label' | 'quantity' | 'unitPrice'}`
export type OfferErrors = Partial<Record<OfferField, string>>

/**
 * Checks the rules of an offer that need the venue's clock or several fields: the totals with and without the optional
 * lines, the quantity, the event and the last day.
 * @param offer an offer that has passed the schema
 * @returns messages by field; empty when it can be sent
 */
export function checkOffer(
  offer: QuoteOffer,
  { timeZone, now }: { timeZone: string; now: Date },
): OfferErrors {
  const errors: OfferErrors = {}
  if (totalOf(offer.lines) > MAX_TOTAL_CENTS) errors.lines = FIELD_MESSAGES.totalTooLarge
  else if (totalOf(offer.lines, []) < MIN_TOTAL_CENTS)
    errors.lines = offer.lines.every(({ isOptional }) => isOptional)
      ? FIELD_MESSAGES.allOptional
      : FIELD_MESSAGES.totalTooSmall
  if (offer.quantity > maxQuantity(offer.bookingType))
    errors.quantity =
      offer.bookingType === 'perHour' ? FIELD_MESSAGES.hoursTooMany : FIELD_MESSAGES.peopleTooMany
  // Dates and times have a fixed width, so text order is time order.
  const there = wallTimeAt(now, timeZone)
  if (offer.date < there.date) errors.date = FIELD_MESSAGES.datePast
  else if (offer.date === there.date && offer.time <= there.time) errors.time = FIELD_MESSAGES.timePast
  if (offer.validTo < there.date) errors.validTo = FIELD_MESSAGES.validToPast
  else if (offer.validTo > addDays(there.date, MAX_VALID_DAYS)) errors.validTo = FIELD_MESSAGES.validToFar
  else if (offer.validTo > offer.date) errors.validTo = FIELD_MESSAGES.validToAfterEvent
  return errors
}

/** Why a quote can't be acted on. */
export type QuoteRefusal = 'expired' | 'superseded' | 'withdrawn' | 'declined' | 'booked' | 'being_paid'

/**
 * Why a quote can't be accepted or declined now; null when it can. A quote that is being paid stays acceptable with the
 * same lines, which leads to the same payment.
 */
export function quoteRefusal(quote: { state: QuoteState; validUntil: Date }, now: Date): QuoteRefusal | null {
  switch (quote.state) {
    case 'accepted':
      return 'being_paid'
    case 'sent':
    case 'viewed':
      return quote.validUntil <= now ? 'expired' : null
    case 'draft':
      return 'withdrawn'
    default:
      return quote.state
  }
}
