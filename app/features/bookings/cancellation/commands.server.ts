import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { eachOf } from '../../../shared/each-of.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { freeSlot } from '../../availability/slot-commands.server.ts'
import { endInstalments } from '../../instalments/commands.server.ts'
import { addNotification } from '../../notifications/commands.server.ts'
import { findPurchaseRest, lockPayment } from '../../payments/queries.server.ts'
import { addRefundOfPurchase } from '../../payments/refund-commands.server.ts'
import { isQuoteGood } from '../../terms/rules.ts'
import { backForVendorText, backLines, backToCustomer, isAtBank, type RefundParts } from '../bank-messages.ts'
import { endOpenChange } from '../changes/end-commands.server.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import { letDeclineStand, statedReasonOf } from '../decisions/decline-commands.server.ts'
import { lineOf, setStatus } from '../decisions/status-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import {
  DASHBOARD_BOOKINGS_PATH,
  mailed,
  notifyCustomer,
  publishBooking,
  sendMail,
} from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { isCalledOff } from '../status-rules.ts'
import {
  type CancelledAmounts,
  cancelledByCustomerMail,
  cancelledForVendorMail,
  cancelledMail,
  customerCancelledMail,
  overdueEndedForVendorMail,
  overdueEndedMail,
} from './mails.ts'
import { type BookingQuote, findQuote, type QuoteView, toQuoteView } from './queries.server.ts'
import { addCancellation, type Cancellation } from './record-commands.server.ts'
import { type CancelRefusal, cancelRefusal, readQuote } from './rules.ts'
import { type CustomerProof, isCustomer } from './withdrawal-commands.server.ts'

const OVERDUE_PER_RUN = 100

/**
 * Cancels an approved booking for its customer, by the terms of its sale: the time is free again, what the policy gives back is
 * refunded at once, and nothing further is ever charged.
 * @param input.signed the quote that was shown, as `signQuote` made it
 * @returns `changed` is false for a second press. Refuses with 'not_found' (also for another customer's booking), with the
 *   reasons of `cancelRefusal`, and with 'stale' and a new quote when none was shown, it is too old, or it would be lower now.
 *   A vendor's decline that waits to be told stands instead: then everything is refunded (decision 79)
 */
export async function cancelBooking(
  deps: BookingDeps,
  input: { bookingId: string; by: CustomerProof; signed: string },
): Promise<
  | { ok: true; changed: boolean }
  | { ok: false; reason: 'not_found' | CancelRefusal }
  | { ok: false; reason: 'stale'; quote: QuoteView }
> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || !(await isCustomer(deps, row, input.by))) return refuse('not_found')
    // A second press of the button, or another tab.
    if (row.status === 'withdrawn') return { ok: true, changed: false }
    const now = deps.now()
    const refusal = cancelRefusal(
      { status: row.status, hasTerms: row.sale.terms !== null, event: row.sale.event },
      now,
    )
    if (refusal) return refuse(refusal)
    if (row.tells_at) {
      // Its vendor has called it off already, so this costs the customer nothing.
      await letDeclineStand(deps, tx, row, statedReasonOf(row))
      return { ok: true, changed: true }
    }
    // A balance that is being charged waits here, and is refunded once the instalment has ended.
    await lockPayment(tx, row.payment_row_id)
    const quote = await findQuote(tx, row, 'customer', now)
    if (!quote) return refuse('no_terms')
    const offered = await readQuote(deps.secret, row.id, input.signed)
    if (!offered || !isQuoteGood(offered, { quote, at: now }))
      return { ...refuse('stale'), quote: await toQuoteView(deps, row, quote, now) }

    const parts = await endBooking(deps, tx, row, {
      status: 'withdrawn',
      by: 'customer',
      quote,
      shownAt: offered.at,
      reason: null,
    })
    const booking = mailed(row)
    const amounts = { ...quote, ...parts }
    await sendMail(deps, tx, cancelledByCustomerMail(booking, amounts, deps))
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (contact) await sendMail(deps, tx, customerCancelledMail(booking, contact, amounts, deps))
    await notifyVendor(deps, tx, row, {
      title: `${row.customer_name} cancelled their booking`,
      body: `For ${row.vendor_name}. ${keptText(amounts)}`,
    })
    await publishBooking(deps, tx, row, [row.owner_user_id])
    return { ok: true, changed: true }
  })
}

/**
 * Ends a booking whose balance is overdue, by its terms, as if its customer had cancelled now. One whose event has begun
 * stands.
 * @returns whether it was ended: only an approved one, and never while its balance is being charged or once it is paid
 */
