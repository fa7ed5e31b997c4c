/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */
import type { LocalDate } from '../../shared/dates.ts'
import { addMonths, type Months, readMonths, WEEKDAYS, WEEKEND } from '../../shared/periods.ts'
import { monthsNamed, monthsOfSeason, monthsOfYear, type Season } from './month-rules.ts'
import { firstOf, type QueryContext, type Take } from './query-take-schema.ts'

// Periods: 'March 2027', 'in March', 'March to May', 'next autumn', 'summer 2026/27', 'next month', '2027',
// 'Saturdays in March'. A month or season that stands alone counts only where people put it: at the end of a piece
// ('dj melbourne march') or before the occasion ('june wedding'). In 'March of Time', 'we may need' or 'Summer Hill' it
// doesn't.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\.?'
const season = '(summer|autumn|winter|spring)'
const year = String.raw`(?:\s+of)?,?\s+'?(20\d{2})(?![\d:.]|\s*[ap]\.?m\b)`
const introduced = String.raw`\b(?:(?:in|during|from|between|sometime in|around)\s+)?(?:(?:this|next|coming|early|mid|late)[\s-]+)*`
const occasionAfter = String.raw`(?=\s+(?:weddings?|elopement|birthday|engagement|party|christening|anniversary|reception|event|function|ceremony)\b)`
/** The end of a piece of a query. */
const pieceEnd = String.raw`(?=\s*(?:,|$))`
/** 'I may', 'the spring', '14th of March' and '31 February' are no periods. */
const notAfter = String.raw`(?<!\b(?:i|we|you|they|it|that|who|which|the|and|of)\s+)(?<!\d(?:st|nd|rd|th)?\s*(?:of\s+)?[/-]?)`

const monthRange = new RegExp(
  String.raw`${introduced}\b${monthName}(?:\s+(20\d{2}))?\s*(?:-|\bto\b|\bor\b|\band\b|\btill?\b|\buntil\b)\s*${monthName}(?:${year}|\b)(?!\s*\d)`,
  'i',
)
const monthWithYear = new RegExp(String.raw`${introduced}\b${monthName}${year}`, 'i')
const monthIntroduced = new RegExp(
  String.raw`\b(?:in|during|this|next|coming|early|mid|late)[\s-]+(?:(?:early|mid|late|this|next)[\s-]+)*${monthName}\b(?!\s*\d)`,
  'i',
)
const monthAlone = new RegExp(String.raw`${notAfter}\b${monthName}(?:${pieceEnd}|${occasionAfter})`, 'i')
/** 'summer 2026/27' is named by its second year, in which most of its months are. */
const seasonWithYear = new RegExp(
  String.raw`${introduced}\b${season}(?:\s+(?:of\s+)?(?:20)?\d{2}[/-](?:20)?(\d{2})\b|${year})`,
  'i',
)
const seasonIntroduced = new RegExp(
  String.raw`\b(?:in|during|this|(next)|coming|early|mid|late)[\s-]+(?:(?:early|mid|late|this|(next)|the)[\s-]+)*${season}${String.raw`(?=\s*(?:,|$)|\s+(?:for|in|at|near|with|on|wedding|party|event|evening)\b)`}`,
  'i',
)
const seasonAlone = new RegExp(String.raw`${notAfter}\b${season}(?:${pieceEnd}|${occasionAfter})`, 'i')
const relativeMonth = /\b(?:in\s+)?(this|next)\s+(month|year)\b/i
const yearAlone = new RegExp(
  String.raw`(?:\b(?:in|for|during|sometime in)\s+|(?:^|[\s,]))(20\d{2})${pieceEnd}`,
  'i',
)

const dayOfPeriod = new RegExp(
  String.raw`\b(?:(?:on|any|every|some)\s+)?(?:a\s+|the\s+)?(?:(sun|mon|tues|wednes|thurs|fri|satur)days?|(weekends?))(?:\s+(?:morning|afternoon|evening|night))?s?${pieceEnd}`,
  'i',
)
/** Bookings open at most three years ahead, so later numbers are postcodes or nothing. */
const YEARS_AHEAD = 3

/** Whether a number is a year that can be booked, and so no postcode: 2027, but not 3220. */
export function isComingYear(text: string, today: LocalDate): boolean {
  const thisYear = Number(today.slice(0, 4))
  return /^\d{4}$/.test(text) && Number(text) >= thisYear && Number(text) <= thisYear + YEARS_AHEAD
}

/** Takes months, a season or a year, and the weekday of the event within them. */
export function takeMonths(
  take: Take,
  found: { months?: Months | null; weekday?: string },
  { today }: QueryContext,
) {
  const use = (months: Months | null) => {
    if (!months) return false
    found.months = months
    return true
  }
  const month = (name = '', year?: string) => ({
    month: MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1,
    year: year ? Number(year) : null,
  })
  const only = (name = '', year?: string) => use(monthsNamed(month(name, year), month(name, year), today))
  const seasonOf = (name = '', year: number | null = null, isNext = false) =>
    use(monthsOfSeason(name.toLowerCase() as Season, { year, isNext, today }))
  const isTaken =
    take(monthRange, (m) => use(monthsNamed(month(m[1], m[2]), month(m[3], m[4]), today))) ||
    take(monthWithYear, (m) => only(m[1], m[2])) ||
    take(seasonWithYear, (m) => seasonOf(m[1], m[2] ? 2_000 + Number(m[2]) : Number(m[3]))) ||
    take(monthIntroduced, (m) => only(m[1])) ||
    take(seasonIntroduced, (m) => seasonOf(m[3], null, Boolean(m[1] ?? m[2]))) ||
    take(relativeMonth, (m) => {
      const isNext = m[1]?.toLowerCase() === 'next'
      if (m[2]?.toLowerCase() === 'year')
        return use(monthsOfYear(Number(today.slice(0, 4)) + (isNext ? 1 : 0), today))
      return use(readMonths(addMonths(today.slice(0, 7), isNext ? 1 : 0)))
    }) ||
    take(monthAlone, (m) => only(m[1])) ||
    take(seasonAlone, (m) => seasonOf(m[1])) ||
    take(
      firstOf(yearAlone, (m) => isComingYear(m[1] ?? '', today)),
      (m) => use(monthsOfYear(Number(m[1]), today)),
    )
  if (!isTaken) return
  take(dayOfPeriod, (m) => {
    found.weekday = m[2]
      ? WEEKEND
      : (WEEKDAYS.find((name) => name.slice(0, 3).toLowerCase() === m[1]?.slice(0, 3).toLowerCase()) ?? '')
    return true
  })
}
