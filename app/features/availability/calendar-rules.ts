import type { TimeSpan } from './rules.ts'

/** One thing in a vendor's calendar. */
export type CalendarEntry = {
  /** Of the slot; of an outside event one that changes with every reading. */
  id: string
  kind: 'booking' | 'hold' | 'block' | 'outside'
  event: TimeSpan
  /** With setting up and cleaning. */
  occupied: TimeSpan
  /** The customer's name, the note of a blocked time, or what an outside calendar calls it; '' for a hold. */
  title: string
  /** Of a booking. */
  bookingId: string | null
  status: 'pending' | 'approved' | null
  /** The outside calendar that it comes from. */
  calendarName: string | null
  /** More is going on then than the vendor takes at once, and somebody has to decide. */
  isConflict: boolean
}

/**
 * When customers are in a business's calendar and more is going on than it takes at once. Blocked and outside times may
 * overlap each other: where no customer is in it, there is nothing to decide.
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
