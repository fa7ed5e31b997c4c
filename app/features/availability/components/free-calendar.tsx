import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { formatDay, formatMonth, isLocalDate, type LocalDate } from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Answer, type MonthDays, useMonth } from '../browser/use-availability.ts'
import { dayName, freeDaysText, LOADING_DAYS } from '../messages.ts'
import { monthWeeks } from '../month-layout-rules.ts'
import { dayForKey } from '../month-rules.ts'
import type { DayState, SlotLength } from '../rules.ts'
import { WeekdayHead } from './weekday-head.tsx'
import './free-calendar.css'

/**
 * A month of a business's days, of which the free ones can be chosen. It follows the WAI-ARIA grid pattern with a single
 * tab stop. Its height is that of six weeks, so that turning the months moves nothing.
 * @param first the first bookable day
 * @param last the last bookable day
 * @param date the value of the date field beside it, possibly incomplete
 * @param news fetches the month again whenever it changes
 * @param onMonth called with each month that has loaded
 */
export function FreeCalendar({
  businessId,
  length,
  first,
  last,
  date,
  news,
  onChoose,
  onMonth,
}: {
  businessId: string
  length: SlotLength
  first: LocalDate
  last: LocalDate
  date: string
  news: number
  onChoose: (day: LocalDate) => void
  onMonth?: (month: MonthDays) => void
}) {
  const chosen = isLocalDate(date) ? date : null
  const { grid, active, setActive, turn, onKeyDown } = useActiveDay(chosen, { first, last })
  const month = active.slice(0, 7)
  const answer = useMonth(businessId, month, length, news)
  const loaded = answer.state === 'ready' ? answer.value : null
  useEffect(() => {
    if (loaded) onMonth?.(loaded)
  }, [loaded, onMonth])
  const headingId = useId()

  return (
    <div className="free-calendar">
      <div className="calendar-head">
        <IconButton
          label="Previous month"
          disabled={month <= first.slice(0, 7)}
          onClick={() => turn('PageUp')}
        >
          <Icon name="chevron-left" />
        </IconButton>
        <p id={headingId}>{formatMonth(month)}</p>
        <IconButton label="Next month" disabled={month >= last.slice(0, 7)} onClick={() => turn('PageDown')}>
          <Icon name="chevron-right" />
        </IconButton>
      </div>
      <MonthGrid
        ref={grid}
        month={month}
        headingId={headingId}
        isLoading={answer.state === 'loading'}
        onKeyDown={onKeyDown}
      >
        {(day) => (
          <Day
            day={day}
            state={day < first || day > last ? 'past' : (loaded?.days[day] ?? null)}
            isActive={day === active}
            isChosen={day === chosen}
            onChoose={() => {
              setActive(day)
              onChoose(day)
            }}
          />
        )}
      </MonthGrid>
      <LoadStatus
        answer={answer}
        loading={LOADING_DAYS}
        ready={({ days }) => freeDaysText(Object.values(days), formatMonth(month))}
      />
    </div>
  )
}

/**
 * The day that is the tab stop, and whose month is shown: the chosen one, until a key or a button leads to another.
 * @returns `turn`: moves to another month; `onKeyDown`: moves by the arrow keys, with the focus
 */
function useActiveDay(chosen: LocalDate | null, { first, last }: { first: LocalDate; last: LocalDate }) {
  const within = (day: LocalDate) => (day < first ? first : day > last ? last : day)
  const [wanted, setActive] = useState(chosen ?? first)
  // The first and last day may become known only with the first month.
  const active = within(wanted)
  const [followed, setFollowed] = useState(chosen)
  if (chosen !== followed) {
    setFollowed(chosen)
    if (chosen) setActive(chosen)
  }
  const grid = useRef<HTMLTableElement>(null)
  const movedByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the active day
  useEffect(() => {
    if (!movedByKey.current) return
    movedByKey.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [active])

  return {
    grid,
    active,
    setActive,
    turn: (key: 'PageUp' | 'PageDown') =>
      setActive(within(dayForKey(`${active.slice(0, 7)}-01`, key, false) ?? active)),
    onKeyDown(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const next = dayForKey(active, event.key, event.shiftKey)
      if (!next) return
      event.preventDefault()
      movedByKey.current = true
      setActive(within(next))
    },
  }
}

/** The weeks of a month, without days/** The weeks of a month, without days of other months. */
function MonthGrid({
  ref,
  month,
  headingId,
  isLoading,
  onKeyDown,
  children,
}: {
  ref: Ref<HTMLTableElement>
  month: string
  headingId: string
  isLoading: boolean
  onKeyDown: (event: KeyboardEvent) => void
  children: (day: LocalDate) => ReactNode
}) {
  return (
    <div className="calendar-weeks">
      <table
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the WAI-ARIA grid pattern on a real table
        role="grid"
        aria-labelledby={headingId}
        aria-busy={isLoading}
        className="calendar figures"
        onKeyDown={onKeyDown}
      >
        <WeekdayHead letters={2} />
        <tbody>
          {monthWeeks(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>{day.startsWith(month) ? children(day) : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A day's button, which chooses the day if it is free. */
function Day({
  day,
  state,
  isActive,
  isChosen,
  onChoose,
}: {
  day: LocalDate
  /** Null while it is loading. */
  state: DayState | null
  isActive: boolean
  isChosen: boolean
  onChoose: () => void
}) {
  // Not `disabled`, because the arrow keys reach every day and its label explains why it can't be chosen.
  return (
    <button
      type="button"
      className="calendar-day"
      data-state={state ?? 'unknown'}
      tabIndex={isActive ? 0 : -1}
      aria-label={state ? dayName(day, state) : formatDay(day)}
      aria-pressed={isChosen}
      aria-disabled={state !== 'free'}
      onClick={state === 'free' ? onChoose : undefined}
    >
      {Number(day.slice(8))}
    </button>
  )
}

/** A status line that screen readers announce, and a button to try again after a failure. */
export function LoadStatus<Value>({
  answer,
  loading,
  ready,
}: {
  answer: Answer<Value>
  loading: string
  ready: (value: Value) => string
}) {
  const text = answer.state === 'ready' ? ready(answer.value) : answer.state === 'loading' ? loading : ''
  return (
    <>
      <p role="status" className="load-status">
        {text}
      </p>
      {answer.state === 'failed' ? (
        <div role="alert" className="load-failure">
          <p>{answer.message}</p>
          <Button
            size="small"
            onClick={({ currentTarget }) => {
              // The button disappears, so the focus moves to the calendar's tab stop.
              currentTarget
                .closest('form')
                ?.querySelector<HTMLElement>('.calendar-day[tabindex="0"]')
                ?.focus()
              answer.tryAgain()
            }}
          >
            Try again
          </Button>
        </div>
      ) : null}
    </>
  )
}
