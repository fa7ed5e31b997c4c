import {
  addDays,
  clockNameAt,
  isLocalDate,
  isLocalTime,
  type LocalDate,
  type LocalTime,
  wallTimeAt,
  wallTimeToUtc,
} from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import type { TimeSpan } from '../../shared/time-span.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import type { Category } from '../businesses/rules.ts'

export const DAY_MINUTES = 1_440

/** Start times are offered in steps of this many minutes from each opening. Any other time can be typed. */
export const START_STEP_MINUTES = 30
/** How many days before and after a slot request alternatives are searched. */
export const NEAREST_WITHIN_DAYS = 60
/** Calendar requests from one IP address: enough for paging through months, too few for copying all calendars. */
export const AVAILABILITY_LIMIT = { max: 240, windowMs: 60_000 }
/** How often one vendor can make us read an outside calendar, by adding it or by 'Sync now'. */
export const CALENDAR_READ_LIMIT = { max: 20, windowMs: 600_000 }
// Limits of the settings. The database has the same ones.
export const MAX_CAPACITY = 50
export const MIN_EVENT_MINUTES = 30
export const MAX_EVENT_MINUTES = 2_880
export const MAX_BUFFER_MINUTES = 1_440
export const MAX_NOTICE_MINUTES = 525_600
export const MAX_HORIZON_DAYS = 1_095
/** The latest closing time: noon on the next day. */
export const MAX_CLOSES_MINUTE = 2_160
/** The spans of open hours that one day can have. */
export const MAX_OPENINGS_A_DAY = 4

/** Covers the longest event that starts on a day, with setting up and cleaning, in days. */
export const LOOKAHEAD_DAYS = 3

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/**
 * Wall-clock minutes since midnight of the opening day. `opensMinute` is 0 to 1439. `closesMinute` is later, and 1440
 * or more on the next day: 2 am is 1560.
 */
export type OpenHours = { opensMinute: number; closesMinute: number }

/** The hours of each weekday. A day without hours is closed. */
export type WeeklyHours = Record<Weekday, OpenHours[]>

/** Hours that replace the week's from one day to another, both included; none means closed. The last in a list wins. */
export type HoursException = { from: LocalDate; to: LocalDate; hours: OpenHours[]; note: string }

/** A business's opening hours and limits. */
export type AvailabilityRules = {
  /** The IANA zone of the business's place. */
  timeZone: string
  /** The most bookings at once. */
  capacity: number
  maxGuests: number | null
  weekly: WeeklyHours
  exceptions: HoursException[]
  /** The length of a booking per person. */
  eventMinutes: number
  /** Kept free before each event. */
  setupMinutes: number
  /** Kept free after each event. */
  cleanupMinutes: number
  /** The shortest time from booking to event. */
  noticeMinutes: number
  /** The last bookable day, counted from today by the place's clock. */
  horizonDays: number
}

/**
 * A taken span: a booking or a hold takes one place of the capacity, with setting up and cleaning. A blocked time or an
 * event of an outside calendar takes the whole capacity.
 */
export type Taken = TimeSpan & { wholeCapacity: boolean }

/** A time that a vendor blocks, by the place's clock. */
export type BlockedTime = {
  from: LocalDate
  /** Null for the start of the day. */
  fromTime: LocalTime | null
  to: LocalDate
  /** Null for the end of the day. */
  toTime: LocalTime | null
  note: string
}

/** The time that a customer wants to book. The quantity is in hours or people, by the booking type. */
export type SlotRequest = {
  date: LocalDate
  time: LocalTime
  bookingType: PriceUnit
  quantity: number
  /** The event's length in minutes where the vendor has quoted one. Otherwise it follows from the booking type. */
  minutes?: number
}

/**
 * The part of a slot request that determines the event's length. `own` is the signed key of a booking that could move.
 */
export type SlotLength = Pick<SlotRequest, 'bookingType' | 'quantity' | 'minutes'> & { own?: string }

/** The slot of a booking that would move, with its agreed lengths, which the listing may have changed since. */
export type CurrentSlot = Pick<AvailabilityRules, 'eventMinutes' | 'setupMinutes' | 'cleanupMinutes'> & {
  firstPaymentId: string
  /** The length that was quoted, whatever the quantity. */
  minutes?: number
}

