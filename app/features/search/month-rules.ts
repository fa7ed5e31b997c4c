import { addDays, isLocalDate, type LocalDate, MONTH_NAMES } from '../../shared/dates.ts'
import { weekdayOf } from './weekday-rules.ts'

/** The days of a period on which the event may be: one weekday, or Saturdays and Sundays. */
export const WEEKEND = 'weekend'

/** Whole months in a row, at most a year of them. 'YYYY-MM' for both. */
export type Months = { first: string; last: string }

/** A season or a year is the longest period that people type. */
const MAX_MONTHS = 12

/** The month a number of months after another: 'YYYY-MM'. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
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
    const name = weekdayOf(day)
    const isWanted =
      !weekday || (weekday === WEEKEND ? name === 'Saturday' || name === 'Sunday' : name === weekday)
    if (isWanted) days.push(day)
  }
  return days
}

/** Southern seasons: the first month of each. Each has three months. */
const SEASON_STARTS = { summer: 12, autumn: 3, winter: 6, spring: 9 } as const
export type Season = keyof typeof SEASON_STARTS
const MONTHS_OF_SEASON = 3

/**
 * The months of a southern season.
 * @param year the year in which most of its months are: summer 2027 begins in December 2026. null for the next one
 * @param isNext only a season that hasn't begun, as in 'next summer'
 */
export function monthsOfSeason(
  season: Season,
  { year, isNext, today }: { year: number | null; isNext: boolean; today: LocalDate },
): Months {
  const start = SEASON_STARTS[season]
  const inYear = (of: number): Months => {
    const first = `${start === 12 ? of - 1 : of}-${String(start).padStart(2, '0')}`
    return { first, last: addMonths(first, MONTHS_OF_SEASON - 1) }
  }
  const thisMonth = today.slice(0, 7)
  const thisYear = Number(today.slice(0, 4))
  if (year !== null) {
    const named = inYear(year)
    // 'Summer 2026' said in November 2026 is the summer that begins in December.
    return named.last < thisMonth && start === 12 ? inYear(year + 1) : named
  }
  const isAhead = ({ first, last }: Months) => (isNext ? first > thisMonth : last >= thisMonth)
  return [thisYear, thisYear + 1].map(inYear).find(isAhead) ?? inYear(thisYear + 2)
}

/** The months named without a year, or with it: the next ones that aren't over. */
export function monthsNamed(
  first: { month: number; year: number | null },
  last: { month: number; year: number | null },
  today: LocalDate,
): Months | null {
  const write = (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}`
  // 'December to February' ends in the year after it begins.
  const years = last.month < first.month ? 1 : 0
  const [thisYear, thisMonth] = [Number(today.slice(0, 4)), today.slice(0, 7)]
  const upcoming = write(thisYear, last.month) >= thisMonth ? thisYear : thisYear + 1
  const end = last.year ?? (first.year === null ? upcoming : first.year + years)
  return readMonths(`${write(first.year ?? end - years, first.month)}..${write(end, last.month)}`)
}

/** The rest of a year: from this month, or the whole year. */
export function monthsOfYear(year: number, today: LocalDate): Months {
  const thisMonth = today.slice(0, 7)
  const first = `${year}-01` > thisMonth ? `${year}-01` : thisMonth
  return { first, last: `${year}-12` }
}
