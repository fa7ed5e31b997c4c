import type { LocalDate, LocalTime } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'

/** The most rows that a desk shows and counts. */
export const DESK_ROWS = 50
/** How long a customer waits for the answer to a question. */
export const QUESTION_MS = 24 * HOUR_MS
/** A quote is on its vendor's desk so long before it ends. */
export const QUOTE_ENDS_MS = 3 * DAY_MS
/** Our evidence in a dispute needs so long to be read and sent. */
export const EVIDENCE_MS = 2 * DAY_MS
/** A calendar is on its vendor's desk once nothing was read from it for so long, and due so long after the last reading. */
export const CALENDAR_SILENT_MS = 6 * HOUR_MS
export const CALENDAR_DUE_MS = DAY_MS
/** A customer is asked for a review for so long after the event. */
export const REVIEW_MS = 30 * DAY_MS

/** The kinds of a vendor's tasks. Each has one action that ends it. */
export type VendorTaskKind =
  | 'request'
  | 'change'
  | 'question'
  | 'quote'
  | 'balance'
  | 'dispute'
  | 'payouts'
  | 'bank'
  | 'calendar'
  | 'prefilled'

/** The kinds of a customer's tasks. */
export type CustomerTaskKind = 'change' | 'payment' | 'quote' | 'balance' | 'card' | 'review'

/** The step that a vendor's payouts need. */
export type PayoutsWait = 'paused' | 'needs_more' | 'agreement' | 'set_up'

/** One thing that waits for a person, with one clock and one action. */
type Task = {
  /** The id of the booking, change, conversation, quote, instalment, dispute, bank payout, calendar or listing; a vendor's for payouts. */
  id: string
  /** Until when the person should act; ISO 8601, UTC. Null is now, save where nothing is due: see `hasClock`. */
  by: string | null
  cents: Cents | null
  timeZone: string
  /** Null without an event. `time` is null for an event of which only the day is known. */
  event: { date: LocalDate; time: LocalTime | null } | null
}

export type VendorTask = Task & {
  kind: VendorTaskKind
  /** The customer's, or the calendar's; '' where it is about the vendor alone. */
  name: string
  /** The name of the listing; '' for all. */
  business: string
  /** The path that the action leads to, or null for a mail to us. */
  to: string | null
  /** Only of the kind 'payouts'. */
  wait: PayoutsWait | null
}

export type CustomerTask = Task & {
  kind: CustomerTaskKind
  /** The name of the listing. */
  business: string
  to: string
}

/** Whether a task is due at all. A question of ours isn't, and waits below all others. */
export const hasClock = ({ kind }: { kind?: string }) => kind !== ('prefilled' satisfies VendorTaskKind)

/** By deadline, then by money, the largest first. What has no deadline is due now, so it comes first. */
export function inOrder<One extends Pick<Task, 'by' | 'cents' | 'id'> & { kind?: string }>(
  tasks: readonly One[],
): One[] {
  return tasks
    .map((task) => {
      if (task.by !== null) return { task, time: Date.parse(task.by) }
      return { task, time: hasClock(task) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY }
    })
    .toSorted((first, second) => {
      if (first.time !== second.time) return first.time < second.time ? -1 : 1
      const [one, other] = [first.task, second.task]
      return (other.cents ?? -1) - (one.cents ?? -1) || (one.id < other.id ? -1 : 1)
    })
    .map(({ task }) => task)
}
