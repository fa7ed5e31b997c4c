import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { CalendarEntry } from '../availability/calendar-rules.ts'
import { freeSlot, takeSlotAgain } from '../availability/slot-commands.server.ts'
import { addRefund, cancelRefund, lockDueRefund } from '../payments/refund-commands.server.ts'
import { listCalendarEntries } from './calendar-queries.server.ts'
import type { BookingDeps } from './deps.server.ts'
import { approvedMail, declinedMail } from './mails.ts'
import { mailed, notifyCustomer, publishBooking, sendMail } from './notice-commands.server.ts'
import { agreedTime, type BookingRow, lockBooking } from './queries.server.ts'
import { type BookingStatus, canMove, type Decision, type PaymentStatus } from './rules.ts'

export type Decided =
  | {
      ok: true
      /** False when the booking already had this status, as after a second tap. */
      changed: boolean
      status: BookingStatus
      paymentStatus: PaymentStatus
      refundDueAt: Date | null
    }
  | { ok: false; reason: 'not_found' | 'withdrawn' | 'changed' | 'refund_claimed' }
  /** Declining had freed the time, and these entries have taken it since. */
  | { ok: false; reason: 'gone'; takenBy: CalendarEntry[]; timeZone: string }

/**
 * Approves or declines a booking for its vendor (Specification, section 4; Decision 7). Declining frees the time and
 * orders a refund, due after the grace time. Approving a declined booking takes the time again and cancels the refund,
 * unless that is already claimed.
 * @param input.seen the status that the vendor saw, so that of two people who decide at once, the second doesn't
 *   unknowingly undo the first. Left out when nobody looked, as when an account is deleted
 * @returns the new status. Refuses with 'not_found' (no such booking, or another owner's), 'withdrawn' (by the
 *   customer), 'changed' (the status is no longer the one seen), 'refund_claimed' (the decline is final) and 'gone'
 *   (declined before, and the time is taken by now)
 */
export async function decideBooking(
  deps: BookingDeps,
  input: { userId: string; bookingId: string; decision: Decision; seen?: BookingStatus },
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
        refundDueAt: row.refund_due_at,
      }
    }
    if (input.seen !== undefined && input.seen !== row.status) return refuse('changed')
    if (!canMove(row.status, input.decision)) throw new Error(`no move from ${row.status}`)

    const now = deps.now()
    let paymentStatus: PaymentStatus = 'paid'
    let refundDueAt: Date | null = null
    if (input.decision === 'declined') {
      refundDueAt = new Date(now.getTime() + deps.refundGraceMs)
      paymentStatus = 'refund due'
      await addRefund(deps, tx, { ...refundOfRow(row), reason: 'declined', dueAt: refundDueAt })
      await freeSlot(deps, tx, row.payment_row_id)
    } else if (row.status === 'declined') {
      const refundId = await lockDueRefund(tx, { paymentId: row.payment_row_id, line: row.line })
      if (!refundId) return refuse('refund_claimed')
      const slot = await takeSlotAgain(deps, tx, {
        businessId: row.vendor_id,
        paymentId: row.payment_row_id,
        bookingId: row.id,
        time: agreedTime(row.sold),
      })
      if (!slot.ok) {
        const asked = { businessId: row.vendor_id, range: agreedTime(row.sold).occupied, now: deps.now() }
        const takenBy = await listCalendarEntries(tx, asked)
        return { ok: false, reason: 'gone', takenBy, timeZone: row.sold.timeZone }
      }
      await cancelRefund(tx, refundId)
    }
    await setStatus(tx, row.id, { status: input.decision, payment_status: paymentStatus, decided_at: now })

    const booking = mailed(row)
    await sendMail(
      deps,
      tx,
      refundDueAt
        ? declinedMail(booking, now, refundDueAt, deps)
        : approvedMail(booking, now, row.status === 'declined', deps),
    )
    await notifyCustomer(deps, tx, row, {
      kind: input.decision,
      title:
        input.decision === 'approved'
          ? `${row.vendor_name} approved your booking`
          : `${row.vendor_name} declined your booking`,
      body: input.decision === 'approved' ? 'See you on the day.' : 'You get a full refund.',
      eventKey: `booking-${input.decision}:${row.id}:${now.getTime()}`,
    })
    await publishBooking(deps, tx, row, [row.customer_user_id])
    return { ok: true, changed: true, status: input.decision, paymentStatus, refundDueAt }
  })
}

/** The full refund of a booking: its payment, line item and price. */
export function refundOfRow(row: BookingRow): { paymentId: string; line: number; amountCents: Cents } {
  return { paymentId: row.payment_row_id, line: row.line, amountCents: Number(row.total_price_cents) }
}

/** Stores a decision about a booking whose row is locked. */
export async function setStatus(
  tx: DatabaseTransaction,
  bookingId: string,
  change: { status: BookingStatus; payment_status: PaymentStatus; decided_at: Date },
): Promise<void> {
  await tx.updateTable('bookings').set(change).where('id', '=', bookingId).execute()
}
