import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { refuse } from '../../../shared/result.ts'
import type { CalendarEntry } from '../../availability/calendar-rules.ts'
import { takeSlotAgain } from '../../availability/slot-commands.server.ts'
import { reopenInstalments } from '../../instalments/commands.server.ts'
import { lockPayment } from '../../payments/queries.server.ts'
import { lockDueRefunds } from '../../payments/refund-commands.server.ts'
import { agreedTime } from '../../sales/rules.ts'
import { removeCancellation } from '../cancellation/record-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { listCalendarEntries } from '../list/calendar-queries.server.ts'
import { approvedMail } from '../mails.ts'
import { mailed, notifyCustomer, publishBooking, sendMail } from '../notice-commands.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { refundDueAtOf } from '../row-rules.ts'
import { type BookingStatus, type Decision, needsReason, type PaymentStatus } from '../status-rules.ts'
import { forgetDecline, letDeclineStand, statedReasonOf, waitToTell } from './decline-commands.server.ts'
import { type DeclineCode, declineTellsAt, vendorStatusOf } from './decline-rules.ts'
import { canMove, hasEventEnded, standsAfterEvent } from './rules.ts'
import { lineOf, type StatedReason, setStatus } from './status-commands.server.ts'

type Refusal = {
  ok: false
  reason:
    | 'not_found'
    | 'withdrawn'
    | 'changed'
    | 'refund_claimed'
    | 'decline_told'
    | 'event_over'
    | 'reason_missing'
    | 'payouts_missing'
}

export type Decided =
  | {
      ok: true
      /** False when the booking already had this status, as after a second tap. */
      changed: boolean
      /** As the vendor sees it: a decline in its grace is 'declined'. */
      status: BookingStatus
      paymentStatus: PaymentStatus
      /** For a decline in its grace, when the customer is told and refunded. */
      refundDueAt: Date | null
    }
  | Refusal
  /** Declining had freed the time, and these entries have taken it since. */
  | { ok: false; reason: 'gone'; takenBy: CalendarEntry[]; timeZone: string }

type DecisionInput = {
  userId: string
  bookingId: string
  decision: Decision
  /**
   * The status that the vendor saw, so that of two people who decide at once, the second doesn't unknowingly undo the first.
   * Left out where the vendor saw none, as when an account is deleted.
   */
  seen?: BookingStatus
  /** The vendor's words. Needed for the decline of an approved booking, and only stored with a decline. */
  reason?: string
  /** The vendor's reason in one tap. */
  code?: DeclineCode
  /** Tells a decline without its grace, as when an account is deleted. */
  isAtOnce?: boolean
}

/**
 * Approves or declines a booking for its vendor (Specification, section 4; Decisions 7 and 79). A decline has a grace in which
 * nothing is told, the time stays held, and approving or `undoDecline` takes it back; then it stands, and is refunded. Approving a
 * declined booking of which the customer has been told takes the time again and cancels the refund, unless that is already claimed.
 * @returns the new status. Refuses with 'not_found' (no such booking, or another owner's), 'withdrawn' (by the
 *   customer), 'changed' (the status is no longer the one seen), 'event_over' (a decision stands once its event has
 *   ended), 'reason_missing', 'payouts_missing' (an account that takes money is asked for before approving),
 *   'decline_told' (its grace is over), 'refund_claimed' (the decline is final) and 'gone' (declined before, and the time is
 *   already taken)
 */
export async function decideBooking(deps: BookingDeps, input: DecisionInput): Promise<Decided> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || row.owner_user_id !== input.userId) return refuse('not_found')
    if (row.status === 'withdrawn') return refuse('withdrawn')
    const status = vendorStatusOf(row)
    if (status === input.decision && !(input.isAtOnce && row.tells_at))
      return { ok: true, changed: false, ...statusOf(row) }
    if (input.seen !== undefined && input.seen !== status) return refuse('changed')
    if (status !== input.decision && !canMove(status, input.decision))
      throw new Error(`no move from ${status}`)

    const now = deps.now()
    if (standsAfterEvent({ status: row.status, isEventOver: hasEventEnded(row.sale.event, now) }))
      return refuse('event_over')
    return input.decision === 'approved'
      ? approve(deps, tx, row, { userId: input.userId, now })
      : decline(deps, tx, row, { ...input, now })
  })
}

