import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { PayoutDeps } from '../payouts/deps.server.ts'
import { holdPayouts, orderPayout, releasePayouts, settleOrder } from '../payouts/operator-commands.server.ts'
import { findVendorName } from '../payouts/queries.server.ts'
import type { PayoutOrderKind } from '../payouts/rules.ts'
import type { OperatorAction } from './act-rules.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { refuseAsSecond } from './naming-queries.server.ts'
import type { SecondPersonRefusal } from './rules.ts'
import { expireOrdersOf, isExpired, lockMoves, recordMove } from './second-person-commands.server.ts'

/**
 * Holds the transfers of a vendor, or of one booking of theirs.
 * @returns refuses with 'not_found' (no such vendor) and 'held' (the same is held already)
 */
export async function placeHold(
  deps: PayoutDeps,
  input: { operator: Operator; vendorUserId: string; bookingId: string | null; reason: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'held' }> {
  const { operator, vendorUserId, bookingId, reason } = input
  return deps.db.transaction().execute(async (tx) => {
    const label = await findVendorName(tx, { userId: vendorUserId, bookingId })
    if (label === null) return refuse('not_found')
    const placedBy = operator.userId
    const held = await holdPayouts(tx, { vendorUserId, bookingId, reason, placedBy, at: deps.now() })
    if (!held.ok) return held
    await logAction(tx, {
      operator,
      action: 'hold-payouts',
      subject: { kind: 'account', id: vendorUserId, label },
      reason,
      at: deps.now(),
    })
    return { ok: true }
  })
}

/** Ends a hold. @returns refuses with 'released' when it has ended before, as by another operator */
export async function releaseHold(
  deps: PayoutDeps,
  input: { operator: Operator; holdId: string; reason: string },
): Promise<{ ok: true } | { ok: false; reason: 'released' }> {
  const { operator, holdId, reason } = input
  return deps.db.transaction().execute(async (tx) => {
    const released = await releasePayouts(tx, { holdId, releasedBy: operator.userId, at: deps.now() })
    if (!released.ok) return released
    const { vendorUserId } = released
    const label = (await findVendorName(tx, { userId: vendorUserId, bookingId: null })) ?? vendorUserId
    await logAction(tx, {
      operator,
      action: 'release-payouts',
      subject: { kind: 'account', id: vendorUserId, label },
      reason,
      at: deps.now(),
    })
    return { ok: true }
  })
}

type OrderRefused =
  | {
      ok: false
      reason: 'not_found' | 'changed' | 'moving' | 'waiting' | 'settled' | SecondPersonRefusal | 'expired'
    }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

const ORDER_ACTIONS = {
  write_off: 'write-off',
  debt_paid: 'debt-paid',
  paid_by_bank: 'paid-by-bank',
} as const satisfies Record<PayoutOrderKind, OperatorAction>

/**
 * Gives up a debt, or records that a debt or a share was paid by bank. Above the limit, a second operator has to confirm.
 * @returns `waits` for a second operator; refuses as `orderPayout` does
 */
export async function placePayoutOrder(
  deps: PayoutDeps,
  input: {
    operator: Operator
    kind: PayoutOrderKind
    bookingId: string
    amountCents: Cents
    seenCents: Cents
    reason: string
  },
): Promise<{ ok: true; waits: boolean } | OrderRefused> {
  const { operator, kind, bookingId, amountCents, reason } = input
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const purchase = await tx
      .selectFrom('bookings')
      .select('payment_row_id')
      .where('id', '=', bookingId)
      .executeTakeFirst()
    if (!purchase) return refuse('not_found')
    const firstPaymentId = purchase.payment_row_id
    const movedCents = await lockMoves(tx, { firstPaymentId, now: at })
    await expireOrdersOf(tx, { firstPaymentId, now: at })
    const ordered = await orderPayout(deps, tx, { ...input, placedBy: operator, movedCents })
    if (!ordered.ok) return ordered
    const { vendorUserId, waits } = ordered
    if (!waits) await recordMove(tx, { firstPaymentId, cents: amountCents, operator, at })
    const label = (await findVendorName(tx, { userId: vendorUserId, bookingId })) ?? bookingId
    const text = `${formatMoney(amountCents)}: ${reason}`
    await logAction(tx, {
      operator,
      action: waits ? 'ask-second-operator' : ORDER_ACTIONS[kind],
      subject: { kind: 'account', id: vendorUserId, label },
      reason: text,
      at: deps.now(),
    })
    return { ok: true, waits }
  })
}

/** Confirms or drops the order of another operator. @returns refuses as `settleOrder` and `refuseAsSecond` do */
export async function decidePayoutOrder(
  deps: PayoutDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<{ ok: true } | OrderRefused> {
  const { operator, orderId, isConfirmed } = input
  return deps.db.transaction().execute(async (tx) => {
    const order = await tx
      .selectFrom('payout_orders')
      .leftJoin('bookings', 'bookings.id', 'payout_orders.booking_id')
      .select(['placed_by', 'bookings.payment_row_id as firstPaymentId'])
      .where('payout_orders.id', '=', orderId)
      .executeTakeFirst()
    const second = { operatorId: operator.userId, askerId: order?.placed_by ?? '', now: deps.now() }
    const refused = isConfirmed && (await refuseAsSecond(tx, second))
    if (refused) return refuse(refused)
    // As when it is placed. What two operators agree on isn't counted.
    if (order?.firstPaymentId) await lockMoves(tx, { firstPaymentId: order.firstPaymentId, now: deps.now() })
    const settled = await settleOrder(deps, tx, {
      orderId,
      isConfirmed,
      settledBy: operator.userId,
      isExpired: (order) => isExpired(order, deps.now()),
    })
    if (!settled.ok) return settled
    const { kind, amountCents, vendorUserId } = settled
    const label = (await findVendorName(tx, { userId: vendorUserId, bookingId: null })) ?? vendorUserId
    await logAction(tx, {
      operator,
      action: isConfirmed ? ORDER_ACTIONS[kind] : 'drop-order',
      subject: { kind: 'account', id: vendorUserId, label },
      reason: `${formatMoney(amountCents)}: ${isConfirmed ? 'confirmed' : 'dropped'}`,
      at: deps.now(),
    })
    return { ok: true }
  })
}
