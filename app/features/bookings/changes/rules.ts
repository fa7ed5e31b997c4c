import type { LocalDate, LocalTime } from '../../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../../shared/money.ts'
import { HOUR_MS, MINUTE_MS } from '../../../shared/time-units.ts'
import type { CurrentSlot, SlotRequest } from '../../availability/rules.ts'
import { askFor, priceOf } from '../../pricing/rules.ts'
import type { PlannedPayment } from '../../sales/amount-rules.ts'
import { isClosed } from '../../sales/plan-rules.ts'
import type { Replan } from '../../sales/replan-rules.ts'
import type { EventSpan, Sale } from '../../sales/rules.ts'
import { type AgreedTerms, cancellationSteps, type PayoutTimes, type SaleTerms } from '../../terms/rules.ts'
import { QUOTED_NUMBER } from '../field-messages.ts'
import { type BookingFieldErrors, checkBooking } from '../form-rules.ts'
import type { BookingStatus, PaymentStatus } from '../status-rules.ts'

/** A change waits so long for the other side's answer, and once it is agreed as long again for its payment. */
export const CHANGE_LASTS_MS = 72 * HOUR_MS

export type ChangeSide = 'customer' | 'vendor'

/** `accepted` waits for its payment. `paid` is in effect, also where nothing had to be paid. */
export type ChangeState = 'proposed' | 'accepted' | 'paid' | 'declined' | 'expired'

/** Waits for an answer or for its payment, and holds its time. */
export const OPEN_STATES = ['proposed', 'accepted'] as const satisfies readonly ChangeState[]

/** The date, quantity, price and times of a booking, before or after a change. Stored as JSON. */
export type BookedEvent = {
  date: LocalDate
  time: LocalTime
  quantity: number
  priceCents: Cents
  event: EventSpan
  occupied: EventSpan
}

/** The proposed date, time and quantity. */
export type ProposedEvent = Pick<BookedEvent, 'date' | 'time' | 'quantity'>

/** Why a booking can't be changed. */
export type ChangeRefusal = 'over' | 'event_begun' | 'no_terms'

/**
 * Returns why a booking can't be changed; null if it can: an undecided or approved one, until its event begins, with agreed
 * terms and not refunded.
 */
export function changeRefusal(
  booking: {
    status: BookingStatus
    paymentStatus: PaymentStatus
    hasTerms: boolean
    event: { from: string }
  },
  now: Date,
): ChangeRefusal | null {
  const { status, paymentStatus } = booking
  if ((status !== 'pending' && status !== 'approved') || paymentStatus !== 'paid') return 'over'
  if (Date.parse(booking.event.from) <= now.getTime()) return 'event_begun'
  return booking.hasTerms ? null : 'no_terms'
}

/** Until when a change waits that is proposed or agreed now: never later than the earlier of both events begins. */
export function changeExpiresAt(
  now: Date,
  before: Pick<BookedEvent, 'event'>,
  after: Pick<BookedEvent, 'event'>,
): Date {
  const starts = [before, after].map(({ event }) => Date.parse(event.from))
  return new Date(Math.min(now.getTime() + CHANGE_LASTS_MS, ...starts))
}

/**
 * The last instant at which a booking's event may end, so that its paid money can be held until the vendor gets it. The deposit of a
 * price in parts reaches the vendor ahead of an event that is too far away, so only the other payments count.
 * @param input.paid its paid instalments; the whole price as number 1 where it was paid at once
 * @param input.times null where vendors aren't paid by us
 * @returns null where nothing limits it
 */
export function heldEventLimit(input: {
  terms: Pick<SaleTerms, 'instalments'>
  paid: readonly { number: number; paidAt: Date }[]
  times: PayoutTimes | null
}): Date | null {
  const { terms, paid, times } = input
  const later = terms.instalments.filter(({ dueAt }) => dueAt !== null).map(({ number }) => number)
  const held = later.length === 0 ? paid : paid.filter(({ number }) => later.includes(number))
  if (!times || held.length === 0) return null
  const firstPaidMs = Math.min(...held.map(({ paidAt }) => paidAt.getTime()))
  return new Date(firstPaidMs + times.holdLimitMs - times.delayMs)
}

/** Whether a change moves an event past the limit of `heldEventLimit`. An event already past it may still move nearer. */
export function movesPastLimit(
  limit: Date | null,
  before: Pick<BookedEvent, 'event'>,
  after: Pick<BookedEvent, 'event'>,
) {
  const endsAt = Date.parse(after.event.until)
  return limit !== null && endsAt > limit.getTime() && endsAt > Date.parse(before.event.until)
}

const minutesBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / MINUTE_MS

/**
 * Returns the agreed lengths of a booking. A moved event keeps them, even if the listing has changed since. An event
 * booked by the hour lasts its number of hours, unless its length was quoted.
 */
export function currentSlotOf(
  firstPaymentId: string,
  { event, occupied, quote }: Pick<Sale, 'event' | 'occupied' | 'quote'>,
): CurrentSlot {
  const eventMinutes = minutesBetween(event.from, event.until)
  return {
    firstPaymentId,
    eventMinutes,
    setupMinutes: minutesBetween(occupied.from, event.from),
    cleanupMinutes: minutesBetween(event.until, occupied.until),
    ...(quote === null ? {} : { minutes: eventMinutes }),
  }
}

