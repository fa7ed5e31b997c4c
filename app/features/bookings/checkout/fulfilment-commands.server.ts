import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { newId } from '../../../shared/ids.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { consumeHold, extendHold, freeSlot, releaseHold } from '../../availability/slot-commands.server.ts'
import { findCardOfPayment } from '../../instalments/card-commands.server.ts'
import { settleInstalment } from '../../instalments/commands.server.ts'
import type { InstalmentDeps } from '../../instalments/deps.server.ts'
import { addNotification } from '../../notifications/commands.server.ts'
import { queuePush } from '../../notifications/push-commands.server.ts'
import type { Fulfilment, PaymentDeps, RefundNews } from '../../payments/deps.server.ts'
import { ONLY_LINE_ITEM } from '../../payments/payment-commands.server.ts'
import { findMoneyStatus, findPayment, isFurther, type PaymentRow } from '../../payments/queries.server.ts'
import type { UnfulfilledReason } from '../../payments/rules.ts'
import { addInstalments } from '../../sales/commands.server.ts'
import { listInstalments } from '../../sales/plan-queries.server.ts'
import { isClosed } from '../../sales/plan-rules.ts'
import { agreedTime, spanText } from '../../sales/rules.ts'
import { findPolicyRefund } from '../cancellation/queries.server.ts'
import { paysForChange, settleChange } from '../changes/payment-commands.server.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import { undecidedTimesOf, undecidedUntil } from '../decisions/rules.ts'
import type { BookingDeps, BookingServices } from '../deps.server.ts'
import { bookingPaidMail, newBookingMail } from '../mails.ts'
import {
  DASHBOARD_BOOKINGS_PATH,
  mailed,
  notifyCustomer,
  publishBooking,
  sendMail,
} from '../notice-commands.server.ts'
import {
  latePaymentMail,
  notBookedMail,
  refundAccountNamedMail,
  refundCameBackMail,
  refundedMail,
  unfulfilledRefundCameBackMail,
} from '../refund-mails.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'

/** Adds the fulfilment that turns a paid payment into a booking. */
export function createBookingDeps(services: BookingServices & Omit<PaymentDeps, 'fulfilment'>): BookingDeps {
  return { ...services, fulfilment: bookingFulfilment(services) }
}

