import {
  addDays,
  formatDay,
  formatTime,
  isLocalDate,
  isLocalTime,
  type LocalDate,
  type LocalTime,
  wallTimeAt,
  wallTimeToUtc,
  type ZoneClock,
  zoneClock,
} from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import type { Category } from '../businesses/rules.ts'

const MINUTE_MS = 60_000
export const DAY_MINUTES = 1_440
const DAY_MS = DAY_MINUTES * MINUTE_MS

/** Start times are offered in steps of this many minutes from each opening. Any other time can be typed. */
export const START_STEP_MINUTES = 30
/** How many days before and after a slot request alternatives are searched. */
export const NEAREST_WITHIN_DAYS = 60
/** Calendar requests from one IP address: enough for paging through months, too few for copying all calendars. */
export const AVAILABILITY_LIMIT = { max: 240, windowMs: 60_000 }
/** How often one vendor can make us read an outside calendar, by adding it or by 'Sync now'. */
export const CALENDAR_READ_LIMIT = { max: 20, windowMs: 600_000 }
/** The same weekday counts up to this many weeks away. Any day in between is nearer than one beyond. */
const SAME_WEEKDAY_WEEKS = 3
const SAME_WEEKDAYS = daysAway(1, SAME_WEEKDAY_WEEKS).map((weeks) => weeks * 7)
/** 'The same time of day' is at most this far from the requested one. */
const SAME_TIME_MINUTES = 120
/** Alternatives are mostly near. Growing rings spare a crowd of simultaneous customers a search through months. */
const OTHER_DAYS = [daysAway(1, 2), daysAway(3, 9), daysAway(10, NEAREST_WITHIN_DAYS)]

// Limits of the settings. The database has the same ones.
export const MAX_CAPACITY = 50
export const MIN_EVENT_MINUTES = 30
export const MAX_EVENT_MINUTES = 2_880
export const MAX_BUFFER_MINUTES = 1_440
export const MAX_NOTICE_MINUTES = 525_600
export const MAX_HORIZON_DAYS = 1_095
/** The latest closing time: noon on the next day. */
export const MAX_CLOSES_MINUTE = 2_160

/** Covers the longest event that starts on a day, with setting up and cleaning, in days. */
const LOOKAHEAD_DAYS = 3

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

/** Half open: `until` is the first instant outside. */
export type TimeSpan = { from: Date; until: Date }

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

/** The booking that would move, with its lengths as sold, which the listing may have changed since. */
export type OwnTime = Pick<AvailabilityRules, 'eventMinutes' | 'setupMinutes' | 'cleanupMinutes'> & {
  firstPaymentId: string
  /** The length that was quoted, whatever the quantity. */
  minutes?: number
}

