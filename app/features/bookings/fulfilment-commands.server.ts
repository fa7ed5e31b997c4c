import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { consumeHold, extendHold, freeSlot, releaseHold } from '../availability/slot-commands.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import type { Fulfilment, PaymentDeps, RefundNews } from '../payments/deps.server.ts'
import { ONLY_LINE_ITEM } from '../payments/payment-commands.server.ts'
import { findPayment } from '../payments/queries.server.ts'
import { moneyStatusOf, type UnfulfilledReason } from '../payments/rules.ts'
import type { PaymentRow } from '../payments/tables.server.ts'
import type { BookingDeps, BookingServices } from './deps.server.ts'
import {
  bookingPaidMail,
  newBookingMail,
  notBookedMail,
  refundCameBackMail,
  refundedMail,
  unfulfilledRefundCameBackMail,
} from './mails.ts'
import {
  DASHBOARD_BOOKINGS_PATH,
  mailed,
  notifyCustomer,
  publishBooking,
  sendMail,
} from './notice-commands.server.ts'
import { agreedTime, type BookingRow, findVendorContacts, lockBooking, spanText } from './queries.server.ts'
import { undecidedUntil } from './rules.ts'

/** Adds the fulfilment that turns a paid payment into a booking. */
export function createBookingDeps(services: BookingServices & Omit<PaymentDeps, 'fulfilment'>): BookingDeps {
  return { ...services, fulfilment: bookingFulfilment(services) }
}

/** The fulfilment of a booking's payment: holds, takes and releases its time, and stores the booking. */
function bookingFulfilment(deps: BookingServices): Fulfilment {
  return {
    async whenProcessing(tx, paymentId) {
      await extendHold(deps, tx, paymentId)
    },
    whenPaid: (tx, payment, reference) => storeBooking(deps, tx, payment, reference),
    whenGivenUp: (tx, paymentId) => releaseHold(deps, tx, paymentId),
    whenEnded: (tx, paymentId) => freeSlot(deps, tx, paymentId),
    whenUnfulfilled: (tx, payment, refund) => mailNotBooked(deps, tx, payment, refund),
    async lockBought(tx, { paymentId, line }) {
      if (line === null) return (news) => tellUnfulfilledRefund(deps, tx, paymentId, news)
      const found = await tx
        .selectFrom('bookings')
        .select('id')
        .where('payment_row_id', '=', paymentId)
        .where('line', '=', line)
        .executeTakeFirst()
      const row = found ? await lockBooking(tx, found.id) : null
      if (!row) return async () => {}
      return (news) => moveRefund(deps, tx, row, news)
    },
    async findBought(tx, paymentId) {
      const booking = await tx
        .selectFrom('bookings')
        .select('id')
        .where('payment_row_id', '=', paymentId)
        .orderBy('line')
        .executeTakeFirst()
      return booking?.id ?? null
    },
  }
}

