import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { BALANCE_NOTICE_DAYS } from '../terms/rules.ts'
import { type InstalmentState, isClosed } from './plan-rules.ts'

/** The least that a card can be charged. */
export const MIN_CHARGE_CENTS: Cents = 50

/** Why a price can't change now: its balance is being charged or is overdue, or the rest is too small for a card. */
export type ReplanRefusal = 'balance_unpaid' | 'too_small'

/** The payment plan after a change: the amounts due or refunded at once, and the balance to charge later, null for none. */
export type Replan = { dueCents: Cents; refundCents: Cents; balance: { cents: Cents; dueAt: Date } | null }

/**
 * Plans the payments of a changed price or a moved event. The balance absorbs the difference and moves with the event. Only the
 * rest is paid or refunded at once. In any order of changes, the paid and due amounts and the balance, less the refund, add up
 * to the new price.
 *
 * A balance that moves to an earlier day less than a week away is paid with the change, as it would be for a new booking.
 * @param input.instalments all of the purchase; none where its price was paid at once
 */
export function replan(input: {
  instalments: readonly { cents: Cents; dueAt: Date; state: InstalmentState }[]
  priceCents: Cents
  newPriceCents: Cents
  day: LocalDate
  newDay: LocalDate
  timeZone: string
  now: Date
}): ({ ok: true } & Replan) | { ok: false; reason: ReplanRefusal } {
  const { timeZone, now } = input
  const moreCents = input.newPriceCents - input.priceCents
  const unpaid = input.instalments.find((one) => !isClosed(one))
  if (!unpaid) {
    if (moreCents > 0 && moreCents < MIN_CHARGE_CENTS) return { ok: false, reason: 'too_small' }
    return { ok: true, dueCents: Math.max(0, moreCents), refundCents: Math.max(0, -moreCents), balance: null }
  }
  // Its card may be charged this very moment, or the customer owes it already.
  if (unpaid.state !== 'scheduled' && unpaid.state !== 'reminded')
    return { ok: false, reason: 'balance_unpaid' }
  const balanceCents = unpaid.cents + moreCents
  if (balanceCents <= 0) return { ok: true, dueCents: 0, refundCents: Math.abs(balanceCents), balance: null }
  const dueAt = movedBy(unpaid.dueAt, daysBetween(input.day, input.newDay), timeZone)
  const today = wallTimeAt(now, timeZone).date
  const isNear = wallTimeAt(dueAt, timeZone).date < addDays(today, BALANCE_NOTICE_DAYS)
  const isPaidNow = dueAt < unpaid.dueAt ? isNear : dueAt > unpaid.dueAt && dueAt <= now
  if (isPaidNow)
    return balanceCents < MIN_CHARGE_CENTS
      ? { ok: false, reason: 'too_small' }
      : { ok: true, dueCents: balanceCents, refundCents: 0, balance: null }
  // A card can't be charged less, so as much more goes back at once.
  const cents = Math.max(balanceCents, MIN_CHARGE_CENTS)
  return { ok: true, dueCents: 0, refundCents: cents - balanceCents, balance: { cents, dueAt } }
}

/** The days from one date to another; negative when the other is earlier. */
function daysBetween(day: LocalDate, other: LocalDate): number {
  return Math.round((Date.parse(other) - Date.parse(day)) / DAY_MS)
}

/** The same time of day `days` days later, by the venue's clock. */
function movedBy(at: Date, days: number, timeZone: string): Date {
  const { date, time } = wallTimeAt(at, timeZone)
  return wallTimeToUtc(addDays(date, days), time, timeZone)
}