export async function endOverdueBooking(deps: BookingDeps, bookingId: string): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    // A decline in its grace comes first: it gives everything back.
    if (row?.status !== 'approved' || row.tells_at) return false
    await lockPayment(tx, row.payment_row_id)
    const now = deps.now()
    const overdue = await tx
      .selectFrom('instalments')
      .select('extended_at')
      .where('payment_id', '=', row.payment_row_id)
      .where('state', '=', 'overdue')
      .executeTakeFirst()
    if (!overdue) return false
    // No job has run since: the event went ahead, so the booking stands and the rest stays due.
    if (new Date(row.sale.event.from) <= now) {
      await tx
        .updateTable('instalments')
        .set({ state: 'needs_customer' })
        .where('payment_id', '=', row.payment_row_id)
        .where('state', '=', 'overdue')
        .execute()
      await publishBooking(deps, tx, row, [row.customer_user_id, row.owner_user_id])
      return false
    }
    const quote = await findQuote(tx, row, 'customer', now)
    if (!quote) return false
    const parts = await endBooking(deps, tx, row, {
      status: 'withdrawn',
      by: 'overdue',
      quote,
      shownAt: null,
      reason: null,
    })
    const booking = mailed(row)
    const amounts = { ...quote, ...parts, wasExtended: overdue.extended_at !== null }
    await sendMail(deps, tx, overdueEndedMail(booking, amounts, deps))
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (contact) await sendMail(deps, tx, overdueEndedForVendorMail(booking, contact, amounts, deps))
    await notifyCustomer(deps, tx, row, {
      kind: 'withdrawn',
      title: `Your booking of ${row.vendor_name} was cancelled`,
      body: `Its balance wasn’t paid. ${backText(amounts)}`,
      eventKey: `booking-overdue:${row.id}`,
    })
    await notifyVendor(deps, tx, row, {
      title: `The booking of ${row.customer_name} was cancelled`,
      body: `Its balance wasn’t paid. ${keptText(amounts)}`,
    })
    await publishBooking(deps, tx, row, [row.customer_user_id, row.owner_user_id])
    return true
  })
}

/** Ends the bookings whose balance is overdue. */
export async function endOverdueBookings(deps: BookingDeps): Promise<void> {
  const overdue = await deps.db
    .selectFrom('instalments')
    .innerJoin('bookings', 'bookings.payment_row_id', 'instalments.payment_id')
    .select('bookings.id')
    .where('instalments.state', '=', 'overdue')
    .where('bookings.status', '=', 'approved')
    .where('bookings.tells_at', 'is', null)
    .orderBy('instalments.due_at')
    .limit(OVERDUE_PER_RUN)
    .execute()
  await eachOf(overdue, async ({ id }) => {
    await endOverdueBooking(deps, id)
  })
}

/** The refund that an operator chooses: all that is left, the policy's share, or an amount. */
export type RefundChoice = 'full' | 'policy' | { cents: Cents }

/**
 * Cancels a booking for one of its sides, as an operator does it: the time is free again, the refund is ordered at once, and
 * both sides are told why.
 * @param input.side the side on whose behalf it is cancelled: 'vendor' declines the booking, 'customer' withdraws it
 * @param input.refund what the customer gets back; a vendor's cancellation always gives everything back
 * @param input.expectedCents the refund by the policy that the operator saw; null where none was shown
 * @returns what goes back, in cents, and what the policy says. Refuses with 'not_found', 'already_over' (declined or withdrawn
 *   before), 'changed' (the policy gives another amount than was seen, or there is none) and 'exceeds' (with what is left)
 */
export async function cancelForSide(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: {
    bookingId: string
    side: 'vendor' | 'customer'
    reason: string
    refund?: RefundChoice
    expectedCents?: Cents | null
  },
): Promise<
  | { ok: true; vendorName: string; refundCents: Cents; policyCents: Cents | null }
  | { ok: false; reason: 'not_found' | 'already_over' | 'changed' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }
> {
  const { side, reason } = input
  const planned = await planForSide(deps, tx, input)
  if (!planned.ok) return planned
  const { row, leftCents, refundCents, policy, policyCents } = planned
  const status = side === 'vendor' ? 'declined' : 'withdrawn'
  const parts = await endBooking(deps, tx, row, {
    status,
    by: 'operator',
    quote: {
      shareBasisPoints: policy?.shareBasisPoints ?? 10_000,
      refundCents,
      keptCents: leftCents - refundCents,
      uncollectedCents: policy?.uncollectedCents ?? 0,
    },
    shownAt: null,
    reason,
  })
  const booking = mailed(row)
  await sendMail(deps, tx, cancelledMail(booking, { side, reason, ...parts }, deps))
  const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
  if (contact)
    await sendMail(
      deps,
      tx,
      cancelledForVendorMail(
        booking,
        contact,
        { side, reason, ...parts, keptCents: leftCents - refundCents },
        deps,
      ),
    )
  await notifyCustomer(deps, tx, row, {
    kind: status,
    title: `Your booking of ${row.vendor_name} was cancelled`,
    body: reason,
    eventKey: `booking-cancelled:${row.id}`,
  })
  await notifyVendor(
    deps,
    tx,
    row,
    { title: `The booking of ${row.customer_name} was cancelled`, body: reason },
    status,
  )
  await publishBooking(deps, tx, row, [row.customer_user_id, row.owner_user_id])
  return { ok: true, vendorName: row.vendor_name, refundCents, policyCents }
}

