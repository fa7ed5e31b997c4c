import { formatDay, formatEventTime, formatInstant } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { timeLeftText } from '../bookings/insights/messages.ts'
import { timeLeft } from '../bookings/insights/rules.ts'
import { PREFILLED_TITLE } from '../businesses/prefilled-messages.ts'
import { CALENDAR_DUE_MS, type CustomerTask, DESK_ROWS, type PayoutsWait, type VendorTask } from './rules.ts'
import type { SnoozeChoice } from './snooze-rules.ts'

export const WAITING_FOR_YOU = 'Waiting for you'
export const NOTHING_WAITS = 'Nothing right now. New bookings and questions appear here at once.'

/** Putting a row off. */
export const LATER = 'Later'
export const BRING_BACK = 'Bring back'
export const SNOOZE_LABELS = {
  tomorrow: 'Tomorrow, 9 am',
  three_days: 'In 3 days',
  week: 'In a week',
} as const satisfies Record<SnoozeChoice, string>
export const SNOOZE_REFUSALS = {
  not_found: 'This isn’t waiting for you any more.',
  too_late: 'This is due too soon to put off.',
  too_many: 'You’ve put off as many rows as you can. Do one of them first.',
} as const
export const BROUGHT_BACK = 'It’s back on your list.'
/** '2 for later': the heading of the rows that are put off. */
export const laterTitle = (count: number) => `${count} for later`
/** @param until ISO 8601, UTC */
export const backText = (until: string, timeZone: string) =>
  `Back ${formatInstant(new Date(until), timeZone)}`

/** The heading of a desk with its count. */
export const waitingTitle = (count: number) =>
  count > 0 ? `${WAITING_FOR_YOU} (${countText(count)})` : WAITING_FOR_YOU

/** '50+' once there may be more than a desk shows. */
export const countText = (count: number) => (count >= DESK_ROWS ? `${DESK_ROWS}+` : String(count))

/** A task in words. */
export type TaskWords = {
  title: string
  /** The date and the listing. */
  detail: string
  /** The label of its link. */
  action: string
}

const PAYOUT_WORDS = {
  paused: {
    title: 'Your payouts are paused',
    detail: 'Our payment provider needs something from you. Until then we hold your money.',
    action: 'Continue',
  },
  needs_more: {
    title: 'Our payment provider needs something else',
    detail: 'Your payouts go on meanwhile.',
    action: 'Continue',
  },
  agreement: {
    title: 'The vendor agreement has changed',
    detail: 'Accept the new one, so that your payouts don’t stop.',
    action: 'Read and accept',
  },
  set_up: {
    title: 'Tell us where to pay you',
    detail: 'We hold your money until your payouts are set up.',
    action: 'Set up payouts',
  },
} as const satisfies Record<PayoutsWait, TaskWords>

/** A vendor's task in words. */
export function vendorTaskWords(task: VendorTask): TaskWords {
  const { name, business, by, timeZone } = task
  const about = withDots([eventText(task), business])
  switch (task.kind) {
    case 'request':
      return { title: `${name} wants to book`, detail: about, action: 'Answer' }
    case 'change':
      return { title: `${name} proposes a change`, detail: about, action: 'See the change' }
    case 'question':
      return { title: `${name} waits for your reply`, detail: about, action: 'Reply' }
    case 'quote':
      return { title: `Your quote for ${name} ends soon`, detail: about, action: 'Write to them' }
    case 'balance':
      return { title: `${name} hasn’t paid the balance`, detail: about, action: 'Give more time' }
    case 'dispute':
      return {
        title: `A bank disputes ${name}’s payment`,
        detail: withDots([about, 'Send us messages, photos or a contract']),
        action: 'Send proof',
      }
    case 'payouts':
      return PAYOUT_WORDS[task.wait ?? 'paused']
    case 'bank':
      return {
        title: `Your bank returned ${formatMoney(task.cents ?? 0)}`,
        detail: 'Check the bank details of your payouts.',
        action: 'Check details',
      }
    case 'calendar': {
      const lastRead = by && new Date(Date.parse(by) - CALENDAR_DUE_MS)
      return {
        title: `We can’t read your calendar ‘${name}’`,
        detail: withDots([business, lastRead && `not since ${formatInstant(lastRead, timeZone)}`]),
        action: 'Fix it',
      }
    }
    case 'prefilled':
      return {
        title: PREFILLED_TITLE,
        detail: withDots([
          business,
          'Our form had filled in something that customers don’t see until you answer',
        ]),
        action: 'Check it',
      }
  }
}

/** A customer's task in words. */
export function customerTaskWords(task: CustomerTask): TaskWords {
  const { business } = task
  const detail = eventText(task) ?? ''
  switch (task.kind) {
    case 'change':
      return { title: `${business} proposes a change`, detail, action: 'Answer' }
    case 'payment':
      return { title: `Pay for the change: ${business}`, detail, action: 'Pay' }
    case 'quote':
      return { title: `Your quote from ${business}`, detail, action: 'See the quote' }
    case 'balance':
      return { title: `Pay the balance: ${business}`, detail, action: 'Pay now' }
    case 'card':
      return { title: `Your card expires before you pay ${business}`, detail, action: 'Change card' }
    case 'review':
      return { title: `How was ${business}?`, detail, action: 'Write a review' }
  }
}

/** The clock of a task: '2 hours left', 'Now', or 'Overdue'. `isSoon` asks for attention. */
export function clockText(task: Pick<VendorTask, 'by'>, now: Date): { text: string; isSoon: boolean } {
  if (task.by === null) return { text: 'Now', isSoon: true }
  const by = new Date(task.by)
  if (by <= now) return { text: 'Overdue', isSoon: true }
  const left = timeLeft(by, now)
  return { text: timeLeftText(left), isSoon: left.isSoon }
}

/** The event of a task: 'Saturday 20 March 2027 at 4:00 pm'; null without one. */
function eventText({ event }: Pick<VendorTask, 'event'>): string | null {
  if (!event) return null
  return event.time === null ? formatDay(event.date) : formatEventTime(event.date, event.time)
}

const withDots = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · ')
