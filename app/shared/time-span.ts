import { formatDay, formatTime, wallTimeAt } from './dates.ts'

/** Half open: `until` is the first instant outside. */
export type TimeSpan = { from: Date; until: Date }

/** An agreed time: the event, the span that it occupies with setting up and cleaning, and the zone of the place. */
export type AgreedTime = { event: TimeSpan; occupied: TimeSpan; timeZone: string }

/** Formats 'Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. Past midnight it names the second day too. */
export function formatEventSpan(span: TimeSpan, timeZone: string): string {
  const from = wallTimeAt(span.from, timeZone)
  const until = wallTimeAt(span.until, timeZone)
  const start = `${formatDay(from.date)}, ${formatTime(from.time)}`
  const end = until.date === from.date ? '' : `${formatDay(until.date)}, `
  return `${start} to ${end}${formatTime(until.time)}, ${zoneLabel(timeZone)}`
}

/** The zone's name for people: 'Melbourne time'. */
export function zoneLabel(timeZone: string): string {
  return `${timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} time`
}
