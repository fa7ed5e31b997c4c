import { z } from 'zod'
import { addDays, isLocalDate, isLocalTime, minuteOf } from '../../shared/dates.ts'
import { dayText, plainText, timeText } from '../../shared/form-texts.ts'
import { parseUrl } from '../../shared/parse-url.ts'
import { readMonths, readWeekday } from '../../shared/periods.ts'
import { MAX_GUESTS } from '../pricing/limits.ts'
import { SETTINGS_MESSAGES, type StepProblem } from './messages.ts'
import {
  type AvailabilityRules,
  type BlockedTime,
  DAY_MINUTES,
  type HoursException,
  MAX_BUFFER_MINUTES,
  MAX_CAPACITY,
  MAX_CLOSES_MINUTE,
  MAX_EVENT_MINUTES,
  MAX_HORIZON_DAYS,
  MAX_NOTICE_MINUTES,
  MAX_OPENINGS_A_DAY,
  MIN_EVENT_MINUTES,
  type OpenHours,
} from './rules.ts'

export const MAX_NOTE_LENGTH = 200
const MAX_BLOCKED_DAYS = 731
export const MAX_CALENDAR_NAME_LENGTH = 100
const MAX_ADDRESS_LENGTH = 2_000
const day = dayText({ missing: SETTINGS_MESSAGES.dateMissing, wrong: SETTINGS_MESSAGES.dateWrong })
const time = (missing: string) => timeText({ missing, wrong: SETTINGS_MESSAGES.timeWrong })
const note = plainText({ max: MAX_NOTE_LENGTH }).default('')
const wholeNumber = (min: number, max: number, error: string) =>
  z.int({ error }).min(min, { error }).max(max, { error })

/** One opening, as two time fields. A closing time at or before the opening is on the next day. */
const opening = z
  .object({ opens: time(SETTINGS_MESSAGES.opensMissing), closes: time(SETTINGS_MESSAGES.closesMissing) })
  .transform(({ opens, closes }, context): OpenHours => {
    const opensMinute = minuteOf(opens)
    const closesMinute = minuteOf(closes)
    const hours = {
      opensMinute,
      closesMinute: closesMinute > opensMinute ? closesMinute : closesMinute + DAY_MINUTES,
    }
    if (hours.closesMinute > MAX_CLOSES_MINUTE) {
      context.addIssue({ code: 'custom', path: ['closes'], message: SETTINGS_MESSAGES.hoursTooLate })
    }
    return hours
  })

/** The openings of one day, in order. None means closed. */
const openings = z
  .array(opening)
  .max(MAX_OPENINGS_A_DAY, { error: SETTINGS_MESSAGES.tooManyHours })
  .default([])
  .transform((hours) => hours.toSorted((a, b) => a.opensMinute - b.opensMinute))
  .refine(
    (hours) => hours.every((each, index) => each.opensMinute >= (hours[index - 1]?.closesMinute ?? 0)),
    { error: SETTINGS_MESSAGES.hoursOverlap },
  )

/** The rules that the settings form sets: all but the zone and the exceptions. */
export type AvailabilitySettings = Omit<AvailabilityRules, 'timeZone' | 'exceptions'>

/**
 * The settings form. Each weekday is a list of openings (`weekly.mon[0].opens`, `.closes`, both 'HH:mm'). The event's
 * length and the notice are typed in hours.
 */
export const settingsSchema = z
  .object({
    capacity: wholeNumber(1, MAX_CAPACITY, SETTINGS_MESSAGES.capacityWrong),
    maxGuests: wholeNumber(1, MAX_GUESTS, SETTINGS_MESSAGES.maxGuestsWrong).nullish(),
    // A form with every day closed sends none of them.
    weekly: z
      .object({
        mon: openings,
        tue: openings,
        wed: openings,
        thu: openings,
        fri: openings,
        sat: openings,
        sun: openings,
      })
      .prefault({}),
    eventHours: z
      .number({ error: SETTINGS_MESSAGES.eventHoursWrong })
      .min(MIN_EVENT_MINUTES / 60, { error: SETTINGS_MESSAGES.eventHoursWrong })
      .max(MAX_EVENT_MINUTES / 60, { error: SETTINGS_MESSAGES.eventHoursWrong })
      .multipleOf(0.5, { error: SETTINGS_MESSAGES.eventHoursWrong }),
    setupMinutes: wholeNumber(0, MAX_BUFFER_MINUTES, SETTINGS_MESSAGES.bufferWrong),
    cleanupMinutes: wholeNumber(0, MAX_BUFFER_MINUTES, SETTINGS_MESSAGES.bufferWrong),
    noticeHours: wholeNumber(0, MAX_NOTICE_MINUTES / 60, SETTINGS_MESSAGES.noticeHoursWrong),
    horizonDays: wholeNumber(1, MAX_HORIZON_DAYS, SETTINGS_MESSAGES.horizonWrong),
  })
  .transform(
    ({ maxGuests, eventHours, noticeHours, ...rest }): AvailabilitySettings => ({
      ...rest,
      maxGuests: maxGuests ?? null,
      eventMinutes: eventHours * 60,
      noticeMinutes: noticeHours * 60,
    }),
  )

