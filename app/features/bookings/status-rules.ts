import type { MoneyStatus } from '../payments/rules.ts'

export const BOOKING_STATUSES = ['pending', 'approved', 'declined', 'withdrawn'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]
export type PaymentStatus = MoneyStatus

/** Whether nobody means a booking to take place any more: its vendor, its customer or an unpaid balance has ended it. */
export function isCalledOff(status: BookingStatus): boolean {
  return status === 'declined' || status === 'withdrawn'
}

export type Decision = 'approved' | 'declined'

/** Whether a decision needs a reason for the customer: declining a booking that was approved. */
export function needsReason(from: BookingStatus, decision: Decision): boolean {
  return from === 'approved' && decision === 'declined'
}