/** The services of instalments, which tell the booking's pages and vendor. */
export function instalmentDepsOf(deps: BookingDeps): InstalmentDeps {
  return {
    ...deps,
    findVendor: async (db, userId) => {
      const contact = (await findVendorContacts(db, [userId])).get(userId)
      return contact ? { name: contact.person, email: contact.email } : null
    },
    publish: (tx, firstPaymentId) => publishBookingOf(deps, tx, firstPaymentId),
    // A decline that waits to be told (decision 79). Its job and that of charges may run in the same minute.
    isEnding: async (tx, firstPaymentId) => (await findBookingOf(tx, firstPaymentId))?.tells_at != null,
    refundAt: async (tx, firstPaymentId, at) => {
      const booking = await findBookingOf(tx, firstPaymentId)
      return booking ? findPolicyRefund(tx, booking.id, at) : null
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}

async function publishBookingOf(
  deps: BookingServices,
  tx: DatabaseTransaction,
  firstPaymentId: string,
): Promise<void> {
  const booking = await findBookingOf(tx, firstPaymentId)
  if (booking) await publishBooking(deps, tx, booking, [])
}

function findBookingOf(tx: DatabaseTransaction, firstPaymentId: string) {
  return tx
    .selectFrom('bookings')
    .select(['id', 'vendor_id', 'status', 'tells_at'])
    .where('payment_row_id', '=', firstPaymentId)
    .orderBy('line')
    .executeTakeFirst()
}

/** The fulfilment of a booking's payment: holds, takes and releases its time, and stores the booking. */
function bookingFulfilment(deps: BookingServices & Pick<PaymentDeps, 'db'>): Fulfilment {
  return {
    async whenProcessing(tx, paymentId) {
      await extendHold(deps, tx, paymentId)
    },
    whenPaid: (tx, payment, reference) =>
      isFurther(payment) ? settleFollowing(deps, tx, payment) : storeBooking(deps, tx, payment, reference),
    findCard: (payment) => findCardOfPayment(deps.db, payment),
    async whenGivenUp(tx, paymentId) {
      const quoted = await deps.lockQuotedSale(tx, paymentId)
      if (!quoted?.isHeld) await releaseHold(deps, tx, paymentId)
    },
    async whenEnded(tx, paymentId) {
      const quoted = await deps.lockQuotedSale(tx, paymentId)
      await freeSlot(deps, tx, paymentId)
      await quoted?.whenEnded()
    },
    whenUnfulfilled: (tx, payment, refund) => mailNotBooked(deps, tx, payment, refund),
    async whenAccountNamed(tx, firstPaymentId, account) {
      const payment = await findPayment(tx, firstPaymentId)
      if (!payment?.sale.customer.email) return
      const facts = {
        firstPaymentId,
        vendorName: payment.sale.businessName,
        ...customerOf(payment),
        ...account,
      }
      await sendMail(deps, tx, refundAccountNamedMail(facts, deps))
    },
    async lockPurchase(tx, { paymentId, line }) {
      if (line === null) return (news) => tellUnfulfilledRefund(deps, tx, paymentId, news)
      const found = await tx
        .selectFrom('bookings')
        .select('id')
        .where('payment_row_id', '=', firstOf(paymentId))
        .where('line', '=', line)
        .executeTakeFirst()
      const row = found ? await lockBooking(tx, found.id) : null
      if (!row) return async () => {}
      return (news) => moveRefund(deps, tx, row, news)
    },
    findPurchase,
  }
}

async function findPurchase(tx: DatabaseTransaction, paymentId: string): Promise<string | null> {
  const booking = await tx
    .selectFrom('bookings')
    .select('id')
    .where('payment_row_id', '=', firstOf(paymentId))
    .orderBy('line')
    .executeTakeFirst()
  return booking?.id ?? null
}

/** The first payment of a payment's purchase, in a query. */
const firstOf = (paymentId: string) => sql<string>`(select sale_id from payments where id = ${paymentId})`

/** Stores that a further payment has paid its instalment, or lets the change take effect that it pays for, and tells open pages. */
async function settleFollowing(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
): Promise<{ ok: true; purchaseId: string } | { ok: false; reason: UnfulfilledReason }> {
  const firstPaymentId = payment.sale_id
  const booking = await findBookingOf(tx, firstPaymentId)
  if (!booking) throw new Error('a further payment belongs to no booking')
  const settled = paysForChange(payment)
    ? await settleChange(deps, tx, payment, booking.id)
    : await settleInstalment(deps, tx, payment)
  await publishBooking(deps, tx, booking, [])
  // A booking whose deposit was refunded before is not refunded whole any more.
  if (settled.ok) await storeMoneyStatus(tx, { id: booking.id, payment_row_id: firstPaymentId })
  return settled.ok ? { ok: true, purchaseId: booking.id } : settled
}

/** Stores the booking of a paid payment, and turns its hold into the booking's slot. */
async function storeBooking(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  reference: string,
): Promise<{ ok: true; purchaseId: string } | { ok: false; reason: UnfulfilledReason }> {
  const { sale } = payment
  const { customer, ownerUserId } = sale
  const now = deps.now()
  const time = agreedTime(sale)
  const bookingId = newId()
  const { businessId } = sale
  const quoted = await deps.lockQuotedSale(tx, payment.id)
  // Also where the conversation was deleted with its customer's account while they paid. A vendor whose account has ended
  // meanwhile can't host: nobody answers, so the booking is declined and refunded like any unanswered one.
  const isAgreed = sale.quote !== null && (await isOpenAccount(tx, ownerUserId))
  const slot = await consumeHold(deps, tx, { businessId, paymentId: payment.id, bookingId, time })
  if (!slot.ok) return refuse('time_gone')
  const decidedBy = undecidedUntil(now, time.event.from, undecidedTimesOf(sale, deps.undecided))
  const row = {
    id: bookingId,
    payment_row_id: payment.id,
    line: ONLY_LINE_ITEM,
    vendor_id: businessId,
    vendor_name: sale.businessName,
    customer_name: customer.fullName,
    email: customer.email,
    phone: customer.phone,
    date: sale.date,
    time: sale.time,
    quantity: sale.quantity,
    booking_type: sale.bookingType,
    total_price_cents: sale.priceCents,
    payment_id: reference,
    // The vendor has agreed by quoting (decision record 31).
    status: isAgreed ? ('approved' as const) : ('pending' as const),
    decided_at: isAgreed ? now : null,
    reminded_at: null,
    remind_at: new Date(now.getTime() + deps.undecided.remindAfterMs),
    decide_by: decidedBy,
    created_at: now,
  }
  // A constraint of the database refuses a payment's second booking.
  await tx.insertInto('bookings').values(row).execute()
  await quoted?.whenBooked(bookingId)
  const instalments = await addInstalments(tx, sale, now)
  deps.faultPoint('booking-inserted')
  const booking = mailed({ ...row, sale, paid_at: now, instalments })
  const answerBy = isAgreed ? null : decidedBy
  const contact = (await findVendorContacts(tx, [ownerUserId])).get(ownerUserId) ?? null
  await addNotification(
    tx,
    {
      userId: ownerUserId,
      kind: 'booking',
      title: `New booking for ${sale.businessName}`,
      body: isAgreed
        ? `${customer.fullName} has accepted your quote and paid.`
        : `${customer.fullName} has booked and paid.`,
      link: DASHBOARD_BOOKINGS_PATH,
      eventKey: `booking-new:${bookingId}`,
    },
    now,
  )
  await queuePush(deps, tx, {
    userId: ownerUserId,
    kind: 'booking',
    link: DASHBOARD_BOOKINGS_PATH,
  })
  await sendMail(deps, tx, bookingPaidMail(booking, contact, answerBy, deps))
  if (contact) {
    const mail = newBookingMail(booking, contact, answerBy, deps)
    await sendMail(deps, tx, mail, { preference: 'newBookings', preferenceOf: ownerUserId })
  }
  deps.faultPoint('mails-queued')
  await publishBooking(deps, tx, row, [ownerUserId])
  // Last, because the seller's series stays locked from here to the commit.
  await deps.numberReceipt(tx, { bookingId, sellerUserId: ownerUserId, issuedAt: now })
  deps.faultPoint('receipt-numbered')
  return { ok: true, purchaseId: bookingId }
}

/** Whether an account exists and no operator has disabled it. */
async function isOpenAccount(tx: DatabaseTransaction, userId: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}

const customerOf = ({ sale: { customer } }: PaymentRow) => ({
  customerName: customer.fullName,
  customerEmail: customer.email,
})

/** Tells the customer of an unfulfilled payment that it is refunded. */
async function mailNotBooked(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  { amountCents, reason }: { amountCents: Cents; reason: UnfulfilledReason },
): Promise<void> {
  const facts = {
    id: payment.id,
    vendorName: payment.sale.businessName,
    ...customerOf(payment),
    amountCents,
  }
  const { sale } = payment
  const paidFor = paysForChange(payment) ? ('change' as const) : ('balance' as const)
  const mail = isFurther(payment)
    ? latePaymentMail({ ...facts, paidFor, ...(await findRestOf(tx, sale.id, sale.timeZone)) }, deps)
    : notBookedMail({ ...facts, span: spanText(sale), why: reason }, deps)
  await sendMail(deps, tx, mail)
}

/** Finds whether the booking of a purchase is over, and what is due of it next: a change may have replaced its balance. */
async function findRestOf(tx: DatabaseTransaction, firstPaymentId: string, timeZone: string) {
  const booking = await findBookingOf(tx, firstPaymentId)
  const isCalledOff = booking?.status !== 'pending' && booking?.status !== 'approved'
  const next = isCalledOff ? null : (await listInstalments(tx, firstPaymentId)).find((row) => !isClosed(row))
  return {
    isCalledOff,
    due: next ? { amountCents: Number(next.amount_cents), at: next.due_at, timeZone } : null,
  }
}

/** Stores the status of a booking's money, which follows from its charges and refunds. The purchase is locked. */
async function storeMoneyStatus(
  tx: DatabaseTransaction,
  { id, payment_row_id }: Pick<BookingRow, 'id' | 'payment_row_id'>,
): Promise<void> {
  const paymentStatus = await findMoneyStatus(tx, payment_row_id)
  await tx.updateTable('bookings').set({ payment_status: paymentStatus }).where('id', '=', id).execute()
}

/** Stores what a booking's refunds make of its money, and tells the customer when one has arrived or come back. */
async function moveRefund(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  news: RefundNews,
): Promise<void> {
  await storeMoneyStatus(tx, row)
  if (!news) return publishBooking(deps, tx, row, [])
  const { refundId, state, amountCents } = news
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
      body: 'Your bank didn’t accept it. Open your booking and tell us where to send it.',
      eventKey: `booking-refund-failed:${refundId}`,
    })
  }
  await publishBooking(deps, tx, row, state === 'done' || state === 'failed' ? [row.customer_user_id] : [])
}

/** Tells the customer of an unfulfilled payment that its refund has come back. */
async function tellUnfulfilledRefund(
  deps: BookingServices,
  tx: DatabaseTransaction,
  paymentId: string,
  news: RefundNews,
): Promise<void> {
  if (news?.state !== 'failed') return
  const { refundId, amountCents } = news
  const payment = await findPayment(tx, paymentId)
  if (!payment) return
  const mail = unfulfilledRefundCameBackMail(
    {
      firstPaymentId: payment.sale_id,
      vendorName: payment.sale.businessName,
      ...customerOf(payment),
      refundId,
      amountCents,
    },
    deps,
  )
  await sendMail(deps, tx, mail)
}