/** Whether a change keeps the booked time as it is, its length included. */
export function keepsTime(before: ProposedEvent, proposed: ProposedEvent, bookingType: PriceUnit): boolean {
  return (
    before.date === proposed.date &&
    before.time === proposed.time &&
    (bookingType === 'perPerson' || before.quantity === proposed.quantity)
  )
}

/** Builds the slot request of a booking that would move. A quoted event keeps its length, whatever its quantity. */
export function movedSlotRequest(
  proposed: ProposedEvent,
  sale: Pick<Sale, 'bookingType' | 'event' | 'quote'>,
): SlotRequest {
  const { event, bookingType } = sale
  const { date, time, quantity } = proposed
  const isQuoted = sale.quote !== null
  return {
    date,
    time,
    quantity,
    bookingType,
    ...(isQuoted ? { minutes: minutesBetween(event.from, event.until) } : {}),
  }
}

/** Returns the price after a change, in cents: the agreed price per person or hour times the quantity, or the quoted price. */
export function changedPrice(
  { quantity }: Pick<ProposedEvent, 'quantity'>,
  { unitPriceCents, bookingType, quote }: Pick<Sale, 'unitPriceCents' | 'bookingType' | 'quote'>,
): Cents | null {
  if (quote !== null) return unitPriceCents
  const price = priceOf({ base: { [bookingType]: unitPriceCents } }, askFor(bookingType, quantity))
  return price.ok ? price.totalCents : null
}

/**
 * Checks a proposal by the booking's own terms: the agreed price of one person or hour. A quoted booking can only move, since
 * its price is for its number.
 * @returns messages by field; empty when it can be proposed
 */
export function checkProposal(
  proposed: ProposedEvent,
  before: Pick<BookedEvent, 'quantity'>,
  sale: Pick<Sale, 'unitPriceCents' | 'bookingType' | 'timeZone' | 'quote'>,
  now: Date,
): BookingFieldErrors {
  if (sale.quote !== null && proposed.quantity !== before.quantity) return { quantity: QUOTED_NUMBER }
  const offer = {
    priceCents: sale.unitPriceCents,
    priceUnit: sale.bookingType,
    secondPrice: null,
    timeZone: sale.timeZone,
  }
  const customer = { fullName: '', email: '', phone: '' }
  const quantity = sale.quote === null ? proposed.quantity : 1
  return checkBooking({ ...customer, ...proposed, quantity, bookingType: sale.bookingType }, offer, now)
}

/** The event, number and price of a booking as they are. */
export function bookedEventOf(row: {
  date: LocalDate
  time: LocalTime
  quantity: number
  total_price_cents: string | number
  sale: Pick<Sale, 'event' | 'occupied'>
}): BookedEvent {
  const { date, time, quantity } = row
  const { event, occupied } = row.sale
  return { date, time, quantity, priceCents: Number(row.total_price_cents), event, occupied }
}

/** The payments of a booking as they would be after a change that takes effect now. */
export function plannedPayments(payments: PlannedPayment[], plan: Replan, now: Date): PlannedPayment[] {
  let backCents = plan.refundCents
  const paid = payments
    .filter(isClosed)
    .toReversed()
    .map((one) => {
      const cents = Math.min(backCents, one.cents)
      backCents -= cents
      return { ...one, cents: one.cents - cents }
    })
    .toReversed()
  const scheduled = (cents: Cents, at: Date) => ({ cents, at: at.toISOString(), state: 'scheduled' as const })
  return [
    ...paid,
    ...(plan.dueCents > 0 ? [scheduled(plan.dueCents, now)] : []),
    ...(plan.balance ? [scheduled(plan.balance.cents, plan.balance.dueAt)] : []),
  ]
}

/**
 * Encodes the amounts that a side saw before agreeing: the price, what is due and refunded at once, and the balance with its day.
 * The text is only compared, so that nobody agrees to amounts other than those shown.
 */
export function amountsText(
  after: Pick<BookedEvent, 'priceCents'>,
  { dueCents, refundCents, balance }: Replan,
): string {
  return [after.priceCents, dueCents, refundCents, balance?.cents ?? 0, balance?.dueAt.getTime() ?? 0].join(
    '.',
  )
}

/** By when an undecided booking is answered whose event has moved: as promised, but not in the past. */
export function movedDecideBy(decideBy: Date, eventFrom: Date, now: Date): Date {
  return decideBy > now ? decideBy : eventFrom
}

/** An open change for screens, with what it costs or refunds at present. */
export type ChangeView = {
  id: string
  proposedBy: ChangeSide
  /** Waits for its payment. */
  isAgreed: boolean
  before: BookedEvent
  after: BookedEvent
  /** Null while the booking's balance is being charged or is overdue. */
  plan: Replan | null
  shown: string
  /** Until when cancelling would cost nothing; null where it would cost something already. */
  freeUntil: Date | null
  /** ISO 8601, UTC. */
  expiresAt: string
}

/** Until when cancelling costs nothing once the event is at another time, by the tiers that were sale. */
export function freeUntilOf(terms: AgreedTerms, now: Date): Date | null {
  const [first] = cancellationSteps(terms)
  return first?.until && first.shareBasisPoints === ALL && first.until > now ? first.until : null
}

const ALL = 10_000
