import { type ReactNode, useState } from 'react'
import { formatDay, formatMonth, type LocalDate } from '../../../shared/dates.ts'
import { groupBy } from '../../../shared/group-by.ts'
import { Button } from '../../../ui/button.tsx'
import type { ShownEntry } from './calendar-entry.tsx'

/** A month as a list of its days with entries, from today on. A button shows past ones. */
export function VendorAgenda({
  month,
  today,
  entries,
  children,
}: {
  month: string
  today: LocalDate
  /** The entries, by time. */
  entries: readonly ShownEntry[]
  /** Renders one entry. */
  children: (entry: ShownEntry) => ReactNode
}) {
  const [showsPast, setShowsPast] = useState(false)
  const inMonth = entries.filter(
    ({ days }) => days.first.slice(0, 7) <= month && days.last.slice(0, 7) >= month,
  )
  const isCurrent = today.startsWith(month)
  const past = isCurrent ? inMonth.filter(({ days }) => days.last < today) : []
  const visible = showsPast ? inMonth : inMonth.filter((entry) => !past.includes(entry))
  const days = groupBy(visible, ({ days: { first } }) => {
    const start = first < `${month}-01` ? `${month}-01` : first
    return isCurrent && !showsPast && start < today ? today : start
  })
  return (
    <div>
      {past.length > 0 ? (
        <Button variant="quiet" className="mb-2" onClick={() => setShowsPast(!showsPast)}>
          {showsPast ? 'Hide past days' : 'Show earlier this month'}
        </Button>
      ) : null}
      {visible.length === 0 ? (
        <p className="border-t border-line py-8 text-quiet">
          {past.length > 0 ? `Nothing more in ${formatMonth(month)}.` : `Nothing in ${formatMonth(month)}.`}
        </p>
      ) : (
        <ol className="border-b border-line">
          {[...days]
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([day, onDay]) => (
              <li key={day} className="agenda-day">
                <h3 className="text-lg leading-tight">
                  <span className="block">{dayParts(day).weekday}</span>
                  <span className="figures block font-sans text-sm font-normal text-quiet">
                    {dayParts(day).rest}
                    {day === today ? ', today' : ''}
                  </span>
                </h3>
                <ul className="grid gap-5">
                  {onDay.map((entry) => (
                    <li key={entry.id}>{children(entry)}</li>
                  ))}
                </ul>
              </li>
            ))}
        </ol>
      )}
    </div>
  )
}

function dayParts(day: LocalDate): { weekday: string; rest: string } {
  const [weekday = '', number, month] = formatDay(day).split(' ')
  return { weekday, rest: `${number} ${month}` }
}
