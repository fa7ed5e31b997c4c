import type { CalendarAnswer } from '../../adapters/calendars/port.ts'
import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import {
  type AvailabilityRules,
  type DayState,
  eventMinutesOf,
  MAX_CAPACITY,
  MAX_HORIZON_DAYS,
  type OpenHours,
  type SlotLength,
  type TimeProblem,
  type TimeRefusal,
  type Weekday,
} from './rules.ts'

const DAY_MINUTES = 1_440

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
} as const satisfies Record<TimeRefusal, TimeProblem['field']>

/** What a refusal says beside its field. */
export function refusalText(
  refusal: TimeRefusal,
  rules: Pick<AvailabilityRules, 'maxGuests' | 'noticeMinutes' | 'horizonDays' | 'eventMinutes'>,
  slotRequest: SlotLength,
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
      return `This vendor isn't open for all of the ${lengthText(eventMinutesOf(rules, slotRequest))} from then. Choose another time.`
    case 'taken':
      return 'That time is taken. Choose another one.'
  }
}

/** What a customer is told of a slot request that was refused. */
export function timeProblem(refused: {
  why: TimeRefusal
  slotRequest: SlotLength
  rules: AvailabilityRules
  alternatives: TimeProblem['alternatives']
}): TimeProblem {
  const { why, rules, slotRequest, alternatives } = refused
  return { field: REFUSAL_FIELDS[why], message: refusalText(why, rules, slotRequest), alternatives }
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

// The calendar and the times beside the booking form's fields.
export const CHOOSE_A_DAY = 'Choose a day to see its free starting times.'
export const LOADING_DAYS = 'Loading the calendar...'
export const LOADING_TIMES = 'Loading the free times...'
export const TIMES_LOAD_FAILED = 'The free times could not be loaded. Check your connection and try again.'
export const NO_TIMES = 'Nothing is free on this day. Choose another one.'
export function freeDaysText(states: readonly DayState[], monthName: string): string {
  const free = states.filter((state) => state === 'free').length
  const sentence =
    free === 0 ? `Nothing is free in ${monthName}.` : `${countText(free, 'day')} free in ${monthName}.`
  return states.includes('full') ? `${sentence} Days struck through are booked out.` : sentence
}
export const timesTitle = (day: LocalDate) => formatDay(day)
export const NEAREST_FREE = 'The nearest free times:'

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

// The vendor's calendar and availability.

export const CALENDAR_TITLE = 'Calendar'
export const AVAILABILITY_TITLE = 'Availability'

/** What each thing in the calendar is called beside its title, by its kind and state. */
export const ENTRY_LABELS = {
  pending: 'Waiting for your answer',
  approved: 'Approved',
  hold: 'Being paid for',
  block: 'Blocked',
  outside: 'Other calendar',
} as const

export const TO_DECIDE = 'To decide'

/** Specification, section 9: toasts close by themselves after four seconds elsewhere. */
export const VENDOR_TOAST_LIFE_MS = 4_000

/** How a booking is called in the feed: nobody's name in it, unless the vendor wants them. */
export function feedTitle(status: 'pending' | 'approved', name: string | null): string {
  return `${name ?? 'Booking'}${status === 'pending' ? ' (waiting for your answer)' : ''}`
}

/** Why an outside calendar can't be read, and what its vendor can do. */
export const CALENDAR_PROBLEMS = {
  unreachable: 'We can’t reach this address. Check it for a typing mistake, or try again later.',
  refused_address: 'This address can’t be read from here. It has to be a public web address.',
  too_large: 'This calendar is larger than 5 MB. Share one with fewer or newer events.',
  too_slow: 'This calendar took too long to answer. We keep trying.',
  not_a_calendar:
    'There is no calendar at this address, or we can’t read all of it. Copy the address in iCal format (.ics) once more.',
  too_many_events: 'This calendar has more events than we can take in. Share one with fewer events.',
  http_error: 'The other calendar refused. Its address may have been renewed: copy it once more.',
} as const satisfies Record<Extract<CalendarAnswer, { ok: false }>['reason'], string>

/** The same for what a reading left behind. */
export function calendarProblem(reason: string): string {
  return (
    Object.entries(CALENDAR_PROBLEMS).find(([known]) => known === reason)?.[1] ??
    CALENDAR_PROBLEMS.unreachable
  )
}

/** The refusals of the vendor's steps that are no calendar's fault. */
export const STEP_PROBLEMS = {
  not_found: 'We can’t find this business any more. Go back to My Listings.',
  too_many: 'There are too many of these already. Remove some first.',
  already_there: 'This calendar is there already.',
  no_such_time: 'The clock goes forward that night and skips this time. Choose another one.',
  changed_meanwhile: 'These settings were changed somewhere else since you opened them.',
  too_often: 'That was too often. Try again in ten minutes.',
  signed_out: 'You are not logged in any more. What you typed is still here.',
  failed: 'That didn’t work. Check your connection and try again.',
} as const

/** A refused step of the vendor's calendar or availability. With 'invalid_fields' the fields say why. */
export type StepProblem = keyof typeof STEP_PROBLEMS | keyof typeof CALENDAR_PROBLEMS | 'invalid_fields'

const PROBLEM_TEXTS: Record<string, string> = { ...STEP_PROBLEMS, ...CALENDAR_PROBLEMS }

/** The sentence that a refused step shows; null for one that its fields explain. */
export function stepProblemText(reason: StepProblem): string | null {
  return reason === 'invalid_fields' ? null : (PROBLEM_TEXTS[reason] ?? null)
}

/** The toast after each step on the availability screen. */
export const STEP_DONE = {
  settings: 'Your availability is saved.',
  exception: 'These days are saved.',
  'remove-exception': 'The usual hours are back on these days.',
  'sync-calendar': 'Synced.',
  'remove-calendar': 'The calendar is removed.',
  'make-feed': 'The address is made. Copy it now.',
  'revoke-feed': 'The address opens nothing any more.',
} as const

/** The toast after adding an outside calendar, with the number of its busy times. */
export function calendarAddedText(events: number): string {
  if (events === 0) return 'Added. There is no busy time in it.'
  return events === 1
    ? 'Added, with 1 busy time.'
    : `Added, with ${events.toLocaleString('en-AU')} busy times.`
}

/** The toast after names in the feed were switched on or off. */
export const feedNamesText = (showsNames: boolean) =>
  showsNames ? 'Names are shown from now on.' : 'Names are no longer shown.'

/** 'Open 8:00 am to 2:00 am', 'Closed': a day of the vendor's calendar. */
export function openHoursText(hours: readonly OpenHours[]): string {
  if (hours.length === 0) return 'Closed'
  const times = hours.map(({ opensMinute, closesMinute }) =>
    closesMinute - opensMinute === DAY_MINUTES && opensMinute === 0
      ? 'all day'
      : `${formatTime(timeOfMinute(opensMinute))} to ${formatTime(timeOfMinute(closesMinute))}`,
  )
  return `Open ${times.join(' and ')}`
}

/** 'HH:mm' of a minute since midnight, past midnight on the next day's clock. */
export function timeOfMinute(minute: number): LocalTime {
  const ofDay = minute % DAY_MINUTES
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}