/** A business's rules with the lengths of the booking that would move. */
export function rulesFor(
  rules: AvailabilityRules,
  currentSlot: CurrentSlot | null | undefined,
): AvailabilityRules {
  if (!currentSlot) return rules
  const { eventMinutes, setupMinutes, cleanupMinutes } = currentSlot
  return { ...rules, eventMinutes, setupMinutes, cleanupMinutes }
}

/** Why a time can't be booked. `no_such_time`: the clock skips it when daylight saving begins. */
export type TimeRefusal = 'no_such_time' | 'too_soon' | 'too_far' | 'too_many_guests' | 'closed' | 'taken'

/** A refused slot request: the field, the message beside it, and the nearest free times. */
export type TimeProblem = {
  field: 'date' | 'time' | 'quantity'
  message: string
  alternatives: { date: LocalDate; time: LocalTime }[]
}

/** The state of a day in the picker. `past`: too soon or too far ahead. */
export type DayState = 'free' | 'full' | 'closed' | 'past'

const everyDay = (opensHour: number, closesHour: number): WeeklyHours => {
  const hours = () => [{ opensMinute: opensHour * 60, closesMinute: closesHour * 60 }]
  return { mon: hours(), tue: hours(), wed: hours(), thu: hours(), fri: hours(), sat: hours(), sun: hours() }
}

/** The usual times of each category: hours of the day (26 is 2 am), lengths in minutes. */
const CATEGORY_DEFAULTS = {
  Venues: { opens: 8, closes: 26, event: 420, setup: 120, cleanup: 60, noticeHours: 24 },
  Photographers: { opens: 5, closes: 26, event: 480, setup: 30, cleanup: 30, noticeHours: 24 },
  Hairdresser: { opens: 5, closes: 22, event: 180, setup: 30, cleanup: 30, noticeHours: 24 },
  'Sounds & DJ': { opens: 8, closes: 27, event: 360, setup: 90, cleanup: 60, noticeHours: 24 },
  Catering: { opens: 6, closes: 26, event: 360, setup: 180, cleanup: 90, noticeHours: 48 },
  Videographers: { opens: 5, closes: 26, event: 480, setup: 30, cleanup: 30, noticeHours: 24 },
  'Event Planners': { opens: 7, closes: 26, event: 480, setup: 60, cleanup: 60, noticeHours: 48 },
  Extras: { opens: 7, closes: 26, event: 300, setup: 60, cleanup: 60, noticeHours: 24 },
} as const satisfies Record<
  Category,
  { opens: number; closes: number; event: number; setup: number; cleanup: number; noticeHours: number }
>

/**
 * The rules of a business without settings: open every day in its category's usual hours, for one booking at a time, up
 * to two years ahead.
 */
export function defaultAvailability(category: Category, timeZone: string): AvailabilityRules {
  const usual = CATEGORY_DEFAULTS[category]
  return {
    timeZone,
    capacity: 1,
    maxGuests: null,
    weekly: everyDay(usual.opens, usual.closes),
    exceptions: [],
    eventMinutes: usual.event,
    setupMinutes: usual.setup,
    cleanupMinutes: usual.cleanup,
    noticeMinutes: usual.noticeHours * 60,
    horizonDays: 730,
  }
}

/** The length of a requested event in minutes: as quoted, the booked hours, or the vendor's length for a booking per person. */
export function eventMinutesOf(
  rules: Pick<AvailabilityRules, 'eventMinutes'>,
  slotRequest: SlotLength,
): number {
  if (slotRequest.minutes !== undefined) return slotRequest.minutes
  return slotRequest.bookingType === 'perHour' ? slotRequest.quantity * 60 : rules.eventMinutes
}

/**
 * The span of the event. Its length is elapsed time: on the night when daylight saving ends, four hours from 1 am end
 * at 4 am.
 */
export function eventSpan(
  rules: Pick<AvailabilityRules, 'timeZone' | 'eventMinutes'>,
  slotRequest: SlotRequest,
): TimeSpan {
  const from = wallTimeToUtc(slotRequest.date, slotRequest.time, rules.timeZone)
  return { from, until: new Date(from.getTime() + eventMinutesOf(rules, slotRequest) * MINUTE_MS) }
}

