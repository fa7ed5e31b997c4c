import { refuse } from '../../../shared/result.ts'
import { sameText } from '../../../shared/signed.ts'
import { freeSlot } from '../../availability/slot-commands.server.ts'
import { endInstalments } from '../../instalments/commands.server.ts'
import { addNotification } from '../../notifications/commands.server.ts'
import { addRefundOfPurchase } from '../../payments/refund-commands.server.ts'
import { endOpenChange } from '../changes/end-commands.server.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import { canWithdraw } from '../decisions/rules.ts'
import { lineOf, setStatus } from '../decisions/status-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { customerWithdrewMail, withdrawnMail } from '../mails.ts'
import { DASHBOARD_BOOKINGS_PATH, mailed, publishBooking, sendMail } from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { bookingLinkToken } from '../rules.ts'

/**
 * Withdraws an undecided booking for its customer, with a full refund (Decision 7).
 * @param input.by the booking's unguessable link, or the signed-in account (with its email only if verified)
 * @returns refuses with 'not_found' (also for another customer's booking) and 'already_decided'
 */
export async function withdrawBooking(
  deps: BookingDeps,
  input: {
    bookingId: string
    by: CustomerProof
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'already_decided' }> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || !(await isCustomer(deps, row, input.by))) return refuse('not_found')
    // A second press of the button.
    if (row.status === 'withdrawn') return { ok: true }
    if (!canWithdraw(row)) return refuse('already_decided')
    const now = deps.now()
    const refundCents = await addRefundOfPurchase(deps, tx, {
      ...lineOf(row),
      amountCents: null,
      reason: 'withdrawn',
      dueAt: now,
    })
    await endInstalments(tx, row.payment_row_id)
    await endOpenChange(deps, tx, row)
    await freeSlot(deps, tx, row.payment_row_id)
    await setStatus(tx, row, { status: 'withdrawn', decided_at: now })
    const booking = mailed(row)
    const refund = await findRefundParts(tx, row, { refundCents, reason: 'withdrawn', dueAt: now })
    await sendMail(deps, tx, withdrawnMail(booking, refund, deps))
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (contact) await sendMail(deps, tx, customerWithdrewMail(booking, contact, deps))
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'withdrawn',
        title: `${row.customer_name} withdrew their booking`,
        body: `For ${row.vendor_name}. There’s nothing you need to do.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-withdrawn:${row.id}`,
      },
      now,
    )
    await publishBooking(deps, tx, row, [row.owner_user_id])
    return { ok: true }
  })
}

/** The proof that a request is the customer's: the booking's unguessable link, or the signed-in account. */
export type CustomerProof = { linkToken: string } | { userId: string; verifiedEmail: string | null }

/** Whether a booking is this customer's. */
export async function isCustomer(deps: BookingDeps, row: BookingRow, by: CustomerProof): Promise<boolean> {
  if ('linkToken' in by)
    return sameText(by.linkToken, await bookingLinkToken(deps.secret, row.payment_row_id))
  if (row.customer_user_id === by.userId) return true
  return by.verifiedEmail !== null && by.verifiedEmail.toLowerCase() === row.email.toLowerCase()
}
