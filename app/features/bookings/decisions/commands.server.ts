import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { refuse } from '../../../shared/result.ts'
import type { CalendarEntry } from '../../availability/calendar-rules.ts'
import { freeSlot, takeSlotAgain } from '../../availability/slot-commands.server.ts'
import { endInstalments, reopenInstalments } from '../../instalments/commands.server.ts'
import { findMoneyStatus, lockPayment } from '../../payments/queries.server.ts'
import { addRefundOfPurchase, lockDueRefunds } from '../../payments/refund-commands.server.ts'
import { agreedTime, spanText } from '../../sales/rules.ts'
import { fullRefundText, type RefundParts } from '../bank-messages.ts'
import { findQuote } from '../cancellation/queries.server.ts'
import { addCancellation, removeCancellation } from '../cancellation/record-commands.server.ts'
import { endOpenChange } from '../changes/end-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { listCalendarEntries } from '../list/calendar-queries.server.ts'
import { approvedMail, declinedMail } from '../mails.ts'
import { mailed, notifyCustomer, publishBooking, sendMail } from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { refundDueAtOf } from '../row-rules.ts'
import { type BookingStatus, type Decision, needsReason, type PaymentStatus } from '../status-rules.ts'
import { canMove, daysBeforeEvent, hasEventEnded, isNearEvent, standsAfterEvent } from './rules.ts'

export type Decided =
  | {
      ok: true
      /** False when the booking already had this status, as after a second tap. */
      changed: boolean
      status: BookingStatus
      paymentStatus: PaymentStatus
      refundDueAt: Date | null
    }
  | {
      ok: false
      reason:
        | 'not_found'
        | 'withdrawn'
        | 'changed'
        | 'refund_claimed'
        | 'event_over'
        | 'reason_missing'
        | 'payouts_missing'
    }
  /** Declining had freed the time, and these entries have taken it since. */
  | { ok: false; reason: 'gone'; takenBy: CalendarEntry[]; timeZone: string }

/**
 * Approves or declines a booking for its vendor (Specification, section 4; Decision 7). Declining frees the time and
 * orders a refund, due after the grace time. Approving a declined booking takes the time again and cancels the refund,
 * unless that is already claimed. Declining an approved booking needs a reason, which the customer is told. Shortly before
 * the event, so are the operators.
 * @param input.seen the status that the vendor saw, so that of two people who decide at once, the second doesn't
 *   unknowingly undo the first. Left out when nobody looked, as when an account is deleted
 * @param input.reason needed for, and only stored with, the decline of an approved booking
 * @returns the new status. Refuses with 'not_found' (no such booking, or another owner's), 'withdrawn' (by the
 *   customer), 'changed' (the status is no longer the one seen), 'event_over' (a decision stands once its event has
 *   ended), 'reason_missing', 'payouts_missing' (an account that takes money is asked for before approving),
 *   'refund_claimed' (the decline is final) and 'gone' (declined before, and the time is already taken)
 */
export async function decideBooking(
  deps: BookingDeps,
  input: { userId: string; bookingId: string; decision: Decision; seen?: BookingStatus; reason?: string },
): Promise<Decided> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || row.owner_user_id !== input.userId) return refuse('not_found')
    if (row.status === 'withdrawn') return refuse('withdrawn')
    if (row.status === input.decision) {
      return {
        ok: true,
        changed: false,
        status: row.status,
        paymentStatus: row.payment_status,
        refundDueAt: refundDueAtOf(row),
      }
    }
    if (input.seen !== undefined && input.seen !== row.status) return refuse('changed')
    if (!canMove(row.status, input.decision)) throw new Error(`no move from ${row.status}`)

    const now = deps.now()
    if (standsAfterEvent({ status: row.status, isEventOver: hasEventEnded(row.sale.event, now) }))
      return refuse('event_over')
    if (input.decision === 'approved' && !(await deps.findStanding(tx, input.userId)).mayApprove)
      return refuse('payouts_missing')
    const reason = needsReason(row.status, input.decision) ? (input.reason ?? '') : null
    if (reason === '') return refuse('reason_missing')
    const outcome =
      input.decision === 'declined'
        ? await decline(deps, tx, row, { now, reason })
        : await takeDeclineBack(deps, tx, row)
    if (!outcome.ok) return outcome
    const { refund, refundDueAt } = outcome
    const paymentStatus = await setStatus(tx, row, { status: input.decision, decided_at: now })

    await mailDecision(deps, tx, row, { decision: input.decision, now, reason, refund, refundDueAt })
    if (reason !== null) await reportNearDecline(deps, tx, row, { now, reason, refund })
    await notifyOfDecision(deps, tx, row, { decision: input.decision, now, reason, refund })
    await publishBooking(deps, tx, row, [row.customer_user_id])
    return { ok: true, changed: true, status: input.decision, paymentStatus, refundDueAt }
  })
}

/** The refund that a decision orders, and when it is due; null where nothing is refunded. */
type DecisionRefund = { refund: RefundParts; refundDueAt: Date | null }

const NO_REFUND: DecisionRefund = {
  refund: { refundCents: 0, waitingCents: 0, returnedCents: 0 },
  refundDueAt: null,
}

/**
 * Declines a locked booking: orders its refund, ends its instalments and its open change, and frees its time.
 * @param decline.reason kept with its cancellation; null if the booking wasn't approved before
 */
