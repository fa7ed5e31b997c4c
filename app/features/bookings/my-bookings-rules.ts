import type { LocalDate } from '../../shared/dates.ts'
import { type Cents, parsePrice } from '../../shared/money.ts'
import { type CustomerBooking, paidCentsOf } from './rules.ts'

/** A customer's bookings of one day. */
export type BookingDay = { date: LocalDate; bookings: CustomerBooking[] }

/** Groups bookings by the day of their event, in the order in which the days come. */
export function groupByDay(bookings: readonly CustomerBooking[]): BookingDay[] {
  const days = Map.groupBy(bookings, ({ stored }) => stored.date)
  return [...days].map(([date, ofDay]) => ({ date, bookings: ofDay }))
}

type Paid = Pick<CustomerBooking, 'stored' | 'terms' | 'otherRefunds'>

/** Adds up the payments of bookings that take place, less refunds, and the rest that is due. */
export function spentAndDue(bookings: readonly Paid[]): { spentCents: Cents; dueCents: Cents } {
  const sum = { spentCents: 0, dueCents: 0 }
  for (const { stored, terms, otherRefunds } of bookings) {
    const paidCents = terms ? paidCentsOf(terms) : (parsePrice(stored.totalPrice) ?? 0)
    // The payments are already without what a change gave back.
    const back = otherRefunds.filter(({ reason }) => reason !== 'changed')
    const backCents = back.reduce((cents, { amount }) => cents + (parsePrice(amount) ?? 0), 0)
    sum.spentCents += Math.max(0, paidCents - backCents)
    for (const { cents, state } of terms?.payments ?? [])
      if (state !== 'paid' && state !== 'ended') sum.dueCents += cents
  }
  return sum
}

/** The next event in the life of a booking. `at` is ISO 8601, UTC. */
export type NextStep = {
  booking: CustomerBooking
  at: string
  /** 'answered' by the vendor, 'charged' to the saved card, 'to pay' by the customer, or the 'event' itself. */
  kind: 'answered' | 'charged' | 'to pay' | 'event'
}

/**
 * Lists what comes next for a customer, soonest first.
 * @param bookings those that may take place
 */
export function nextSteps(bookings: readonly CustomerBooking[], count: number): NextStep[] {
  const steps = bookings.flatMap((booking): NextStep[] => {
    const { stored, due, decidedBy, event } = booking
    if (stored.status === 'pending') return [{ booking, at: decidedBy, kind: 'answered' }]
    if (stored.status !== 'approved') return []
    const isWaiting = due && ['failed', 'needs_customer', 'overdue'].includes(due.state)
    return [
      ...(due
        ? [{ booking, at: isWaiting ? due.endsAt : due.at, kind: isWaiting ? 'to pay' : 'charged' } as const]
        : []),
      { booking, at: event.from, kind: 'event' },
    ]
  })
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(0, count)
}

/** The past and the declined bookings that My Bookings begins with, and how many each 'Show more' adds. */
export const MY_BOOKINGS_STEP = 10
/** The list itself has no more. */
const MOST_SHOWN = 500

/** How many bookings of a section are shown, from an address; the first ones for anything else. */
export function shownCount(text: string | null): number {
  const count = /^\d{1,3}$/.test(text ?? '') ? Number(text) : MY_BOOKINGS_STEP
  return Math.min(Math.max(count, MY_BOOKINGS_STEP), MOST_SHOWN)
}
