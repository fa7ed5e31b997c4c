import { type LocalTime, minuteOf } from '../../shared/dates.ts'
import { START_STEP_MINUTES } from './rules.ts'

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const
export type DayPart = (typeof DAY_PARTS)[number]

const AFTERNOON_BEGINS: LocalTime = '12:00'
const EVENING_BEGINS: LocalTime = '17:00'

/** The part of the day in which an event starts. Noon begins the afternoon, five the evening. */
export function dayPartOf(time: LocalTime): DayPart {
  if (time < AFTERNOON_BEGINS) return 'morning'
  return time < EVENING_BEGINS ? 'afternoon' : 'evening'
}

/**
 * The start times to offer of a day's free ones: the whole hours, the first of each unbroken run, and the start that was
 * chosen. Every other free time can be typed.
 * @param times all free start times of the day, earliest first
 * @param chosen the value of the time field, possibly incomplete
 */
export function offeredStarts(times: readonly LocalTime[], chosen: string): LocalTime[] {
  return runsOf(times).flatMap((run) => {
    const hasWholeHours = run.some(isWholeHour)
    // Of hours that begin at a quarter past, no start is a whole hour.
    return run.filter(
      (time, index) =>
        index === 0 || time === chosen || (hasWholeHours ? isWholeHour(time) : index % STARTS_AN_HOUR === 0),
    )
  })
}

/** The parts of the day with start times, each with its own, in order. */
export function startsByPart(starts: readonly LocalTime[]): { part: DayPart; starts: LocalTime[] }[] {
  return DAY_PARTS.map((part) => ({
    part,
    starts: starts.filter((time) => dayPartOf(time) === part),
  })).filter((group) => group.starts.length > 0)
}

/** With fewer bookings, none of the parts is a habit. */
const MIN_STARTS = 3

/** The part of the day in which most of these bookings start, the earliest of equal ones; null for too few bookings. */
export function usualPart(starts: readonly LocalTime[]): DayPart | null {
  if (starts.length < MIN_STARTS) return null
  const groups = startsByPart(starts)
  const most = Math.max(...groups.map((group) => group.starts.length))
  return groups.find((group) => group.starts.length === most)?.part ?? null
}

const STARTS_AN_HOUR = 60 / START_STEP_MINUTES

const isWholeHour = (time: LocalTime) => time.endsWith(':00')

/** Splits times where more than a step is missing between two of them. */
function runsOf(times: readonly LocalTime[]): LocalTime[][] {
  const runs: LocalTime[][] = []
  for (const time of times) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before && minuteOf(time) - minuteOf(before) <= START_STEP_MINUTES) run.push(time)
    else runs.push([time])
  }
  return runs
}
