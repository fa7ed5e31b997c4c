import { DAY_MS, MINUTE_MS } from './time-units.ts'

/** A day at the venue, 'YYYY-MM-DD' (Decision 2). */
export type LocalDate = string

/** A time of day at the venue, 'HH:mm' (Decision 2). */
export type LocalTime = string

/** Returns the minutes from midnight to a time of day. */
export function minuteOf(time: LocalTime): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The zone where most people are: for people whose own zone isn't known, and so that server and browser write one text. */
export const HOME_ZONE = 'Australia/Sydney'

const HALF_DAY_MS = 12 * 60 * MINUTE_MS

const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** One formatter per zone, because creating one costs far more than using it. */
const wallFormats = new Map<string, Intl.DateTimeFormat>()

function wallFormat(timeZone: string): Intl.DateTimeFormat {
  let format = wallFormats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    wallFormats.set(timeZone, format)
  }
  return format
}

/**
 * The first day of 1000 is still in 999 in UTC, which Intl writes with three digits, and no date of ours is that old.
 */
const FIRST_YEAR = 1001

/** Whether the text is 'YYYY-MM-DD' from the year 1001 on, and the date exists: 31 February does not. */
export function isLocalDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < FIRST_YEAR) return false
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Whether the text is 'HH:mm' on a 24-hour clock. */
export function isLocalTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}

/**
 * The date and time that a zone's clock shows at an instant.
 * @param timeZone an IANA name such as 'Australia/Sydney'
 */
export function wallTimeAt(instant: Date, timeZone: string): { date: LocalDate; time: LocalTime } {
  // By name, since ICU 72 and 73 write Canadian dates as month/day/year.
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of wallFormat(timeZone).formatToParts(instant)) parts[type] = value
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` }
}

const nameFormats = new Map<string, Intl.DateTimeFormat>()

/** The name of a zone's clock at an instant, as Australians know it: 'AEDT' in summer, 'AEST' in winter. */
export function clockNameAt(instant: Date, timeZone: string): string {
  const format =
    nameFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-AU', { timeZone, timeZoneName: 'short' })
  nameFormats.set(timeZone, format)
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetMs(instantMs: number, timeZone: string): number {
  const { date, time } = wallTimeAt(new Date(instantMs), timeZone)
  const wholeMinuteMs = Math.floor(instantMs / MINUTE_MS) * MINUTE_MS
  return Date.parse(`${date}T${time}:00Z`) - wholeMinuteMs
}

/**
 * The instant at which the venue's clock shows this date and time. When clocks go back, a time that occurs twice means
 * its first occurrence. When they go forward, a skipped time moves forward by the skipped hour.
 * @throws RangeError for a date or time that does not exist, or an unknown zone
 */
export function wallTimeToUtc(date: LocalDate, time: LocalTime, timeZone: string): Date {
  if (!isLocalDate(date) || !isLocalTime(time)) throw new RangeError(`Not a wall time: ${date} ${time}`)
  const wallMs = Date.parse(`${date}T${time}:00Z`)
  return new Date(utcOfWall(wallMs, (atMs) => offsetMs(atMs, timeZone)))
}

/** The rule of `wallTimeToUtc` for a wall time in milliseconds as if it were UTC. */
function utcOfWall(wallMs: number, offsetAt: (atMs: number) => number): number {
  // The offsets half a day to either side enclose any clock change, and no zone changes twice in a day.
  const before = offsetAt(wallMs - HALF_DAY_MS)
  const after = offsetAt(wallMs + HALF_DAY_MS)
  const early = wallMs - before
  if (offsetAt(early) === before) return early
  const late = wallMs - after
  if (offsetAt(late) === after) return late
  // The clock skips this time. The offset from before the change lands just after it.
  return early
}

/**
 * One zone's clock over some days, computed once: `wallTimeToUtc` and `wallTimeAt` for thousands of conversions. A wall
 * time is the time that the clock shows, in milliseconds since 1970 as if it were UTC.
 */
export type ZoneClock = { toUtcMs(wallMs: number): number; toWallMs(utcMs: number): number }

/**
 * Computes a zone's clock.
 * @param from the first day to convert
 * @param to the last day to convert
 */
export function zoneClock(timeZone: string, from: LocalDate, to: LocalDate): ZoneClock {
  // Every zone is less than a day from UTC, and utcOfWall looks half a day to either side.
  const firstMs = Date.parse(from) - 2 * DAY_MS
  const lastMs = Date.parse(to) + 3 * DAY_MS
  const spans = [{ untilMs: Number.POSITIVE_INFINITY, offset: offsetMs(firstMs, timeZone) }]
  for (let dayMs = firstMs; dayMs < lastMs; dayMs += DAY_MS) {
    const next = offsetMs(dayMs + DAY_MS, timeZone)
    const current = spans.at(-1)
    if (!current || next === current.offset) continue
    let beforeMs = dayMs
    let afterMs = dayMs + DAY_MS
    while (afterMs - beforeMs > MINUTE_MS) {
      const middleMs = beforeMs + Math.floor((afterMs - beforeMs) / 2 / MINUTE_MS) * MINUTE_MS
      if (offsetMs(middleMs, timeZone) === current.offset) beforeMs = middleMs
      else afterMs = middleMs
    }
    current.untilMs = afterMs
    spans.push({ untilMs: Number.POSITIVE_INFINITY, offset: next })
  }
  const offsetAt = (atMs: number) => spans.find((span) => atMs < span.untilMs)?.offset ?? 0
  return {
    toUtcMs: (wallMs) => utcOfWall(wallMs, offsetAt),
    toWallMs: (utcMs) => utcMs + offsetAt(utcMs),
  }
}

/** Adds days to a date. @param days negative for an earlier date */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

/** 'Saturday 14 March 2027'. Without Intl, which takes ten times as long and whose commas differ between versions of ICU. */
export function formatDay(date: LocalDate): string {
  const day = new Date(`${date}T00:00:00Z`)
  const month = MONTH_NAMES[day.getUTCMonth()]
  return `${WEEKDAY_NAMES[day.getUTCDay()]} ${day.getUTCDate()} ${month} ${day.getUTCFullYear()}`
}

/** '14 March 2027'. */
export function formatDate(date: LocalDate): string {
  return formatDay(date).split(' ').slice(1).join(' ')
}

/**
 * 'March 2027'.
 * @param month 'YYYY-MM'
 */
export function formatMonth(month: string): string {
  return formatDay(`${month}-01`).split(' ').slice(2).join(' ')
}

/** '4:00 pm'. */
export function formatTime(time: LocalTime): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'am' : 'pm'}`
}

/** A wall time as people read it: 'Saturday 14 March 2027, 4:00 pm'. */
export function formatEventTime(date: LocalDate, time: LocalTime): string {
  return `${formatDay(date)}, ${formatTime(time)}`
}

/** The month of an instant in a zone: 'March 2027'. */
export function formatInstantMonth(instant: Date, timeZone: string): string {
  return formatMonth(wallTimeAt(instant, timeZone).date.slice(0, 7))
}

/** An instant as people in a zone read it: 'Saturday 14 March 2027, 4:00 pm'. */
export function formatInstant(instant: Date, timeZone: string): string {
  const { date, time } = wallTimeAt(instant, timeZone)
  return formatEventTime(date, time)
}