/** Days whose hours differ from the week's. Without an opening they are closed. */
export const exceptionSchema = z
  .object({ from: day, to: day, hours: openings, note })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: SETTINGS_MESSAGES.endBeforeStart })
  .transform((exception): HoursException => exception)

/** A blocked time: days, with or without times. */
export const blockSchema = z
  .object({
    businessId: z.string(SETTINGS_MESSAGES.businessMissing),
    from: day,
    fromTime: time(SETTINGS_MESSAGES.timeWrong).nullish(),
    to: day,
    toTime: time(SETTINGS_MESSAGES.timeWrong).nullish(),
    note,
  })
  .transform(
    ({ businessId: _, fromTime, toTime, ...block }): BlockedTime => ({
      ...block,
      fromTime: fromTime ?? null,
      toTime: toTime ?? null,
    }),
  )
  .refine(
    ({ from, fromTime, to, toTime }) => `${from} ${fromTime ?? '00:00'}` < `${to} ${toTime ?? '24:00'}`,
    {
      path: ['to'],
      error: SETTINGS_MESSAGES.endBeforeStart,
    },
  )
  .refine(({ from, to }) => to <= addDays(from, MAX_BLOCKED_DAYS), {
    path: ['to'],
    error: SETTINGS_MESSAGES.tooLong,
  })

/** An outside calendar. webcal:// is the scheme that calendar programs use for https:// feeds. */
export const outsideCalendarSchema = z.object({
  name: plainText({ required: SETTINGS_MESSAGES.calendarNameMissing, max: MAX_CALENDAR_NAME_LENGTH }),
  url: plainText({ required: SETTINGS_MESSAGES.calendarAddressMissing, max: MAX_ADDRESS_LENGTH })
    .transform((text) => text.replace(/^webcals?:\/\//i, 'https://'))
    .refine(isWebAddress, { error: SETTINGS_MESSAGES.calendarAddressWrong }),
})

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== null
}

/** The fields of every step on the calendar, and those of steps without a schema of their own. */
export const calendarStepSchema = z.object({
  intent: z.string(),
  businessId: z.string(),
  blockId: z.string(),
})

/** The same for the steps on the availability screen. */
export const availabilityStepSchema = z.object({
  intent: z.string(),
  businessId: z.string(),
  id: z.string(),
  seen: z.string(),
  showsNames: z.string(),
})

/** The answer to a refused step. */
export type StepRefusal = {
  ok: false
  reason: StepProblem
  /** Messages by field. */
  errors: Record<string, string[] | null> | null
  /** The version that is saved now, after 'changed_meanwhile'. */
  version?: string | null
  /** The event that can't be read, with 'unreadable_event'. */
  event?: string
}

/** The answer to blocking and unblocking. */
export type BlockAnswer = { ok: true } | StepRefusal

/** The answer to a step on the availability screen. `address` is the feed's secret address, right after it was made. */
export type AvailabilityAnswer = { ok: true; text: string; address?: string } | StepRefusal

const length = {
  type: z.enum(['perPerson', 'perHour']),
  quantity: z.coerce.number().int().min(1).max(MAX_GUESTS),
  /** The signed key of a booking that could move. Its current slot is free for it. */
  own: z.string().max(200).optional(),
}
const isPossibleLength = ({ type, quantity }: { type: string; quantity: number }) =>
  type !== 'perHour' || quantity * 60 <= MAX_EVENT_MINUTES
const localDate = z.string().refine(isLocalDate)
const month = z.string().refine((text) => isLocalDate(`${text}-01`))
const period = z
  .string()
  .max(20)
  .transform((text, context) => {
    const months = readMonths(text)
    if (months) return months
    context.addIssue({ code: 'custom' })
    return z.NEVER
  })
const weekday = z.string().refine((text) => text === '' || readWeekday(text) !== '')

/**
 * The query of GET /api/availability/:businessId: the days of a month, the free days nearest to one, the first free day of a
 * period, the times of a day, or one time.
 */
export const availabilityQuerySchema = z.union([
  z.object({ month, ...length }).refine(isPossibleLength),
  z.object({ nearest: localDate, ...length }).refine(isPossibleLength),
  z.object({ fitting: period, weekday: weekday.default(''), ...length }).refine(isPossibleLength),
  z.object({ day: localDate, ...length }).refine(isPossibleLength),
  z.object({ date: localDate, time: z.string().refine(isLocalTime), ...length }).refine(isPossibleLength),
])
