import { type CSSProperties, useRef } from 'react'
import { formatDay, formatMonth, type LocalDate } from '../../../shared/dates.ts'
import { groupBy } from '../../../shared/group-by.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useIsReadOnly } from '../../../ui/read-only.tsx'
import { type DayRange, useCursor, useDrag } from '../browser/use-day-marking.ts'
import { ENTRY_LABELS } from '../messages.ts'
import { layOutWeek, monthWeeks } from '../month-layout-rules.ts'
import { type EntryLook, lookOf, type ShownEntry, titleOf } from './calendar-entry.tsx'
import { WeekdayHead } from './weekday-head.tsx'
import './vendor-time.css'

/** Rows of bars per day. Further entries are only counted. */
const LANES = 3
/**
 * A month as a grid of days. A click or tap opens a day. Dragging marks days; a finger must first rest on a day, so
 * that a swipe still scrolls. On the keyboard the arrows move, Shift with the arrows marks, and Enter opens.
 * @param onRange called with the marked days
 */
export function VendorMonth({
  month,
  today,
  entries,
  closedDays,
  showsListings,
  onOpen,
  onRange,
  onMonth,
}: {
  month: string
  today: LocalDate
  entries: readonly ShownEntry[]
  /** Days without opening hours. */
  closedDays: readonly LocalDate[]
  /** Whether each entry names its listing, since those of several are shown. */
  showsListings: boolean
  onOpen: (day: LocalDate) => void
  onRange: (range: DayRange) => void
  /** Called when the keyboard moves to a day of another month. */
  onMonth: (day: LocalDate) => void
}) {
  const weeks = monthWeeks(month)
  const grid = useRef<HTMLTableElement>(null)
  const cursor = useCursor(grid, { month, today, onRange, onMonth })
  const drag = useDrag(grid, onRange)
  const isReadOnly = useIsReadOnly()
  const range = drag.range ?? cursor.range
  const closed = new Set(closedDays)

  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern of WAI-ARIA on a real table
      role="grid"
      aria-label={formatMonth(month)}
      className="month"
      data-listings={showsListings || undefined}
      onKeyDown={cursor.onKeyDown}
      // A disabled fieldset doesn't stop a drag over cells.
      {...(isReadOnly ? {} : drag.handlers)}
    >
      <WeekdayHead letters={3} />
      <tbody>
        {weeks.map((week) => {
          const { bars, hidden } = layOutWeek(week, entries, LANES)
          return (
            <tr key={week[0]}>
              {week.map((day, column) => (
                <DayCell
                  key={day}
                  day={day}
                  look={{
                    isToday: day === today,
                    isQuiet: !day.startsWith(month) || day < today,
                    isClosed: closed.has(day),
                    isMarked: range !== null && range.from <= day && day <= range.to,
                  }}
                  entries={entries.filter(({ days }) => days.first <= day && day <= days.last)}
                  bars={bars.filter((bar) => bar.column === column)}
                  hidden={hidden[column] ?? 0}
                  showsListings={showsListings}
                  isTabStop={day === cursor.day}
                  onFocus={() => cursor.moveTo(day)}
                  onPress={() => {
                    if (drag.wasDragged()) return
                    cursor.unmark()
                    onOpen(day)
                  }}
                />
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

type Bar = ReturnType<typeof layOutWeek<ShownEntry>>['bars'][number]

/** A day's cell: its button, its number, the bars that begin in it, and the count of further entries. */
function DayCell({
  day,
  look,
  entries,
  bars,
  hidden,
  showsListings,
  isTabStop,
  onFocus,
  onPress,
}: {
  day: LocalDate
  /** `isQuiet`: past, or in another month. */
  look: { isToday: boolean; isQuiet: boolean; isClosed: boolean; isMarked: boolean }
  entries: readonly ShownEntry[]
  bars: readonly Bar[]
  hidden: number
  showsListings: boolean
  isTabStop: boolean
  onFocus: () => void
  onPress: () => void
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid
      role="gridcell"
      aria-selected={look.isMarked || undefined}
      data-day={day}
      data-closed={look.isClosed || undefined}
    >
      <button
        type="button"
        data-day={day}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={dayLabel(day, { entries, showsListings, isClosed: look.isClosed })}
        aria-current={look.isToday ? 'date' : undefined}
        onFocus={onFocus}
        onClick={onPress}
      />
      <span
        aria-hidden="true"
        className="month-number figures"
        data-today={look.isToday || undefined}
        data-quiet={look.isQuiet || undefined}
      >
        {Number(day.slice(8))}
      </span>
      {/* A bar starts in the cell of its first day and covers the cells of the others. */}
      {bars.map((bar) => (
        <EntryBar key={bar.entry.id} bar={bar} showsListing={showsListings} />
      ))}
      {hidden > 0 ? (
        <span aria-hidden="true" className="month-more">
          +{hidden}
          <span> more</span>
        </span>
      ) : null}
    </td>
  )
}

/** The bar of an entry. Hidden from screen readers, since the day's button announces it. */
function EntryBar({ bar, showsListing }: { bar: Bar; showsListing: boolean }) {
  const { entry, days, lane } = bar
  return (
    <span
      aria-hidden="true"
      className={`month-bar look-${lookOf(entry)}`}
      style={{ '--lane': lane, '--days': days } as CSSProperties}
      data-before={bar.startsBefore || undefined}
      data-after={bar.endsAfter || undefined}
      data-conflict={entry.isConflict || undefined}
    >
      {entry.isConflict || entry.due?.isLate ? <Icon name="circle-alert" /> : null}
      <span>
        {titleOf(entry)}
        {showsListing ? <small>{entry.listing.name}</small> : null}
      </span>
    </span>
  )
}

/**
 * 'Saturday 13 March 2027, closed, 1 approved, 1 blocked, to decide, balance overdue', with the listing before its
 * entries if those of several are shown.
 */
function dayLabel(
  day: LocalDate,
  {
    entries,
    showsListings,
    isClosed,
  }: { entries: readonly ShownEntry[]; showsListings: boolean; isClosed: boolean },
): string {
  const ofListings = showsListings
    ? [...groupBy(entries, ({ businessId }) => businessId).values()].map(
        (own) => `${own[0]?.listing.name}: ${countsOf(own).join(', ')}`,
      )
    : countsOf(entries)
  return [
    formatDay(day),
    ...(isClosed ? ['closed'] : []),
    ...ofListings,
    ...(entries.some(({ isConflict }) => isConflict) ? ['to decide'] : []),
    ...new Set(entries.flatMap(({ due }) => (due?.isLate ? [due.label.toLowerCase()] : []))),
  ].join(', ')
}

/** The numbers of entries of each look: '1 approved', '1 blocked'. */
function countsOf(entries: readonly ShownEntry[]): string[] {
  const counts = new Map<EntryLook, number>()
  for (const entry of entries) counts.set(lookOf(entry), (counts.get(lookOf(entry)) ?? 0) + 1)
  return [...counts].map(([look, count]) => `${count} ${ENTRY_LABELS[look].toLowerCase()}`)
}