/** Stores the booking of a paid payment, and turns its hold into the booking's slot. */
async function storeBooking(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  reference: string,
): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }> {
  const { draft, sold } = payment
  const now = deps.now()
  const time = agreedTime(sold)
  const bookingId = newId()
  const { businessId } = sold
  const slot = await consumeHold(deps, tx, { businessId, paymentId: payment.id, bookingId, time })
  if (!slot.ok) return refuse('time_gone')
  const decidedBy = undecidedUntil(now, time.event.from, deps.undecided)
  const added = await tx
    .insertInto('bookings')
    .values({
      id: bookingId,
      payment_row_id: payment.id,
      line: ONLY_LINE_ITEM,
      vendor_id: sold.businessId,
      vendor_name: sold.businessName,
      customer_name: draft.fullName,
      email: draft.email,
      phone: draft.phone,
      date: draft.date,
      time: draft.time,
      quantity: draft.quantity,
      booking_type: draft.bookingType,
      total_price_cents: Number(payment.amount_cents),
      payment_id: reference,
      decided_at: null,
      reminded_at: null,
      remind_at: new Date(now.getTime() + deps.undecided.remindAfterMs),
      decide_by: decidedBy,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['payment_row_id', 'line']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new Error('a payment was about to be booked twice')
  deps.faultPoint('booking-inserted')
  const row = await lockBooking(tx, added.id)
  if (!row) throw new Error('a booking vanished inside its own transaction')
  const booking = mailed(row)
  const contact = (await findVendorContacts(tx, [payment.owner_user_id])).get(payment.owner_user_id) ?? null
  await addNotification(
    tx,
    {
      userId: payment.owner_user_id,
      kind: 'booking',
      title: `New booking for ${sold.businessName}`,
      body: `${draft.fullName} has booked and paid.`,
      link: DASHBOARD_BOOKINGS_PATH,
      eventKey: `booking-new:${added.id}`,
    },
    now,
  )
  await sendMail(deps, tx, bookingPaidMail(booking, contact, decidedBy, deps))
  if (contact) {
    const mail = newBookingMail(booking, contact, decidedBy, deps)
    await sendMail(deps, tx, mail, { preference: 'newBookings', preferenceOf: payment.owner_user_id })
  }
  deps.faultPoint('mails-queued')
  await publishBooking(deps, tx, row, [payment.owner_user_id])
  // Last, because the seller's series stays locked from here to the commit.
  await deps.numberReceipt(tx, { bookingId: added.id, sellerUserId: payment.owner_user_id, issuedAt: now })
  deps.faultPoint('receipt-numbered')
  return { ok: true }
}

/** Tells the customer that their payment bought no booking and is refunded. */
async function mailNotBooked(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  { amountCents, reason }: { amountCents: Cents; reason: UnfulfilledReason },
): Promise<void> {
  const mail = notBookedMail(
    {
      id: payment.id,
      vendorName: payment.sold.businessName,
      customerName: payment.draft.fullName,
      customerEmail: payment.draft.email,
      amountCents,
      span: spanText(payment.sold),
      why: reason,
    },
    deps,
  )
  await sendMail(deps, tx, mail)
}

/** Stores what a booking's refunds make of its money, and tells the customer when one has arrived or come back. */
async function moveRefund(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  { refundId, state, amountCents, sums }: RefundNews,
): Promise<void> {
  const paymentStatus = moneyStatusOf(Number(row.total_price_cents), sums)
  await tx.updateTable('bookings').set({ payment_status: paymentStatus }).where('id', '=', row.id).execute()
  const amount = formatMoney(amountCents)
  if (state === 'done') {
    await sendMail(deps, tx, refundedMail(mailed(row), { refundId, amountCents }, deps))
    await notifyCustomer(deps, tx, row, {
      kind: 'refunded',
      title: `Refunded: ${amount} from ${row.vendor_name}`,
      body: 'Most banks show it within five to ten business days.',
      eventKey: `booking-refunded:${refundId}`,
    })
  }
  if (state === 'failed') {
    await sendMail(deps, tx, refundCameBackMail(mailed(row), { refundId, amountCents }, deps))
    await notifyCustomer(deps, tx, row, {
      kind: 'refund-failed',
      title: `Your refund of ${amount} came back`,
      body: 'Your bank did not take it. We pay it back another way and will contact you.',
      eventKey: `booking-refund-failed:${refundId}`,
    })
  }
  await publishBooking(deps, tx, row, state === 'done' || state === 'failed' ? [row.customer_user_id] : [])
}

/** Tells the customer of a payment that bought nothing that its refund has come back. */
async function tellUnfulfilledRefund(
  deps: BookingServices,
  tx: DatabaseTransaction,
  paymentId: string,
  { state, refundId, amountCents }: RefundNews,
): Promise<void> {
  if (state !== 'failed') return
  const payment = await findPayment(tx, paymentId)
  if (!payment) return
  const mail = unfulfilledRefundCameBackMail(
    {
      vendorName: payment.sold.businessName,
      customerName: payment.draft.fullName,
      customerEmail: payment.draft.email,
      refundId,
      amountCents,
    },
    deps,
  )
  await sendMail(deps, tx, mail)
}
