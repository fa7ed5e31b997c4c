import { formatDate, formatDay, formatInstant, formatShortDay, formatTime } from '../../../shared/dates.ts'
import { type Cents, formatMoney, type PriceUnit } from '../../../shared/money.ts'
import { unitPriceText } from '../../businesses/messages.ts'
import type { Replan, ReplanRefusal } from '../../sales/replan-rules.ts'
import { spanText } from '../../sales/rules.ts'
import type { BookedEvent, ChangeRefusal, ChangeSide, ChangeState } from './rules.ts'

export const CHANGE_BOOKING = 'Change date or guests'
export const PROPOSE_CHANGE = 'Propose another date'
export const SHOW_CHANGE = 'Show what changes'
export const PROPOSE = 'Propose this change'
export const TAKE_BACK = 'Take the proposal back'
/** Shown in place of the payment when an agreed change has nothing left to pay. */
export const APPLY_CHANGE = 'Apply the change'
export const LEAVE_UNPAID = 'Keep the booking as it is'
export const SEE_PROPOSAL = 'See your proposal'
export const ANSWER_CHANGE = 'Answer the proposed change'
export const PAY_FOR_CHANGE = 'Pay for the change'
export const WHAT_CHANGES = 'What changes'
export const AFTER_THE_CHANGE = 'Payments and cancelling after the change'
export const PAST_CHANGES = 'Earlier changes'

export const changeTitle = (other: string) => `Change the booking: ${other}`
export const answerByText = (other: string, until: string) =>
  `${other} proposes a change. Please answer by ${until}.`
export const waitsForText = (other: string, until: string) =>
  `${other} has until ${until} to answer. Until then the new time is held, and the booking stays as it is.`

/** The price that a change keeps: 'You keep the quoted price: $1,560.00.' */
export function keptPriceText(
  {
    unitPriceCents,
    bookingType,
    isQuoted,
  }: { unitPriceCents: Cents; bookingType: PriceUnit; isQuoted: boolean },
  reader: ChangeSide,
): string {
  if (isQuoted)
    return reader === 'customer'
      ? `You keep the quoted price: ${formatMoney(unitPriceCents)}.`
      : `The quoted price still applies: ${formatMoney(unitPriceCents)}.`
  const price = unitPriceText(unitPriceCents, bookingType)
  return reader === 'customer'
    ? `You keep the price you booked at: ${price}.`
    : `The booked price still applies: ${price}.`
}

/**
 * The two answers to a proposed change, each named by what happens: 'Agree to Sunday' and 'Keep Saturday'. The first fact
 * that differs names them, and a whole date where both days have the same name.
 */
export function changeAnswers(
  { before, after }: { before: BookedEvent; after: BookedEvent },
  { bookingType }: { bookingType: PriceUnit },
): { agree: string; keep: string } {
  const answers = (of: (event: BookedEvent) => string) => ({
    agree: `Agree to ${of(after)}`,
    keep: `Keep ${of(before)}`,
  })
  const weekday = ({ date }: BookedEvent) => formatDay(date).split(' ', 1)[0] ?? ''
  if (before.date !== after.date)
    return answers(weekday(before) === weekday(after) ? ({ date }) => formatDate(date) : weekday)
  if (before.time !== after.time) return answers(({ time }) => formatTime(time))
  const unit = bookingType === 'perHour' ? ['hour', 'hours'] : ['person', 'people']
  return answers(({ quantity }) => `${quantity.toLocaleString('en-AU')} ${unit[quantity === 1 ? 0 : 1]}`)
}

/** Until when an agreed change is to be paid. */
export const payByText = (reader: ChangeSide, until: string) =>
  reader === 'customer'
    ? `Both sides agree. Pay by ${until}, and the booking changes.`
    : `Agreed. The booking changes once the customer has paid. They have until ${until}.`

