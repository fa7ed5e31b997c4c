import type { AvailabilityRules, BlockedTime } from '../../app/features/availability/rules.ts'
import { addDays, type LocalDate } from '../../app/shared/dates.ts'
import { randomFrom } from '../illustrations/random.ts'

/**
 * The demo's calendars: weekends of the next months are taken, as a popular vendor's are. Later days are all free, so that
 * visitors can try every function.
 */
const WEEKS_AHEAD = 20
const FRIDAY = 5

/** Settings that differ from the category's defaults. */
export const demoSettings: Readonly<Record<string, Partial<AvailabilityRules>>> = {
  'okafor-and-daughters': { capacity: 2 },
  'hartmann-frame-and-field': { capacity: 2 },
  'moreton-soundcraft': { capacity: 2 },
  'long-lunch-collective': { capacity: 2 },
  'capital-crumb': { capacity: 3 },
}

/** Sample entries in the calendar of the demo vendor's venue, in days from today. */
const OWN_BLOCKS = [
  { from: 5, to: 6, note: 'The floor is sanded' },
  { from: 24, to: 24, fromTime: '09:00', toTime: '15:00', note: 'Fire drill and lunch with the crew' },
  { from: 47, to: 53, note: 'Family holiday' },
]
const OWN_VENUE = 'harbour-light-pavilion'

const NOTES = [
  'Booked by phone',
  'Booked by phone',
  'Wedding, by email',
  'Long-standing customer',
  'Away',
] as const

/**
 * The blocked times of a demo business, deterministic for a day and business.
 * @param today in the business's time zone
 */
export function demoBlocks(businessId: string, today: LocalDate): BlockedTime[] {
  const random = randomFrom(`calendar-${businessId}`)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const nextFriday = addDays(today, ((FRIDAY - weekday + 7) % 7) + 7)
  const own =
    businessId === OWN_VENUE
      ? OWN_BLOCKS.map(({ from, to, ...rest }) => ({
          fromTime: null,
          toTime: null,
          ...rest,
          from: addDays(today, from),
          to: addDays(today, to),
        }))
      : []
  const weekends = Array.from({ length: WEEKS_AHEAD }, (_, week) => {
    // Some Fridays, most Saturdays; some weekends are free.
    const day = addDays(nextFriday, week * 7 + random.pick<number>([0, 1, 1, 1, 2]))
    return random.chance(0.45)
      ? [{ from: day, fromTime: null, to: day, toTime: null, note: random.pick(NOTES) }]
      : []
  }).flat()
  return [...own, ...weekends]
}
