import { addDays, type LocalDate } from '../../shared/dates.ts'

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** The English name of a day's weekday. */
export function weekdayOf(date: LocalDate): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'Sunday'
}

/** The date on the typed weekday that is nearest to the typed date. */
export function nearestWeekday(date: LocalDate, name: string): LocalDate {
  const ahead = (WEEKDAYS.indexOf(name as 'Sunday') - new Date(`${date}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(date, ahead > 3 ? ahead - 7 : ahead)
}