/** Until when cancelling costs nothing after a change. */
export function freeUntilText(
  freeUntil: Date | null,
  { timeZone, reader }: { timeZone: string; reader: ChangeSide },
): string {
  const who = reader === 'customer' ? 'You can' : 'The customer can'
  return freeUntil
    ? `${who} then cancel without cost until ${formatInstant(freeUntil, timeZone)}.`
    : 'Cancelling then costs what the booking’s policy says.'
}

export const CHANGE_STALE = 'The amounts have changed since you saw them. Look at them again.'
export const CHANGE_SENT = 'Your proposal is sent.'
export const CHANGE_AGREED = 'Agreed. The booking has changed.'
export const CHANGE_AGREED_TO_PAY = 'Agreed. The booking changes once the customer has paid.'
export const CHANGE_DECLINED = 'Declined. The booking stays as it is.'

/** Why a change can't be made, proposed or answered. */
export const CHANGE_REFUSALS = {
  not_found: 'We can’t find this booking.',
  not_yours: 'The other side answers this proposal.',
  open: 'This booking already has an open proposal. Answer it or take it back first.',
  ended: 'This proposal has ended. The booking stays as it is.',
  paying: 'A card is being charged for this change right now.',
  over: 'This booking was called off, so it can’t be changed.',
  event_begun: 'The event has begun, so the booking can’t be changed any more.',
  no_terms: 'This booking was made before changes could be proposed here. Call or email the other side.',
  same: 'It’s already booked that way. Choose another date, time or number.',
  too_late: 'The event is too soon for an answer. Call or email the other side.',
  listing_gone: 'This business doesn’t take bookings any more, so the booking can’t be moved.',
  time_gone: 'Someone else has booked this time in the meantime. The booking stays as it is.',
  balance_unpaid:
    'The balance of this booking is being charged or is overdue. Once it’s paid, the booking can be changed.',
  held_too_long:
    'The payment of this booking can’t be held until that day, so the booking can’t move there. Propose an earlier day.',
  too_small: 'The difference is too small for a card. Choose another number.',
  unreadable: 'We couldn’t read that. Try again.',
} as const satisfies Record<ChangeRefusal | ReplanRefusal | (string & {}), string>

/** The message beside a date that is further away than what is paid can be held for. */
export const heldTooLongText = (limit: Date, timeZone: string) =>
  `The payment of this booking can be held for an event that ends by ${formatInstant(limit, timeZone)} at the latest. Choose an earlier date.`

/** The labels of a change's state by side: which of the two has to act. */
export function changeStateText(
  change: { state: ChangeState; proposedBy: ChangeSide; endedBy: ChangeSide | null },
  reader: ChangeSide | 'operator',
): string {
  const { state, proposedBy, endedBy } = change
  const name = (side: ChangeSide) =>
    side === reader ? 'you' : side === 'vendor' ? 'the vendor' : 'the customer'
  switch (state) {
    case 'proposed':
      return `Proposed by ${name(proposedBy)}`
    case 'accepted':
      return 'Agreed, not paid yet'
    case 'paid':
      return 'In effect'
    case 'declined':
      return endedBy === proposedBy
        ? `Taken back by ${name(proposedBy)}`
        : `Declined by ${name(endedBy ?? 'vendor')}`
    case 'expired':
      return 'Expired'
  }
}

/** The event of a sale from start to end, in words. */
export function saleSpan({ event }: Pick<BookedEvent, 'event'>, timeZone: string): string {
  return spanText({ event, timeZone })
}

/** Returns the facts that a change alters, as rows of a table: label, before, after. Quantities are in hours or people. */
export function changedFacts(
  change: { before: BookedEvent; after: BookedEvent },
  { timeZone, bookingType }: { timeZone: string; bookingType: PriceUnit },
): { label: string; before: string; after: string }[] {
  const { before, after } = change
  const facts = [
    { label: 'When', before: saleSpan(before, timeZone), after: saleSpan(after, timeZone) },
    {
      label: bookingType === 'perHour' ? 'Hours' : 'People',
      before: before.quantity.toLocaleString('en-AU'),
      after: after.quantity.toLocaleString('en-AU'),
    },
    { label: 'Price', before: formatMoney(before.priceCents), after: formatMoney(after.priceCents) },
  ]
  return facts.filter((fact) => fact.before !== fact.after)
}

