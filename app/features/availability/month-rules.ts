import { addDays, isLocalDate, type LocalDate } from '../../shared/dates.ts'

const YEARS_AROUND = 5

/** 0 for Monday to 6 for Sunday. */
function dayOfWeek(day: LocalDate): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

/** Adds months to a day, negative ones too. In a shorter month the day is its last one at most. */
export function addMonths(day: LocalDate, months: number): LocalDate {
  const [year = 0, month = 0, ofMonth = 0] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0))
  const same = new Date(Date.UTC(year, month - 1 + months, Math.min(ofMonth, lastOfMonth.getUTCDate())))
  return same.toISOString().slice(0, 10)
}

/** The month in the address, if it is valid and within five years; else the current month at the place. */
export function askedMonth(asked: string | null, today: LocalDate): string {
  if (!asked || !isLocalDate(`${asked}-01`)) return today.slice(0, 7)
  const years = Number(asked.slice(0, 4)) - Number(today.slice(0, 4))
  return Math.abs(years) <= YEARS_AROUND ? asked : today.slice(0, 7)
}

/**
 * The day that a key moves to in a calendar, as in the WAI-ARIA grid pattern.
 * @returns null for a key without a meaning here
 */
export function dayForKey(day: LocalDate, key: string, withShift: boolean): LocalDate | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return addDays(day, -dayOfWeek(day))
    case 'End':
      return addDays(day, 6 - dayOfWeek(day))
    case 'PageUp':
      return addMonths(day, withShift ? -12 : -1)
    case 'PageDown':
      return addMonths(day, withShift ? 12 : 1)
    default:
      return null
  }
}
