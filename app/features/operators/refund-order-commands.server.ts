import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { planReduction } from '../instalments/commands.server.ts'
import type { BorneBy } from '../ledger/rules.ts'
import { ONLY_LINE_ITEM } from '../payments/payment-commands.server.ts'
import {
  areRefundsBlocked,
  findPayment,
  findPurchaseRest,
  findRefundOrder,
  lockPayment,
} from '../payments/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { refuseAsSecond } from './naming-queries.server.ts'
import { recordPaidOtherwiseIn, refundAgainIn, refundIn } from './payment-commands.server.ts'
import { findRest } from './payment-trail-queries.server.ts'
import type { SecondPersonRefusal } from './rules.ts'
import {
  expireOrdersOf,
  isExpired,
  lockMoves,
  needsSecondPerson,
  recordMove,
} from './second-person-commands.server.ts'

/** The services of operators' refunds, with the amount above which a second person confirms. */
export type RefundOrderDeps = BookingDeps & { secondOperatorCents: Cents }

/** A way to give money back, as an operator asks for it. */
export type RefundOrderInput =
  | { kind: 'refund'; paymentId: string; amountCents: Cents; borneBy: BorneBy; reason: string }
  | { kind: 'refund_again'; refundId: string }
  | { kind: 'paid_otherwise'; refundId: string; reference: string; reason: string }

