import { addDays, isLocalDate, type LocalDate } from '../../shared/dates.ts'

const YEARS_AROUND = 5

/** 0 for Monday to 6 for Sunday. */
function dayOfWeek(day: LocalDate): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

/** The same day so many months later or earlier; a shorter month has it on its last day. */
export function addMonths(day: LocalDate, months: number): LocalDate {
  const [year = 0, month = 0, ofMonth = 0] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0))
  const same = new Date(Date.UTC(year, month - 1 + months, Math.min(ofMonth, lastOfMonth.getUTCDate())))
  return same.toISOString().slice(0, 10)
}

/** The month that the address asks for, if it is one and near; else the present one at the place. */
export function askedMonth(asked: string | null, today: LocalDate): string {
  if (!asked || !isLocalDate(`${asked}-01`)) return today.slice(0, 7)
  const years = Number(asked.slice(0, 4)) - Number(today.slice(0, 4))
  return Math.abs(years) <= YEARS_AROUND ? asked : today.slice(0, 7)
}

/**
 * Where a key moves to in a calendar, as in the grid pattern of WAI-ARIA.
 * @returns null for a key that means nothing here
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
