import { HOUR_MS } from './time-units.ts'

const TWO_DAYS_MS = 48 * HOUR_MS

/** '48 hours', '1 hour', '1.5 hours', '20 minutes'. */
export function durationText(ms: number): string {
  if (ms < HOUR_MS) return countText(Math.round(ms / 60_000), 'minute')
  return countText(Math.round((ms / HOUR_MS) * 10) / 10, 'hour')
}

/** The time to answer a booking in running text: 'two days' by default, '36 hours' with other settings. */
export function answerTimeText(ms: number): string {
  return ms === TWO_DAYS_MS ? 'two days' : durationText(ms)
}

const countText = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
