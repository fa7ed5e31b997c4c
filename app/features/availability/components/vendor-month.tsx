import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { formatDay, formatMonth, type LocalDate } from '../../../shared/dates.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useIsReadOnly } from '../../../ui/read-only.tsx'
import { ENTRY_LABELS } from '../messages.ts'
import { layOutWeek, monthWeeks } from '../month-layout-rules.ts'
import { dayForKey } from '../month-rules.ts'
import { type EntryLook, lookOf, type ShownEntry, titleOf } from './calendar-entry.tsx'
import { WeekdayHead } from './weekday-head.tsx'
import './vendor-time.css'

/** Rows of bars per day. Further entries are only counted. */
const LANES = 3
/** How long a finger must rest on a day to mark days instead of scrolling. */
const PRESS_MS = 350
/** A finger that moves further than this is scrolling. */
const SLIP_PX = 10

export type DayRange = { from: LocalDate; to: LocalDate }

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
  const [current, setCurrent] = useState(today.startsWith(month) ? today : `${month}-01`)
  const focused = current.startsWith(month) ? current : `${month}-01`
  const drag = useDrag(grid, onRange)
  const isReadOnly = useIsReadOnly()
  const [marked, setMarked] = useState<{ anchor: LocalDate; head: LocalDate } | null>(null)
  const range = drag.range ?? (marked ? inOrder(marked.anchor, marked.head) : null)
  const closed = new Set(closedDays)

  const wantsFocus = useRef<LocalDate | null>(null)
  useEffect(() => {
    const day = wantsFocus.current
    if (!day?.startsWith(month)) return
    wantsFocus.current = null
    grid.current?.querySelector<HTMLElement>(`button[data-day="${day}"]`)?.focus()
  })

  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setMarked(null)
    if (event.key === 'Enter' && marked) {
      event.preventDefault()
      onRange(inOrder(marked.anchor, marked.head))
      setMarked(null)
      return
    }
    const marks = event.shiftKey && event.key.startsWith('Arrow')
    const next = dayForKey(focused, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    setMarked(marks ? { anchor: marked?.anchor ?? focused, head: next } : null)
    wantsFocus.current = next
    setCurrent(next)
    if (!next.startsWith(month)) onMonth(next)
  }

  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern of WAI-ARIA on a real table
      role="grid"
      aria-label={formatMonth(month)}
      className="month"
      data-listings={showsListings || undefined}
      onKeyDown={move}
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
                  isTabStop={day === focused}
                  onFocus={() => setCurrent(day)}
                  onPress={() => {
                    if (drag.wasDragged()) return
                    setMarked(null)
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
    ? [...Map.groupBy(entries, ({ businessId }) => businessId).values()].map(
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

function countsOf(entries: readonly ShownEntry[]): string[] {
  const counts = new Map<EntryLook, number>()
  for (const entry of entries) counts.set(lookOf(entry), (counts.get(lookOf(entry)) ?? 0) + 1)
  return [...counts].map(([look, count]) => `${count} ${ENTRY_LABELS[look].toLowerCase()}`)
}

function inOrder(one: LocalDate, other: LocalDate): DayRange {
  return one <= other ? { from: one, to: other } : { from: other, to: one }
}

type Drag = {
  anchor: LocalDate
  head: LocalDate
  x: number
  y: number
  /** Whether days are being marked: with a mouse from the second day on, with a finger after it has rested. */
  marks: boolean
  isTouch: boolean
}

/** Marks days with a pointer. */
function useDrag(grid: { current: HTMLElement | null }, onRange: (range: DayRange) => void) {
  const drag = useRef<Drag | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dragged = useRef(false)
  const [range, setRange] = useState<DayRange | null>(null)

  useEffect(() => {
    const element = grid.current
    // While days are being marked, the page must not scroll under the finger. React's own listeners are passive.
    const hold = (event: Event) => {
      if (drag.current?.marks && event.cancelable) event.preventDefault()
    }
    element?.addEventListener('touchmove', hold, { passive: false })
    element?.addEventListener('contextmenu', hold)
    return () => {
      element?.removeEventListener('touchmove', hold)
      element?.removeEventListener('contextmenu', hold)
      clearTimeout(timer.current)
    }
  }, [grid])

  const show = (now: Drag) => setRange(inOrder(now.anchor, now.head))
  const end = () => {
    clearTimeout(timer.current)
    drag.current = null
    setRange(null)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const day = dayUnder(event)
      dragged.current = false
      if (!day || !event.isPrimary || event.button !== 0) return
      const isTouch = event.pointerType === 'touch'
      drag.current = { anchor: day, head: day, x: event.clientX, y: event.clientY, marks: false, isTouch }
      if (!isTouch) return
      timer.current = setTimeout(() => {
        if (!drag.current) return
        drag.current.marks = true
        dragged.current = true
        show(drag.current)
      }, PRESS_MS)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const now = drag.current
      if (!now) return
      if (!now.marks && now.isTouch) {
        if (Math.hypot(event.clientX - now.x, event.clientY - now.y) > SLIP_PX) end()
        return
      }
      const day = dayUnder(event)
      if (!day || day === now.head) return
      if (!now.marks) {
        now.marks = true
        dragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      now.head = day
      show(now)
    },
    onPointerUp() {
      const now = drag.current
      end()
      if (now?.marks) onRange(inOrder(now.anchor, now.head))
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  }
  return {
    range,
    handlers,
    /** Whether the pointer that was just released has marked days, so that its click must not open a day. */
    wasDragged: () => dragged.current,
  }
}

/** The day at the pointer, even while the pointer is captured. */
function dayUnder(event: PointerEvent): LocalDate | null {
  const element = document.elementFromPoint(event.clientX, event.clientY)
  return element?.closest<HTMLElement>('[data-day]')?.dataset.day ?? null
}
