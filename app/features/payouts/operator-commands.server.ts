import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { lockLedger } from '../ledger/commands.server.ts'
import { findMoneyOf } from '../ledger/queries.server.ts'
import { adjustment, type Entry, writeOff } from '../ledger/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { lockBookingMoney, postAboutBooking } from './money-commands.server.ts'
import { queueVendor } from './notice-commands.server.ts'
import { needsSecondOperator, type PayoutOrderKind } from './rules.ts'

/** Commands of operators. Each runs in the transaction that also writes the operators' log. */

/**
 * Holds the transfers of a vendor, or of one booking. A transfer that was claimed before still leaves.
 * @returns refuses with 'held' when the same is held already
 */
export async function holdPayouts(
  tx: DatabaseTransaction,
  hold: { vendorUserId: string; bookingId: string | null; reason: string; placedBy: string; at: Date },
): Promise<{ ok: true; holdId: string } | { ok: false; reason: 'held' }> {
  // Claims decide under the same lock, so none follows this.
  await lockLedger(tx, [hold.vendorUserId])
  const added = await tx
    .insertInto('payout_holds')
    .values({
      id: newId(),
      vendor_user_id: hold.vendorUserId,
      booking_id: hold.bookingId,
      reason: hold.reason,
      placed_by: hold.placedBy,
      placed_at: hold.at,
      released_by: null,
      released_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return refuse('held')
  await queueVendor(tx, hold.vendorUserId)
  return { ok: true, holdId: added.id }
}

/** Ends a hold, so that its transfers leave within a minute. @returns refuses with 'released' when it has ended */
export async function releasePayouts(
  tx: DatabaseTransaction,
  release: { holdId: string; releasedBy: string; at: Date },
): Promise<{ ok: true; vendorUserId: string } | { ok: false; reason: 'released' }> {
  const hold = await tx
    .selectFrom('payout_holds')
    .select('vendor_user_id')
    .where('id', '=', release.holdId)
    .executeTakeFirst()
  if (!hold) return refuse('released')
  // As when it is placed.
  await lockLedger(tx, [hold.vendor_user_id])
  const ended = await tx
    .updateTable('payout_holds')
    .set({ released_by: release.releasedBy, released_at: release.at })
    .where('id', '=', release.holdId)
    .where('released_at', 'is', null)
    .returning('vendor_user_id')
    .executeTakeFirst()
  if (!ended) return refuse('released')
  await queueVendor(tx, ended.vendor_user_id)
  return { ok: true, vendorUserId: ended.vendor_user_id }
}

type Refused =
  | { ok: false; reason: 'not_found' | 'changed' | 'moving' | 'waiting' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

/**
 * Gives up a debt, records that it was paid by bank, or records that a share was paid by bank. Above the limit, another
 * operator has to confirm it first.
 * @param order.seenCents the debt or the share that the operator saw
 * @returns `waits` for another operator; refuses with 'not_found', 'changed' (another amount is open than was seen),
 *   'exceeds' (with what is open, in cents), 'moving' (a transfer is on its way) and 'waiting' (such an order waits already)
 */
export async function orderPayout(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  order: {
    kind: PayoutOrderKind
    bookingId: string
    amountCents: Cents
    seenCents: Cents
    reason: string
    placedBy: { userId: string; email: string }
    /** The sum that single operators moved alone of the booking's purchase in the last 24 hours, in cents. */
    movedCents: Cents
  },
): Promise<{ ok: true; waits: boolean; vendorUserId: string } | Refused> {
  const open = await lockOpen(tx, order)
  if (!open.ok) return open
  const vendorUserId = open.row.owner_user_id
  if (open.cents !== order.seenCents) return refuse('changed')
  if (order.amountCents > open.cents) return { ...refuse('exceeds'), leftCents: open.cents }
  const waits = needsSecondOperator(order.amountCents + order.movedCents, deps.secondOperatorCents)
  const now = deps.now()
  const added = await tx
    .insertInto('payout_orders')
    .values({
      id: newId(),
      kind: order.kind,
      vendor_user_id: vendorUserId,
      booking_id: order.bookingId,
      amount_cents: order.amountCents,
      reason: order.reason,
      placed_by: order.placedBy.userId,
      placed_by_email: order.placedBy.email,
      placed_at: now,
      settled_by: waits ? null : order.placedBy.userId,
      settled_at: waits ? null : now,
      outcome: waits ? null : 'done',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return refuse('waiting')
  if (!waits) await postOrder(tx, open.row, { ...order, id: added.id, at: now })
  return { ok: true, waits, vendorUserId }
}

/**
 * Confirms or drops the order of another operator.
 * @returns refuses with 'settled' (it no longer waits), 'expired', 'own_order' (another operator has to confirm it) and the
 *   reasons of `orderPayout`
 */
export async function settleOrder(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  input: {
    orderId: string
    isConfirmed: boolean
    settledBy: string
    isExpired: (order: { placed_at: Date }) => boolean
  },
): Promise<
  | { ok: true; kind: PayoutOrderKind; amountCents: Cents; vendorUserId: string }
  | { ok: false; reason: 'settled' | 'own_order' | 'expired' }
  | Refused
> {
  const found = await findWaitingOrder(tx, input.orderId)
  if (!found) return refuse('settled')
  if (input.isConfirmed && found.placed_by === input.settledBy) return refuse('own_order')
  if (input.isConfirmed && input.isExpired(found)) return refuse('expired')
  const { kind, booking_id: bookingId } = found
  const amountCents = Number(found.amount_cents)
  // The booking's lock before the order's, as when it is placed.
  const open = await lockOpen(tx, { kind, bookingId })
  // Another operator may have settled it while this one waited for the lock.
  if (!(await findWaitingOrder(tx, input.orderId))) return refuse('settled')
  if (input.isConfirmed) {
    if (!open.ok) return open
    if (amountCents > open.cents) return { ...refuse('exceeds'), leftCents: open.cents }
  }
  const now = deps.now()
  const settled = await tx
    .updateTable('payout_orders')
    .set({ settled_by: input.settledBy, settled_at: now, outcome: input.isConfirmed ? 'done' : 'dropped' })
    .where('id', '=', input.orderId)
    .where('settled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!settled) return refuse('settled')
  if (input.isConfirmed && open.ok)
    await postOrder(tx, open.row, { id: input.orderId, kind, amountCents, at: now })
  return { ok: true, kind, amountCents, vendorUserId: found.vendor_user_id }
}

/**
 * Ends the orders that weren't confirmed in time.
 * @param input.firstPaymentId of the purchase whose orders end; null for all
 */
export async function expirePayoutOrders(
  db: Database | DatabaseTransaction,
  { before, now, firstPaymentId }: { before: Date; now: Date; firstPaymentId: string | null },
): Promise<void> {
  let expired = db
    .updateTable('payout_orders')
    .set({ settled_at: now, outcome: 'expired' })
    .where('settled_at', 'is', null)
    .where('placed_at', '<=', before)
  if (firstPaymentId !== null)
    expired = expired.where('booking_id', 'in', (eb) =>
      eb.selectFrom('bookings').select('id').where('payment_row_id', '=', firstPaymentId),
    )
  await expired.execute()
}

function findWaitingOrder(tx: DatabaseTransaction, orderId: string) {
  return tx
    .selectFrom('payout_orders')
    .selectAll()
    .where('id', '=', orderId)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
}

/** Locks a booking's money and returns what an order of this kind may take at most, in cents. */
async function lockOpen(
  tx: DatabaseTransaction,
  { kind, bookingId }: { kind: PayoutOrderKind; bookingId: string },
): Promise<{ ok: true; row: BookingRow; cents: Cents } | { ok: false; reason: 'not_found' | 'moving' }> {
  const row = await lockBookingMoney(tx, bookingId)
  if (!row) return refuse('not_found')
  const money = await findMoneyOf(tx, bookingId)
  if (kind !== 'paid_by_bank') return { ok: true, row, cents: money.receivableCents }
  const moving = await tx
    .selectFrom('transfers')
    .select('id')
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'claimed')
    .executeTakeFirst()
  if (moving) return refuse('moving')
  return { ok: true, row, cents: Math.max(0, money.payableCents) }
}

const ENTRIES: Record<PayoutOrderKind, (cents: Cents) => Entry> = {
  write_off: writeOff,
  debt_paid: (cents) => adjustment({ from: 'vendor_receivable', to: 'bank', cents }),
  paid_by_bank: (cents) => adjustment({ from: 'bank', to: 'vendor_payable', cents }),
}

async function postOrder(
  tx: DatabaseTransaction,
  row: BookingRow,
  order: { id: string; kind: PayoutOrderKind; amountCents: Cents; at: Date },
): Promise<void> {
  const entry = ENTRIES[order.kind](order.amountCents)
  await postAboutBooking(tx, row, [{ key: `order:${order.id}`, entry, at: order.at }])
}
