import type { BookingStatus } from '../status-rules.ts'

/** The reasons that a vendor declines with in one tap, in the order of their buttons. */
export const DECLINE_CODES = [
  'already_booked',
  'too_small',
  'too_large',
  'too_far',
  'not_my_kind',
  'price',
  'closed',
  'other',
] as const
export type DeclineCode = (typeof DECLINE_CODES)[number]

/**
 * When the customer is told of a decline made now: after its grace, but never later than the vendor's time to answer ends or
 * the event begins (decision 79). Not before `now`.
 * @param booking.decideBy counts only while the booking is pending
 * @param booking.event.from ISO 8601, with its offset
 */
export function declineTellsAt(
  booking: { status: BookingStatus; decideBy: Date; event: { from: string } },
  now: Date,
  graceMs: number,
): Date {
  const latest = [
    now.getTime() + graceMs,
    Date.parse(booking.event.from),
    ...(booking.status === 'pending' ? [booking.decideBy.getTime()] : []),
  ]
  return new Date(Math.max(now.getTime(), Math.min(...latest)))
}

/** A booking's status for its vendor, who sees a decline as soon as they have made it. */
export function vendorStatusOf(row: { status: BookingStatus; tells_at: Date | null }): BookingStatus {
  return row.tells_at ? 'declined' : row.status
}
