import { formatDay, formatInstant, formatTime, wallTimeAt } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import type { NextStep } from './my-bookings-rules.ts'

export const WHAT_COMES_NEXT = 'What comes next'
export const PAID_SO_FAR = 'Paid so far'
export const STILL_TO_PAY = 'Still due'

/** The day of a step, by the clock of its venue: 'Saturday 15 May 2027'. */
export function nextStepDay({ at, booking }: NextStep): string {
  return formatDay(wallTimeAt(new Date(at), booking.timeZone).date)
}

/** The text of a step, which follows its day. */
export function nextStepText({ booking, kind, at }: NextStep): string {
  const { stored, due, timeZone } = booking
  const name = stored.vendorName
  const amount = formatMoney(due?.cents ?? 0)
  switch (kind) {
    case 'answered':
      return `${name} will answer by ${formatTime(wallTimeAt(new Date(at), timeZone).time)} at the latest.`
    case 'charged':
      return `${amount} for ${name} is charged to your card.`
    case 'to pay':
      return `Pay ${amount} for ${name} by ${formatInstant(new Date(at), timeZone)}, or the booking ends.`
    case 'event':
      return `Your event with ${name}.`
  }
}

/** The payments of one day's bookings: '$1,504.00 paid, $6,016.00 still due'. */
export function dayMoneyText({ spentCents, dueCents }: { spentCents: number; dueCents: number }): string {
  const paid = `${formatMoney(spentCents)} paid`
  return dueCents > 0 ? `${paid}, ${formatMoney(dueCents)} still due` : paid
}
