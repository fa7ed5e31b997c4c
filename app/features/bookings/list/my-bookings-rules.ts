import { type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { groupBy } from '../../../shared/group-by.ts'
import { type Cents, parsePrice } from '../../../shared/money.ts'
import { paidAndDueOf } from '../../sales/amount-rules.ts'
import type { CustomerBooking } from '../rules.ts'
import { type BookingStatus, isCalledOff } from '../status-rules.ts'

/** A customer's bookings of one day. */
export type BookingDay = { date: LocalDate; bookings: CustomerBooking[] }

/** Groups bookings by the day of their event, in the order in which the days come. */
export function groupByDay(bookings: readonly CustomerBooking[]): BookingDay[] {
  const days = groupBy(bookings, ({ stored }) => stored.date)
  return [...days].map(([date, ofDay]) => ({ date, bookings: ofDay }))
}

type Paid = Pick<CustomerBooking, 'stored' | 'terms' | 'leftCents'>

/** Adds up what is left of the payments of bookings that take place, and the rest that is due. */
export function spentAndDue(bookings: readonly Paid[]): { spentCents: Cents; dueCents: Cents } {
  const sum = { spentCents: 0, dueCents: 0 }
  for (const { stored, terms, leftCents } of bookings) {
    const totalCents = parsePrice(stored.totalPrice) ?? 0
    const { dueCents } = paidAndDueOf({ payments: terms?.payments ?? null, totalCents })
    sum.spentCents += leftCents
    sum.dueCents += dueCents
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
        ? [
            {
              booking,
              // A balance without a deadline is still to be paid before the event.
              at: isWaiting ? (due.endsAt ?? event.from) : due.at,
              kind: isWaiting ? 'to pay' : 'charged',
            } as const,
          ]
        : []),
      { booking, at: event.from, kind: 'event' },
    ]
  })
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(0, count)
}

const NEXT_STEPS = 3

/** The sums of a customer's coming bookings, and the next steps. */
export type ComingUp = ReturnType<typeof spentAndDue> & { steps: NextStep[] }

/** @returns null without bookings */
export function summaryOf(upcoming: readonly CustomerBooking[]): ComingUp | null {
  return upcoming.length > 0 ? { ...spentAndDue(upcoming), steps: nextSteps(upcoming, NEXT_STEPS) } : null
}

/** The columns that decide where a booking stands in My Bookings. `timeZone` is its venue's. */
export type BookingPlace = {
  id: string
  status: BookingStatus
  date: LocalDate
  time: string
  timeZone: string
}

export type BookingSection = 'upcoming' | 'past' | 'off'

/** The bookings that each section begins with, and how many each 'Show more' adds. */
export const MY_BOOKINGS_STEPS = { upcoming: 30, past: 10, off: 10 } as const satisfies Record<
  BookingSection,
  number
>
/** So that an address can't ask for more than one page can hold. */
const MOST_SHOWN = 500

/**
 * Sorts a customer's bookings into the sections of My Bookings: ahead, soonest first; past; and those that don't take place,
 * both latest first. Whether an event is over depends on the clock of its own place.
 */
export function sectionsOf(
  places: readonly BookingPlace[],
  now: Date,
): Record<BookingSection, BookingPlace[]> {
  const sectionOf = ({ status, date, timeZone }: BookingPlace): BookingSection => {
    if (isCalledOff(status)) return 'off'
    return date < wallTimeAt(now, timeZone).date ? 'past' : 'upcoming'
  }
  const orderOf = ({ date, time }: BookingPlace) => `${date} ${time}`
  const sections = groupBy(places, sectionOf)
  const {
    upcoming = [],
    past = [],
    off = [],
  } = Object.fromEntries(sections) as Partial<Record<BookingSection, BookingPlace[]>>
  const latestFirst = (one: BookingPlace, other: BookingPlace) => orderOf(other).localeCompare(orderOf(one))
  return {
    upcoming: upcoming.toSorted((one, other) => latestFirst(other, one)),
    past: past.toSorted(latestFirst),
    off: off.toSorted(latestFirst),
  }
}

/** The first bookings of a section, up to this many and the rest of their last day, since each day is added up. */
export function firstDays<Place extends { date: LocalDate }>(
  places: readonly Place[],
  count: number,
): Place[] {
  const last = places[count - 1]
  return places.filter((place, index) => index < count || place.date === last?.date)
}

/** How many bookings of a section are shown, from an address; the first ones for anything else. */
export function shownCount(text: string | null, section: BookingSection): number {
  const least = MY_BOOKINGS_STEPS[section]
  const count = /^\d{1,3}$/.test(text ?? '') ? Number(text) : least
  return Math.min(Math.max(count, least), MOST_SHOWN)
}
