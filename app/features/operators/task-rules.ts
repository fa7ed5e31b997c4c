import { addDays, type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import type { Permission } from './role-rules.ts'

/** The kinds of the operators' tasks, each with the permission that its action needs. Other roles don't see the task. */
export const TASK_KINDS = {
  dispute: 'answer-disputes',
  refund: 'move-money',
  unsent: 'move-money',
  instalment: 'move-money',
  restricted: 'see-payouts',
  returned: 'see-payouts',
  hold: 'hold-payouts',
  report: 'read-reports',
  unanswered: 'see-vendors',
  job: 'work-tasks',
  approval: 'work-tasks',
} as const satisfies Record<string, Permission>
export type TaskKind = keyof typeof TASK_KINDS

/** The most tasks that the list shows. */
export const TASK_ROWS = 50

/**
 * Kinds that only the vendor or their bank can end. They come after the others of their day and are limited on their own, so
 * that they never crowd out what an operator can end.
 */
const VENDORS_KINDS: readonly TaskKind[] = ['restricted', 'returned', 'unanswered']

/** The most tasks of each of `VENDORS_KINDS` that the list shows. */
export const VENDORS_ROWS = 10

/** A deadline earlier in the day than this counts as due the day before: nobody answers a bank at breakfast. */
const NOON: LocalTime = '12:00'

/** A task without a deadline of its own is due so long after it began: the customer, vendor or reporter waits for us. */
export const TASK_MS = DAY_MS

/** A booking without an answer is a task so long before it is declined: a call can still reach its vendor. */
export const CALL_MS = 6 * HOUR_MS

/** A mark is forgotten so long after its last change, also that of a task that stays open. */
export const MARK_LIFE_MS = 30 * DAY_MS

/** The mark of a task that has ended is kept for so long, for one that comes back. */
export const ENDED_MARK_LIFE_MS = DAY_MS

export const MAX_NOTE_LENGTH = 500

/** One thing that waits for the operators, with one day, one amount and one action. */
export type OperatorTask = {
  kind: TaskKind
  /** Names it in forms and marks: the kind and the id of the thing. */
  key: string
  /** The customer's name, the vendor's, the job's, or what an approval is about. */
  name: string
  /** The business, or how an approval is called; '' without one. */
  about: string
  /** Whether it is about a customer whose deleted account has left no address to write to, and who has named no account for the refund. */
  hasNoAddress: boolean
  /** When it is due; ISO 8601, UTC. */
  by: string
  /** Whether `by` is the bank's deadline, a holding limit or an approval's end, rather than our own aim. */
  isDeadline: boolean
  /** Null for a task without money. */
  cents: Cents | null
  /** The path of its action. */
  to: string
  /** Whether the operator who looks has asked for this approval, so that only another person can confirm it. */
  isOwn: boolean
  mark: TaskMark | null
}

/** The holder of a task, and the note on it. */
export type TaskMark = {
  holder: { userId: string; email: string } | null
  note: string
  notedBy: string | null
}

export const taskKey = (kind: TaskKind, id: string) => `${kind}:${id}`

type Due = Pick<OperatorTask, 'by' | 'isDeadline'>

/**
 * Orders tasks by the day on which they are due, as the list shows it, then those that only vendors can end last, then by
 * money, the largest first, then by the moment. What is overdue comes first, as if it were of one day.
 * @param timeZone of the operators
 */
export function inTaskOrder<Task extends Due & Pick<OperatorTask, 'kind' | 'cents' | 'key'>>(
  tasks: readonly Task[],
  { now, timeZone }: { now: Date; timeZone: string },
): Task[] {
  return tasks
    .map((task) => ({
      task,
      day: dueDay(task, timeZone),
      isOverdue: isOverdue(task, now, timeZone),
      isVendors: VENDORS_KINDS.includes(task.kind),
    }))
    .toSorted((first, second) => {
      const [one, other] = [first.task, second.task]
      if (first.isOverdue !== second.isOverdue) return first.isOverdue ? -1 : 1
      const isSameState = first.isOverdue || first.day === second.day
      if (isSameState && first.isVendors !== second.isVendors) return first.isVendors ? 1 : -1
      if (first.day !== second.day) return first.day < second.day ? -1 : 1
      const more = (other.cents ?? -1) - (one.cents ?? -1)
      if (more !== 0) return more
      return `${one.by} ${one.key}` < `${other.by} ${other.key}` ? -1 : 1
    })
    .map(({ task }) => task)
}

/** The day on which a task is due. A deadline before noon counts as due the day before. */
export function dueDay({ by, isDeadline }: Due, timeZone: string): LocalDate {
  const { date, time } = wallTimeAt(new Date(by), timeZone)
  return isDeadline && time < NOON ? addDays(date, -1) : date
}

/** Whether a deadline is over. */
export const hasPassed = ({ by, isDeadline }: Due, now: Date): boolean => isDeadline && new Date(by) <= now

const isOverdue = (task: Due, now: Date, timeZone: string): boolean =>
  hasPassed(task, now) || dueDay(task, timeZone) < wallTimeAt(now, timeZone).date
