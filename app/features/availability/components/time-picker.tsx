import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isLocalDate, type LocalDate, type LocalTime, wallTimeAt } from '../../../shared/dates.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import type { Period } from '../../businesses/asked-rules.ts'
import { useTimes } from '../browser/use-availability.ts'
import {
  CHOOSE_A_DAY,
  DAY_PART_LABEL,
  DAY_PART_NAMES,
  LOADING_TIMES,
  NO_TIMES,
  OTHER_TIMES,
  startText,
  timesTitle,
} from '../messages.ts'
import { clockNamesOf, endTimeOf, eventMinutesOf, type SlotLength } from '../rules.ts'
import { type DayPart, dayPartOf, offeredStarts, startsByPart } from '../start-time-rules.ts'
import { FreeCalendar, LoadStatus } from './free-calendar.tsx'
import './time-picker.css'

const SKELETON_TIMES = 6

/**
 * The picker of a free day and time: a calendar, and the day's start times by part of the day, as radio buttons. It
 * follows the date and time fields beside it, which can be typed in too.
 * @param first the first bookable day
 * @param last the last bookable day
 * @param date the value of the date field, possibly incomplete
 * @param period the months and weekday that a search asked for
 * @param event the zone and length by which ends are shown; null shows the starts alone
 * @param news fetches days and times again whenever it changes
 * @param onPick called with a day alone, or with a day and a time
 * @param children fields between the calendar and the times
 */
export function TimePicker({
  businessId,
  length,
  first,
  last,
  date,
  time,
  period,
  event,
  news,
  onPick,
  children,
}: {
  businessId: string
  length: SlotLength
  first: LocalDate
  last: LocalDate
  date: string
  time: string
  period: Period | null
  event: { timeZone: string; eventMinutes: number } | null
  news: number
  onPick: (date: LocalDate, time?: LocalTime) => void
  children?: ReactNode
}) {
  const chosen = isLocalDate(date) && first <= date && date <= last ? date : null
  // The day that was chosen in the calendar, until its times are there.
  const [pressed, setPressed] = useState<LocalDate | null>(null)
  const timeZone = event?.timeZone
  // The first use of a zone makes its formatter, which would otherwise hold up the answer to the press of a day.
  useEffect(() => {
    if (timeZone) wallTimeAt(new Date(), timeZone)
  }, [timeZone])
  return (
    <div className="time-picker">
      <div className="needs-scripts">
        <FreeCalendar
          businessId={businessId}
          length={length}
          first={first}
          last={last}
          date={date}
          period={period}
          news={news}
          onChoose={(day) => {
            setPressed(day)
            onPick(day)
          }}
        />
      </div>
      {children}
      <div className="day-times needs-scripts">
        {chosen ? (
          <Times
            businessId={businessId}
            length={length}
            day={chosen}
            time={time}
            event={event}
            news={news}
            isPressed={chosen === pressed}
            onShown={() => setPressed(null)}
            onChoose={(picked) => onPick(chosen, picked)}
          />
        ) : (
          <p className="load-status">{CHOOSE_A_DAY}</p>
        )}
      </div>
    </div>
  )
}

function Times({
  businessId,
  length,
  day,
  time,
  event,
  news,
  isPressed,
  onShown,
  onChoose,
}: {
  businessId: string
  length: SlotLength
  day: LocalDate
  time: string
  event: { timeZone: string; eventMinutes: number } | null
  news: number
  /** Whether the day was chosen in the calendar, so that its times come into view, with the focus. */
  isPressed: boolean
  onShown: () => void
  onChoose: (time: LocalTime) => void
}) {
  const answer = useTimes(businessId, day, length, news)
  const name = useId()
  const { times, usual } = answer.state === 'ready' ? answer.value : { times: [], usual: null }
  const box = useTimesInView(isPressed && answer.state === 'ready', onShown)
  const groups = startsByPart(offeredStarts(times, time))
  // The chosen part stays until another time or day is chosen or typed.
  const [part, setPart] = useState<{ of: string; part: DayPart } | null>(null)
  const shown =
    groups.find((group) => group.part === (part?.of === `${day} ${time}` ? part.part : null)) ??
    groups.find((group) => group.starts.includes(time)) ??
    groups.find((group) => time !== '' && group.part === dayPartOf(time)) ??
    groups.find((group) => group.part === usual) ??
    groups[0]
  return (
    <fieldset ref={box} tabIndex={-1} className="times-of-day">
      <legend className="day-title">{timesTitle(day)}</legend>
      {answer.state === 'loading' ? (
        <div className="time-choices">
          {Array.from({ length: SKELETON_TIMES }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike
            <Skeleton key={index} height={44} />
          ))}
        </div>
      ) : null}
      {shown ? (
        <>
          <SegmentedControl
            label={DAY_PART_LABEL}
            name={`${name}part`}
            value={shown.part}
            onChange={(next) => setPart({ of: `${day} ${time}`, part: next })}
            options={groups.map((group) => ({ value: group.part, label: DAY_PART_NAMES[group.part] }))}
          />
          <div className="time-choices figures">
            {shown.starts.map((start) => (
              <label key={start}>
                <input
                  className="unseen"
                  type="radio"
                  name={name}
                  value={start}
                  checked={start === time}
                  onChange={() => onChoose(start)}
                />
                {rangeText(day, start, event, length)}
              </label>
            ))}
          </div>
          <p className="load-status">{OTHER_TIMES}</p>
        </>
      ) : null}
      <LoadStatus
        answer={answer}
        loading={LOADING_TIMES}
        ready={(found) => (found.times.length === 0 ? NO_TIMES : '')}
      />
    </fieldset>
  )
}

/** Brings the times into view, with the focus, unless the person has gone on to something else. */
function useTimesInView(isDue: boolean, onShown: () => void) {
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (!isDue) return
    onShown()
    const { activeElement } = document
    if (activeElement !== document.body && !activeElement?.matches('.calendar-day')) return
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [isDue, onShown])
  return box
}

/** The text of a start: until when the event lasts, if the page knows the vendor's zone. */
function rangeText(
  day: LocalDate,
  start: LocalTime,
  event: { timeZone: string; eventMinutes: number } | null,
  length: SlotLength,
): string {
  if (!event) return startText(start, null)
  const minutes = eventMinutesOf(event, length)
  const at = [event.timeZone, day, start, minutes] as const
  return startText(start, endTimeOf(...at), clockNamesOf(...at))
}
