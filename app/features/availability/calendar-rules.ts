import type { TimeSpan } from '../../shared/time-span.ts'

/** Stands in the place of a business's id for all businesses of a vendor. */
export const ALL_BUSINESSES = 'all'

/**
 * The id of the business that a vendor's screen shows: the only one, else that of the address, else
 * `ALL_BUSINESSES`.
 * @param asked the id in the address; null without one
 */
export function listedBusiness(businesses: readonly { id: string }[], asked: string | null): string {
  const [only, another] = businesses
  if (only && !another) return only.id
  return businesses.find(({ id }) => id === asked)?.id ?? ALL_BUSINESSES
}

/** An entry of a vendor's calendar. */
export type CalendarEntry = {
  /** The slot's id. An outside event's id changes with every sync. */
  id: string
  /** The listing that it belongs to. */
  businessId: string
  kind: 'booking' | 'hold' | 'block' | 'outside'
  event: TimeSpan
  /** The event with setting up and cleaning. */
  occupied: TimeSpan
  /**
   * The customer's name, the note of a blocked time, or the title of an outside event; '' for a hold, unless a booking would
   * move to it.
   */
  title: string
  /** Null unless the entry is a booking, as is its status. */
  bookingId: string | null
  /** 'declined' while its customer hasn't been told. */
  status: 'pending' | 'approved' | 'declined' | null
  /** The name of an outside event's calendar; null for every other entry. */
  calendarName: string | null
  /** The unpaid rest of a booking's price, in words. Null once it is paid, and for every other kind of entry. */
  due: { label: string; text: string; isLate: boolean } | null
  /** Whether the entry overlaps a time with more bookings than the capacity, which the vendor has to resolve. */
  isConflict: boolean
}

/**
 * Returns the spans in which a business's calendar has customers and more entries than its capacity. Blocked and
 * outside times may overlap each other, since without a customer there is nothing to decide.
 */
export function overbookedSpans(
  entries: readonly Pick<CalendarEntry, 'kind' | 'occupied'>[],
  capacity: number,
): TimeSpan[] {
  const changes = entries.flatMap(({ kind, occupied }) => {
    const isCustomers = kind === 'booking' || kind === 'hold'
    const change = isCustomers ? { customers: 1, places: 1 } : { customers: 0, places: capacity }
    return [
      { at: occupied.from, ...change },
      { at: occupied.until, customers: -change.customers, places: -change.places },
    ]
  })
  changes.sort((one, other) => one.at.getTime() - other.at.getTime() || one.places - other.places)
  const spans: TimeSpan[] = []
  let customers = 0
  let places = 0
  let since: Date | null = null
  for (const change of changes) {
    customers += change.customers
    places += change.places
    const isOverbooked = customers > 0 && places > capacity
    if (isOverbooked) since ??= change.at
    else if (since) {
      spans.push({ from: since, until: change.at })
      since = null
    }
  }
  return spans
}

/** The parts of a span outside another one, earliest first. */
export function outsideOf(span: TimeSpan, other: TimeSpan | null): TimeSpan[] {
  if (!other || other.from >= span.until || other.until <= span.from) return [span]
  return [
    { from: span.from, until: other.from },
    { from: other.until, until: span.until },
  ].filter(({ from, until }) => from < until)
}