/**
 * A change in one line, old → new: 'Sat 13 → Sat 20 March, 90 → 100 people'. Of a change of the price alone, the price.
 * @param booking.bookingType quantities are in hours or people
 */
export function changeText(
  { before, after }: { before: BookedEvent; after: BookedEvent },
  { bookingType }: { bookingType: PriceUnit },
): string {
  const [from, to] = [formatShortDay(before.date), formatShortDay(after.date)]
  // The month is named once where both days are in it.
  const isOneMonth = before.date.slice(0, 7) === after.date.slice(0, 7)
  const parts = [
    ...(from === to ? [] : [`${isOneMonth ? from.split(' ').slice(0, 2).join(' ') : from} → ${to}`]),
    ...(before.time === after.time ? [] : [`${formatTime(before.time)} → ${formatTime(after.time)}`]),
    ...(before.quantity === after.quantity
      ? []
      : [
          `${before.quantity.toLocaleString('en-AU')} → ${after.quantity.toLocaleString('en-AU')} ${bookingType === 'perHour' ? 'hours' : 'people'}`,
        ]),
  ]
  return parts.join(', ') || `${formatMoney(before.priceCents)} → ${formatMoney(after.priceCents)}`
}

/**
 * Returns sentences for the customer or the vendor: what a change costs or refunds, and its new balance.
 * @param reader.customer the customer's name
 * @param reader.answers whether the reader is the side that agrees or declines
 */
export function changeMoneyLines(
  change: { before: Pick<BookedEvent, 'priceCents'>; after: Pick<BookedEvent, 'priceCents'> } & Replan,
  {
    timeZone,
    reader,
    ...about
  }: { timeZone: string; reader: ChangeSide; customer: string; answers?: boolean; isAgreed?: boolean },
): string[] {
  const { dueCents, refundCents, balance } = change
  const moreCents = change.after.priceCents - change.before.priceCents
  const isCustomer = reader === 'customer'
  const balanceLine = balance
    ? [`The balance is then ${formatMoney(balance.cents)}, due on ${formatInstant(balance.dueAt, timeZone)}.`]
    : []
  const paidText = paidNowText(dueCents, moreCents, { ...about, isCustomer })
  return [
    moreCents === 0
      ? 'The price stays the same.'
      : `The price ${moreCents > 0 ? 'rises' : 'falls'} by ${formatMoney(Math.abs(moreCents))}.`,
    ...(paidText ? [paidText] : []),
    ...(refundCents > 0
      ? [`${formatMoney(refundCents)} goes back to ${isCustomer ? 'your card' : 'the customer'}.`]
      : []),
    ...balanceLine,
  ]
}

function paidNowText(
  dueCents: Cents,
  moreCents: Cents,
  {
    isCustomer,
    customer,
    answers = false,
    isAgreed = false,
  }: { isCustomer: boolean; customer: string; answers?: boolean; isAgreed?: boolean },
): string | null {
  if (dueCents === 0) return null
  const isDifference = dueCents === moreCents
  const amount = `${isDifference ? 'the difference of ' : ''}${formatMoney(dueCents)}`
  const payer = isCustomer ? 'You pay' : `${customer} pays`
  const payment = isAgreed
    ? `${payer} ${amount}.`
    : answers
      ? `If you agree, ${isCustomer ? 'you pay' : payer} ${amount} now.`
      : `${payer} ${amount} once it’s agreed.`
  const balance = isDifference ? '' : ' That includes the balance, due this week anyway.'
  return `${payment}${balance} The change takes effect when that is paid.`
}
