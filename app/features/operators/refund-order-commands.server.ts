import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { planReduction } from '../instalments/commands.server.ts'
import type { BorneBy } from '../ledger/rules.ts'
import { type NotPayable, refusePayingOtherwise } from '../payments/failed-refund-commands.server.ts'
import { ONLY_LINE_ITEM } from '../payments/payment-commands.server.ts'
import {
  areRefundsBlocked,
  findPayment,
  findPurchaseRest,
  findRefundOrder,
  lockPayment,
} from '../payments/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { APPROVAL_ACTS, type ApprovalAct } from './act-rules.ts'
import {
  type ApprovalFlow,
  askSecondPerson,
  expireApprovalsOfPurchase,
  type SettleRefused,
  settleApproval,
} from './approval-commands.server.ts'
import { type Approval, hasOpenApproval } from './approval-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { lockMoves, needsSecondPerson, recordMove } from './move-commands.server.ts'
import { recordPaidOtherwiseIn, refundAgainIn, refundIn } from './payment-commands.server.ts'
import { findRest } from './payment-trail-queries.server.ts'
/** The services of operators' refunds, with the amount above which a second person confirms. */
export type RefundOrderDeps = BookingDeps & { secondOperatorCents: Cents }

/** A way to give money back, as an operator asks for it. */
export type RefundOrderInput =
  | { kind: 'refund'; paymentId: string; amountCents: Cents; borneBy: BorneBy; reason: string }
  | { kind: 'refund_again'; refundId: string }
  | {
      kind: 'paid_otherwise'
      refundId: string
      reference: string
      /** When the account was named that the operator saw, ISO 8601, UTC; null for none. */
      accountGivenAt: string | null
      reason: string
    }

type Refused =
  | { ok: false; reason: 'not_found' | 'not_paid' | NotPayable }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

type Done = { ok: true; isAsked: boolean; amountCents: Cents; reducedCents: Cents; waits: boolean }

/** An order with the purchase that it is about. */
type Placed = RefundOrderInput & { firstPaymentId: string; amountCents: Cents; label: string }

/**
 * Gives money of a purchase back, or asks a second person where the amount is above the limit, together with what one
 * operator alone has moved of the purchase in the last 24 hours.
 * @param input.expectedCents for a refund, what was left and still due of the purchase when the operator looked at it; left out where
 *   nothing was shown
 * @returns `isAsked` when nothing has happened yet, `waits` for a dispute. Refuses as the commands of payments do, with 'waiting'
 *   when an order about the purchase waits already, and with 'other_rest' when less or more is left than was seen
 */
export async function orderRefund(
  deps: RefundOrderDeps,
  input: RefundOrderInput & { operator: Operator; expectedCents?: Cents },
): Promise<Done | Refused | { ok: false; reason: 'waiting' | 'other_rest' }> {
  const { operator } = input
  const at = deps.now()
  const ordered = await deps.db.transaction().execute(async (tx) => {
    const placed = await findPurchase(tx, input)
    if (!placed) return refuse('not_found')
    const { firstPaymentId, amountCents } = placed
    const movedCents = await lockMoves(tx, { firstPaymentId, now: at })
    await expireApprovalsOfPurchase(tx, { firstPaymentId, now: at })
    if (await hasOpenApproval(tx, { kind: 'purchase', id: firstPaymentId })) return refuse('waiting')
    // Another operator made one, or this one did, in another tab or before a response was lost.
    if (await isRestOther(deps, tx, placed, input.expectedCents)) return refuse('other_rest')
    const isAsked = needsSecondPerson({ cents: amountCents, movedCents }, deps.secondOperatorCents)
    if (!isAsked) {
      const done = await carryOut(deps, tx, placed, operator)
      if (done.ok) await recordMove(tx, { firstPaymentId, cents: amountCents, operator, at })
      return done.ok ? { ...done, isAsked } : done
    }
    const possible = await checkPossible(deps, tx, placed)
    if (!possible.ok) return possible
    const { label } = placed
    const reason = reasonOf(placed)
    const asked = await askSecondPerson<RefundAct>(tx, {
      ...storedOf(placed),
      subject: { kind: 'purchase', id: firstPaymentId },
      firstPaymentId,
      label,
      amountCents,
      reason,
      seen: possible.seen,
      operator,
      at,
      log: {
        subject: { kind: 'payment', id: firstPaymentId, label },
        text: `refund of ${formatMoney(amountCents)}: ${reason}`,
      },
    })
    if (!asked.ok) return asked
    return { ok: true, isAsked, amountCents, reducedCents: 0, firstPaymentId } as const
  })
  if (!ordered.ok) return ordered
  return finish(deps, ordered)
}

