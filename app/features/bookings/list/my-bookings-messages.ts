import { formatDay, formatInstant, formatTime, wallTimeAt } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { dueText, STILL_DUE } from '../../terms/timeline-messages.ts'
import { BOOKING_TYPE_LABELS, STATUS_LABELS } from '../messages.ts'
import type { CustomerBooking } from '../rules.ts'
import { isCalledOff } from '../status-rules.ts'
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
      return due?.endsAt
        ? `Pay ${amount} for ${name} by ${formatInstant(new Date(at), timeZone)}, or the booking ends.`
        : `Pay ${amount} for ${name}. It was due on ${formatDay(wallTimeAt(new Date(due?.at ?? at), timeZone).date)}.`
    case 'event':
      return `Your event with ${name}.`
  }
}

/** The payments of one day's bookings: '$1,504.00 paid, $6,016.00 still due'. */
export function dayMoneyText({ spentCents, dueCents }: { spentCents: number; dueCents: number }): string {
  const paid = `${formatMoney(spentCents)} paid`
  return dueCents > 0 ? `${paid}, ${formatMoney(dueCents)} still due` : paid
}

/**
 * The note of a booking's calendar entry: its status and size, what is still due and when, and the number to call on the
 * day.
 */
export function calendarNoteText({
  stored,
  due,
  contact,
  timeZone,
}: Pick<CustomerBooking, 'stored' | 'due' | 'contact' | 'timeZone'>): string {
  const isOn = !isCalledOff(stored.status)
  return [
    `${STATUS_LABELS[stored.status]}. ${BOOKING_TYPE_LABELS[stored.bookingType]}: ${stored.quantity}.`,
    ...(isOn && due ? [`${STILL_DUE}: ${dueText({ ...due, at: new Date(due.at) }, timeZone)}.`] : []),
    ...(isOn && contact?.phone ? [`On the day: ${contact.name}, ${contact.phone}.`] : []),
  ].join('\n')
}
