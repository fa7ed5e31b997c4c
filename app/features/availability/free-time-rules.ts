import {
  addDays,
  type LocalDate,
  type LocalTime,
  minuteOf,
  wallTimeAt,
  type ZoneClock,
  zoneClock,
} from '../../shared/dates.ts'
import type { TimeSpan } from '../../shared/time-span.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import {
  type AvailabilityRules,
  DAY_MINUTES,
  type DayState,
  eventMinutesOf,
  eventSpan,
  hoursOf,
  LOOKAHEAD_DAYS,
  NEAREST_WITHIN_DAYS,
  type OpenHours,
  type SlotLength,
  type SlotRequest,
  START_STEP_MINUTES,
  type Taken,
  type TimeRefusal,
  timeOfMinute,
} from './rules.ts'

/** The same weekday counts up to this many weeks away. Any day in between is nearer than one beyond. */
const SAME_WEEKDAY_WEEKS = 3
const SAME_WEEKDAYS = daysAway(1, SAME_WEEKDAY_WEEKS).map((weeks) => weeks * 7)
/** 'The same time of day' is at most this far from the requested one. */
const SAME_TIME_MINUTES = 120
/** Alternatives are mostly near. Growing rings spare a crowd of simultaneous customers a search through months. */
const OTHER_DAYS = [daysAway(1, 2), daysAway(3, 9), daysAway(10, NEAREST_WITHIN_DAYS)]

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
  const wallTime = wallTimeAt(event.from, rules.timeZone)
  if (wallTime.date !== slotRequest.date || wallTime.time !== slotRequest.time) return 'no_such_time'
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
 * @param full their `fullSpans`, for a caller that asks about many days in parts
 */
export function dayStates(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  days: readonly LocalDate[],
  slotLength: SlotLength,
  now: Date,
  full = fullSpans(rules, taken),
): DayState[] {
  const { first, last } = bookableDays(rules, now)
  return listStarts(rules, taken, days, slotLength, now, full).map((starts, index) => {
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
        minutes: Math.abs(minuteOf(start.time) - minuteOf(slotRequest.time)),
      }))
      .sort((a, b) => a.minutes - b.minutes || a.fromMs - b.fromMs),
  )
}

/** The numbers from `first` to `last` and their negatives. */
function daysAway(first: number, last: number): number[] {
  const away = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return away.flatMap((days) => [-days, days])
}

/** Half open, in UTC milliseconds. */
type Interval = { fromMs: number; untilMs: number }

/** A start time of a day at which the event lies within the opening hours. */
type Start = { date: LocalDate; time: LocalTime; fromMs: number; state: 'free' | 'taken' | 'past' }

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
  full = fullSpans(rules, taken),
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
export function fullSpans(rules: Pick<AvailabilityRules, 'capacity'>, taken: readonly Taken[]): Interval[] {
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