/**
 * Confirms or drops a refund that waits for a second person.
 * @returns refuses as `settleApproval` does, and with the reasons of `orderRefund`
 */
export async function settleRefund(
  deps: RefundOrderDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<Done | Refused | SettleRefused> {
  const { operator, orderId: id, isConfirmed } = input
  const settled = await settleApproval(deps, refundFlow(deps), { operator, id, isConfirmed })
  if (!settled.ok) return settled
  const { done, approval } = settled
  const { amountCents, subjectId: firstPaymentId } = approval
  return done
    ? finish(deps, { ...done, ok: true, isAsked: false })
    : finish(deps, { ok: true, isAsked: true, amountCents, reducedCents: 0, firstPaymentId })
}

type RefundAct = ApprovalAct<'refund'>

const refundFlow = (
  deps: BookingDeps,
): ApprovalFlow<
  RefundAct,
  { placed: Placed },
  { amountCents: Cents; reducedCents: Cents; firstPaymentId: string },
  Refused | { ok: false; reason: 'changed' }
> => {
  const textOf = ({ amountCents, askedByEmail }: Approval<RefundAct>) =>
    `refund of ${formatMoney(amountCents)}, proposed by ${askedByEmail}`
  const subjectOf = ({ subjectId: id, label }: Approval<RefundAct>) =>
    ({ kind: 'payment', id, label }) as const
  return {
    acts: APPROVAL_ACTS.refund,
    lock: (tx, { subjectId: firstPaymentId }) => lockMoves(tx, { firstPaymentId, now: deps.now() }),
    async check(tx, approval) {
      const placed = await findPurchase(tx, inputOf(approval))
      if (!placed) return refuse('not_found')
      const possible = await checkPossible(deps, tx, placed)
      if (!possible.ok) return possible
      // Also a refund that came back has the amount that was proposed.
      return placed.amountCents === approval.amountCents ? { ...possible, placed } : refuse('changed')
    },
    async carryOut(tx, approval, { placed }, operator) {
      const subject = subjectOf(approval)
      const logged = { operator, subject, reason: textOf(approval), at: deps.now() }
      await logAction(tx, { ...logged, action: 'confirm-refund' })
      const done = await carryOut(deps, tx, placed, operator)
      // `check` has allowed it under the same locks.
      if (!done.ok) throw new Error(`A checked refund was refused: ${done.reason}`)
      return done
    },
    dropped: (approval) => ({ subject: subjectOf(approval), text: textOf(approval) }),
  }
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
  if (placed.kind === 'paid_otherwise') {
    const refused = await refusePayingOtherwise(tx, placed)
    return refused ? refuse(refused) : { ok: true, seen: '' }
  }
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
  expectedCents: Cents | undefined,
): Promise<boolean> {
  if (placed.kind !== 'refund' || expectedCents === undefined) return false
  await lockPurchase(deps, tx, placed)
  if ((await findPayment(tx, placed.paymentId))?.state !== 'paid') return false
  const { refundableCents, dueCents } = await findRest(tx, placed.firstPaymentId)
  return refundableCents + dueCents !== expectedCents
}

/** The purchase before its payments, as in every other transaction. */
async function lockPurchase(deps: BookingDeps, tx: DatabaseTransaction, placed: Placed): Promise<void> {
  const paymentId = placed.firstPaymentId
  const line = (await deps.fulfilment.findPurchase(tx, paymentId)) ? ONLY_LINE_ITEM : null
  await deps.fulfilment.lockPurchase(tx, { paymentId, line })
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

/** An order as an approval stores it. */
function storedOf(placed: RefundOrderInput) {
  if (placed.kind === 'refund_again')
    return { act: 'refund-again', payload: { refundId: placed.refundId } } as const
  if (placed.kind === 'paid_otherwise') {
    const { refundId, reference, accountGivenAt } = placed
    return { act: 'paid-otherwise', payload: { refundId, reference, accountGivenAt } } as const
  }
  const { paymentId, borneBy } = placed
  return { act: 'refund', payload: { paymentId, borneBy } } as const
}

function inputOf(approval: Approval<RefundAct>): RefundOrderInput {
  const { act, reason, amountCents } = approval
  if (act === 'refund-again') return { kind: 'refund_again', ...approval.payload }
  if (act === 'paid-otherwise') return { kind: 'paid_otherwise', ...approval.payload, reason }
  return { kind: 'refund', ...approval.payload, amountCents, reason }
}
