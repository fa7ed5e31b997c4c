import type { LocalDate } from '../../shared/dates.ts'
import { addMonths, type Months, readMonths } from '../../shared/periods.ts'

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
