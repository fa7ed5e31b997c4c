import { type KeyboardEvent, type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react'
import { formatDay, formatMonth, isLocalDate, type LocalDate } from '../../../shared/dates.ts'
import { isInPeriod, monthsBetween } from '../../../shared/periods.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Period } from '../../businesses/asked-rules.ts'
import { type Answer, type MonthDays, useFittingDay, useMonth } from '../browser/use-availability.ts'
import { dayName, fittingDaysText, freeDaysText, LOADING_DAYS, MONTH_LABEL } from '../messages.ts'
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
 * @param period the months and weekday that a search asked for. The calendar opens at the first of their free days, and
 * outlines them
 * @param news fetches the month again whenever it changes
 * @param onMonth called with each month that has loaded
 */
export function FreeCalendar({
  businessId,
  length,
  first,
  last,
  date,
  period,
  news,
  onChoose,
  onMonth,
}: {
  businessId: string
  length: SlotLength
  first: LocalDate
  last: LocalDate
  date: string
  period: Period | null
  news: number
  onChoose: (day: LocalDate) => void
  onMonth?: (month: MonthDays) => void
}) {
  const chosen = isLocalDate(date) ? date : null
  const fitting = useFittingDay(businessId, chosen ? null : period, length)
  const start = fitting ?? (period && `${period.months.first}-01`)
  const { grid, active, isMoved, isPlaced, place, stay, turn, onKeyDown } = useActiveDay(chosen, start, {
    first,
    last,
  })
  const month = active.slice(0, 7)
  const monthAnswer = useMonth(businessId, month, length, news)
  // Days that can be pressed must not make way for another month, so they wait until the first that fits is known.
  const answer: typeof monthAnswer =
    fitting === undefined && !isMoved && monthAnswer.state === 'ready' ? { state: 'loading' } : monthAnswer
  const loaded = answer.state === 'ready' ? answer.value : null
  useEffect(() => {
    if (!loaded) return
    onMonth?.(loaded)
    // Another length of the event has another first day that fits.
    if (period) stay()
  }, [loaded, period, stay, onMonth])
  const fits = (day: LocalDate) =>
    period !== null && loaded?.days[day] === 'free' && isInPeriod(day, period.months, period.weekday)
  const shownChoice = chosen?.startsWith(month) ? chosen : null
  const stop = isPlaced ? active : (shownChoice ?? firstStop(loaded, fits) ?? active)

  return (
    <div className="free-calendar">
      <MonthHead
        month={month}
        first={first.slice(0, 7)}
        last={last.slice(0, 7)}
        onTurn={turn}
        onPick={(picked) => turn(`${picked}-01`)}
      />
      <MonthGrid
        ref={grid}
        month={month}
        isLoading={answer.state === 'loading'}
        onKeyDown={(event) => onKeyDown(event, stop)}
      >
        {(day) => (
          <Day
            day={day}
            state={day < first || day > last ? 'past' : (loaded?.days[day] ?? null)}
            isStop={day === stop}
            isChosen={day === chosen}
            isFitting={fits(day)}
            onChoose={() => {
              place(day)
              onChoose(day)
            }}
          />
        )}
      </MonthGrid>
      <LoadStatus
        answer={answer}
        loading={LOADING_DAYS}
        ready={({ days }) => {
          const text = freeDaysText(Object.values(days), formatMonth(month))
          const count = Object.keys(days).filter(fits).length
          return period && count > 0 ? `${text} ${fittingDaysText(count)}` : text
        }}
      />
    </div>
  )
}

/** The day of a month on which the tab key stops first: a fitting one, else a free one. Null if the month has none. */
function firstStop(month: MonthDays | null, fits: (day: LocalDate) => boolean): LocalDate | null {
  const free = Object.keys(month?.days ?? {}).filter((day) => month?.days[day] === 'free')
  return free.find(fits) ?? free[0] ?? null
}

/**
 * The day whose month is shown: the chosen one, else the first that fits, until a key or a button leads to another.
 * @param start a day of the month to open at, if no day is chosen; may become known late
 * @returns `isPlaced`: whether the day itself was chosen or reached by key, so that it is the tab stop; `turn`: moves to another
 * month; `isMoved`: whether the month no longer follows `start`; `stay`: keeps the month that is shown, whatever becomes known; `onKeyDown`: moves by the arrow keys, with the focus
 */
function useActiveDay(
  chosen: LocalDate | null,
  start: LocalDate | null,
  { first, last }: { first: LocalDate; last: LocalDate },
) {
  const within = (day: LocalDate) => (day < first ? first : day > last ? last : day)
  const [moved, setMoved] = useState<{ day: LocalDate; isPlaced: boolean } | null>(
    chosen ? { day: chosen, isPlaced: true } : null,
  )
  // The first and last day may become known only with the first month.
  const active = within(moved?.day ?? start ?? first)
  const [followed, setFollowed] = useState(chosen)
  if (chosen !== followed) {
    setFollowed(chosen)
    if (chosen) setMoved({ day: chosen, isPlaced: true })
  }
  const stay = useCallback(() => setMoved((before) => before ?? { day: active, isPlaced: false }), [active])
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
    isMoved: moved !== null,
    isPlaced: moved?.isPlaced === true,
    stay,
    place: (day: LocalDate) => setMoved({ day, isPlaced: true }),
    /** @param to a key, or a day of the month to turn to */
    turn: (to: string) =>
      setMoved({
        day: within(dayForKey(`${active.slice(0, 7)}-01`, to, false) ?? to),
        isPlaced: false,
      }),
    /** @param from the day with the focus */
    onKeyDown(event: KeyboardEvent, from: LocalDate) {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const next = dayForKey(from, event.key, event.shiftKey)
      if (!next) return
      event.preventDefault()
      movedByKey.current = true
      setMoved({ day: within(next), isPlaced: true })
    },
  }
}