/** A business's rules with the lengths of the booking that would move. */
export function rulesFor(rules: AvailabilityRules, own: OwnTime | null | undefined): AvailabilityRules {
  if (!own) return rules
  const { eventMinutes, setupMinutes, cleanupMinutes } = own
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
 * Checks the rules of a slot request that don't depend on other bookings: the place's clock, the notice, the horizon,
 * the guest limit and the opening hours. The event must lie within the hours, but not its setting up and cleaning.
 * @returns the first refusal in that order, or null
 */
export function checkSlotRequest(
  rules: AvailabilityRules,
  slotRequest: SlotRequest,
  now: Date,
): Exclude<TimeRefusal, 'taken'> | null {
  const event = eventSpan(rules, slotRequest)
  const shown = wallTimeAt(event.from, rules.timeZone)
  if (shown.date !== slotRequest.date || shown.time !== slotRequest.time) return 'no_such_time'
  if (event.from.getTime() < earliestMs(rules, now)) return 'too_soon'
  if (slotRequest.date > bookableDays(rules, now).last) return 'too_far'
  if (
    slotRequest.bookingType === 'perPerson' &&
    rules.maxGuests !== null &&
    slotRequest.quantity > rules.maxGuests
  ) {
    return 'too_many_guests'
  }
  const lastDay = wallTimeAt(event.until, rules.timeZone).date
  const clock = clockAround(rules.timeZone, slotRequest.date, lastDay)
  const open = openSpans(rules, clock, slotRequest.date, lastDay)
  return liesWithin(open, event.from.getTime(), event.until.getTime()) ? null : 'closed'
}

/** The first day on which an event can start, given the notice, and the last, by the place's clock. */
export function bookableDays(
  rules: Pick<AvailabilityRules, 'timeZone' | 'noticeMinutes' | 'horizonDays'>,
  now: Date,
): { first: LocalDate; last: LocalDate } {
  return {
    first: wallTimeAt(new Date(earliestMs(rules, now)), rules.timeZone).date,
    last: addDays(wallTimeAt(now, rules.timeZone).date, rules.horizonDays),
  }
}

/**
 * Whether one more booking fits: the capacity is used up at no instant of it.
 * @param taken all taken times that overlap it, in any order; others do no harm
 * @param occupied the span of the booking with setting up and cleaning
 */
export function isFree(
  rules: Pick<AvailabilityRules, 'capacity'>,
  taken: readonly Taken[],
  occupied: TimeSpan,
): boolean {
  return !overlapsAny(fullSpans(rules, taken), occupied.from.getTime(), occupied.until.getTime())
}

/**
 * The bookable start times of a day, earliest first. Ignores the number of guests, which doesn't affect the time.
 * @param taken all taken times in `takenRange(day, day)`
 */
export function freeTimes(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  day: LocalDate,
  slotLength: SlotLength,
  now: Date,
): LocalTime[] {
  return listStarts(rules, taken, [day], slotLength, now).flatMap((starts) =>
    starts.filter(({ state }) => state === 'free').map(({ time }) => time),
  )
}

/**
 * The state of each day in the picker. A day on which no event of that length fits the hours is closed.
 * @param taken all taken times in the `takenRange` from the first to the last day
 */
export function dayStates(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  days: readonly LocalDate[],
  slotLength: SlotLength,
  now: Date,
): DayState[] {
  const { first, last } = bookableDays(rules, now)
  return listStarts(rules, taken, days, slotLength, now).map((starts, index) => {
    const day = days[index] ?? ''
    if (day < first || day > last) return 'past'
    if (starts.length === 0) return 'closed'
    if (starts.some(({ state }) => state === 'free')) return 'free'
    return starts.some(({ state }) => state === 'taken') ? 'full' : 'past'
  })
}

/**
 * The free times to offer instead of a slot request: other times of the same day, the nearest first. Then the same
 * weekday about the same time, in the weeks around. Then other days, the nearest first. Each other day offers the one
 * time nearest to the requested time of day. Of two equally near, the earlier comes first.
 * @param taken all taken times in the `takenRange` of `NEAREST_WITHIN_DAYS` before and after
 */
export function nearestFreeTimes(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  slotRequest: SlotRequest,
  now: Date,
  count = 3,
): { date: LocalDate; time: LocalTime }[] {
  const onDays = (days: readonly number[]) => nearOnDays(rules, taken, slotRequest, now, days)
  const nearest = onDays([0]).flat().slice(0, count)
  const addFrom = (days: readonly number[], isWanted: (near: Near) => boolean = () => true) => {
    if (nearest.length >= count) return
    const isOffered = (near: Near) => nearest.some(({ date }) => date === near.date)
    const others = onDays(days)
      .flatMap(([first]) => first ?? [])
      .filter((near) => isWanted(near) && !isOffered(near))
      .sort((a, b) => a.days - b.days || a.minutes - b.minutes || a.fromMs - b.fromMs)
    nearest.push(...others.slice(0, count - nearest.length))
  }
  addFrom(SAME_WEEKDAYS, ({ minutes }) => minutes <= SAME_TIME_MINUTES)
  for (const days of OTHER_DAYS) addFrom(days)
  return nearest.map(({ date, time }) => ({ date, time }))
}

/** @property days the distance in days; @property minutes that of the time of day */
type Near = { date: LocalDate; time: LocalTime; fromMs: number; days: number; minutes: number }

/** The free starts of each of these days, counted from the requested one. On each, the nearest time of day first. */
function nearOnDays(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  slotRequest: SlotRequest,
  now: Date,
  days: readonly number[],
): Near[][] {
  const dates = days.map((each) => addDays(slotRequest.date, each))
  return listStarts(rules, taken, dates, slotRequest, now).map((starts, index) =>
    starts
      .filter(({ state }) => state === 'free')
      .map((start) => ({
        ...start,
        days: Math.abs(days[index] ?? 0),
        minutes: Math.abs(minuteOfDay(start.time) - minuteOfDay(slotRequest.time)),
      }))
      .sort((a, b) => a.minutes - b.minutes || a.fromMs - b.fromMs),
  )
}

/** The numbers from `first` to `last` and their negatives. */
function daysAway(first: number, last: number): number[] {
  const away = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return away.flatMap((days) => [-days, days])
}

function minuteOfDay(time: LocalTime): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
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

/** Formats 'Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. Past midnight it names the second day too. */
export function formatEventSpan(span: TimeSpan, timeZone: string): string {
  const from = wallTimeAt(span.from, timeZone)
  const until = wallTimeAt(span.until, timeZone)
  const start = `${formatDay(from.date)}, ${formatTime(from.time)}`
  const end = until.date === from.date ? '' : `${formatDay(until.date)}, `
  return `${start} to ${end}${formatTime(until.time)}, ${zoneLabel(timeZone)}`
}

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

/** The zone's name for people: 'Melbourne time'. */
export function zoneLabel(timeZone: string): string {
  return `${timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} time`
}

/** Half open, in UTC milliseconds. */
type Interval = { fromMs: number; untilMs: number }

/** A start time of a day at which the event lies within the opening hours. */
type Start = { date: LocalDate; time: LocalTime; fromMs: number; state: 'free' | 'taken' | 'past' }

/** A free start, with its distance from the requested one. */

/** The first instant at which an event can start. */
function earliestMs(rules: Pick<AvailabilityRules, 'noticeMinutes'>, now: Date): number {
  return now.getTime() + rules.noticeMinutes * MINUTE_MS
}

function clockAround(timeZone: string, firstDay: LocalDate, lastDay: LocalDate): ZoneClock {
  return zoneClock(timeZone, addDays(firstDay, -1), addDays(lastDay, LOOKAHEAD_DAYS))
}

/** Lists the starts of each day, in the order of the days. A day that is too soon or too far has none. */
function listStarts(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  days: readonly LocalDate[],
  slotLength: SlotLength,
  now: Date,
): Start[][] {
  const { first, last } = bookableDays(rules, now)
  // Only bookable days are searched, however far away the requested ones are.
  const bookable = days.filter((day) => first <= day && day <= last).sort()
  const firstDay = bookable[0]
  const lastDay = bookable.at(-1)
  if (!firstDay || !lastDay) return days.map(() => [])
  const lengthMs = eventMinutesOf(rules, slotLength) * MINUTE_MS
  const setupMs = rules.setupMinutes * MINUTE_MS
  const cleanupMs = rules.cleanupMinutes * MINUTE_MS
  const clock = clockAround(rules.timeZone, firstDay, lastDay)
  // One day more than the length, since the same hours end later on the night when the clock goes forward.
  const open = openSpans(rules, clock, firstDay, addDays(lastDay, Math.ceil(lengthMs / DAY_MS) + 1))
  const full = fullSpans(rules, taken)
  const soonestMs = earliestMs(rules, now)

  return days.map((date) => {
    if (date < firstDay || date > lastDay) return []
    const midnightMs = Date.parse(date)
    const starts: Start[] = []
    for (const minute of startMinutes(rules, date)) {
      const wallMs = midnightMs + minute * MINUTE_MS
      const fromMs = clock.toUtcMs(wallMs)
      const untilMs = fromMs + lengthMs
      if (clock.toWallMs(fromMs) !== wallMs || !liesWithin(open, fromMs, untilMs)) continue
      const isTaken = () => overlapsAny(full, fromMs - setupMs, untilMs + cleanupMs)
      const state = fromMs < soonestMs ? 'past' : isTaken() ? 'taken' : 'free'
      starts.push({ date, time: timeOfMinute(minute), fromMs, state })
    }
    return starts
  })
}

/** The start steps within a day's own hours and within the previous day's hours past midnight, in order. */
function startMinutes(rules: AvailabilityRules, date: LocalDate): number[] {
  const minutes = new Set<number>()
  const add = (hours: readonly OpenHours[], dayMinutes: number) => {
    for (const { opensMinute, closesMinute } of hours) {
      for (let minute = opensMinute; minute < closesMinute; minute += START_STEP_MINUTES) {
        const ofDay = minute - dayMinutes
        if (ofDay >= 0 && ofDay < DAY_MINUTES) minutes.add(ofDay)
      }
    }
  }
  add(hoursOf(rules, addDays(date, -1)), DAY_MINUTES)
  add(hoursOf(rules, date), 0)
  return [...minutes].sort((a, b) => a - b)
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

/** The open spans around these days, including the hours of the day before. Adjacent hours form one span. */
function openSpans(
  rules: AvailabilityRules,
  clock: ZoneClock,
  firstDay: LocalDate,
  lastDay: LocalDate,
): Interval[] {
  const spans: Interval[] = []
  for (let date = addDays(firstDay, -1); date <= lastDay; date = addDays(date, 1)) {
    const midnightMs = Date.parse(date)
    for (const { opensMinute, closesMinute } of hoursOf(rules, date)) {
      spans.push({
        fromMs: clock.toUtcMs(midnightMs + opensMinute * MINUTE_MS),
        untilMs: clock.toUtcMs(midnightMs + closesMinute * MINUTE_MS),
      })
    }
  }
  return joined(spans)
}

/** The spans in which the capacity is used up. */
function fullSpans(rules: Pick<AvailabilityRules, 'capacity'>, taken: readonly Taken[]): Interval[] {
  const changes: { atMs: number; change: number }[] = []
  for (const { from, until, wholeCapacity } of taken) {
    if (from >= until) continue
    const places = wholeCapacity ? rules.capacity : 1
    changes.push({ atMs: from.getTime(), change: places }, { atMs: until.getTime(), change: -places })
  }
  changes.sort((a, b) => a.atMs - b.atMs || a.change - b.change)
  const full: Interval[] = []
  let used = 0
  let sinceMs: number | null = null
  for (const { atMs, change } of changes) {
    used += change
    if (used >= rules.capacity) sinceMs ??= atMs
    else if (sinceMs !== null) {
      full.push({ fromMs: sinceMs, untilMs: atMs })
      sinceMs = null
    }
  }
  return full
}

/** Sorts spans, drops empty ones, and merges those that overlap or touch. */
function joined(spans: Interval[]): Interval[] {
  const result: Interval[] = []
  // A clock change can skip hours altogether. They then end where they begin, or before.
  const inOrder = spans.filter((span) => span.fromMs < span.untilMs).sort((a, b) => a.fromMs - b.fromMs)
  for (const span of inOrder) {
    const before = result.at(-1)
    if (before && span.fromMs <= before.untilMs) before.untilMs = Math.max(before.untilMs, span.untilMs)
    else result.push({ ...span })
  }
  return result
}

/** @param spans sorted and disjoint */
function liesWithin(spans: readonly Interval[], fromMs: number, untilMs: number): boolean {
  const span = spans[firstEndingAfter(spans, fromMs)]
  return span !== undefined && span.fromMs <= fromMs && untilMs <= span.untilMs
}

/** @param spans sorted and disjoint */
function overlapsAny(spans: readonly Interval[], fromMs: number, untilMs: number): boolean {
  const span = spans[firstEndingAfter(spans, fromMs)]
  return span !== undefined && span.fromMs < untilMs
}

/** The index of the first span that ends after an instant, by binary search. */
function firstEndingAfter(spans: readonly Interval[], atMs: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.untilMs ?? 0) > atMs) high = middle
    else low = middle + 1
  }
  return low
}
