import { WEEKDAY_NAMES } from '../messages.ts'
import { WEEKDAYS } from '../rules.ts'

/**
 * The head of a month's grid.
 * @param letters the number of shown letters per weekday; screen readers read the full name
 */
export function WeekdayHead({ letters }: { letters: number }) {
  return (
    <thead>
      <tr>
        {WEEKDAYS.map((weekday) => (
          <th key={weekday} scope="col" abbr={WEEKDAY_NAMES[weekday]}>
            {WEEKDAY_NAMES[weekday].slice(0, letters)}
          </th>
        ))}
      </tr>
    </thead>
  )
}