function statusOf(row: BookingRow) {
  return {
    status: vendorStatusOf(row),
    paymentStatus: row.payment_status,
    refundDueAt: row.tells_at ?? refundDueAtOf(row),
  }
}

/**
 * Takes back a decline for its vendor, of which the customer hasn't been told. The booking is as it was, and no mail is sent.
 * @returns `changed` is false for a second press. Refuses with 'not_found' (also for another owner's booking), 'withdrawn' (by
 *   the customer) and 'decline_told' (its grace is over)
 */
export async function undoDecline(
  deps: BookingDeps,
  input: { userId: string; bookingId: string },
): Promise<
  { ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'withdrawn' | 'decline_told' }
> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (row?.owner_user_id !== input.userId) return refuse('not_found')
    if (row.status === 'withdrawn') return refuse('withdrawn')
    if (row.status === 'declined') return refuse('decline_told')
    if (!row.tells_at) return { ok: true, changed: false }
    if (row.tells_at <= deps.now()) return refuse('decline_told')
    await forgetDecline(deps, tx, row)
    return { ok: true, changed: true }
  })
}

/** Declines a locked booking: at once, or once its grace is over. */
async function decline(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { now, code, reason: words, isAtOnce }: Omit<DecisionInput, 'decision'> & { now: Date },
): Promise<Decided> {
  const reason: StatedReason = row.tells_at
    ? statedReasonOf(row)
    : { code: code ?? null, words: words || null }
  if (needsReason(row.status, 'declined') && reason.words === null) return refuse('reason_missing')
  const tellsAt = isAtOnce
    ? now
    : declineTellsAt(
        { status: row.status, decideBy: row.decide_by, event: row.sale.event },
        now,
        deps.refundGraceMs,
      )
  const declined = { ok: true, changed: true, status: 'declined' } as const
  if (tellsAt <= now) return { ...declined, ...(await letDeclineStand(deps, tx, row, reason)) }
  await waitToTell(deps, tx, row, { tellsAt, reason })
  return { ...declined, paymentStatus: row.payment_status, refundDueAt: tellsAt }
}

/** Approves a locked booking, and tells its customer, unless they know: a decline that they weren't told of is taken back. */
async function approve(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { userId, now }: { userId: string; now: Date },
): Promise<Decided> {
  if (row.tells_at && row.tells_at <= now) return refuse('decline_told')
  if (row.tells_at && row.status === 'approved') {
    await forgetDecline(deps, tx, row)
    return { ok: true, changed: true, ...statusOf({ ...row, tells_at: null }) }
  }
  if (!(await deps.findStanding(tx, userId)).mayApprove) return refuse('payouts_missing')
  const taken = await takeDeclineBack(deps, tx, row)
  if (!taken.ok) return taken
  const paymentStatus = await setStatus(tx, row, { status: 'approved', decided_at: now })
  await sendMail(deps, tx, approvedMail(mailed(row), now, row.status === 'declined', deps))
  await notifyCustomer(deps, tx, row, {
    kind: 'approved',
    title: `${row.vendor_name} confirmed your booking`,
    body: 'See you on the day.',
    eventKey: `booking-approved:${row.id}:${now.getTime()}`,
  })
  await publishBooking(deps, tx, row, [row.customer_user_id])
  return { ok: true, changed: true, status: 'approved', paymentStatus, refundDueAt: null }
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
): Promise<{ ok: true } | Extract<Decided, { ok: false }>> {
  if (row.status !== 'declined') return { ok: true }
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
  return { ok: true }
}
