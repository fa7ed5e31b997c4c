import { newId } from '../../shared/ids.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { PayoutDeps } from '../payouts/deps.server.ts'
import {
  checkOrder,
  holdPayouts,
  type PayoutOrder,
  type PossibleOrder,
  recordOrder,
  releasePayouts,
} from '../payouts/operator-commands.server.ts'
import { findVendorName } from '../payouts/queries.server.ts'
import type { PayoutOrderKind } from '../payouts/rules.ts'
import { APPROVAL_ACTS, type OperatorAction } from './act-rules.ts'
import {
  type ApprovalFlow,
  askSecondPerson,
  expireApprovalsOfPurchase,
  type SettleRefused,
  settleApproval,
} from './approval-commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { lockMoves, needsSecondPerson, recordMove } from './move-commands.server.ts'

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
  | { ok: false; reason: 'not_found' | 'changed' | 'moving' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

const ORDER_ACTIONS = {
  write_off: 'write-off',
  debt_paid: 'debt-paid',
  paid_by_bank: 'paid-by-bank',
} as const satisfies Record<PayoutOrderKind, OperatorAction>

/**
 * Gives up a debt, or records that a debt or a share was paid by bank. Above the limit, together with what one operator alone
 * has moved of the purchase in the last 24 hours, a second operator has to confirm.
 * @param input.expectedCents the debt or the share that the operator saw
 * @returns `waits` for a second operator; refuses as `checkOrder` does, and with 'waiting' (such an order waits already)
 */
export async function placePayoutOrder(
  deps: PayoutDeps,
  input: PayoutOrder & { operator: Operator; expectedCents: Cents; reason: string },
): Promise<{ ok: true; waits: boolean } | OrderRefused | { ok: false; reason: 'waiting' }> {
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
    await expireApprovalsOfPurchase(tx, { firstPaymentId, now: at })
    const possible = await checkOrder(tx, input)
    if (!possible.ok) return possible
    const vendorUserId = possible.row.owner_user_id
    const label = (await findVendorName(tx, { userId: vendorUserId, bookingId })) ?? bookingId
    const log = {
      subject: { kind: 'account', id: vendorUserId, label } as const,
      text: `${formatMoney(amountCents)}: ${reason}`,
    }
    if (needsSecondPerson({ cents: amountCents, movedCents }, deps.secondOperatorCents)) {
      const asked = await askSecondPerson(tx, {
        act: 'order-payout',
        payload: { kind, bookingId, vendorUserId },
        subject: { kind, id: bookingId },
        ...{ firstPaymentId, label, amountCents, reason, operator, at, log },
      })
      return asked.ok ? { ok: true, waits: true } : asked
    }
    const settled = { placedBy: operator, placedAt: at, settledBy: operator.userId, at }
    await recordOrder(tx, possible, { ...input, id: newId(), ...settled })
    await recordMove(tx, { firstPaymentId, cents: amountCents, operator, at })
    const { subject, text } = log
    await logAction(tx, { operator, action: ORDER_ACTIONS[kind], subject, reason: text, at })
    return { ok: true, waits: false }
  })
}

/**
 * Confirms or drops the order of another operator.
 * @returns refuses as `settleApproval` and `checkOrder` do
 */
export async function decidePayoutOrder(
  deps: PayoutDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<{ ok: true } | OrderRefused | SettleRefused> {
  const { operator, orderId: id, isConfirmed } = input
  const settled = await settleApproval(deps, payoutFlow(deps), { operator, id, isConfirmed })
  return settled.ok ? { ok: true } : settled
}

const payoutFlow = (
  deps: PayoutDeps,
): ApprovalFlow<'order-payout', { possible: PossibleOrder; vendorName: string }, object, OrderRefused> => ({
  acts: APPROVAL_ACTS.order,
  // As when it is placed. What two operators agree on isn't counted.
  lock: async (tx, { firstPaymentId }) =>
    firstPaymentId && lockMoves(tx, { firstPaymentId, now: deps.now() }),
  async check(tx, { amountCents, payload: { kind, bookingId, vendorUserId } }) {
    const possible = await checkOrder(tx, { kind, bookingId, amountCents })
    if (!possible.ok) return possible
    const name = await findVendorName(tx, { userId: vendorUserId, bookingId: null })
    return { ok: true, seen: '', possible, vendorName: name ?? vendorUserId }
  },
  async carryOut(tx, approval, { possible, vendorName }, operator) {
    const { id, amountCents, reason, askedBy, askedByEmail, payload } = approval
    const at = deps.now()
    await recordOrder(tx, possible, {
      ...{ id, amountCents, reason, kind: payload.kind, bookingId: payload.bookingId },
      placedBy: { userId: askedBy, email: askedByEmail },
      placedAt: new Date(approval.askedAt),
      ...{ settledBy: operator.userId, at },
    })
    await logAction(tx, {
      operator,
      action: ORDER_ACTIONS[payload.kind],
      subject: { kind: 'account', id: payload.vendorUserId, label: vendorName },
      reason: `${formatMoney(amountCents)}: confirmed`,
      at,
    })
    return { ok: true }
  },
  dropped: ({ label, amountCents, payload: { vendorUserId } }) => ({
    subject: { kind: 'account', id: vendorUserId, label },
    text: `${formatMoney(amountCents)}: dropped`,
  }),
})