async function decline(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { now, reason }: { now: Date; reason: string | null },
): Promise<{ ok: true } & DecisionRefund> {
  const dueAt = new Date(now.getTime() + deps.refundGraceMs)
  const note = reason === null ? {} : { note: reason }
  const order = { ...lineOf(row), amountCents: null, reason: 'declined', dueAt, ...note } as const
  const rest = reason === null ? null : await findQuote(tx, row, 'vendor', now)
  const refundCents = await addRefundOfPurchase(deps, tx, order)
  const refund = await findRefundParts(tx, row, { refundCents, reason: 'declined', dueAt })
  await endInstalments(tx, row.payment_row_id)
  await endOpenChange(deps, tx, row)
  await freeSlot(deps, tx, row.payment_row_id)
  if (reason !== null) {
    const uncollectedCents = rest?.uncollectedCents ?? 0
    const quote = { shareBasisPoints: 10_000, refundCents, keptCents: 0, uncollectedCents }
    await addCancellation(tx, row.id, { by: 'vendor', quote, shownAt: null, reason }, now)
  }
  // An operator may have refunded everything before.
  return { ok: true, refund, refundDueAt: refundCents > 0 ? dueAt : null }
}

/**
 * Undoes the decline of a locked booking that is approved after all: takes its time again, cancels its refund and reopens
 * its instalments. Does nothing for a booking that wasn't declined.
 * @returns refuses with 'refund_claimed' and 'gone'
 */
async function takeDeclineBack(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
): Promise<({ ok: true } & DecisionRefund) | Extract<Decided, { ok: false }>> {
  if (row.status !== 'declined') return { ok: true, ...NO_REFUND }
  await lockPayment(tx, row.payment_row_id)
  const takeBack = await lockDueRefunds(tx, { ...lineOf(row), reason: 'declined' })
  if (!takeBack) return refuse('refund_claimed')
  const slot = await takeSlotAgain(deps, tx, {
    businessId: row.vendor_id,
    paymentId: row.payment_row_id,
    bookingId: row.id,
    time: agreedTime(row.sale),
  })
  if (!slot.ok) {
    const asked = { businessId: row.vendor_id, range: agreedTime(row.sale).occupied, now: deps.now() }
    const takenBy = await listCalendarEntries(tx, asked)
    return { ok: false, reason: 'gone', takenBy, timeZone: row.sale.timeZone }
  }
  await takeBack()
  await reopenInstalments(tx, row.payment_row_id)
  await removeCancellation(tx, row.id)
  return { ok: true, ...NO_REFUND }
}

/**
 * Mails a decision to the customer.
 * @param decided.reason the reason for declining an approved booking, to which the mail adds alternatives; null for
 *   any other decision
 */
async function mailDecision(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  decided: { decision: Decision; now: Date; reason: string | null } & DecisionRefund,
): Promise<void> {
  const { decision, now, reason, refund, refundDueAt } = decided
  const booking = mailed(row)
  const alternatives =
    reason === null
      ? []
      : await deps.findAlternatives(tx, {
          businessId: row.vendor_id,
          date: row.date,
          time: row.time,
          bookingType: row.booking_type,
          quantity: row.quantity,
        })
  await sendMail(
    deps,
    tx,
    decision === 'declined'
      ? declinedMail(booking, { decidedAt: now, reason, refund, refundDueAt, alternatives }, deps)
      : approvedMail(booking, now, row.status === 'declined', deps),
  )
}

/** Notifies the customer of a decision, if they have an account. */
async function notifyOfDecision(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  {
    decision,
    now,
    reason,
    refund,
  }: { decision: Decision; now: Date; reason: string | null; refund: RefundParts },
): Promise<void> {
  const isApproved = decision === 'approved'
  await notifyCustomer(deps, tx, row, {
    kind: decision,
    title: isApproved
      ? `${row.vendor_name} confirmed your booking`
      : `${row.vendor_name} declined your booking`,
    body: isApproved ? 'See you on the day.' : (reason ?? fullRefundText(refund)),
    eventKey: `booking-${decision}:${row.id}:${now.getTime()}`,
  })
}

/** Reports the decline of an approved booking to the operators if its event is near. */
async function reportNearDecline(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { now, reason, refund }: { now: Date; reason: string; refund: RefundParts },
): Promise<void> {
  if (!isNearEvent(row.sale.event, now)) return
  await deps.tellOperators(tx, {
    kind: 'near_decline',
    paymentId: row.payment_row_id,
    amountCents: refund.refundCents,
    waits: refund.waitingCents > 0,
    dueAt: null,
    key: `near-decline:${row.id}-${now.getTime()}`,
    vendorName: row.vendor_name,
    span: spanText(row.sale),
    daysBefore: daysBeforeEvent(now, row.date, row.sale.timeZone),
    reason,
  })
}

/** A booking's payment, and its line item there. */
export function lineOf(row: { payment_row_id: string; line: number }): { paymentId: string; line: number } {
  return { paymentId: row.payment_row_id, line: row.line }
}

/**
 * Stores a decision about a booking whose row is locked, once its refund is ordered or cancelled.
 * @returns the status of its money, which follows from all its refunds: operators may have made some before
 */
export async function setStatus(
  tx: DatabaseTransaction,
  row: BookingRow,
  change: { status: BookingStatus; decided_at: Date },
): Promise<PaymentStatus> {
  const paymentStatus = await findMoneyStatus(tx, row.payment_row_id)
  await tx
    .updateTable('bookings')
    .set({ ...change, payment_status: paymentStatus })
    .where('id', '=', row.id)
    .execute()
  return paymentStatus
}
