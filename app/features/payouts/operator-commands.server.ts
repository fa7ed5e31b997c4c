import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { lockLedger } from '../ledger/commands.server.ts'
import { findMoneyOf } from '../ledger/queries.server.ts'
import { adjustment, type Entry, writeOff } from '../ledger/rules.ts'
import { lockBookingMoney, postAboutBooking } from './money-commands.server.ts'
import { queueVendor } from './notice-commands.server.ts'
import type { PayoutOrderKind } from './rules.ts'

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

/** An order about a debt or a share of a booking. */
export type PayoutOrder = { kind: PayoutOrderKind; bookingId: string; amountCents: Cents }

/** An order that can be carried out, with its booking, whose money is locked. */
export type PossibleOrder = { row: BookingRow; openCents: Cents }

/**
 * Locks a booking's money and checks that a debt can be given up, or that a debt or a share can be recorded as paid by bank.
 * @param order.expectedCents the debt or the share that the operator saw; left out where a second one confirms what another saw
 * @returns refuses with 'not_found', 'changed' (another amount is open than was seen), 'exceeds' (with what is open, in cents)
 *   and 'moving' (a transfer is on its way)
 */
export async function checkOrder(
  tx: DatabaseTransaction,
  order: PayoutOrder & { expectedCents?: Cents },
): Promise<
  | ({ ok: true } & PossibleOrder)
  | { ok: false; reason: 'not_found' | 'changed' | 'moving' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }
> {
  const open = await lockOpen(tx, order)
  if (!open.ok) return open
  if (order.expectedCents !== undefined && open.cents !== order.expectedCents) return refuse('changed')
  if (order.amountCents > open.cents) return { ...refuse('exceeds'), leftCents: open.cents }
  return { ok: true, row: open.row, openCents: open.cents }
}

type Person = { userId: string; email: string }

/**
 * Carries out an order that `checkOrder` allows: posts it, and records on whose word.
 * @param order.id of the order; an order that waited for a second operator has had it from the start
 */
export async function recordOrder(
  tx: DatabaseTransaction,
  { row }: PossibleOrder,
  order: PayoutOrder & {
    id: string
    reason: string
    placedBy: Person
    placedAt: Date
    settledBy: string
    at: Date
  },
): Promise<void> {
  await tx
    .insertInto('payout_orders')
    .values({
      id: order.id,
      kind: order.kind,
      vendor_user_id: row.owner_user_id,
      booking_id: order.bookingId,
      amount_cents: order.amountCents,
      reason: order.reason,
      placed_by: order.placedBy.userId,
      placed_by_email: order.placedBy.email,
      placed_at: order.placedAt,
      settled_by: order.settledBy,
      settled_at: order.at,
      outcome: 'done',
    })
    .execute()
  const entry = ENTRIES[order.kind](order.amountCents)
  await postAboutBooking(tx, row, [{ key: `order:${order.id}`, entry, at: order.at }])
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
