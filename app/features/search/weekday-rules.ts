import { addDays, type LocalDate } from '../../shared/dates.ts'
import { WEEKDAYS } from '../../shared/periods.ts'

/** The date on the typed weekday that is nearest to the typed date. */
export function nearestWeekday(date: LocalDate, name: string): LocalDate {
  const ahead = (WEEKDAYS.indexOf(name as 'Sunday') - new Date(`${date}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(date, ahead > 3 ? ahead - 7 : ahead)
}
