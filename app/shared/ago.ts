import { MONTH_NAMES } from './dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from './time-units.ts'

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/**
 * An age in words: 'just now', '5 minutes ago', '3 hours ago', '2 days ago'; after a week, the date. An age is the same
 * in every time zone, unlike a clock time.
 */
export function agoText(then: Date, now: Date): string {
  const ageMs = now.getTime() - then.getTime()
  if (ageMs < MINUTE_MS) return 'just now'
  if (ageMs < HOUR_MS) return counted(Math.floor(ageMs / MINUTE_MS), 'minute')
  if (ageMs < DAY_MS) return counted(Math.floor(ageMs / HOUR_MS), 'hour')
  if (ageMs < WEEK_MS) return counted(Math.floor(ageMs / DAY_MS), 'day')
  return `on ${then.getUTCDate()} ${MONTH_NAMES[then.getUTCMonth()]} ${then.getUTCFullYear()}`
}
