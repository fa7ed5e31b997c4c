import type { CalendarAnswer } from '../../adapters/calendars/port.ts'
import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import {
  type AvailabilityRules,
  DAY_MINUTES,
  type DayState,
  eventMinutesOf,
  MAX_CAPACITY,
  MAX_HORIZON_DAYS,
  type OpenHours,
  type SlotLength,
  type TimeProblem,
  type TimeRefusal,
  timeOfMinute,
  type Weekday,
} from './rules.ts'
import type { DayPart } from './start-time-rules.ts'

export const WEEKDAY_NAMES = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const satisfies Record<Weekday, string>

// Messages to customers.

/** The field of the booking form beside which each refusal stands. */
export const REFUSAL_FIELDS = {
  no_such_time: 'time',
  too_soon: 'date',
  too_far: 'date',
  too_many_guests: 'quantity',
  closed: 'time',
  taken: 'time',
} as const satisfies Record<TimeRefusal, TimeProblem['field']>

/** The message of a refusal, beside its field. */
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
        ? `Book this vendor at least ${lengthText(rules.noticeMinutes)} ahead. Choose a later time.`
        : 'That time has passed. Choose a later one.'
    case 'too_far':
      return `This vendor takes bookings up to ${countText(rules.horizonDays, 'day')} ahead. Choose an earlier date.`
    case 'too_many_guests':
      return tooManyGuestsText(rules.maxGuests ?? 0)
    case 'closed':
      return `This vendor isn’t open for the full ${lengthText(eventMinutesOf(rules, slotRequest))} from then. Choose another time.`
    case 'taken':
      return 'That time is taken. Choose another one.'
  }
}

/** 'This vendor takes at most 80 guests.' */
export const tooManyGuestsText = (maxGuests: number) =>
  `This vendor takes at most ${countText(maxGuests, 'guest')}.`

/** Converts a refused slot request into its message and alternatives for the customer. */
export function timeProblem(refused: {
  why: TimeRefusal
  slotRequest: SlotLength
  rules: AvailabilityRules
  alternatives: TimeProblem['alternatives']
}): TimeProblem {
  const { why, rules, slotRequest, alternatives } = refused
  return { field: REFUSAL_FIELDS[why], message: refusalText(why, rules, slotRequest), alternatives }
}

/** '7 hours', '1 hour' or '7 hours 30 minutes'; '2 days' for two or more whole days. */
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

/** The wording of a day's state, after its date. */
export const DAY_STATE_TEXTS = {
  free: 'free',
  full: 'booked out',
  closed: 'closed',
  past: 'can’t be booked',
} as const satisfies Record<DayState, string>

/** 'Saturday 13 March 2027, free', and whether it is chosen, or as searched for. */
export const dayName = (
  day: LocalDate,
  state: DayState,
  { isChosen, isFitting }: { isChosen: boolean; isFitting: boolean },
) =>
  [
    formatDay(day),
    DAY_STATE_TEXTS[state],
    ...(isFitting ? ['fits your search'] : []),
    ...(isChosen ? ['chosen'] : []),
  ].join(', ')

export const MONTH_LABEL = 'Month'

/** 'Sunday 14 March 2027, 4:00 pm', on the button of a nearby free time. */
export const nearTimeText = (near: { date: LocalDate; time: LocalTime }) =>
  `${formatDay(near.date)}, ${formatTime(near.time)}`

// The calendar and the times beside the booking form's fields.
export const DAY_PART_LABEL = 'Part of the day'
export const DAY_PART_NAMES = {
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
} as const satisfies Record<DayPart, string>
export const OTHER_TIMES = 'You can type any other start time below.'
/**
 * '4:00 – 11:00 pm', or '8:00 am – 3:00 pm'. Without an end, the start alone.
 * @param clocks the clock's names on a night on which clocks change: '8:00 pm AEDT – 2:00 am AEST'
 */