/** The month's name, which is a picker of months, between the buttons to the months beside it. */
function MonthHead({
  month,
  first,
  last,
  onTurn,
  onPick,
}: {
  month: string
  first: string
  last: string
  onTurn: (key: 'PageUp' | 'PageDown') => void
  onPick: (month: string) => void
}) {
  return (
    <div className="calendar-head">
      <IconButton label="Previous month" disabled={month <= first} onClick={() => onTurn('PageUp')}>
        <Icon name="chevron-left" />
      </IconButton>
      <span className="month-picker">
        <select
          aria-label={MONTH_LABEL}
          value={month}
          onChange={(event) => onPick(event.currentTarget.value)}
        >
          {monthsBetween(first, last).map((each) => (
            <option key={each} value={each}>
              {formatMonth(each)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
      <IconButton label="Next month" disabled={month >= last} onClick={() => onTurn('PageDown')}>
        <Icon name="chevron-right" />
      </IconButton>
    </div>
  )
}

/** The weeks of a month, without days of other months. */
function MonthGrid({
  ref,
  month,
  isLoading,
  onKeyDown,
  children,
}: {
  ref: Ref<HTMLTableElement>
  month: string
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
        aria-label={formatMonth(month)}
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
  isStop,
  isChosen,
  isFitting,
  onChoose,
}: {
  day: LocalDate
  /** Null while it is loading. */
  state: DayState | null
  isStop: boolean
  isChosen: boolean
  isFitting: boolean
  onChoose: () => void
}) {
  // Not `disabled`, because the arrow keys reach every day and its label explains why it can't be chosen.
  return (
    <button
      type="button"
      className="calendar-day"
      data-state={state ?? 'unknown'}
      data-fits={isFitting || undefined}
      tabIndex={isStop ? 0 : -1}
      aria-label={state ? dayName(day, state, { isChosen, isFitting }) : formatDay(day)}
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