/**
 * Calculates what `cancelForSide` would give back, under the same locks.
 * @returns refuses as `cancelForSide` does
 */
export async function planForSide(
  deps: Pick<BookingDeps, 'now'>,
  tx: DatabaseTransaction,
  input: {
    bookingId: string
    side: 'vendor' | 'customer'
    refund?: RefundChoice
    expectedCents?: Cents | null
  },
): Promise<
  | {
      ok: true
      row: BookingRow
      leftCents: Cents
      refundCents: Cents
      policy: BookingQuote | null
      policyCents: Cents | null
    }
  | { ok: false; reason: 'not_found' | 'already_over' | 'changed' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }
> {
  const { bookingId, side } = input
  const row = await lockBooking(tx, bookingId)
  if (!row) return refuse('not_found')
  if (isCalledOff(row.status)) return refuse('already_over')
  await lockPayment(tx, row.payment_row_id)
  // Its vendor has called it off already if a decline waits to be told, so it costs the customer nothing.
  const choice = side === 'vendor' || row.tells_at ? 'full' : (input.refund ?? 'full')
  const { leftCents } = await findPurchaseRest(tx, row.payment_row_id)
  const policy = await findQuoteOfSide(deps, tx, row, side)
  const policyCents = policy?.refundCents ?? null
  if (choice === 'policy' && (policyCents === null || input.expectedCents !== policyCents))
    return refuse('changed')
  const refundCents =
    choice === 'full' ? leftCents : choice === 'policy' ? (policyCents ?? leftCents) : choice.cents
  if (refundCents > leftCents) return { ...refuse('exceeds'), leftCents }
  return { ok: true, row, leftCents, refundCents, policy, policyCents }
}

/** The quote of a cancellation for a side. An undecided booking costs its customer nothing, so it has none of theirs. */
async function findQuoteOfSide(
  deps: Pick<BookingDeps, 'now'>,
  tx: DatabaseTransaction,
  row: BookingRow,
  side: 'vendor' | 'customer',
): Promise<BookingQuote | null> {
  return findQuote(tx, row, row.status === 'pending' ? 'vendor' : side, deps.now())
}

/**
 * Ends a booking whose row and money are locked: refund, instalments, time, status, and how it was cancelled.
 * @returns the parts of the refund
 */
async function endBooking(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  cancellation: Cancellation & { status: 'declined' | 'withdrawn' },
): Promise<RefundParts> {
  const { status, quote, reason } = cancellation
  const now = deps.now()
  const orderedCents = await addRefundOfPurchase(deps, tx, {
    ...lineOf(row),
    amountCents: quote.refundCents,
    reason: status,
    dueAt: now,
    ...(reason === null ? {} : { note: reason }),
  })
  if (orderedCents !== quote.refundCents)
    throw new Error(`${orderedCents} of ${quote.refundCents} cents could be refunded`)
  await endInstalments(tx, row.payment_row_id)
  await endOpenChange(deps, tx, row)
  await freeSlot(deps, tx, row.payment_row_id)
  if (row.status === 'approved') await addCancellation(tx, row.id, cancellation, now)
  await setStatus(tx, row, { status, decided_at: now })
  return findRefundParts(tx, row, { refundCents: orderedCents, reason: status, dueAt: now })
}

async function notifyVendor(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  about: { title: string; body: string },
  kind: 'declined' | 'withdrawn' = 'withdrawn',
): Promise<void> {
  await addNotification(
    tx,
    {
      ...about,
      userId: row.owner_user_id,
      kind,
      link: DASHBOARD_BOOKINGS_PATH,
      eventKey: `booking-cancelled-for-vendor:${row.id}`,
    },
    deps.now(),
  )
}

const keptText = (amounts: CancelledAmounts) => {
  const back = isAtBank(amounts) ? backForVendorText(amounts, { sent: backToCustomer, nothing: '' }) : ''
  if (amounts.keptCents > 0) return `You keep ${formatMoney(amounts.keptCents)}. ${back}`.trim()
  return back || 'They get a full refund.'
}
const backText = (amounts: CancelledAmounts) =>
  backLines(amounts, {
    sent: (cents) => `You get ${formatMoney(cents)} back.`,
    nothing: 'You get nothing back.',
  }).join(' ')
