import { addDays, isLocalDate, type LocalDate, MONTH_NAMES } from './dates.ts'

/** Periods in which an event may be: whole months, and perhaps a weekday. */

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** The English name of a day's weekday. */
export function weekdayOf(date: LocalDate): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'Sunday'
}

/** The days of a period on which the event may be: one weekday, or Saturdays and Sundays. */
export const WEEKEND = 'weekend'

/** Reads a weekday's name, or `WEEKEND`. '' for anything else. */
export function readWeekday(text: string): string {
  return [...WEEKDAYS, WEEKEND].find((each) => each === text) ?? ''
}

/** Whole months in a row, at most a year of them. 'YYYY-MM' for both. */
export type Months = { first: string; last: string }

/** A season or a year is the longest period that people type. */
const MAX_MONTHS = 12

/** The month a number of months after another: 'YYYY-MM'. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** All months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}

/** Reads '2027-03' or '2027-03..2027-05', as `writeMonths` writes them. null for anything else. */
export function readMonths(text: string): Months | null {
  const [first = '', last = first, ...rest] = text.split('..')
  const isMonth = (each: string) => /^\d{4}-\d{2}$/.test(each) && isLocalDate(`${each}-01`)
  if (rest.length > 0 || !isMonth(first) || !isMonth(last)) return null
  return first <= last && last < addMonths(first, MAX_MONTHS) ? { first, last } : null
}

export function writeMonths(months: Months | null): string {
  if (!months) return ''
  return months.first === months.last ? months.first : `${months.first}..${months.last}`
}

/** 'March 2027', 'March to May 2027' or 'December 2026 to February 2027'. */
export function monthsText({ first, last }: Months): string {
  const name = (month: string) => MONTH_NAMES[Number(month.slice(5)) - 1] ?? ''
  const [from, to] = [first.slice(0, 4), last.slice(0, 4)]
  if (first === last) return `${name(first)} ${from}`
  return from === to
    ? `${name(first)} to ${name(last)} ${to}`
    : `${name(first)} ${from} to ${name(last)} ${to}`
}

/** 'Saturdays in March 2027', 'weekends in March 2027', or the months alone. */
export function periodText(months: Months, weekday: string): string {
  return weekday ? `${weekday}s in ${monthsText(months)}` : monthsText(months)
}

/** The days of a period from `today` on. */
export function daysOf(months: Months, weekday: string, today: LocalDate): LocalDate[] {
  const end = `${addMonths(months.last, 1)}-01`
  const days: LocalDate[] = []
  const start = `${months.first}-01`
  for (let day = start > today ? start : today; day < end; day = addDays(day, 1)) {
    if (isOnWeekday(day, weekday)) days.push(day)
  }
  return days
}

/** Whether a day is in a period. */
export function isInPeriod(day: LocalDate, months: Months, weekday: string): boolean {
  const month = day.slice(0, 7)
  return months.first <= month && month <= months.last && isOnWeekday(day, weekday)
}

function isOnWeekday(day: LocalDate, weekday: string): boolean {
  const name = weekdayOf(day)
  return !weekday || (weekday === WEEKEND ? name === 'Saturday' || name === 'Sunday' : name === weekday)
}
