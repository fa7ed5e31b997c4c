import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import type { Cents } from '../../../shared/money.ts'
import { keepWrites, refuse } from '../../../shared/result.ts'
import { moveBooking } from '../../availability/slot-commands.server.ts'
import { replanInstalments } from '../../instalments/replan-commands.server.ts'
import { lockLedger } from '../../ledger/commands.server.ts'
import { findMoneyStatus, findPayment } from '../../payments/queries.server.ts'
import { addRefundOfPurchase, insertRefund } from '../../payments/refund-commands.server.ts'
import { changeSale } from '../../sales/commands.server.ts'
import type { Replan } from '../../sales/replan-rules.ts'
import { undecidedTimesOf, undecidedUntil } from '../decisions/rules.ts'
import { lineOf } from '../decisions/status-commands.server.ts'
import type { BookingServices } from '../deps.server.ts'
import { publishBooking } from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import type { ChangeRow } from '../tables.server.ts'
import { endChange } from './end-commands.server.ts'
import { type ChangeNews, tellOfChange } from './notice-commands.server.ts'
import { movedTime } from './queries.server.ts'
import { bookedEventOf, movedDecideBy } from './rules.ts'

/**
 * Lets an agreed change take effect in the transaction that has locked the booking and its purchase: the new time is taken before
 * the old one is given up, then the sale, its instalments and its refund follow.
 * @param how.paidBy the payment that has paid for it; null where nothing was due
 * @param how.excessCents the part of that payment that was no longer due, which is refunded
 * @returns refuses with 'time_gone' when its hold was lost and the time is taken. The change has then ended
 */
export async function applyChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: ChangeRow,
  { plan, paidBy, excessCents = 0 }: { plan: Replan; paidBy: string | null; excessCents?: Cents },
): Promise<{ ok: true } | { ok: false; reason: 'time_gone' }> {
  const now = deps.now()
  const before = bookedEventOf(row)
  const after = change.sale_after
  const { payment_row_id: firstPaymentId } = row
  const time = movedTime(row, after)
  const first = await findPayment(tx, firstPaymentId)
  const terms = first?.sale.terms
  if (!first || !terms) throw new Error('a booking without terms has a change')
  if (time) {
    const move = { businessId: row.vendor_id, changeId: change.id, firstPaymentId, bookingId: row.id, time }
    const moved = await moveBooking(deps, tx, move)
    if (!moved.ok) {
      await endChange(deps, tx, row, change, { state: 'expired', by: null })
      await tellOf(deps, tx, row, change.id, { kind: 'expired' })
      return keepWrites(refuse('time_gone'))
    }
  }
  const priceCents = before.priceCents
  const instalments = await replanInstalments(tx, { first, priceCents, plan, paidBy, now })
  const { date, time: start, quantity, event, occupied } = after
  await changeSale(tx, {
    ...first.sale,
    date,
    time: start,
    quantity,
    event,
    occupied,
    priceCents: after.priceCents,
    terms: { ...terms, priceCents: after.priceCents, instalments },
  })
  const refundCents =
    plan.refundCents > 0
      ? await addRefundOfPurchase(deps, tx, {
          ...lineOf(row),
          amountCents: plan.refundCents,
          reason: 'changed',
          dueAt: now,
        })
      : 0
  // With the change's own reason: `findQuote` takes an operator's refund off the price, and this is none of the price.
  if (paidBy && excessCents > 0)
    await insertRefund(deps, tx, {
      ...lineOf(row),
      paymentId: paidBy,
      amountCents: excessCents,
      reason: 'changed',
      dueAt: now,
    })
  const eventFrom = new Date(event.from)
  const isMoved = event.from !== before.event.from
  const decideBy = isMoved
    ? movedDecideBy(
        undecidedUntil(row.created_at, eventFrom, undecidedTimesOf(row.sale, deps.undecided)),
        eventFrom,
        now,
      )
    : row.decide_by
  // A trigger puts the booking into the payout queue, and its payment is posted afterwards.
  await lockLedger(tx, [row.owner_user_id])
  await tx
    .updateTable('bookings')
    .set({
      date,
      time: start,
      quantity,
      total_price_cents: after.priceCents,
      payment_status: await findMoneyStatus(tx, firstPaymentId),
      decide_by: decideBy,
      // The new day is reminded of too.
      ...(isMoved ? { event_reminded_at: null } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  await tx
    .updateTable('changes')
    .set({
      state: 'paid',
      due_cents: plan.dueCents,
      refund_cents: refundCents + excessCents,
      answered_at: change.answered_at ?? now,
      ended_at: now,
    })
    .where('id', '=', change.id)
    .execute()
  deps.faultPoint('change-applied-uncommitted')
  const changed = await lockBooking(tx, row.id)
  if (!changed) throw new Error('a booking vanished under its lock')
  const { waitingCents } = await findRefundParts(tx, changed, { refundCents, reason: 'changed', dueAt: now })
  await tellOf(deps, tx, changed, change.id, { kind: 'paid', plan: { ...plan, refundCents }, waitingCents })
  return { ok: true }
}

/** Tells both sides and their open pages about a change. */
export async function tellOf(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  changeId: string,
  news: ChangeNews,
): Promise<void> {
  const change = await tx
    .selectFrom('changes')
    .selectAll()
    .where('id', '=', changeId)
    .executeTakeFirstOrThrow()
  await tellOfChange(deps, tx, row, change, news)
  await publishBooking(deps, tx, row, [row.owner_user_id, row.customer_user_id])
}
