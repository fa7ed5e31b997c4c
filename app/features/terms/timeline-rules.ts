import { wallTimeAt } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import {
  type AgreedTerms,
  cancellationQuote,
  cancellationSteps,
  coolingOffUntil,
  daysBeforeStart,
  type SaleTerms,
} from './rules.ts'

/**
 * The state of a payment of the price: charged, to be charged later, being retried, late, or never charged because the booking
 * is over.
 */
export type LinePaymentState = 'paid' | 'scheduled' | 'failing' | 'overdue' | 'ended'

/** One payment of a price on the line. */
export type LinePayment = {
  cents: Cents
  /** When it was paid, or else when it is due. */
  at: Date
  state: LinePaymentState
}

/** Money that went back to the customer, or will. */
export type LineRefund = {
  cents: Cents
  /** Null while it waits for the customer's bank to decide, which nobody can date. */
  at: Date | null
  isDone: boolean
  /** Whether the customer's bank has returned it, and not we. */
  isByBank: boolean
}

/** The cost of cancelling in a stretch of the timeline. */
export type CancellingCost = {
  costCents: Cents
  backCents: Cents
  /** The last instant at which it costs this. */
  until: Date
  /** Whether it is free only because the booking was paid a moment ago. */
  isCoolingOff: boolean
}

/**
 * An event at a stop. A 'tier' is the end of a refund share. `isNow`: the customer's next press pays it.
 */
export type StopEvent =
  | ({ kind: 'payment'; isNow: boolean } & Omit<LinePayment, 'at'>)
  | ({ kind: 'refund' } & Omit<LineRefund, 'at'>)
  | { kind: 'tier' }
  | { kind: 'today' }
  | { kind: 'event' }

/** A moment on the line, and the stretch from there to the next one. */
export type LineStop = {
  at: Date
  events: StopEvent[]
  /** Whether it is over, is now, is still to come, or needs the customer. */
  mark: 'done' | 'now' | 'next' | 'late' | 'never'
  /** The cost of cancelling from here on; null once it can't be cancelled, and for stops before today. */
  cancelling: CancellingCost | null
}

/**
 * Returns the timeline of a booking: its payments, until when cancelling is free, and what it costs after that. It begins with
 * the first payment and ends with the event.
 * @param input.terms.paidAt before the payment: now
 * @param input.payments all of the price, with the ones that are paid
 * @param input.isCalledOff whether the booking was declined, withdrawn or cancelled
 */
export function timelineOf(input: {
  terms: AgreedTerms
  payments: readonly LinePayment[]
  refunds?: readonly LineRefund[]
  now: Date
  isCalledOff?: boolean
}): LineStop[] {
  const { terms, payments, refunds = [], now, isCalledOff = false } = input
  const { timeZone } = terms.event
  const eventAt = daysBeforeStart(terms.event, 0)
  const isLive = !isCalledOff && now < eventAt
  const stops = new Map<number, LineStop>()
  const add = (at: Date, event: StopEvent, mark: LineStop['mark']) => {
    const stop = stops.get(at.getTime())
    if (stop) stop.events.push(event)
    else stops.set(at.getTime(), { at, events: [event], mark, cancelling: null })
  }

  for (const { at, cents, state } of payments)
    add(at, { kind: 'payment', cents, state, isNow: at.getTime() === now.getTime() }, MARKS[state])
  for (const { at, ...refund } of refunds)
    if (at) add(at, { kind: 'refund', ...refund }, refund.isDone ? 'done' : 'next')
  if (isLive) {
    // On the day of a payment, today is that stop.
    const paidToday = payments.findLast(({ at, state }) => state === 'paid' && isSameDay(at, now, timeZone))
    add(paidToday && paidToday.at <= now ? paidToday.at : now, { kind: 'today' }, 'now')
    for (const { until } of cancellationSteps(terms))
      if (until && until > now) add(until, { kind: 'tier' }, 'next')
  }
  add(eventAt, { kind: 'event' }, isCalledOff ? 'never' : now < eventAt ? 'next' : 'done')

  const line = [...stops.values()].sort((one, other) => one.at.getTime() - other.at.getTime())
  for (const stop of line) if (stop.events.some(({ kind }) => kind === 'today')) stop.mark = 'now'
  if (!isLive) return line
  addCosts(line, input)
  // A share that ends without making cancelling dearer, as where only a deposit is paid, is no news.
  return line.filter(
    ({ events, cancelling }, index) =>
      events.some(({ kind }) => kind !== 'tier') || cancelling !== line[index - 1]?.cancelling,
  )
}

const MARKS = {
  paid: 'done',
  scheduled: 'next',
  failing: 'late',
  overdue: 'late',
  ended: 'never',
} as const satisfies Record<LinePaymentState, LineStop['mark']>

/** Adds what cancelling costs to each stretch from today to the event, as the payments due by then will have been made. */
function addCosts(
  line: LineStop[],
  { terms, payments, refunds = [] }: Pick<Parameters<typeof timelineOf>[0], 'terms' | 'payments' | 'refunds'>,
): void {
  const backCents = sum(refunds)
  // A refund of a part takes that much off the price and off what was paid.
  const priceCents = Math.max(0, sum(payments.filter(({ state }) => state !== 'ended')) - backCents)
  const coolingOff = coolingOffUntil(terms)?.getTime()
  const today = line.findIndex(({ mark }) => mark === 'now')
  let before: CancellingCost | null = null
  for (const [index, stop] of line.entries()) {
    const next = line[index + 1]
    if (index < today || !next) continue
    const paid = payments.filter(
      ({ at, state }) => state === 'paid' || (state === 'scheduled' && at <= stop.at),
    )
    const paidCents = Math.max(0, sum(paid) - backCents)
    // The last instant of the stretch still belongs to it.
    const quote = cancellationQuote(terms, { priceCents, paidCents, by: 'customer' }, next.at)
    const cost: CancellingCost = {
      costCents: quote.keptCents,
      backCents: quote.refundCents,
      until: next.at,
      isCoolingOff: next.at.getTime() === coolingOff,
    }
    const isSame = before?.costCents === cost.costCents && before.backCents === cost.backCents
    if (before && (isSame || (before.costCents === 0 && cost.costCents === 0))) {
      // It costs the same before and after: one stretch.
      before.until = cost.until
      before.isCoolingOff = cost.isCoolingOff
    } else before = cost
    stop.cancelling = before
  }
}

const sum = (parts: readonly { cents: Cents }[]) => parts.reduce((total, { cents }) => total + cents, 0)

function isSameDay(one: Date, other: Date, timeZone: string): boolean {
  return wallTimeAt(one, timeZone).date === wallTimeAt(other, timeZone).date
}

/** The line of a booking that isn't paid yet, if it is paid now. */
export function timelineBefore(terms: SaleTerms, event: AgreedTerms['event'], now: Date): LineStop[] {
  return timelineOf({
    terms: { event, paidAt: now, tiers: terms.policy.tiers },
    payments: terms.instalments.map(({ cents, dueAt }) => ({
      cents,
      at: dueAt === null ? now : new Date(dueAt),
      state: 'scheduled',
    })),
    now,
  })
}
