import { addDays, type LocalDate } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { bookableDays, dayStates, fullSpans } from './free-time-rules.ts'
import { type AvailabilityRules, NEAREST_WITHIN_DAYS, type SlotLength, type Taken } from './rules.ts'

const WEEK_DAYS = 7

/**
 * The bookable days within `NEAREST_WITHIN_DAYS` before and after a day, earliest first. Around a day that can't be
 * booked yet or any more, such as one of a mistyped year, they are those around the nearest that can.
 */
export function daysAround(
  rules: Pick<AvailabilityRules, 'timeZone' | 'noticeMinutes' | 'horizonDays'>,
  day: LocalDate,
  now: Date,
): LocalDate[] {
  const { first, last } = bookableDays(rules, now)
  const middle = day < first ? first : day > last ? last : day
  return Array.from({ length: 2 * NEAREST_WITHIN_DAYS + 1 }, (_, index) =>
    addDays(middle, index - NEAREST_WITHIN_DAYS),
  ).filter((around) => first <= around && around <= last)
}

/**
 * The free days nearest to a day, in the order of the calendar. One of them falls on the same weekday if any does,
 * because a wedding on a Saturday rarely moves to a Tuesday.
 * @param taken all taken times in the `takenRange` of `daysAround`
 */
export function nearestFreeDays(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  day: LocalDate,
  slotLength: SlotLength,
  now: Date,
  count = 3,
): LocalDate[] {
  const days = daysAround(rules, day, now)
  const states = dayStates(rules, taken, days, slotLength, now)
  const distance = (one: LocalDate) => Math.abs(Date.parse(one) - Date.parse(day)) / DAY_MS
  const free = days
    .filter((_, index) => states[index] === 'free')
    .sort((one, other) => distance(one) - distance(other) || (one < other ? -1 : 1))
  const nearest = free.slice(0, count)
  const sameWeekday = free.find((one) => distance(one) % WEEK_DAYS === 0)
  if (sameWeekday && !nearest.includes(sameWeekday)) nearest.splice(count - 1, 1, sameWeekday)
  return nearest.sort()
}

/** Days are checked in stretches, since most periods have a free one in their first month. */
const STRETCH_DAYS = 31

/**
 * The first of some days that is free; null if none is.
 * @param taken all taken times in the `takenRange` of the days
 */
export function firstFreeDay(
  rules: AvailabilityRules,
  taken: readonly Taken[],
  days: readonly LocalDate[],
  slotLength: SlotLength,
  now: Date,
): LocalDate | null {
  const full = fullSpans(rules, taken)
  for (let start = 0; start < days.length; start += STRETCH_DAYS) {
    const stretch = days.slice(start, start + STRETCH_DAYS)
    const at = dayStates(rules, taken, stretch, slotLength, now, full).indexOf('free')
    if (at >= 0) return stretch[at] ?? null
  }
  return null
}
