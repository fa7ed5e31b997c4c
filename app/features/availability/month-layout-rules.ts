import { addDays, type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import type { TimeSpan } from '../../shared/time-span.ts'
import { DAY_MS } from '../../shared/time-units.ts'

/** A short event that ends by six in the morning counts as the evening before. */
const NIGHT_ENDS = '06:00'

/** Returns the four to six weeks, Monday to Sunday, that cover a month ('YYYY-MM'). */
export function monthWeeks(month: string): LocalDate[][] {
  const first = `${month}-01`
  const weekday = (new Date(first).getUTCDay() + 6) % 7
  const weeks: LocalDate[][] = []
  for (let day = addDays(first, -weekday); day.slice(0, 7) <= month; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  }
  return weeks
}

/** The first and the last day on which an entry is shown, by the place's clock. */
export type ShownDays = { first: LocalDate; last: LocalDate }

export function shownDays(span: TimeSpan, timeZone: string): ShownDays {
  const first = wallTimeAt(span.from, timeZone).date
  const end = wallTimeAt(span.until, timeZone)
  const isNight = end.time === '00:00' || (end.time <= NIGHT_ENDS && isShort(span))
  const last = isNight ? addDays(end.date, -1) : end.date
  return { first, last: last < first ? first : last }
}

function isShort({ from, until }: TimeSpan): boolean {
  return until.getTime() - from.getTime() < DAY_MS
}

/** Whether a span covers whole days, from midnight to midnight by the place's clock. */
export function isWholeDays(span: TimeSpan, timeZone: string): boolean {
  return wallTimeAt(span.from, timeZone).time === '00:00' && wallTimeAt(span.until, timeZone).time === '00:00'
}

/** An entry's bar across the days of one week. */
export type Bar<Entry> = {
  entry: Entry
  /** 0 is Monday. */
  column: number
  days: number
  /** The row of the bar, from 0. */
  lane: number
  /** The entry starts before this week, or ends after it. */
  startsBefore: boolean
  endsAfter: boolean
}

/**
 * Places bars in the rows of a week without overlaps, earlier and longer bars first.
 * @param entries the entries, by time
 * @param lanes the number of rows
 * @returns the placed bars, and for each day the number of entries without a row
 */
export function layOutWeek<Entry extends { days: ShownDays }>(
  week: readonly LocalDate[],
  entries: readonly Entry[],
  lanes: number,
): { bars: Bar<Entry>[]; hidden: number[] } {
  const first = week[0] as LocalDate
  const last = week[week.length - 1] as LocalDate
  const hidden = week.map(() => 0)
  const taken = Array.from({ length: lanes }, () => week.map(() => false))
  const visible = entries
    .filter(({ days }) => days.first <= last && days.last >= first)
    .map((entry) => {
      const column = Math.max(0, week.indexOf(entry.days.first))
      const end = week.indexOf(entry.days.last)
      return { entry, column, days: (end === -1 ? week.length - 1 : end) - column + 1 }
    })
    .sort((a, b) => a.column - b.column || b.days - a.days)
  const bars: Bar<Entry>[] = []
  for (const { entry, column, days } of visible) {
    const covered = week.slice(column, column + days)
    const lane = taken.findIndex((row) => covered.every((_, index) => !row[column + index]))
    if (lane === -1) {
      for (const index of covered.keys()) hidden[column + index] = (hidden[column + index] ?? 0) + 1
      continue
    }
    for (const index of covered.keys()) (taken[lane] as boolean[])[column + index] = true
    const startsBefore = entry.days.first < first
    const endsAfter = entry.days.last > last
    bars.push({ entry, column, days, lane, startsBefore, endsAfter })
  }
  return { bars, hidden }
}
