import { useEffect, useState } from 'react'
import { href } from 'react-router'
import type { LocalDate, LocalTime } from '../../../shared/dates.ts'
import { TIMES_LOAD_FAILED } from '../messages.ts'
import type { DayState, SlotLength, SlotRequest, TimeProblem, TimeRefusal } from '../rules.ts'

export type Answer<Value> =
  | { state: 'loading' }
  | { state: 'failed'; message: string; tryAgain: () => void }
  | { state: 'ready'; value: Value }

const WAIT_MS = 300

/** Loads the states of a month's days, by day. */
export function useMonth(
  businessId: string,
  month: string,
  length: SlotLength,
): Answer<Record<LocalDate, DayState>> {
  const { answer, tryAgain } = useAnswer<{ days: Record<LocalDate, DayState> }>(
    availabilityPath(businessId, { month }, length),
  )
  if (answer === 'loading') return { state: 'loading' }
  return 'days' in answer
    ? { state: 'ready', value: answer.days }
    : { state: 'failed', message: answer.message, tryAgain }
}

/** Loads the free start times of a day. */
export function useTimes(businessId: string, day: LocalDate, length: SlotLength): Answer<LocalTime[]> {
  const { answer, tryAgain } = useAnswer<{ times: LocalTime[] }>(
    availabilityPath(businessId, { day }, length),
  )
  if (answer === 'loading') return { state: 'loading' }
  return 'times' in answer
    ? { state: 'ready', value: answer.times }
    : { state: 'failed', message: answer.message, tryAgain }
}

/**
 * Checks whether a typed or chosen time can be booked, a moment after the last change. Without a response there is no
 * problem, since the server checks again on the way to payment.
 * @param slotRequest null while the form's is incomplete
 * @param handed the problem that the server found with a slot request on the way to payment
 */
export function useTimeProblem(
  businessId: string,
  slotRequest: (SlotRequest & SlotLength) | null,
  handed: { slotRequest: SlotRequest; problem: TimeProblem } | null,
): TimeProblem | null {
  const path = slotRequest && checkPath(businessId, slotRequest)
  const [found, setFound] = useState<{ path: string; problem: TimeProblem | null } | null>(null)
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
  }, [path])
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

type Failure = { message: string }

/** Fetches a path as JSON. Returns 'loading' as soon as the path changes. */
function useAnswer<Body extends object>(
  path: string,
): { answer: Body | Failure | 'loading'; tryAgain: () => void } {
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<{ path: string; answer: Body | Failure } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try fetches the same path again
  useEffect(() => {
    const stop = new AbortController()
    const ask = async () => {
      try {
        const response = await fetch(path, { signal: stop.signal })
        const body = (await response.json()) as Body & { error?: Failure }
        const answer = response.ok ? body : { message: body.error?.message ?? TIMES_LOAD_FAILED }
        if (!stop.signal.aborted) setFound({ path, answer })
      } catch {
        if (!stop.signal.aborted) setFound({ path, answer: { message: TIMES_LOAD_FAILED } })
      }
    }
    void ask()
    return () => stop.abort()
  }, [path, attempt])
  return {
    answer: found?.path === path ? found.answer : 'loading',
    tryAgain: () => {
      setFound(null)
      setAttempt((before) => before + 1)
    },
  }
}
