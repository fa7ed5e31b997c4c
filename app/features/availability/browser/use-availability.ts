import { useEffect, useState } from 'react'
import { href } from 'react-router'
import type { LocalDate, LocalTime } from '../../../shared/dates.ts'
import { writeMonths } from '../../../shared/periods.ts'
import type { Period } from '../../businesses/asked-rules.ts'
import { TIMES_LOAD_FAILED } from '../messages.ts'
import type { DayState, SlotLength, SlotRequest, TimeProblem, TimeRefusal } from '../rules.ts'
import type { DayPart } from '../start-time-rules.ts'

export type Answer<Value> =
  | { state: 'loading' }
  | { state: 'failed'; message: string; tryAgain: () => void }
  | { state: 'ready'; value: Value }

const WAIT_MS = 300

/** The days of a month with their states, the bookable days around it, and the guest limit. */
export type MonthDays = {
  days: Record<LocalDate, DayState>
  first: LocalDate
  last: LocalDate
  maxGuests: number | null
}

/**
 * Loads the states of a month's days.
 * @param news fetches again whenever it changes. The present answer stays until the new one is there
 */
export function useMonth(
  businessId: string,
  month: string,
  length: SlotLength,
  news: number,
): Answer<MonthDays> {
  return useAnswer<MonthDays>(availabilityPath(businessId, { month }, length), news)
}

/** The free start times of a day, and the part of the day in which most of the vendor's bookings start. */
export type DayTimes = { times: LocalTime[]; usual: DayPart | null }

/** Loads the free start times of a day. */
export function useTimes(
  businessId: string,
  day: LocalDate,
  length: SlotLength,
  news: number,
): Answer<DayTimes> {
  return useAnswer<DayTimes>(availabilityPath(businessId, { day }, length), news)
}

/** How long a calendar waits for the first free day of a period before it shows the period's first month. */
const FITTING_WAIT_MS = 2_000

/**
 * Finds the first free day of a period; null for none, undefined until it is known.
 * @param period null finds nothing
 */
export function useFittingDay(
  businessId: string,
  period: Period | null,
  length: SlotLength,
): LocalDate | null | undefined {
  const path =
    period &&
    availabilityPath(businessId, { fitting: writeMonths(period.months), weekday: period.weekday }, length)
  const [found, setFound] = useState<{ path: string; day: LocalDate | null } | null>(null)
  useEffect(() => {
    if (!path) return
    const stop = new AbortController()
    let isOver = false
    const late = setTimeout(() => stop.abort(), FITTING_WAIT_MS)
    const ask = async () => {
      try {
        const response = await fetch(path, { signal: stop.signal })
        const { fitting } = (await response.json()) as { fitting?: LocalDate | null }
        setFound({ path, day: fitting ?? null })
      } catch {
        // Late, or no connection: the calendar stays at the period's first month.
        if (!isOver) setFound({ path, day: null })
      }
    }
    void ask().finally(() => clearTimeout(late))
    return () => {
      isOver = true
      stop.abort()
    }
  }, [path])
  return path === null ? null : found?.path === path ? found.day : undefined
}

/**
 * Checks whether a typed or chosen time can be booked, a moment after the last change. Without a response there is no
 * problem, since the server checks again on the way to payment.
 * @param slotRequest null while the form's is incomplete
 * @param handed the problem that the server found with a slot request on the way to payment
 * @param news checks again whenever it changes
 */
export function useTimeProblem(
  businessId: string,
  slotRequest: (SlotRequest & SlotLength) | null,
  handed: { slotRequest: SlotRequest; problem: TimeProblem } | null,
  news: number,
): TimeProblem | null {
  const path = slotRequest && checkPath(businessId, slotRequest)
  const [found, setFound] = useState<{ path: string; problem: TimeProblem | null } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: news checks the same path again
  useEffect(() => {
    if (!path) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(path, { signal: stop.signal })
        if (!response.ok) return
        const answer = (await response.json()) as { refusal: null } | ({ refusal: TimeRefusal } & TimeProblem)
        setFound({ path, problem: answer.refusal === null ? null : answer })
      } catch {
        // Aborted by the next change, or no connection.
      }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, news])
  if (found && found.path === path) return found.problem
  return handed && checkPath(businessId, handed.slotRequest) === path ? handed.problem : null
}

function checkPath(businessId: string, { date, time, ...length }: SlotRequest & SlotLength): string {
  return availabilityPath(businessId, { date, time }, length)
}

function availabilityPath(
  businessId: string,
  asked: Record<string, string>,
  { bookingType, quantity, own }: SlotLength,
): string {
  const parameters = new URLSearchParams({ ...asked, type: bookingType, quantity: String(quantity) })
  if (own) parameters.set('own', own)
  return `${href('/api/availability/:businessId', { businessId })}?${parameters}`
}

type Failure = { failure: string }

/** Fetches a path as JSON. Is 'loading' as soon as the path changes, and keeps its answer while it fetches it again. */
function useAnswer<Body extends object>(path: string, news: number): Answer<Body> {
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<{ path: string; answer: Body | Failure } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: news and another try fetch the same path again
  useEffect(() => {
    const stop = new AbortController()
    const ask = async () => {
      try {
        const response = await fetch(path, { signal: stop.signal })
        const body = (await response.json()) as Body & { error?: { message: string } }
        const answer = response.ok ? body : { failure: body.error?.message ?? TIMES_LOAD_FAILED }
        if (!stop.signal.aborted) setFound({ path, answer })
      } catch {
        if (stop.signal.aborted) return
        // A lost connection takes away no answer that is still on the screen: the server checks again before payment.
        const failed = { path, answer: { failure: TIMES_LOAD_FAILED } }
        setFound((before) => (before?.path === path ? before : failed))
      }
    }
    void ask()
    return () => stop.abort()
  }, [path, attempt, news])
  if (found?.path !== path) return { state: 'loading' }
  if (!('failure' in found.answer)) return { state: 'ready', value: found.answer }
  return {
    state: 'failed',
    message: found.answer.failure,
    tryAgain: () => {
      setFound(null)
      setAttempt((before) => before + 1)
    },
  }
}
