/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */
import {
  addDays,
  isLocalDate,
  isLocalTime,
  type LocalDate,
  type LocalTime,
  minuteOf,
} from '../../shared/dates.ts'
import { type Months, WEEKDAYS, weekdayOf } from '../../shared/periods.ts'
import { MAX_HOURS } from '../pricing/limits.ts'
import { takeMonths } from './query-month-schema.ts'
import { firstOf, peopleWords, type QueryContext, type Take } from './query-take-schema.ts'

// Times: '4 pm to 11 pm', '4-11pm', '16:00-23:00', 'from noon till midnight', '4pm for 7 hours'
const clock = String.raw`(?:(\d{1,2})(?:[:.](\d{2}))?(?:\s*([ap])\.?m\b\.?)?|\b(noon|midday|midnight)\b)`
const timeRange = new RegExp(
  String.raw`(?:\b(?:from|between|at)\s+)?(?<![\d$/.,:-])${clock}\s*(?:-|\bto\b|\buntil\b|\btill?\b|\band\b)\s*${clock}(?![\d/:]|\s*(?:km|hours?|hrs?|${peopleWords}))`,
  'gi',
)
const timeAlone =
  /(?:\b(?:from|at|after|starting(?: at)?)\s+)?(?<![\d$/.,:-])(?:(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?|([01]?\d|2[0-3]):([0-5]\d))(?![\d/])|\b(?:from|at)\s+(noon|midday|midnight)\b/i
const duration = /(?:\bfor\s+)?(?<![\d.,$/:])(\d{1,2})(?:\.(\d))?\s*-?(?:hours?|hrs?|h)\b/i

const NAMED_TIMES: Record<string, string> = { noon: '12:00', midday: '12:00', midnight: '00:00' }

/** The times in a query. */
export type QueryTimes = Partial<{ from: LocalTime | null; until: LocalTime | null; hours: number | null }>

/** Takes the start and end of the event, or its length. */
export function takeTimes(take: Take, found: QueryTimes) {
  const isRange = take(firstOf(timeRange, isClockRange), (m) => {
    const ends = readRange(m)
    if (!ends) return false
    Object.assign(found, ends)
    return true
  })
  if (!isRange) {
    take(timeAlone, (m) => {
      const time = m[6]
        ? NAMED_TIMES[m[6].toLowerCase()]
        : m[4]
          ? toTime(Number(m[4]), Number(m[5]))
          : onTheClock(Number(m[1]), Number(m[2] ?? 0), m[3])
      if (!time) return false
      found.from = time
      return true
    })
  }
  take(duration, (m) => {
    const hours = Number(m[1]) + (Number(m[2] ?? 0) > 0 ? 1 : 0)
    if (hours < 1 || hours > MAX_HOURS || found.until) return false
    found.hours = hours
    return true
  })
}

/** '10 to 12' alone may mean anything. A range of times has an am or pm, a colon or a word such as 'noon'. */
function isClockRange(m: RegExpExecArray): boolean {
  return Boolean(m[3] || m[7] || m[4] || m[8] || (m[0].includes(':') && (m[2] || m[6])))
}

/** Both ends of a range. An end without am or pm takes the half of the day that makes the range shortest. */
function readRange(m: RegExpExecArray): { from: LocalTime; until: LocalTime } | null {
  const froms = possibleTimes(m[4], m[1], m[2], m[3])
  const untils = possibleTimes(m[8], m[5], m[6], m[7])
  let best: { from: LocalTime; until: LocalTime; minutes: number } | null = null
  for (const from of froms) {
    for (const until of untils) {
      const minutes = (minuteOf(until) - minuteOf(from) + 24 * 60) % (24 * 60)
      // '4:00-11:00' begins in the afternoon, since few parties begin at four in the morning.
      const isEarly = !m[3] && !m[7] && !m[4] && minuteOf(from) < 7 * 60 && froms.length > 1
      if (minutes > 0 && !isEarly && (!best || minutes < best.minutes)) best = { from, until, minutes }
    }
  }
  return best && { from: best.from, until: best.until }
}

function possibleTimes(named?: string, hour?: string, minute = '0', half?: string): LocalTime[] {
  if (named) return [NAMED_TIMES[named.toLowerCase()] ?? '12:00']
  const [h, m] = [Number(hour), Number(minute)]
  if (half) return [onTheClock(h, m, half)].filter((time) => time !== null)
  // '09:00' and '16:00' are on a 24-hour clock. '9' may be am or pm.
  if (h === 0 || h > 12 || hour?.startsWith('0')) return [toTime(h, m)].filter((time) => time !== null)
  return [onTheClock(h, m, 'a'), onTheClock(h, m, 'p')].filter((time) => time !== null)
}

function onTheClock(hour: number, minute: number, half: string | undefined): LocalTime | null {
  if (hour < 1 || hour > 12) return null
  return toTime((hour % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute)
}

function toTime(hour: number, minute: number): LocalTime | null {
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return isLocalTime(time) ? time : null
}

// Days: '14 March 2027', 'Sat 14/3/27', 'March 14th', '2027-03-14', 'next Saturday', 'tomorrow', 'New Year's Eve'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekday = String.raw`(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\.?`
const month = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const [anyWeekday, anyMonth] = [weekday.replace('(', '(?:'), month.replace('(', '(?:')]
const dayBefore = String.raw`(?:\b(?:on|from|between)\s+)?(?:\b${weekday}(?:\s*(?:[-/&]|\b(?:to|and|or)\b)\s*${anyWeekday})?,?\s+)?(?:the\s+)?(?<![\d$/.:-])`
/** The last day of several, '5-6', '5th to 6th', 'Sat 5 & Sun 6'. A search has one day, and the first counts. */
const lastDay = String.raw`(?:\s{0,3}(?:[-/&]|\b(?:to|until|till?|and|or)\b)\s{0,3}(?:${anyWeekday},?\s{1,3})?(?:the\s{1,3})?(\d{1,2})(?:st|nd|rd|th)?)`
const year = String.raw`(?:,?[\s'-]*(20\d{2}|2\d|3\d)(?![\d:.]|\s*[ap]\.?m\b))?`
const dayAndMonth = new RegExp(
  String.raw`${dayBefore}(\d{1,2})(?:st|nd|rd|th)?${lastDay}?(?:\s{1,3}of)?[\s-]{0,4}${month}\b${year}`,
  'i',
)
const monthAndDay = new RegExp(
  String.raw`(?:\bon\s+)?(?:\b${weekday},?\s+)?\b${month}\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b(?![:.]\d|\s*[ap]\.?m\b)(?:${lastDay}(?![\d:.]|\s*(?:[ap]\.?m\b|${anyMonth}\b)))?${year}`,
  'i',
)
/** '14/3', and '13-14/3'. In '30-1 December' and '2.5k' the second number is no month. */
const dayInNumbers = new RegExp(
  String.raw`${dayBefore}(\d{1,2})(?:\s?-\s?\d{1,2}(?=\/))?([/.-])(\d{1,2})(?:\3(20\d{2}|\d{2}))?(?![\d/:]|\s*[ap]\.?m\b|\s*(?:k|thousand|grand)\b|(?:st|nd|rd|th)?(?:\s+of)?[\s-]*${anyMonth}\b)`,
  'i',
)
const dayInIso = new RegExp(String.raw`${dayBefore}(\d{4})-(\d{2})-(\d{2})(?!\d)`, 'i')
const namedDays: readonly (readonly [RegExp, number, number])[] = [
  [/\b(?:on\s+)?(?:new year'?s eve|nye)\b/i, 12, 31],
  [/\b(?:on\s+)?new year'?s day\b/i, 1, 1],
  [/\b(?:on\s+)?australia day\b/i, 1, 26],
  [/\b(?:on\s+)?valentine'?s day\b/i, 2, 14],
  [/\b(?:on\s+)?christmas eve\b/i, 12, 24],
  [/\b(?:on\s+)?christmas day\b/i, 12, 25],
  [/\b(?:on\s+)?boxing day\b/i, 12, 26],
]
const dayFromToday = /\b(today|tonight|tomorrow)\b(?!')/i
const weekdayFromToday = new RegExp(
  String.raw`\b(?:on|this|this coming|next|coming)\s+(?:${weekday}|(weekend))(?![\w'])(?:\s+(?:morning|afternoon|evening|night))?`,
  'i',
)
const weekdayAlone = new RegExp(
  String.raw`(?:^|,)\s*${weekday}(?:\s+(?:morning|afternoon|evening|night))?\s*(?=,|$)`,
  'i',
)
/** 'dj melbourne saturday night'. Not 'Good Friday', and not 'in the sun'. */
const weekdayLast =
  /(?<!\b(?:good|black)\s+)\b(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?days?(?:\s+(?:morning|afternoon|evening|night))?s?\s*(?=,|$)/i

/** Takes the day, and the typed weekday if the day falls on another one, or else the months. */
export function takeDate(
  take: Take,
  found: { date?: LocalDate | null; weekday?: string; months?: Months | null },
  context: QueryContext,
) {
  const { today } = context
  const use = (parts: {
    weekday?: string | undefined
    day: number
    month: number
    year?: string | undefined
  }) => {
    const date = dayOf(parts, today)
    if (!date) return false
    found.date = date
    const written = WEEKDAYS.find((name) => name.slice(0, 3).toLowerCase() === parts.weekday?.toLowerCase())
    if (written && written !== weekdayOf(date)) found.weekday = written
    return true
  }
  const monthNamed = (name = '') => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  if (
    take(dayInIso, (m) => use({ weekday: m[1], year: m[2], month: Number(m[3]), day: Number(m[4]) })) ||
    take(firstOf(dayAndMonth, isInOrder), (m) =>
      use({ weekday: m[1], day: Number(m[2]), month: monthNamed(m[4]), year: m[5] }),
    ) ||
    take(monthAndDay, (m) =>
      use({ weekday: m[1], month: monthNamed(m[2]), day: Number(m[3]), year: m[5] }),
    ) ||
    take(dayInNumbers, (m) => use({ weekday: m[1], day: Number(m[2]), month: Number(m[4]), year: m[5] })) ||
    namedDays.some(([pattern, month, day]) => take(pattern, () => use({ month, day })))
  )
    return
  const on = (date: LocalDate) => {
    found.date = date
    return true
  }
  if (take(dayFromToday, (m) => on(addDays(today, m[1]?.toLowerCase() === 'tomorrow' ? 1 : 0)))) return
  const nextNamed = (name: string | undefined) =>
    on(
      nextWeekday(
        today,
        name ? WEEKDAYS.findIndex((day) => day.slice(0, 3).toLowerCase() === name.toLowerCase()) : 6,
      ),
    )
  takeMonths(take, found, context)
  if (found.months) return
  if (take(weekdayFromToday, (m) => nextNamed(m[1]))) return
  if (!take(weekdayAlone, (m) => nextNamed(m[1]))) take(weekdayLast, (m) => nextNamed(m[1]))
}

/** Whether a range of days is within a month. '30-1 December' begins in another one, so it isn't understood. */
function isInOrder(m: RegExpExecArray): boolean {
  return !m[3] || Number(m[2]) < Number(m[3])
}

/** The date. Without a year it's the next one from today; a two-digit year is in this century. */
function dayOf(
  parts: { day: number; month: number; year?: string | undefined },
  today: LocalDate,
): LocalDate | null {
  const write = (inYear: number) =>
    `${inYear}-${String(parts.month).padStart(2, '0')}-${String(parts.day).padStart(2, '0')}`
  if (parts.year) {
    const date = write(Number(parts.year) + (parts.year.length === 2 ? 2_000 : 0))
    return isLocalDate(date) ? date : null
  }
  const thisYear = Number(today.slice(0, 4))
  // The next 29 February may be up to eight years away.
  for (let inYear = thisYear; inYear <= thisYear + 8; inYear++) {
    const date = write(inYear)
    if (isLocalDate(date) && date >= today) return date
  }
  return null
}

/** The next such weekday, today included: 'Saturday' typed on a Saturday morning may mean tonight. */
function nextWeekday(today: LocalDate, index: number): LocalDate {
  const ahead = (index - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(today, ahead)
}