export function startText(
  start: LocalTime,
  end: LocalTime | null,
  clocks: readonly [start: string, end: string] | null = null,
): string {
  const from = formatTime(start)
  if (end === null) return from
  const until = formatTime(end)
  if (clocks) return `${from} ${clocks[0]} – ${until} ${clocks[1]}`
  const half = from.slice(-3)
  return `${until.endsWith(half) ? from.slice(0, -half.length) : from} – ${until}`
}
export const CHOOSE_A_DAY = 'Choose a day to see its free start times.'
export const LOADING_DAYS = 'Loading the calendar...'
export const LOADING_TIMES = 'Loading the free times...'
export const TIMES_LOAD_FAILED = 'The free times couldn’t be loaded. Check your connection and try again.'
export const NO_TIMES = 'Nothing is free on this day. Choose another one.'
export function freeDaysText(states: readonly DayState[], monthName: string): string {
  const free = states.filter((state) => state === 'free').length
  const sentence =
    free === 0 ? `Nothing is free in ${monthName}.` : `${countText(free, 'day')} free in ${monthName}.`
  return states.includes('full') ? `${sentence} Days struck through are booked out.` : sentence
}
/** The free days of a month that are as searched for. They are outlined. */
export const fittingDaysText = (count: number) =>
  count === 1 ? '1 fits your search.' : `${count} fit your search.`
export const timesTitle = (day: LocalDate) => formatDay(day)
export const NEAREST_FREE = 'The nearest free times:'
export const NEAREST_FREE_DAYS = 'The nearest free days:'

/** The availability API's messages, by error code. */
export const AVAILABILITY_ERROR_MESSAGES = {
  malformed: 'Request a month, a day, or a date and a time, each with a booking type and a quantity.',
  not_found: 'We can’t find this business, or it takes no bookings.',
  rate_limited: 'Too many calendar requests from your network. Wait a minute and try again.',
} as const

// Messages beside the fields of the vendor's forms.
export const SETTINGS_MESSAGES = {
  capacityWrong: `Enter a whole number from 1 to ${MAX_CAPACITY}.`,
  maxGuestsWrong: 'Enter a whole number from 1 to 10,000, or leave it empty.',
  eventHoursWrong: 'Enter half an hour to 48 hours, in steps of half an hour.',
  bufferWrong: 'Enter 0 to 1,440 whole minutes.',
  noticeHoursWrong: 'Enter 0 to 8,760 whole hours.',
  horizonWrong: `Enter 1 to ${MAX_HORIZON_DAYS.toLocaleString('en-AU')} whole days.`,
  opensMissing: 'Enter when you open.',
  closesMissing: 'Enter when you close.',
  hoursOverlap: 'These hours overlap. Combine them or change one of them.',
  hoursTooLate: 'Hours must end by noon on the next day.',
  tooManyHours: 'Enter at most four sets of hours for one day.',
  dateMissing: 'Choose a date.',
  dateWrong: 'That date doesn’t exist. Choose another one.',
  timeWrong: 'Enter a time like 16:00.',
  endBeforeStart: 'The end must be after the start. Choose a later end.',
  tooLong: 'Block at most two years at a time.',
  businessMissing: 'Choose the business to block.',
  calendarNameMissing: 'Give the calendar a name.',
  calendarAddressMissing: 'Enter the calendar’s address.',
  calendarAddressWrong: 'Enter an address that begins with https://, http:// or webcal://.',
} as const

// The vendor's calendar and availability.

export const CALENDAR_TITLE = 'Calendar'
export const AVAILABILITY_TITLE = 'Availability'

/** The label of a calendar entry, beside its title, by kind and status. */
export const ENTRY_LABELS = {
  pending: 'Waiting for your answer',
  approved: 'Approved',
  declined: 'Declined, not told yet',
  hold: 'Payment in progress',
  change: 'Proposed change',
  block: 'Blocked',
  outside: 'Other calendar',
} as const

export const TO_DECIDE = 'To decide'

/** Stands for the time zone where listings have several. */
export const LOCAL_TIMES = 'Each listing’s local time'

const FEED_NOTES = { pending: ' (waiting for your answer)', approved: '', cancelled: ' (cancelled)' }

/** The title of a booking in the feed, without the customer's name unless the vendor shows names. */
export function feedTitle(status: 'pending' | 'approved' | 'cancelled', name: string | null): string {
  return `${name ?? 'Booking'}${FEED_NOTES[status]}`
}