/** The time that the place's clock shows when an event ends; null for an event of a day or longer. */
export function endTimeOf(
  timeZone: string,
  date: LocalDate,
  time: LocalTime,
  minutes: number,
): LocalTime | null {
  if (minutes >= DAY_MINUTES) return null
  const from = wallTimeToUtc(date, time, timeZone)
  return wallTimeAt(new Date(from.getTime() + minutes * MINUTE_MS), timeZone).time
}

/**
 * The names of the clock at an event's start and end, such as 'AEDT' and 'AEST'; null unless clocks change in it or
 * within the hour after it. On the night on which they go back, 2:30 am comes twice.
 */
export function clockNamesOf(
  timeZone: string,
  date: LocalDate,
  time: LocalTime,
  minutes: number,
): readonly [start: string, end: string] | null {
  const from = wallTimeToUtc(date, time, timeZone).getTime()
  const until = from + minutes * MINUTE_MS
  const wallMs = (atMs: number) => {
    const wall = wallTimeAt(new Date(atMs), timeZone)
    return Date.parse(`${wall.date}T${wall.time}Z`)
  }
  const hourAfter = until + 60 * MINUTE_MS
  if (wallMs(hourAfter) - wallMs(from) === hourAfter - from) return null
  return [clockNameAt(new Date(from), timeZone), clockNameAt(new Date(until), timeZone)]
}

/** The span that an event occupies, with setting up and cleaning. */
export function occupiedSpan(
  rules: Pick<AvailabilityRules, 'setupMinutes' | 'cleanupMinutes'>,
  event: TimeSpan,
): TimeSpan {
  return {
    from: new Date(event.from.getTime() - rules.setupMinutes * MINUTE_MS),
    until: new Date(event.until.getTime() + rules.cleanupMinutes * MINUTE_MS),
  }
}

/**
 * The span of a blocked time. Without times it covers whole days, the last one included.
 * @param block a block that has passed the schema
 */
export function blockSpan(block: BlockedTime, timeZone: string): TimeSpan {
  return {
    from: wallTimeToUtc(block.from, block.fromTime ?? '00:00', timeZone),
    until: block.toTime
      ? wallTimeToUtc(block.to, block.toTime, timeZone)
      : wallTimeToUtc(addDays(block.to, 1), '00:00', timeZone),
  }
}

/** The range within which a taken time can overlap a booking that starts on one of these days. */
export function takenRange(from: LocalDate, to: LocalDate): TimeSpan {
  return {
    from: new Date(Date.parse(from) - LOOKAHEAD_DAYS * DAY_MS),
    until: new Date(Date.parse(to) + (1 + LOOKAHEAD_DAYS) * DAY_MS),
  }
}

/**
 * How many unpaid times one browser, and one IP address, may hold at once, over all businesses. A paid time no longer
 * counts, so the many customers of a phone network behind one address can keep booking.
 */
export const UNPAID_HOLDS_OF_BROWSER = 5
export const UNPAID_HOLDS_OF_ADDRESS = 20

/** Reads a problem from a response or from navigation state, which may hold anything; null if it is none. */
export function parseTimeProblem(found: unknown): TimeProblem | null {
  const { field, message, alternatives } = (found ?? {}) as Partial<Record<keyof TimeProblem, unknown>>
  if (field !== 'date' && field !== 'time' && field !== 'quantity') return null
  if (typeof message !== 'string' || !Array.isArray(alternatives)) return null
  return {
    field,
    message,
    alternatives: (alternatives as { date?: unknown; time?: unknown }[]).filter(
      (near): near is TimeProblem['alternatives'][number] =>
        isLocalDate(String(near?.date)) && isLocalTime(String(near?.time)),
    ),
  }
}

/** The hours that begin on a day. */
export function hoursOf(rules: AvailabilityRules, date: LocalDate): readonly OpenHours[] {
  const exception = rules.exceptions.findLast(({ from, to }) => from <= date && date <= to)
  return exception?.hours ?? rules.weekly[weekdayOf(date)]
}

function weekdayOf(date: LocalDate): Weekday {
  // Our weeks begin on Monday, JavaScript's on Sunday.
  return WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7] as Weekday
}

/** Formats minutes since midnight as 'HH:mm'. From 1440 on it is the next day's time. */
export function timeOfMinute(minute: number): LocalTime {
  const ofDay = minute % DAY_MINUTES
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}
