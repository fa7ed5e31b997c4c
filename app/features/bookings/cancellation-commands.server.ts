import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { freeSlot } from '../availability/slot-commands.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { addRefundOfRest } from '../payments/refund-commands.server.ts'
import { lineOf, setStatus } from './decision-commands.server.ts'
import type { BookingDeps } from './deps.server.ts'
import { cancelledForVendorMail, cancelledMail } from './mails.ts'
import {
  DASHBOARD_BOOKINGS_PATH,
  mailed,
  notifyCustomer,
  publishBooking,
  sendMail,
} from './notice-commands.server.ts'
import { findVendorContacts, lockBooking } from './queries.server.ts'

/**
 * Cancels a booking for one of its sides, as an operator does it: the time is free again, all that is left of the payment is
 * refunded at once, and both sides are told why.
 * @param input.side who would have cancelled: it decides between 'declined' and 'withdrawn'
 * @returns refuses with 'not_found' and 'already_over' (declined or withdrawn before)
 */
export async function cancelForSide(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: { bookingId: string; side: 'vendor' | 'customer'; reason: string },
): Promise<{ ok: true; vendorName: string } | { ok: false; reason: 'not_found' | 'already_over' }> {
  const { bookingId, side, reason } = input
  const row = await lockBooking(tx, bookingId)
  if (!row) return refuse('not_found')
  if (row.status === 'declined' || row.status === 'withdrawn') return refuse('already_over')
  const status = side === 'vendor' ? 'declined' : 'withdrawn'
  const now = deps.now()
  const refundCents = await addRefundOfRest(deps, tx, {
    ...lineOf(row),
    reason: status,
    dueAt: now,
    note: reason,
  })
  await freeSlot(deps, tx, row.payment_row_id)
  await setStatus(tx, row, { status, decided_at: now })
  const booking = mailed(row)
  await sendMail(deps, tx, cancelledMail(booking, { side, reason, refundCents }, deps))
  const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
  if (contact) await sendMail(deps, tx, cancelledForVendorMail(booking, contact, { side, reason }, deps))
  await notifyCustomer(deps, tx, row, {
    kind: status,
    title: `Your booking of ${row.vendor_name} was cancelled`,
    body: reason,
    eventKey: `booking-cancelled:${row.id}`,
  })
  await addNotification(
    tx,
    {
      userId: row.owner_user_id,
      kind: status,
      title: `The booking of ${row.customer_name} was cancelled`,
      body: reason,
      link: DASHBOARD_BOOKINGS_PATH,
      eventKey: `booking-cancelled-for-vendor:${row.id}`,
    },
    now,
  )
  await publishBooking(deps, tx, row, [row.customer_user_id, row.owner_user_id])
  return { ok: true, vendorName: row.vendor_name }
}
