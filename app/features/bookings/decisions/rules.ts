import { type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import type { RefundState } from '../../payments/rules.ts'
import type { Sale } from '../../sales/rules.ts'
import { type BookingStatus, type Decision, isCalledOff } from '../status-rules.ts'

// Times of Decision 7 for an undecided booking. Settings can change them.
export const REMIND_VENDOR_AFTER_MS = DAY_MS
export const DECLINE_UNDECIDED_AFTER_MS = 48 * HOUR_MS
export const DECLINE_BEFORE_EVENT_MS = DAY_MS
/** How long before an event its vendor is reminded, and the customer's account notified. A setting can change it. */
export const REMIND_BEFORE_EVENT_MS = 48 * HOUR_MS

/** How many days before an event its customer gets a mail about it, the earliest first. */
export const COMING_UP_DAYS = [42, 7, 1] as const
export type ComingUpDays = (typeof COMING_UP_DAYS)[number]

/** An approved booking that is declined this shortly before its event is reported to the operators. */
export const NEAR_EVENT_MS = 30 * DAY_MS

/** When the vendor is reminded, and when the booking is declined for them (Decision 7). */
export type UndecidedTimes = { remindAfterMs: number; declineAfterMs: number; declineBeforeEventMs: number }

export const UNDECIDED_TIMES: UndecidedTimes = {
  remindAfterMs: REMIND_VENDOR_AFTER_MS,
  declineAfterMs: DECLINE_UNDECIDED_AFTER_MS,
  declineBeforeEventMs: DECLINE_BEFORE_EVENT_MS,
}

/** The times of one sale: a setting that has changed since doesn't shorten or prolong what its customer agreed to. */
export function undecidedTimesOf(sale: Pick<Sale, 'answerWithinMs'>, times: UndecidedTimes): UndecidedTimes {
  return { ...times, declineAfterMs: sale.answerWithinMs ?? times.declineAfterMs }
}

/** The only moves of a booking's status, and who may make them (Specification, section 4; Decision 7). */
export const STATUS_MOVES = {
  approved: { by: 'vendor', from: ['pending', 'declined'] },
  declined: { by: 'vendor', from: ['pending', 'approved'] },
  // An approved booking as its terms allow (`cancelRefusal`).
  withdrawn: { by: 'customer', from: ['pending', 'approved'] },
} as const satisfies Record<
  Exclude<BookingStatus, 'pending'>,
  { by: 'vendor' | 'customer'; from: readonly BookingStatus[] }
>

/** Whether `STATUS_MOVES` allows this move. A refund may still forbid it (`isFinal`). */
export function canMove(from: BookingStatus, to: keyof typeof STATUS_MOVES): boolean {
  return (STATUS_MOVES[to].from as readonly BookingStatus[]).includes(from)
}

/** The facts about a booking that decide what its vendor may still do. */
type Decidable = { status: BookingStatus; refund: { state: RefundState } | null; isEventOver: boolean }

/** Whether an event has ended, by any clock. @param event.until ISO 8601, with its offset */
export function hasEventEnded(event: { until: string }, now: Date): boolean {
  return Date.parse(event.until) <= now.getTime()
}

/** After an event its vendor still reaches the customer by phone for this long, such as about things left behind. */
export const PHONE_AFTER_MS = 7 * DAY_MS

/** Whether a vendor needs a customer's phone number: for a booking that takes place, until a week after its event. */
export function needsPhone(
  { status, event }: { status: BookingStatus; event: { until: string } },
  now: Date,
): boolean {
  return !isCalledOff(status) && now.getTime() < Date.parse(event.until) + PHONE_AFTER_MS
}

/**
 * Whether a decision must stand because the event is over. Declining would take money for a service that was rendered.
 * Approving again would charge a customer who was told not to come. A booking that is still pending may be decided.
 */
export function standsAfterEvent({ status, isEventOver }: Omit<Decidable, 'refund'>): boolean {
  return isEventOver && (status === 'approved' || status === 'declined')
}

/**
 * Whether the status is final (Decision 7): once the refund is claimed, for a decided booking once its event is over, or
 * at once for a withdrawn booking.
 */
export function isFinal(booking: Decidable): boolean {
  if (booking.status === 'withdrawn' || standsAfterEvent(booking)) return true
  return booking.refund !== null && booking.refund.state !== 'due'
}

/** Whether an event begins within `NEAR_EVENT_MS`, or has begun. @param event.from ISO 8601, with its offset */
export function isNearEvent(event: { from: string }, now: Date): boolean {
  return Date.parse(event.from) - now.getTime() <= NEAR_EVENT_MS
}

/** The calendar days from an instant to an event, by the venue's clock. 0 on the event's day and afterwards. */
export function daysBeforeEvent(at: Date, date: LocalDate, timeZone: string): number {
  const days = (Date.parse(date) - Date.parse(wallTimeAt(at, timeZone).date)) / DAY_MS
  return Math.max(0, days)
}

/** The decisions that the vendor's list offers. Approve is hidden on an approved booking, Decline on a declined one. */
export function offeredDecisions(booking: Decidable): Decision[] {
  if (isFinal(booking)) return []
  return (['approved', 'declined'] as const).filter((decision) => canMove(booking.status, decision))
}

/** Whether the customer can still withdraw the booking: until it is decided (Decision 7). */
export function canWithdraw(booking: { status: BookingStatus }): boolean {
  return booking.status === 'pending'
}

/**
 * When an undecided booking is declined: after two days, or a day before the event if that comes first (Decision 7). A
 * booking made less than a day ahead is declined when its event begins.
 */
export function undecidedUntil(
  createdAt: Date,
  eventAt: Date,
  times: Pick<UndecidedTimes, 'declineAfterMs' | 'declineBeforeEventMs'> = UNDECIDED_TIMES,
): Date {
  const latest = Math.min(
    createdAt.getTime() + times.declineAfterMs,
    eventAt.getTime() - times.declineBeforeEventMs,
  )
  return new Date(latest > createdAt.getTime() ? latest : eventAt.getTime())
}
