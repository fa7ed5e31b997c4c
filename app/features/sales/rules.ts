import type { LocalDate, LocalTime } from '../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { type AgreedTime, formatEventSpan, type TimeSpan } from '../../shared/time-span.ts'
import type { Facts } from '../businesses/fact-rules.ts'
import { type CommissionTerms, NO_COMMISSION } from '../ledger/rules.ts'
import type { SaleTerms } from '../terms/rules.ts'

/**
 * The agreement of a customer and a vendor: the offer as it was when the payment began (Decision 4), with the changes that
 * both sides have agreed to since. All payments of a purchase belong to one sale. Times are ISO 8601, UTC.
 */
export type Sale = {
  /** The id of its first payment. */
  id: string
  /** Whose business it was: decides who may see and decide the booking, also once the business is gone. */
  ownerUserId: string
  /** Null for a guest. */
  customerUserId: string | null
  /** The version of the words that the customer agreed to. */
  termsVersion: string
  /** As typed when booking; blank once it has to be forgotten. */
  customer: Customer
  businessId: string
  businessName: string
  place: string
  /** The listing's facts when the sale was made (decision 86). Null in sales from before there were any. */
  facts: Facts | null
  timeZone: string
  abn: string | null
  gstRegistered: boolean
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  /** The event itself, and the vendor's time that it occupies with setting up and cleaning. */
  event: EventSpan
  occupied: EventSpan
  /** Of one person or hour; of the whole where a quote was accepted. */
  unitPriceCents: Cents
  /** The whole price. The first payment may be only a deposit. */
  priceCents: Cents
  /** Null where it began before there was a ledger. */
  commission: CommissionTerms | null
  /** Null where it began before there were terms: paid in full, and only withdrawn while undecided. */
  terms: SaleTerms | null
  /** The quote that was accepted; null where the listing's own price was paid. */
  quote: SaleQuote | null
  /** How long the vendor has to answer. Null where they have agreed by a quote, and in older sales. */
  answerWithinMs: number | null
}

export type Customer = { fullName: string; email: string; phone: string }

/** A quote as it was accepted. Its lines add up to the price. */
export type SaleQuote = {
  id: string
  lines: readonly { label: string; quantity: number; unitPriceCents: Cents }[]
}

/** ISO 8601, UTC; `until` is the first instant outside. */
export type EventSpan = { from: string; until: string }

/** The time of a sale: the event, the span that it occupies, and the zone of its place. */
export function agreedTime({
  event,
  occupied,
  timeZone,
}: Pick<Sale, 'event' | 'occupied' | 'timeZone'>): AgreedTime {
  return { event: timesOf(event), occupied: timesOf(occupied), timeZone }
}

/** Returns the customer's entries in the booking form, with the changes since. */
export function formOf({
  customer,
  date,
  time,
  quantity,
  bookingType,
}: Pick<Sale, 'customer' | 'date' | 'time' | 'quantity' | 'bookingType'>) {
  return { ...customer, date, time, quantity, bookingType }
}

/** Writes a span as a sale stores it. */
export function writtenSpan({ from, until }: TimeSpan): EventSpan {
  return { from: from.toISOString(), until: until.toISOString() }
}

/** The event from start to end, in words. */
export function spanText(sale: Pick<Sale, 'event' | 'timeZone'>): string {
  return formatEventSpan(timesOf(sale.event), sale.timeZone)
}

/** The terms of commission of a sale: none where it began before there was a ledger. */
export function commissionOf({ commission }: Pick<Sale, 'commission'>): CommissionTerms {
  return commission ?? NO_COMMISSION
}

function timesOf({ from, until }: EventSpan): TimeSpan {
  return { from: new Date(from), until: new Date(until) }
}
