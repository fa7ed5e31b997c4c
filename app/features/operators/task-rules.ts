import { type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { Permission } from './role-rules.ts'

/** The kinds of the operators' tasks, each with the permission that its action needs. Other roles don't see the task. */
export const TASK_KINDS = {
  dispute: 'answer-disputes',
  refund: 'move-money',
  restricted: 'see-payouts',
  returned: 'see-payouts',
  hold: 'hold-payouts',
  report: 'read-reports',
  job: 'work-tasks',
  approval: 'work-tasks',
} as const satisfies Record<string, Permission>
export type TaskKind = keyof typeof TASK_KINDS

/** The most tasks that the list shows. */
export const TASK_ROWS = 50

/** A task without a deadline of its own is due so long after it began: the customer, vendor or reporter waits for us. */
export const TASK_MS = DAY_MS

/** A mark is forgotten so long after its last change, so that a task that comes back begins without the former note. */
export const MARK_LIFE_MS = 30 * DAY_MS

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
  /** When it is due; ISO 8601, UTC. */
  by: string
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

/**
 * Orders tasks by the day on which they are due, as the list shows it, then by money, the largest first, then by the moment.
 * @param timeZone of the operators
 */
export function inTaskOrder<Task extends Pick<OperatorTask, 'by' | 'cents' | 'key'>>(
  tasks: readonly Task[],
  timeZone: string,
): Task[] {
  return tasks
    .map((task) => ({ task, day: dueDay(task, timeZone) }))
    .toSorted(({ task: one, day }, { task: other, day: otherDay }) => {
      if (day !== otherDay) return day < otherDay ? -1 : 1
      const more = (other.cents ?? -1) - (one.cents ?? -1)
      if (more !== 0) return more
      return `${one.by} ${one.key}` < `${other.by} ${other.key}` ? -1 : 1
    })
    .map(({ task }) => task)
}

/** The day on which a task is due. */
export const dueDay = ({ by }: Pick<OperatorTask, 'by'>, timeZone: string): LocalDate =>
  wallTimeAt(new Date(by), timeZone).date
