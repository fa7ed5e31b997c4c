import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import {
  type AvailabilityRules,
  type DayState,
  eventMinutesOf,
  MAX_CAPACITY,
  MAX_HORIZON_DAYS,
  type TimeRefusal,
  type Weekday,
  type WishLength,
} from './rules.ts'

export const WEEKDAY_NAMES = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const satisfies Record<Weekday, string>

// What a customer reads.

/** The field of the booking form beside which each refusal stands. */
export const REFUSAL_FIELDS = {
  no_such_time: 'time',
  too_soon: 'date',
  too_far: 'date',
  too_many_guests: 'quantity',
  closed: 'time',
  taken: 'time',
} as const satisfies Record<TimeRefusal, 'date' | 'time' | 'quantity'>

/** What a refusal says beside its field. */
export function refusalText(
  refusal: TimeRefusal,
  rules: Pick<AvailabilityRules, 'maxGuests' | 'noticeMinutes' | 'horizonDays' | 'eventMinutes'>,
  wish: WishLength,
): string {
  switch (refusal) {
    case 'no_such_time':
      return 'The clock goes forward that night and skips this time. Choose another one.'
    case 'too_soon':
      return rules.noticeMinutes > 0
        ? `This vendor needs ${lengthText(rules.noticeMinutes)} of notice. Choose a later time.`
        : 'That time has passed. Choose a later one.'
    case 'too_far':
      return `This vendor takes bookings up to ${countText(rules.horizonDays, 'day')} ahead. Choose an earlier date.`
    case 'too_many_guests':
      return `This vendor takes at most ${countText(rules.maxGuests ?? 0, 'guest')}.`
    case 'closed':
      return `This vendor isn't open for all of the ${lengthText(eventMinutesOf(rules, wish))} from then. Choose another time.`
    case 'taken':
      return 'That time is taken. Choose another one.'
  }
}

/** '7 hours', '1 hour', '7 hours 30 minutes'; from two whole days on '2 days'. */
export function lengthText(minutes: number): string {
  if (minutes >= 2_880 && minutes % 1_440 === 0) return countText(minutes / 1_440, 'day')
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 ? countText(hours, 'hour') : '', rest > 0 || hours === 0 ? countText(rest, 'minute') : '']
    .filter(Boolean)
    .join(' ')
}

function countText(count: number, unit: string): string {
  return `${count.toLocaleString('en-AU')} ${unit}${count === 1 ? '' : 's'}`
}

/** How a day of the calendar is called by its state; the date stands before it. */
export const DAY_STATE_TEXTS = {
  free: 'free',
  full: 'booked out',
  closed: 'closed',
  past: "can't be booked",
} as const satisfies Record<DayState, string>

/** 'Saturday 13 March 2027, free'. */
export const dayName = (day: LocalDate, state: DayState) => `${formatDay(day)}, ${DAY_STATE_TEXTS[state]}`

/** 'Sunday 14 March 2027, 4:00 pm', on the button of a free time near the one that is gone. */
export const nearTimeText = (near: { date: LocalDate; time: LocalTime }) =>
  `${formatDay(near.date)}, ${formatTime(near.time)}`

/** What a question about availability is told that can't be answered. */
export const AVAILABILITY_ERROR_MESSAGES = {
  malformed: 'Ask for a month, a day, or a date and a time, each with a booking type and a quantity.',
  not_found: "We don't know this business, or it takes no bookings.",
  rate_limited: 'Too many calendars were asked for from here. Wait a minute and try again.',
} as const

// Beside the fields of the vendor's forms.
export const SETTINGS_MESSAGES = {
  capacityWrong: `Enter a whole number from 1 to ${MAX_CAPACITY}.`,
  maxGuestsWrong: 'Enter a whole number from 1 to 10,000, or leave it empty.',
  eventHoursWrong: 'Enter half an hour to 48 hours, in steps of half an hour.',
  bufferWrong: 'Enter 0 to 1,440 whole minutes.',
  noticeHoursWrong: 'Enter 0 to 8,760 whole hours.',
  horizonWrong: `Enter 1 to ${MAX_HORIZON_DAYS.toLocaleString('en-AU')} whole days.`,
  opensMissing: 'Enter when you open.',
  closesMissing: 'Enter when you close.',
  hoursOverlap: 'These hours overlap. Put them together or change one of them.',
  hoursTooLate: 'Hours end at noon of the next day at the latest.',
  tooManyHours: 'Enter at most four openings for one day.',
  dateMissing: 'Choose a date.',
  dateWrong: "That day isn't in the calendar. Choose another date.",
  timeWrong: 'Enter a time like 16:00.',
  endBeforeStart: 'The end is before the beginning. Choose a later one.',
  tooLong: 'Block at most two years at once.',
  calendarNameMissing: 'Give the calendar a name.',
  calendarAddressMissing: "Enter the calendar's address.",
  calendarAddressWrong: 'Enter an address that begins with https://, http:// or webcal://.',
} as const
