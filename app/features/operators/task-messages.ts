import { addDays, formatDay, formatTime, wallTimeAt } from '../../shared/dates.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { dueDay, hasPassed, type OperatorTask, TASK_ROWS, type TaskKind } from './task-rules.ts'

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
  unsent: (name) => `A refund to ${name} doesn’t leave`,
  instalment: (name) => `${name}’s balance can’t be charged`,
  restricted: (name) => `Payouts to ${name} are paused`,
  returned: (name) => `A bank returned a payout to ${name}`,
  hold: (name) => `Money for ${name} can’t be held longer`,
  unanswered: (name) => `${name}’s booking has no answer`,
  report: (name) => `A conversation of ${name} was reported`,
  job: (name) => `The job ${name} failed`,
}

/** The button of each kind. It leads to the page where the task ends. */
const ACTIONS: Record<TaskKind, string> = {
  dispute: 'Answer',
  refund: 'Pay it back',
  unsent: 'See the refund',
  instalment: 'See the payment',
  restricted: 'See the vendor',
  returned: 'See the vendor',
  hold: 'Release or refund',
  unanswered: 'Call the vendor',
  report: 'Read the report',
  job: 'See the jobs',
  approval: 'Decide',
}

const NO_ADDRESS = 'Their account is deleted, so there’s no address to ask'
const NO_ANSWER = 'We refund it at the deadline'

/** A task in words. */
export function taskWords(task: Pick<OperatorTask, 'kind' | 'name' | 'about' | 'isOwn' | 'hasNoAddress'>): {
  title: string
  detail: string
  action: string
} {
  const { kind, name, about, isOwn, hasNoAddress } = task
  if (kind === 'approval')
    return {
      title: `${about}: ${name}`,
      detail: isOwn ? 'You asked for it. Another person has to confirm it.' : 'Waits for a second person',
      action: isOwn ? 'See it' : ACTIONS.approval,
    }
  return {
    title: TITLES[kind](name),
    detail: [
      about,
      ...(hasNoAddress ? [NO_ADDRESS] : []),
      ...(kind === 'unanswered' ? [NO_ANSWER] : []),
    ].join('. '),
    action: ACTIONS[kind],
  }
}

/** The kinds of tasks in the operators' log. */
const LOG_NAMES: Record<Exclude<TaskKind, 'approval'>, string> = {
  dispute: 'Dispute',
  refund: 'Returned refund',
  unsent: 'Stuck refund',
  instalment: 'Balance not charged',
  restricted: 'Paused payouts',
  returned: 'Returned payout',
  hold: 'Holding limit',
  unanswered: 'Booking without an answer',
  report: 'Report',
  job: 'Job',
}

/**
 * A task in the operators' log, by its kind and its business. The log stays for good, so it never has the name of a
 * customer, which goes with their account.
 */
export function taskLabel({ kind, name, about }: Pick<OperatorTask, 'kind' | 'name' | 'about'>): string {
  if (kind === 'approval') return `${about}: ${name}`
  return `${LOG_NAMES[kind]}: ${about || name}`
}

/**
 * When a task is due, in words: 'Overdue since 27 November', 'Due today', or its day; with its time for deadlines and
 * approvals. `isSoon` asks for attention.
 */
export function dueText(
  task: Pick<OperatorTask, 'kind' | 'by' | 'isDeadline'>,
  now: Date,
): { text: string; isSoon: boolean } {
  if (hasPassed(task, now)) return { text: 'Deadline passed', isSoon: true }
  const { date: day, time } = wallTimeAt(new Date(task.by), OPERATIONS_ZONE)
  const today = wallTimeAt(now, OPERATIONS_ZONE).date
  // The list is about this year: without it, the day fits a phone.
  const name = formatDay(day).split(' ').slice(0, -1).join(' ')
  // The weekday of a past day says little, and the tag has to fit a phone.
  if (day < today) return { text: `Overdue since ${name.split(' ').slice(1).join(' ')}`, isSoon: true }
  const at = task.isDeadline || task.kind === 'approval' ? `, ${formatTime(time)}` : ''
  const isSoon = dueDay(task, OPERATIONS_ZONE) <= today
  if (day === today) return { text: `Due today${at}`, isSoon }
  if (day === addDays(today, 1)) return { text: `Due tomorrow${at}`, isSoon }
  return { text: `Due ${name}${at}`, isSoon }
}

export const NOTE_HINT = 'Operators see it here until this is done, for 30 days at most.'