/** Why an outside calendar can't be read, and what its vendor can do. */
export const CALENDAR_PROBLEMS = {
  unreachable: 'We can’t reach this address. Check it for typing mistakes, or try again later.',
  refused_address: 'We can’t read this address. It has to be a public web address.',
  too_large: 'This calendar is larger than 5 MB. Share one with fewer or newer events.',
  too_slow: 'This calendar took too long to respond. We’ll keep trying.',
  not_a_calendar:
    'There’s no calendar at this address, or we can’t read all of it. Copy the address in iCal format (.ics) again.',
  too_many_events: 'This calendar has more events than we can read. Share one with fewer events.',
  unreadable_event:
    'We can’t read one event of this calendar, and it may be at a time that customers could book. Correct or delete it there.',
  http_error: 'The other calendar refused our request. Its address may have changed, so copy it again.',
} as const satisfies Record<Extract<CalendarAnswer, { ok: false }>['reason'], string>

/** The problem of an event that can't be read. */
const unreadableEventText = (event: string) =>
  `We can’t read the event “${event}” of this calendar, and it may be at a time that customers could book. Correct or delete it there.`

/**
 * The problem of a stored sync error.
 * @param event the event that can't be read, if that is why
 */
export function calendarProblem(reason: string, event: string | null = null): string {
  if (reason === 'unreadable_event' && event !== null) return unreadableEventText(event)
  return (
    Object.entries(CALENDAR_PROBLEMS).find(([known]) => known === reason)?.[1] ??
    CALENDAR_PROBLEMS.unreachable
  )
}

/** The refusals of the vendor's steps, except problems with an outside calendar. */
export const STEP_PROBLEMS = {
  not_found: 'We can’t find this business any more. Go back to My Listings.',
  too_many: 'There are too many of these already. Remove some first.',
  already_there: 'You’ve already added this calendar.',
  no_such_time: 'The clock goes forward that night and skips this time. Choose another one.',
  changed_meanwhile: 'These settings were changed somewhere else since you opened them.',
  too_often: 'You’ve tried too often. Try again in ten minutes.',
  signed_out: 'You’re no longer logged in. What you typed is still here.',
  failed: 'That didn’t work. Check your connection and try again.',
} as const

/** The reason of a refused step. With 'invalid_fields', the messages stand beside the fields. */
export type StepProblem = keyof typeof STEP_PROBLEMS | keyof typeof CALENDAR_PROBLEMS | 'invalid_fields'

const PROBLEM_TEXTS: Record<string, string> = { ...STEP_PROBLEMS, ...CALENDAR_PROBLEMS }

/** The message of a refused step; null when its fields explain it. */
export function stepProblemText({ reason, event }: { reason: StepProblem; event?: string }): string | null {
  if (reason === 'unreadable_event' && event !== undefined) return unreadableEventText(event)
  return reason === 'invalid_fields' ? null : (PROBLEM_TEXTS[reason] ?? null)
}

/** The toast after each step on the availability screen. */
export const STEP_DONE = {
  settings: 'Your availability is saved.',
  exception: 'These days are saved.',
  'remove-exception': 'These days have their usual hours again.',
  'sync-calendar': 'Synced.',
  'remove-calendar': 'The calendar is removed.',
  'make-feed': 'Your address is ready. Copy it now.',
  'revoke-feed': 'The address no longer works.',
} as const

/** The toast after adding an outside calendar, with the number of its busy times. */
export function calendarAddedText(events: number): string {
  if (events === 0) return 'Added. No busy times in this calendar.'
  return events === 1
    ? 'Added, with 1 busy time.'
    : `Added, with ${events.toLocaleString('en-AU')} busy times.`
}

/** The toast after switching names in the feed on or off. */
export const feedNamesText = (showsNames: boolean) =>
  showsNames ? 'Names are now shown.' : 'Names are no longer shown.'

/** The opening hours of a day in the vendor's calendar: 'Open 8:00 am to 2:00 am' or 'Closed'. */
export function openHoursText(hours: readonly OpenHours[]): string {
  if (hours.length === 0) return 'Closed'
  const times = hours.map(({ opensMinute, closesMinute }) =>
    closesMinute - opensMinute === DAY_MINUTES && opensMinute === 0
      ? 'all day'
      : `${formatTime(timeOfMinute(opensMinute))} to ${formatTime(timeOfMinute(closesMinute))}`,
  )
  return `Open ${times.join(' and ')}`
}
