import { addDays, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { VendorTask } from './rules.ts'

/** A row is never put off within this time before its deadline. */
export const SNOOZE_MARGIN_MS = DAY_MS
/** The most rows that a person puts off. */
export const MAX_SNOOZES = 50

/** The days for which a row can be put off, by the choice. */
export const SNOOZE_DAYS = { tomorrow: 1, three_days: 3, week: 7 } as const
export const SNOOZE_CHOICES = ['tomorrow', 'three_days', 'week'] as const satisfies readonly SnoozeChoice[]
export type SnoozeChoice = keyof typeof SNOOZE_DAYS

/** A row returns at this time of the day, by its listing's clock. */
const BACK_AT = '09:00'

/** When a row that is put off now returns. */
export function snoozeUntil(
  { timeZone }: Pick<VendorTask, 'timeZone'>,
  choice: SnoozeChoice,
  now: Date,
): Date {
  const { date } = wallTimeAt(now, timeZone)
  return wallTimeToUtc(addDays(date, SNOOZE_DAYS[choice]), BACK_AT, timeZone)
}

/** The latest instant to which a row may be put off; null for one without a deadline, which is due now. */
export function latestSnooze({ by }: Pick<VendorTask, 'by'>): Date | null {
  return by === null ? null : new Date(Date.parse(by) - SNOOZE_MARGIN_MS)
}

/** The choices that return a row at least 24 hours before its deadline. */
export function snoozeChoices(task: Pick<VendorTask, 'by' | 'timeZone'>, now: Date): SnoozeChoice[] {
  const latest = latestSnooze(task)
  return latest ? SNOOZE_CHOICES.filter((choice) => snoozeUntil(task, choice, now) <= latest) : []
}

/** Until when a row is put off; null if it isn't any more. A deadline that has come nearer brings it back earlier. */
export function snoozedUntil(task: Pick<VendorTask, 'by'>, until: Date, now: Date): Date | null {
  const latest = latestSnooze(task)
  if (!latest) return null
  const back = latest < until ? latest : until
  return back > now ? back : null
}

/** The key of a row's snooze. The next step of a vendor's payouts has another one. */
export function snoozeKey({ kind, id, wait }: Pick<VendorTask, 'kind' | 'id' | 'wait'>): string {
  return kind === 'payouts' ? `${id}:${wait}` : id
}
