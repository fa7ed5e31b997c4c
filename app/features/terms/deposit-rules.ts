import {
  addDays,
  HOME_ZONE,
  type LocalDate,
  type LocalTime,
  wallTimeAt,
  wallTimeToUtc,
} from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { daysOf, type Months } from '../../shared/periods.ts'
import { instalmentsOf, type PaymentPlan, type PayoutTimes, planFor, type SaleTerms } from './rules.ts'

/** A deposit as it is told before booking. */
export type Deposit = {
  /** Hundredths of a percent of the price. */
  basisPoints: number
  nowCents: Cents
  restCents: Cents
  /** When the rest is charged; `day` is null while the event's day is unknown. */
  rest: { daysBefore: number; day: LocalDate | null }
}

const NOON: LocalTime = '12:00'
const LAST_MINUTE: LocalTime = '23:59'
/** Before all events, so that a period begins on its own first day. */
const EARLIEST: LocalDate = '0001-01-01'

/**
 * The deposit of a price that is booked now, as far as the event is known. The booking form's terms have the exact instant.
 * @param input.event its day, '' if unknown, and its start, '' if unknown
 * @param input.period the days on which it may be, while its day is unknown; null for none
 * @param input.payoutTimes null where vendors aren't paid by us
 * @returns null for a price that is paid at once, for a period that has such a day, and, without either, for a listing that
 * asks for no deposit of its own
 */
export function depositOf(input: {
  plan: PaymentPlan
  priceCents: Cents
  event: { date: LocalDate | ''; time: LocalTime | '' }
  period?: { months: Months; weekday: string } | null
  payoutTimes: PayoutTimes | null
  now: Date
}): Deposit | null {
  const { priceCents, payoutTimes, now } = input
  const { date, time } = input.event
  if (!date) {
    const days = input.period ? daysOf(input.period.months, input.period.weekday, EARLIEST) : []
    if (days.length > 0) return depositOfAll(input, [days[0], days.at(-1)])
    return input.plan.kind === 'full' ? null : partsOf(priceCents, input.plan, null)
  }
  const event = { date, time: time || NOON, timeZone: HOME_ZONE }
  const ends = wallTimeToUtc(date, LAST_MINUTE, HOME_ZONE)
  const plan = planFor({
    plan: input.plan,
    event,
    releasedAt: new Date(ends.getTime() + (payoutTimes?.delayMs ?? 0)),
    paidAt: now,
    holdLimitMs: payoutTimes?.holdLimitMs ?? null,
  })
  return plan.kind === 'full' ? null : partsOf(priceCents, plan, date)
}

/** The deposit of a period, without its day, if the first and last day have the same; null if they differ. */
function depositOfAll(
  input: Parameters<typeof depositOf>[0],
  days: readonly (LocalDate | undefined)[],
): Deposit | null {
  const [first, last] = days.map((date = '') =>
    depositOf({ ...input, event: { ...input.event, date }, period: null }),
  )
  if (!first || !last) return null
  const isSame =
    first.basisPoints === last.basisPoints &&
    first.nowCents === last.nowCents &&
    first.rest.daysBefore === last.rest.daysBefore
  return isSame ? { ...first, rest: { ...first.rest, day: null } } : null
}

/** The deposit of agreed terms; null for a price that is paid at once. */
export function depositOfTerms(
  { instalments: [first, rest] }: Pick<SaleTerms, 'instalments'>,
  timeZone: string,
): Pick<Deposit, 'nowCents' | 'rest'> | null {
  if (!first || !rest?.dueAt) return null
  return {
    nowCents: first.cents,
    rest: { daysBefore: 0, day: wallTimeAt(new Date(rest.dueAt), timeZone).date },
  }
}

function partsOf(
  priceCents: Cents,
  plan: Extract<PaymentPlan, { kind: 'deposit' }>,
  date: LocalDate | null,
): Deposit | null {
  // The amounts don't depend on the day.
  const event = { date: date ?? '2000-01-01', time: NOON, timeZone: HOME_ZONE }
  const [first, rest] = instalmentsOf(priceCents, plan, event)
  if (!first || !rest) return null
  const { depositBasisPoints: basisPoints, balanceDaysBefore: daysBefore } = plan
  return {
    basisPoints,
    nowCents: first.cents,
    restCents: rest.cents,
    rest: { daysBefore, day: date && addDays(date, -daysBefore) },
  }
}
