import type { TimeSpan } from '../../shared/time-span.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'

/** A time that an outside calendar takes, with the titles of its events. */
export type BusyTime = TimeSpan & { title: string }

const QUARTER_MS = 15 * MINUTE_MS
const MAX_TITLE_LENGTH = 200

/**
 * Rounds busy times outwards to the quarter hours that bookings use, and merges those that overlap, so a day has at most
 * 96. Times that only touch stay apart. A calendar can name thousands of times of one day, and each would be read by
 * every search for that day.
 * @returns the merged times in order; a title names each different event once
 */
export function mergeBusyTimes(events: readonly BusyTime[]): BusyTime[] {
  const rounded = events
    .filter(({ from, until }) => from < until)
    .map(({ from, until, title }) => ({
      fromMs: Math.floor(from.getTime() / QUARTER_MS) * QUARTER_MS,
      untilMs: Math.ceil(until.getTime() / QUARTER_MS) * QUARTER_MS,
      title,
    }))
    .sort((one, other) => one.fromMs - other.fromMs)
  const merged: { fromMs: number; untilMs: number; titles: Set<string>; length: number }[] = []
  for (const { fromMs, untilMs, title } of rounded) {
    const last = merged.at(-1)
    if (!last || fromMs >= last.untilMs) {
      merged.push({ fromMs, untilMs, titles: new Set([title]), length: title.length })
      continue
    }
    last.untilMs = Math.max(last.untilMs, untilMs)
    if (last.length >= MAX_TITLE_LENGTH || last.titles.has(title)) continue
    last.titles.add(title)
    last.length += title.length + 2
  }
  return merged.map(({ fromMs, untilMs, titles }) => ({
    from: new Date(fromMs),
    until: new Date(untilMs),
    title: [...titles].join(', ').slice(0, MAX_TITLE_LENGTH).toWellFormed(),
  }))
}
