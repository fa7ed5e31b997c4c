import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import {
  formatDay,
  formatMonth,
  formatTime,
  isLocalDate,
  type LocalDate,
  type LocalTime,
} from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Answer, useMonth, useTimes } from '../browser/use-availability.ts'
import {
  CHOOSE_A_DAY,
  dayName,
  freeDaysText,
  LOADING_DAYS,
  LOADING_TIMES,
  NO_TIMES,
  timesTitle,
} from '../messages.ts'
import { monthWeeks } from '../month-layout-rules.ts'
import { dayForKey } from '../month-rules.ts'
import type { DayState, SlotLength } from '../rules.ts'
import { WeekdayHead } from './weekday-head.tsx'
import './time-picker.css'

const SKELETON_TIMES = 12

/**
 * The picker of a free day and time. The calendar follows the WAI-ARIA grid pattern with a single tab stop. The day's
 * times are radio buttons. It follows the date and time fields beside it, which can be typed in too.
 * @param first the first bookable day
 * @param last the last bookable day
 * @param date the value of the date field, possibly incomplete
 * @param onPick called with a day alone, or with a day and a time
 */
export function TimePicker({
  businessId,
  length,
  first,
  last,
  date,
  time,
  onPick,
}: {
  businessId: string
  length: SlotLength
  first: LocalDate
  last: LocalDate
  date: string
  time: string
  onPick: (date: LocalDate, time?: LocalTime) => void
}) {
  const chosen = isLocalDate(date) ? date : null
  return (
    <div className="time-picker needs-scripts">
      <Calendar
        businessId={businessId}
        length={length}
        first={first}
        last={last}
        chosen={chosen}
        onChoose={onPick}
      />
      {chosen && first <= chosen && chosen <= last ? (
        <Times
          businessId={businessId}
          length={length}
          day={chosen}
          time={time}
          onChoose={(picked) => onPick(chosen, picked)}
        />
      ) : (
        <p className="text-sm text-quiet">{CHOOSE_A_DAY}</p>
      )}
    </div>
  )
}

function Calendar({
  businessId,
  length,
  first,
  last,
  chosen,
  onChoose,
}: {
  businessId: string
  length: SlotLength
  first: LocalDate
  last: LocalDate
  chosen: LocalDate | null
  onChoose: (day: LocalDate) => void
}) {
  const within = (day: LocalDate) => (day < first ? first : day > last ? last : day)
  // The day that is the tab stop. Its month is shown.
  const [active, setActive] = useState(within(chosen ?? first))
  const [followed, setFollowed] = useState(chosen)
  if (chosen !== followed) {
    setFollowed(chosen)
    if (chosen) setActive(within(chosen))
  }
  const month = active.slice(0, 7)
  const answer = useMonth(businessId, month, length)
  const headingId = useId()
  const grid = useRef<HTMLTableElement>(null)
  const movedByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the active day
  useEffect(() => {
    if (!movedByKey.current) return
    movedByKey.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = dayForKey(active, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    movedByKey.current = true
    setActive(within(next))
  }
  const turn = (key: 'PageUp' | 'PageDown') =>
    setActive(within(dayForKey(`${month}-01`, key, false) ?? active))

  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between">
        <IconButton
          label="Previous month"
          disabled={month <= first.slice(0, 7)}
          onClick={() => turn('PageUp')}
        >
          <ChevronLeft aria-hidden="true" />
        </IconButton>
        <p id={headingId} className="font-display text-lg">
          {formatMonth(month)}
        </p>
        <IconButton label="Next month" disabled={month >= last.slice(0, 7)} onClick={() => turn('PageDown')}>
          <ChevronRight aria-hidden="true" />
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
            state={stateOf(day)}
            isActive={day === active}
            isChosen={day === chosen}
            onChoose={() => {
              setActive(day)
              onChoose(day)
            }}
          />
        )}
      </MonthGrid>
      <Status
        answer={answer}
        loading={LOADING_DAYS}
        ready={(days) => freeDaysText(Object.values(days), formatMonth(month))}
      />
    </div>
  )

  function stateOf(day: LocalDate): DayState | null {
    if (day < first || day > last) return 'past'
    return answer.state === 'ready' ? (answer.value[day] ?? null) : null
  }
}

/** The weeks of a month, without days of other months. */
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
    <table
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the WAI-ARIA grid pattern on a real table
      role="grid"
      aria-labelledby={headingId}
      aria-busy={isLoading}
      className="calendar figures mt-1"
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
  )
}

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

function Times({
  businessId,
  length,
  day,
  time,
  onChoose,
}: {
  businessId: string
  length: SlotLength
  day: LocalDate
  time: string
  onChoose: (time: LocalTime) => void
}) {
  const answer = useTimes(businessId, day, length)
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="flex min-h-11 items-center font-display">{timesTitle(day)}</legend>
      {answer.state === 'loading' ? (
        <div className="time-choices">
          {Array.from({ length: SKELETON_TIMES }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike
            <Skeleton key={index} height={44} />
          ))}
        </div>
      ) : null}
      {answer.state === 'ready' && answer.value.length > 0 ? (
        <div className="time-choices figures">
          {answer.value.map((each) => (
            <label key={each}>
              <input
                className="unseen"
                type="radio"
                name={name}
                value={each}
                checked={each === time}
                onChange={() => onChoose(each)}
              />
              {formatTime(each)}
            </label>
          ))}
        </div>
      ) : null}
      <Status
        answer={answer}
        loading={LOADING_TIMES}
        ready={(times) => (times.length === 0 ? NO_TIMES : '')}
      />
    </fieldset>
  )
}

/** A status line that screen readers announce, and a button to try again after a failure. */
function Status<Value>({
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
      <p role="status" className="mt-2 text-sm text-quiet empty:hidden">
        {text}
      </p>
      {answer.state === 'failed' ? (
        <div role="alert" className="mt-2 grid justify-items-start gap-3 text-sm">
          <p>{answer.message}</p>
          <Button
            size="small"
            onClick={({ currentTarget }) => {
              // The button disappears, so the focus moves to the calendar's tab stop.
              currentTarget.closest('.time-picker')?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
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