type Refused =
  | { ok: false; reason: 'not_found' | 'not_paid' | 'not_failed' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

type Done = { ok: true; isAsked: boolean; amountCents: Cents; reducedCents: Cents; waits: boolean }

/** An order with the purchase that it is about. */
type Placed = RefundOrderInput & { firstPaymentId: string; amountCents: Cents; label: string }

/**
 * Gives money of a purchase back, or asks a second person where the amount is above the limit, together with what one
 * operator alone has moved of the purchase in the last 24 hours.
 * @param input.seenCents for a refund, what was left and still due of the purchase when the operator looked at it; left out where
 *   nothing was shown
 * @returns `isAsked` when nothing has happened yet, `waits` for a dispute. Refuses as the commands of payments do, with 'waiting'
 *   when an order about the purchase waits already, and with 'other_rest' when less or more is left than was seen
 */
export async function orderRefund(
  deps: RefundOrderDeps,
  input: RefundOrderInput & { operator: Operator; seenCents?: Cents },
): Promise<Done | Refused | { ok: false; reason: 'waiting' | 'other_rest' }> {
  const { operator } = input
  const at = deps.now()
  const ordered = await deps.db.transaction().execute(async (tx) => {
    const placed = await findPurchase(tx, input)
    if (!placed) return refuse('not_found')
    const { firstPaymentId, amountCents } = placed
    const movedCents = await lockMoves(tx, { firstPaymentId, now: at })
    await expireOrdersOf(tx, { firstPaymentId, now: at })
    if (await hasWaitingOrder(tx, firstPaymentId)) return refuse('waiting')
    // Another operator made one, or this one did, in another tab or before a response was lost.
    if (await isRestOther(deps, tx, placed, input.seenCents)) return refuse('other_rest')
    const isAsked = needsSecondPerson({ cents: amountCents, movedCents }, deps.secondOperatorCents)
    if (!isAsked) {
      const done = await carryOut(deps, tx, placed, operator)
      if (done.ok) await recordMove(tx, { firstPaymentId, cents: amountCents, operator, at })
      return done.ok ? { ...done, isAsked } : done
    }
    const possible = await checkPossible(deps, tx, placed)
    if (!possible.ok) return possible
    await tx
      .insertInto('refund_orders')
      .values({
        id: newId(),
        kind: placed.kind,
        payment_id: firstPaymentId,
        subject_id: placed.kind === 'refund' ? placed.paymentId : placed.refundId,
        amount_cents: amountCents,
        borne_by: placed.kind === 'refund' ? placed.borneBy : null,
        reference: placed.kind === 'paid_otherwise' ? placed.reference : null,
        reason: reasonOf(placed),
        seen: possible.seen,
        placed_by: operator.userId,
        placed_by_email: operator.email,
        placed_at: at,
        settled_by: null,
        settled_at: null,
        outcome: null,
      })
      .execute()
    await logAction(tx, {
      operator,
      action: 'ask-second-operator',
      subject: { kind: 'payment', id: firstPaymentId, label: placed.label },
      reason: `refund of ${formatMoney(amountCents)}: ${reasonOf(placed)}`,
      at,
    })
    return { ok: true, isAsked, amountCents, reducedCents: 0, firstPaymentId } as const
  })
  if (!ordered.ok) return ordered
  return finish(deps, ordered)
}

/**
 * Confirms or drops a refund that waits for a second person.
 * @returns refuses with 'settled' (it no longer waits), 'expired', those of `refuseAsSecond`, 'changed'
 *   (something else is left of the purchase than when it was placed) and the reasons of `orderRefund`
 */
export async function settleRefund(
  deps: RefundOrderDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<Done | Refused | { ok: false; reason: 'settled' | 'expired' | SecondPersonRefusal | 'changed' }> {
  const { operator, orderId, isConfirmed } = input
  const at = deps.now()
  const settled = await deps.db.transaction().execute(async (tx) => {
    const found = await findWaiting(tx, orderId)
    if (!found) return refuse('settled')
    const second = { operatorId: operator.userId, askerId: found.placed_by, now: at }
    const refused = isConfirmed && (await refuseAsSecond(tx, second))
    if (refused) return refuse(refused)
    await lockMoves(tx, { firstPaymentId: found.payment_id, now: at })
    // Another operator may have settled it while this one waited for the lock.
    if (!(await findWaiting(tx, orderId))) return refuse('settled')
    if (isConfirmed && isExpired(found, at)) return refuse('expired')
    const placed = await findPurchase(tx, inputOf(found))
    if (!placed) return refuse('not_found')
    if (isConfirmed) {
      const possible = await checkPossible(deps, tx, placed)
      if (!possible.ok) return possible
      // Also a refund that came back has the amount that was proposed.
      if (possible.seen !== found.seen || placed.amountCents !== Number(found.amount_cents))
        return refuse('changed')
    }
    await tx
      .updateTable('refund_orders')
      .set({ settled_by: operator.userId, settled_at: at, outcome: isConfirmed ? 'done' : 'dropped' })
      .where('id', '=', orderId)
      .execute()
    const { amountCents, firstPaymentId, label } = placed
    await logAction(tx, {
      operator,
      action: isConfirmed ? 'confirm-refund' : 'drop-order',
      subject: { kind: 'payment', id: firstPaymentId, label },
      reason: `refund of ${formatMoney(amountCents)}, proposed by ${found.placed_by_email}`,
      at,
    })
    if (!isConfirmed)
      return { ok: true, isAsked: true, amountCents, reducedCents: 0, firstPaymentId } as const
    const done = await carryOut(deps, tx, placed, operator)
    // Rolls back, because the transaction's rows must not stay without the refund.
    if (!done.ok) throw new Error(`A checked refund was refused: ${done.reason}`)
    return { ...done, isAsked: false }
  })
  if (!settled.ok) return settled
  return finish(deps, settled)
}

async function finish(
  deps: BookingDeps,
  done: { ok: true; isAsked: boolean; amountCents: Cents; reducedCents: Cents; firstPaymentId: string },
): Promise<Done> {
  const { ok, isAsked, amountCents, reducedCents, firstPaymentId } = done
  if (isAsked) return { ok, isAsked, amountCents, reducedCents, waits: false }
  await performDueRefunds(deps)
  const waits = reducedCents < amountCents && (await areRefundsBlocked(deps.db, firstPaymentId))
  return { ok, isAsked, amountCents, reducedCents, waits }
}

/** Whether a refund or a cancellation of a purchase waits for a second person. */
export async function hasWaitingOrder(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<boolean> {
  for (const table of ['refund_orders', 'cancellation_orders'] as const) {
    const waiting = await db
      .selectFrom(table)
      .select('id')
      .where('payment_id', '=', firstPaymentId)
      .where('settled_at', 'is', null)
      .executeTakeFirst()
    if (waiting) return true
  }
  return false
}

async function findPurchase(tx: DatabaseTransaction, input: RefundOrderInput): Promise<Placed | null> {
  const refund = input.kind === 'refund' ? null : await findRefundOrder(tx, input.refundId)
  if (input.kind !== 'refund' && !refund) return null
  const payment = await findPayment(tx, input.kind === 'refund' ? input.paymentId : (refund?.paymentId ?? ''))
  if (!payment) return null
  return {
    ...input,
    firstPaymentId: payment.sale_id,
    amountCents: input.kind === 'refund' ? input.amountCents : (refund?.amountCents ?? 0),
    label: payment.sale.businessName,
  }
}

/** Locks the purchase and checks that an order could be carried out now. @returns what is left of the purchase, to be compared later */
async function checkPossible(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  placed: Placed,
): Promise<{ ok: true; seen: string } | Refused> {
  await lockPurchase(deps, tx, placed)
  if (placed.kind !== 'refund') {
    const failed = await tx
      .selectFrom('payment_actions')
      .select('id')
      .where('id', '=', placed.refundId)
      .where('state', '=', 'done')
      .where('provider_status', 'in', ['failed', 'canceled'])
      .where('resolution', 'is', null)
      .executeTakeFirst()
    return failed ? { ok: true, seen: '' } : refuse('not_failed')
  }
  const { firstPaymentId, paymentId, amountCents, borneBy } = placed
  const payment = await findPayment(tx, paymentId)
  if (payment?.state !== 'paid') return refuse('not_paid')
  const { leftCents } = await findPurchaseRest(tx, firstPaymentId)
  const refundCents = borneBy === 'vendor' ? amountCents : 0
  const { offCents } = await planReduction(deps, tx, { firstPaymentId, refundCents })
  if (amountCents > leftCents + offCents) return { ...refuse('exceeds'), leftCents: leftCents + offCents }
  return { ok: true, seen: `${leftCents} left, ${offCents} off` }
}

/** Locks the purchase and compares what is left and still due of it with what an operator saw. An unpaid payment is refused as such. */
async function isRestOther(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  placed: Placed,
  seenCents: Cents | undefined,
): Promise<boolean> {
  if (placed.kind !== 'refund' || seenCents === undefined) return false
  await lockPurchase(deps, tx, placed)
  if ((await findPayment(tx, placed.paymentId))?.state !== 'paid') return false
  const { refundableCents, dueCents } = await findRest(tx, placed.firstPaymentId)
  return refundableCents + dueCents !== seenCents
}

/** The purchase before its payments, as in every other transaction. */
async function lockPurchase(deps: BookingDeps, tx: DatabaseTransaction, placed: Placed): Promise<void> {
  const paymentId = placed.firstPaymentId
  const line = (await deps.fulfilment.findBought(tx, paymentId)) ? ONLY_LINE_ITEM : null
  await deps.fulfilment.lockBought(tx, { paymentId, line })
  await lockPayment(tx, paymentId)
}

async function carryOut(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  placed: Placed,
  operator: Operator,
): Promise<{ ok: true; amountCents: Cents; reducedCents: Cents; firstPaymentId: string } | Refused> {
  const { amountCents, firstPaymentId } = placed
  if (placed.kind === 'refund') {
    const done = await refundIn(deps, tx, { ...placed, operator })
    return done.ok ? { ...done, amountCents, firstPaymentId } : done
  }
  const done =
    placed.kind === 'refund_again'
      ? await refundAgainIn(deps, tx, { operator, refundId: placed.refundId })
      : await recordPaidOtherwiseIn(deps, tx, { ...placed, operator })
  return done.ok ? { ok: true, amountCents, firstPaymentId, reducedCents: 0 } : done
}

const AGAIN_REASON = 'to the card again'
const reasonOf = (placed: RefundOrderInput) => (placed.kind === 'refund_again' ? AGAIN_REASON : placed.reason)

type WaitingRow = NonNullable<Awaited<ReturnType<typeof findWaiting>>>

function findWaiting(tx: DatabaseTransaction, orderId: string) {
  return tx
    .selectFrom('refund_orders')
    .selectAll()
    .where('id', '=', orderId)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
}

function inputOf(row: WaitingRow): RefundOrderInput {
  const { kind, subject_id: subjectId, reason, reference } = row
  if (kind === 'refund_again') return { kind, refundId: subjectId }
  if (kind === 'paid_otherwise') return { kind, refundId: subjectId, reference: reference ?? '', reason }
  const amountCents = Number(row.amount_cents)
  return { kind, paymentId: subjectId, amountCents, borneBy: row.borne_by ?? 'vendor', reason }
}
