import { formatDay, formatInstant, wallTimeAt } from '../../shared/dates.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import type { SaleTerms } from './rules.ts'
import type { CancellingCost, LineStop, StopEvent } from './timeline-rules.ts'

/** The wording of payments and cancellation costs, the same on screens, in mails and on receipts. */

export const TIMELINE_TITLE = 'Payments and cancelling'
export const TIMELINE_COLUMNS = ['When', 'What is due, and what cancelling costs'] as const
export const PAID_NOW = 'Paid now'
export const STILL_DUE = 'Still due'
/** The label of an operator's reduction of a price, before it was paid in full. */
export const TAKEN_OFF = 'Taken off the price'
/** Shown above the timeline: what holds before the vendor's answer under every policy. */
export const UNTIL_ANSWERED =
  'Until the vendor has answered, you can withdraw and get all of your money back. After that:'
/** The same, where the withdrawal was explained just before. */
export const ONCE_ANSWERED = 'Once they have approved it:'
/** Why a listing that is paid at once asks for a deposit. */
export const FAR_AHEAD = 'This event is too far ahead to be paid at once, so you pay a part of it now.'

/** '21 September 2028', by the venue's clock. */
export function dayText(at: Date, timeZone: string): string {
  return formatDay(wallTimeAt(at, timeZone).date).replace(/^\w+ /, '')
}

/** 'Pay $1,740.00 today, $6,960.00 on 21 September 2028 by the same card'. '' for a price that is paid at once. */
export function payPlanText({ instalments }: Pick<SaleTerms, 'instalments'>, timeZone: string): string {
  const [first, ...later] = instalments
  if (!first || later.length === 0) return ''
  const rest = later.map(({ cents, dueAt }) =>
    dueAt === null ? formatMoney(cents) : `${formatMoney(cents)} on ${dayText(new Date(dueAt), timeZone)}`,
  )
  return `Pay ${formatMoney(first.cents)} today, ${rest.join(', ')} by the same card`
}

/**
 * The consent to saving the card, which stands beside 'Pay $' and is stored with the card, word by word.
 * @returns null for a price that is paid at once, which saves no card
 */
export function cardConsent(
  { instalments }: Pick<SaleTerms, 'instalments'>,
  { brand, timeZone }: { brand: string; timeZone: string },
): string | null {
  const charges = instalments.flatMap(({ cents, dueAt }) =>
    dueAt === null ? [] : [`${formatMoney(cents)} on ${dayText(new Date(dueAt), timeZone)}`],
  )
  if (charges.length === 0) return null
  return `You agree that ${brand} saves this card and charges it ${charges.join(' and ')} for this booking. We email you 7 days before. You can change the card or pay earlier, and we delete it once nothing is due.`
}

/** The events of a stop in words. '' for a stop that only changes the cost of cancelling. */
export function stopText(events: readonly StopEvent[]): string {
  return events
    .map(eventText)
    .filter((text) => text !== '')
    .join('. ')
}

function eventText(event: StopEvent): string {
  switch (event.kind) {
    case 'payment':
      return paymentText(event)
    case 'refund': {
      const amount = formatMoney(event.cents)
      if (event.isByBank) return `${amount} returned by your bank`
      return event.isDone ? `${amount} refunded` : `${amount} to be refunded`
    }
    case 'event':
      return 'Your event'
    case 'tier':
    case 'today':
      return ''
  }
}

function paymentText({ cents, state, isNow }: Extract<StopEvent, { kind: 'payment' }>): string {
  const amount = formatMoney(cents)
  switch (state) {
    case 'paid':
      return `${amount} paid`
    case 'scheduled':
      return isNow ? `Pay ${amount}` : `${amount} by the same card`
    case 'failing':
      return `${amount} due. Your card wasn’t charged`
    case 'overdue':
      return `${amount} overdue`
    case 'ended':
      return `${amount} won’t be charged`
  }
}

/**
 * The cost of cancelling from a stop on, in words.
 * @param isPaid whether the booking is paid, so that its time to change one's mind has begun
 */
export function cancellingText(
  { costCents, backCents, until, isCoolingOff }: CancellingCost,
  timeZone: string,
  isPaid: boolean,
): string {
  if (costCents === 0)
    return isCoolingOff && !isPaid
      ? 'Cancelling is free for 48 hours after you pay'
      : `Cancelling is free until ${formatInstant(until, timeZone)}`
  return backCents === 0
    ? `Cancelling costs ${formatMoney(costCents)}: you get nothing back`
    : `Cancelling costs ${formatMoney(costCents)}: you get ${formatMoney(backCents)} back`
}

/**
 * The cost of cancelling an approved booking today, as a sentence for mails. Null once it can't be cancelled.
 * @param isApproved whether the vendor has answered already
 */
export function cancellingSentence(
  line: readonly LineStop[],
  timeZone: string,
  isApproved: boolean,
): string | null {
  const cancelling = line.find(({ mark }) => mark === 'now')?.cancelling
  if (!cancelling) return null
  const text = cancellingText(cancelling, timeZone, true)
  return isApproved
    ? `${text}.`
    : `Once they’ve approved it, ${text.charAt(0).toLowerCase()}${text.slice(1)}.`
}

/** '$6,960.00 on 21 September 2028 by the same card'. */
export function dueText({ cents, at }: { cents: Cents; at: Date }, timeZone: string): string {
  return `${formatMoney(cents)} on ${dayText(at, timeZone)} by the same card`
}
