import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { eachOf } from '../../../shared/each-of.ts'
import { freeSlot } from '../../availability/slot-commands.server.ts'
import { endInstalments, postponeInstalments } from '../../instalments/commands.server.ts'
import { lockPayment } from '../../payments/queries.server.ts'
import { addRefundOfPurchase } from '../../payments/refund-commands.server.ts'
import { spanText } from '../../sales/rules.ts'
import { fullRefundText, type RefundParts } from '../bank-messages.ts'
import { findQuote } from '../cancellation/queries.server.ts'
import { addCancellation } from '../cancellation/record-commands.server.ts'
import { endOpenChange } from '../changes/end-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { declinedMail } from '../mails.ts'
import { mailed, notifyCustomer, publishBooking, sendMail } from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import type { PaymentStatus } from '../status-rules.ts'
import { declineReasonText } from './messages.ts'
import { daysBeforeEvent, isNearEvent } from './rules.ts'
import { lineOf, type StatedReason, setStatus } from './status-commands.server.ts'

const DECLINES_PER_RUN = 100

/**
 * Stores a vendor's decline of a locked booking, whose customer is told later. Until then the booking keeps its status, its
 * time and its money. A due balance is charged later.
 * @param tellsAt as `declineTellsAt` says, and after now
 */
export async function waitToTell(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { tellsAt, reason }: { tellsAt: Date; reason: StatedReason },
): Promise<void> {
  await lockPayment(tx, row.payment_row_id)
  await postponeInstalments(tx, row.payment_row_id, tellsAt)
  await tx
    .updateTable('bookings')
    .set({ tells_at: tellsAt, told_at: null, decline_code: reason.code, decline_words: reason.words })
    .where('id', '=', row.id)
    .execute()
  await publishToVendor(deps, tx, row)
}

/** Takes back a decline of a locked booking that its customer hasn't been told of. */
export async function forgetDecline(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
): Promise<void> {
  await tx
    .updateTable('bookings')
    .set({ tells_at: null, decline_code: null, decline_words: null })
    .where('id', '=', row.id)
    .execute()
  await publishToVendor(deps, tx, row)
}

/** Tells the vendor's open pages alone: a customer's page that reloads would give away that something has happened. */
const publishToVendor = (deps: BookingDeps, tx: DatabaseTransaction, row: BookingRow) =>
  deps.liveUpdates.publish(tx, `bookings:${row.vendor_id}`)

/** The reason of a decline that waits to be told. */
export function statedReasonOf(row: Pick<BookingRow, 'decline_code' | 'decline_words'>): StatedReason {
  return { code: row.decline_code, words: row.decline_words }
}

/**
 * Makes a vendor's decline of a locked booking stand, and tells the customer: orders the refund, due at once, ends its
 * instalments and its open change, and frees its time. Shortly before the event of an approved booking, the operators are told too.
 * @returns when the refund is due; null where an operator had refunded everything before
 */
export async function letDeclineStand(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  reason: StatedReason,
): Promise<{ paymentStatus: PaymentStatus; refundDueAt: Date | null }> {
  const now = deps.now()
  const wasApproved = row.status === 'approved'
  // The note with the refund tells a decline of an approved booking from others (`listNearDeclines`).
  const note = wasApproved && reason.words ? { note: reason.words } : {}
  const order = { ...lineOf(row), amountCents: null, reason: 'declined', dueAt: now, ...note } as const
  const rest = wasApproved ? await findQuote(tx, row, 'vendor', now) : null
  const refundCents = await addRefundOfPurchase(deps, tx, order)
  const refund = await findRefundParts(tx, row, { refundCents, reason: 'declined', dueAt: now })
  await endInstalments(tx, row.payment_row_id)
  await endOpenChange(deps, tx, row)
  await freeSlot(deps, tx, row.payment_row_id)
  if (wasApproved) {
    const uncollectedCents = rest?.uncollectedCents ?? 0
    const quote = { shareBasisPoints: 10_000, refundCents, keptCents: 0, uncollectedCents }
    await addCancellation(tx, row.id, { by: 'vendor', quote, shownAt: null, reason: reason.words }, now)
  }
  const paymentStatus = await setStatus(tx, row, { status: 'declined', decided_at: now, declined: reason })
  await tellCustomer(deps, tx, row, { now, reason, refund })
  if (wasApproved) await reportNearDecline(deps, tx, row, { now, reason, refund })
  await publishBooking(deps, tx, row, [row.customer_user_id])
  return { paymentStatus, refundDueAt: refundCents > 0 ? now : null }
}

type Told = { now: Date; reason: StatedReason; refund: RefundParts }

/** Tells the customer of a decline by mail, with businesses that are free at that time, and by a notification. */
async function tellCustomer(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { now, reason: { code, words }, refund }: Told,
): Promise<void> {
  const alternatives = await deps.findAlternatives(tx, {
    businessId: row.vendor_id,
    date: row.date,
    time: row.time,
    bookingType: row.booking_type,
    quantity: row.quantity,
  })
  const reason = declineReasonText(code, words)
  const wasApproved = row.status === 'approved'
  await sendMail(
    deps,
    tx,
    declinedMail(mailed(row), { decidedAt: now, wasApproved, reason, refund, alternatives }, deps),
  )
  await notifyCustomer(deps, tx, row, {
    kind: 'declined',
    title: `${row.vendor_name} declined your booking`,
    body: reason ?? fullRefundText(refund),
    eventKey: `booking-declined:${row.id}:${now.getTime()}`,
  })
}

/** Reports the decline of an approved booking to the operators if its event is near. */
async function reportNearDecline(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  { now, reason: { code, words }, refund }: Told,
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
    reason: declineReasonText(code, words) ?? '',
  })
}

/**
 * Lets the declines stand whose grace is over, the longest waiting first, and tells their customers. Each is a transaction of its
 * own that first looks again, so several processes may run it, and a run that was cut off is caught up by the next.
 */
export async function tellDeclines(deps: BookingDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('bookings')
    .select('id')
    .where('tells_at', '<=', deps.now())
    .orderBy('tells_at')
    .orderBy('id')
    .limit(DECLINES_PER_RUN)
    .execute()
  await eachOf(rows, ({ id }) =>
    deps.db.transaction().execute(async (tx) => {
      const row = await lockBooking(tx, id)
      // Undone, withdrawn or told by another process since it was selected.
      if (!row?.tells_at || row.tells_at > deps.now()) return
      await letDeclineStand(deps, tx, row, statedReasonOf(row))
    }),
  )
}
