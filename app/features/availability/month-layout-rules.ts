import { addDays, type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import type { TimeSpan } from './rules.ts'

const DAY_MS = 86_400_000
/** What ends before six in the morning belongs to the evening before, as people say it. */
const NIGHT_ENDS = '06:00'

/** The weeks that show a month, 'YYYY-MM', from Monday to Sunday: four to six of them. */
export function monthWeeks(month: string): LocalDate[][] {
  const first = `${month}-01`
  const weekday = (new Date(first).getUTCDay() + 6) % 7
  const weeks: LocalDate[][] = []
  for (let day = addDays(first, -weekday); day.slice(0, 7) <= month; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  }
  return weeks
}

/** The first and the last day on which something is shown, on the calendar of the place. */
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

/** Whether it is whole days of the place, from midnight to midnight. */
export function isWholeDays(span: TimeSpan, timeZone: string): boolean {
  return wallTimeAt(span.from, timeZone).time === '00:00' && wallTimeAt(span.until, timeZone).time === '00:00'
}

/** One thing's bar across the days of one week. */
export type Bar<Entry> = {
  entry: Entry
  /** 0 is Monday. */
  column: number
  days: number
  /** The row in which it lies, from 0. */
  lane: number
  /** It goes on from the week before, or into the next. */
  startsBefore: boolean
  endsAfter: boolean
}

/**
 * Places bars in the rows of a week so that none overlap, the longer and earlier ones above.
 * @param entries in order of time
 * @param lanes how many rows there are
 * @returns the bars that found a row, and for each day how many did not
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
  const shown = entries
    .filter(({ days }) => days.first <= last && days.last >= first)
    .map((entry) => {
      const column = Math.max(0, week.indexOf(entry.days.first))
      const end = week.indexOf(entry.days.last)
      return { entry, column, days: (end === -1 ? week.length - 1 : end) - column + 1 }
    })
    .sort((a, b) => a.column - b.column || b.days - a.days)
  const bars: Bar<Entry>[] = []
  for (const { entry, column, days } of shown) {
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
