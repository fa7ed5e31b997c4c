import { addDays, formatDay, wallTimeAt } from '../../shared/dates.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { dueDay, type OperatorTask, TASK_ROWS, type TaskKind } from './task-rules.ts'

export const DO_FIRST = 'Do first'
export const NOTHING_FIRST =
  'Nothing needs you now. Disputes, returned money, reports and failed jobs appear here.'

/** How many tasks the list has, as its heading shows it. */
export function taskCountText(count: number): string {
  return count < TASK_ROWS ? String(count) : `${TASK_ROWS}+`
}

/** The titles of tasks that have a name in them. An approval's begins with the act that it confirms. */
const TITLES: Record<Exclude<TaskKind, 'approval'>, (name: string) => string> = {
  dispute: (name) => `${name}’s bank disputes a payment`,
  refund: (name) => `A refund to ${name} came back`,
  restricted: (name) => `Payouts to ${name} are paused`,
  returned: (name) => `A bank returned a payout to ${name}`,
  hold: (name) => `Money for ${name} can’t be held longer`,
  report: (name) => `A conversation of ${name} was reported`,
  job: (name) => `The job ${name} failed`,
}

/** The button of each kind. It leads to the page where the task ends. */
const ACTIONS: Record<TaskKind, string> = {
  dispute: 'Answer',
  refund: 'Pay it back',
  restricted: 'See the vendor',
  returned: 'See the vendor',
  hold: 'Release or refund',
  report: 'Read the report',
  job: 'See the jobs',
  approval: 'Decide',
}

/** A task in words. */
export function taskWords(task: Pick<OperatorTask, 'kind' | 'name' | 'about' | 'isOwn'>): {
  title: string
  detail: string
  action: string
} {
  const { kind, name, about, isOwn } = task
  if (kind === 'approval')
    return {
      title: `${about}: ${name}`,
      detail: isOwn ? 'You asked for it. Another person has to confirm it.' : 'Waits for a second person',
      action: isOwn ? 'See it' : ACTIONS.approval,
    }
  return {
    title: TITLES[kind](name),
    detail: about,
    action: ACTIONS[kind],
  }
}

/** When a task is due, in words: 'Overdue since Friday 27 November', 'Today', or its day. `isSoon` asks for attention. */
export function dueText(task: Pick<OperatorTask, 'by'>, now: Date): { text: string; isSoon: boolean } {
  const day = dueDay(task, OPERATIONS_ZONE)
  const today = wallTimeAt(now, OPERATIONS_ZONE).date
  // The list is about this year: without it, the day fits a phone.
  const name = formatDay(day).split(' ').slice(0, -1).join(' ')
  // The weekday of a past day says little, and the tag has to fit a phone.
  if (day < today) return { text: `Overdue since ${name.split(' ').slice(1).join(' ')}`, isSoon: true }
  if (day === today) return { text: 'Due today', isSoon: true }
  if (day === addDays(today, 1)) return { text: 'Due tomorrow', isSoon: false }
  return { text: `Due ${name}`, isSoon: false }
}

export const NOTE_HINT = 'Operators see it here. It goes 30 days after the last change.'
