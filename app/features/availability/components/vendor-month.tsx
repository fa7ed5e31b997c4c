import { CircleAlert } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { formatDay, formatMonth, type LocalDate } from '../../../shared/dates.ts'
import { classNames } from '../../../ui/class-names.ts'
import { WEEKDAYS } from '../rules.ts'
import { ENTRY_LABELS, WEEKDAY_NAMES } from '../wording.ts'
import { type EntryLook, lookOf, type ShownEntry, titleOf } from './calendar-entry.tsx'
import { dayForKey } from './month-days.ts'
import { layOutWeek, monthWeeks } from './month-layout.ts'

/** Rows of bars in a day before the rest is only counted. */
const LANES = 3
/** How long a finger rests on a day before it marks days instead of scrolling. */
const PRESS_MS = 350
/** A finger that has moved so far is scrolling. */
const SLIP_PX = 10

export type DayRange = { from: LocalDate; to: LocalDate }

/**
 * A month as a grid of days. A press opens a day; dragging over days marks them, with a finger after resting on the
 * first one, so that a swipe still scrolls. By keyboard the arrows move, with Shift they mark, Enter opens.
 * @param onRange called with the days that were marked
 */
export function VendorMonth({
  month,
  today,
  entries,
  closedDays,
  onOpen,
  onRange,
  onMonth,
}: {
  month: string
  today: LocalDate
  entries: readonly ShownEntry[]
  /** Days without opening hours. */
  closedDays: readonly LocalDate[]
  onOpen: (day: LocalDate) => void
  onRange: (range: DayRange) => void
  /** The keyboard has left for this day of another month. */
  onMonth: (day: LocalDate) => void
}) {
  const weeks = monthWeeks(month)
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(today.startsWith(month) ? today : `${month}-01`)
  const focused = current.startsWith(month) ? current : `${month}-01`
  const drag = useDrag(grid, onRange)
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
      className="w-full table-fixed border-collapse select-none"
      onKeyDown={move}
      {...drag.handlers}
    >
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th
              key={weekday}
              scope="col"
              abbr={WEEKDAY_NAMES[weekday]}
              className="pb-2 text-left text-xs font-medium text-quiet md:px-2"
            >
              <span className="block text-center md:text-left">{WEEKDAY_NAMES[weekday].slice(0, 3)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => {
          const { bars, hidden } = layOutWeek(week, entries, LANES)
          return (
            <tr key={week[0]}>
              {week.map((day, column) => {
                const isOther = !day.startsWith(month)
                const onDay = entries.filter(({ days }) => days.first <= day && day <= days.last)
                const isMarked = range !== null && range.from <= day && day <= range.to
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive: the button in it takes the focus
                  <td
                    key={day}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
                    role="gridcell"
                    aria-selected={isMarked || undefined}
                    data-day={day}
                    className={classNames(
                      'relative h-21 border border-line p-0 align-top md:h-33',
                      isMarked ? 'bg-brand-soft' : closed.has(day) ? 'bg-sunk' : 'bg-surface',
                    )}
                  >
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === focused ? 0 : -1}
                      aria-label={dayLabel(day, onDay, closed.has(day))}
                      aria-current={day === today ? 'date' : undefined}
                      className="absolute inset-0 z-10 rounded-small focus-visible:outline-offset-[-3px]"
                      onFocus={() => setCurrent(day)}
                      onClick={() => {
                        if (drag.wasDragged()) return
                        setMarked(null)
                        onOpen(day)
                      }}
                    />
                    <span
                      aria-hidden="true"
                      className={classNames(
                        'figures mx-auto mt-1 grid size-7 place-items-center rounded-full text-sm md:mx-1.5 md:mt-1.5',
                        day === today
                          ? 'bg-brand font-semibold text-on-brand'
                          : isOther || day < today
                            ? 'text-quiet'
                            : 'font-medium',
                      )}
                    >
                      {Number(day.slice(8))}
                    </span>
                    {/* A bar lies over the cells of its days, from the first of them on. */}
                    {bars
                      .filter((bar) => bar.column === column)
                      .map((bar) => (
                        <EntryBar key={bar.entry.id} bar={bar} />
                      ))}
                    {hidden[column] ? (
                      <span
                        aria-hidden="true"
                        className="absolute inset-x-0 bottom-0.5 text-center text-xs text-quiet md:px-2 md:text-left"
                      >
                        +{hidden[column]}
                        <span className="hidden md:inline"> more</span>
                      </span>
                    ) : null}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const BAR_LOOKS = {
  approved: 'bg-brand text-on-brand',
  pending: 'bg-glow text-on-glow',
  hold: 'border border-dashed border-line-strong bg-surface text-quiet',
  block:
    'border border-line-strong bg-sunk bg-[repeating-linear-gradient(-45deg,transparent_0_5px,var(--line)_5px_7px)] text-ink',
  outside: 'border border-line-strong bg-info-soft text-ink',
} as const satisfies Record<EntryLook, string>

/** On a phone a stripe of colour; from 769 px on with its words. The day's button says them aloud. */
function EntryBar({ bar }: { bar: ReturnType<typeof layOutWeek<ShownEntry>>['bars'][number] }) {
  const { entry, days, lane } = bar
  return (
    <span
      aria-hidden="true"
      style={{ '--lane': lane, '--days': days } as CSSProperties}
      className={classNames(
        'pointer-events-none absolute left-0 z-5 mx-0.5 flex h-2.5 w-[calc(var(--days)*100%-4px)] items-center gap-1 overflow-hidden text-xs leading-none whitespace-nowrap',
        'top-[calc(38px+var(--lane)*13px)] md:top-[calc(42px+var(--lane)*25px)] md:mx-1 md:h-5.5 md:w-[calc(var(--days)*100%-8px)] md:px-1.5',
        bar.startsBefore ? '' : 'rounded-l-small',
        bar.endsAfter ? '' : 'rounded-r-small',
        BAR_LOOKS[lookOf(entry)],
        entry.isConflict && 'ring-2 ring-error',
      )}
    >
      {entry.isConflict ? <CircleAlert className="hidden size-3.5 flex-none md:block" /> : null}
      <span className="hidden truncate md:block">{titleOf(entry)}</span>
    </span>
  )
}

/** 'Saturday 13 March 2027, closed, 1 approved, 1 blocked, to decide'. */
function dayLabel(day: LocalDate, entries: readonly ShownEntry[], isClosed: boolean): string {
  const counts = new Map<EntryLook, number>()
  for (const entry of entries) counts.set(lookOf(entry), (counts.get(lookOf(entry)) ?? 0) + 1)
  return [
    formatDay(day),
    ...(isClosed ? ['closed'] : []),
    ...[...counts].map(([look, count]) => `${count} ${ENTRY_LABELS[look].toLowerCase()}`),
    ...(entries.some(({ isConflict }) => isConflict) ? ['to decide'] : []),
  ].join(', ')
}

function inOrder(one: LocalDate, other: LocalDate): DayRange {
  return one <= other ? { from: one, to: other } : { from: other, to: one }
}

type Drag = {
  anchor: LocalDate
  head: LocalDate
  x: number
  y: number
  /** A mouse marks as soon as it reaches another day; a finger first rests. */
  marks: boolean
  isTouch: boolean
}

/** Marking days with a pointer. */
function useDrag(grid: { current: HTMLElement | null }, onRange: (range: DayRange) => void) {
  const drag = useRef<Drag | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dragged = useRef(false)
  const [range, setRange] = useState<DayRange | null>(null)

  useEffect(() => {
    const element = grid.current
    // Once days are being marked the page must not scroll under the finger; React's own listeners are passive.
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
    /** Whether the press that ends now has marked days: then its click opens nothing. */
    wasDragged: () => dragged.current,
  }
}

/** The day at the pointer, also while the pointer is captured. */
function dayUnder(event: PointerEvent): LocalDate | null {
  const element = document.elementFromPoint(event.clientX, event.clientY)
  return element?.closest<HTMLElement>('[data-day]')?.dataset.day ?? null
}
