import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { cancelForSide, planForSide, type RefundChoice } from '../bookings/cancellation/commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { areRefundsBlocked, findPayment } from '../payments/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { APPROVAL_ACTS } from './act-rules.ts'
import {
  type ApprovalFlow,
  askSecondPerson,
  expireApprovalsOfPurchase,
  type SettleRefused,
  settleApproval,
} from './approval-commands.server.ts'
import { hasOpenApproval } from './approval-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { lockMoves, needsSecondPerson, recordMove } from './move-commands.server.ts'
import { cancellationStakeCents } from './rules.ts'

/** The services of operators' cancellations, with the amount above which a second operator confirms. */
export type CancellationDeps = BookingDeps & { secondOperatorCents: Cents }

type Order = {
  operator: Operator
  paymentId: string
  side: 'vendor' | 'customer'
  reason: string
  refund?: RefundChoice
  expectedCents?: Cents | null
}

type Refused =
  | { ok: false; reason: 'not_found' | 'already_over' | 'changed' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

type Cancelled = { ok: true; waits: boolean; refundCents: Cents }

/**
 * Cancels a booking for its vendor or its customer, or asks a second operator where much is at stake. The log has what goes back
 * and, for its customer, what the policy says.
 * @param input.refund what the customer gets back; by default all that is left
 * @param input.expectedCents the refund by the policy that the operator saw; null where none was shown
 * @returns `waits` when the refund waits for a dispute, `isAsked` when nothing has happened before a second operator confirms.
 *   Refuses as `cancelForSide` does, and with 'waiting' when such an order waits already
 */
export async function orderCancellation(
  deps: CancellationDeps,
  input: Order,
): Promise<(Cancelled & { isAsked: boolean }) | Refused | { ok: false; reason: 'waiting' }> {
  const ordered = await deps.db.transaction().execute(async (tx) => {
    const bookingId = await deps.fulfilment.findPurchase(tx, input.paymentId)
    if (!bookingId) return refuse('not_found')
    const at = deps.now()
    const payment = await findPayment(tx, input.paymentId)
    if (!payment) return refuse('not_found')
    const firstPaymentId = payment.sale_id
    const movedCents = await lockMoves(tx, { firstPaymentId, now: at })
    await expireApprovalsOfPurchase(tx, { firstPaymentId, now: at })
    const planned = await planForSide(deps, tx, { ...input, bookingId })
    if (!planned.ok) return planned
    const { row, refundCents } = planned
    if (await hasOpenApproval(tx, { kind: 'purchase', id: firstPaymentId })) return refuse('waiting')
    const { operator, side, reason, refund = 'full' } = input
    const cents = cancellationStakeCents(planned)
    if (!needsSecondPerson({ cents, movedCents }, deps.secondOperatorCents)) {
      const cancelled = await cancelNow(deps, tx, { ...input, bookingId, isConfirmed: false })
      if (cancelled.ok) await recordMove(tx, { firstPaymentId, cents, operator, at })
      return cancelled
    }
    const asked = await askSecondPerson(tx, {
      act: 'cancel-booking',
      payload: { side, refund: typeof refund === 'string' ? refund : 'amount' },
      subject: { kind: 'purchase', id: row.payment_row_id },
      firstPaymentId: row.payment_row_id,
      label: row.vendor_name,
      amountCents: refundCents,
      reason,
      seen: String(refundCents),
      operator,
      at,
      log: {
        subject: { kind: 'payment', id: row.payment_row_id, label: row.vendor_name },
        text: `${textOf(side, refundCents)}: ${reason}`,
      },
    })
    if (!asked.ok) return asked
    return { ok: true, isAsked: true, refundCents } as const
  })
  if (!ordered.ok) return ordered
  const { isAsked, refundCents } = ordered
  if (isAsked) return { ok: true, isAsked, refundCents, waits: false }
  await performDueRefunds(deps)
  return { ok: true, isAsked, refundCents, waits: await isWaiting(deps, input.paymentId, refundCents) }
}

const textOf = (side: Order['side'], refundCents: Cents) =>
  `cancellation for the ${side}, ${formatMoney(refundCents)} back`

/**
 * Confirms or drops a cancellation that waits for a second operator.
 * @returns refuses as `settleApproval` does, with 'changed' when another amount would now go back, and with the reasons of
 *   `cancelForSide`
 */
export async function settleCancellation(
  deps: CancellationDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<Cancelled | Refused | SettleRefused> {
  const { operator, orderId: id, isConfirmed } = input
  const settled = await settleApproval(deps, cancellationFlow(deps), { operator, id, isConfirmed })
  if (!settled.ok) return settled
  const { done, approval } = settled
  if (!done) return { ok: true, refundCents: approval.amountCents, waits: false }
  await performDueRefunds(deps)
  const { paymentId, refundCents } = done
  return { ok: true, refundCents, waits: await isWaiting(deps, paymentId, refundCents) }
}

const cancellationFlow = (
  deps: BookingDeps,
): ApprovalFlow<
  'cancel-booking',
  { order: Omit<Order, 'operator'> & { bookingId: string } },
  { paymentId: string; refundCents: Cents },
  Refused
> => ({
  acts: APPROVAL_ACTS.cancellation,
  lock: (tx, { subjectId: firstPaymentId }) => lockMoves(tx, { firstPaymentId, now: deps.now() }),
  async check(
    tx,
    { subjectId: paymentId, amountCents: expectedCents, reason, payload: { side, refund: kind } },
  ) {
    const bookingId = (await deps.fulfilment.findPurchase(tx, paymentId)) ?? ''
    const refund: RefundChoice = kind === 'amount' ? { cents: expectedCents } : kind
    const order = { paymentId, side, reason, refund, expectedCents, bookingId }
    const planned = await planForSide(deps, tx, order)
    // A balance may have been charged since.
    return planned.ok ? { ok: true, seen: String(planned.refundCents), order } : planned
  },
  carryOut: (tx, _, { order }, operator) => cancelNow(deps, tx, { ...order, operator, isConfirmed: true }),
  dropped: ({ subjectId: id, label, amountCents, payload: { side } }) => ({
    subject: { kind: 'payment', id, label },
    text: `${textOf(side, amountCents)}: dropped`,
  }),
})

/** Cancels in the transaction that has decided it, and logs it. */
async function cancelNow(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  order: Order & { bookingId: string; isConfirmed: boolean },
): Promise<{ ok: true; isAsked: false; paymentId: string; refundCents: Cents } | Refused> {
  const { operator, paymentId, side, reason, isConfirmed } = order
  const ended = await cancelForSide(deps, tx, order)
  if (!ended.ok) return ended
  const { refundCents, policyCents } = ended
  const policy = side === 'customer' && policyCents !== null ? ` (policy ${formatMoney(policyCents)})` : ''
  await logAction(tx, {
    operator,
    action: 'cancel-booking',
    subject: { kind: 'payment', id: paymentId, label: ended.vendorName },
    reason: `for the ${side}, ${formatMoney(refundCents)} back${policy}: ${reason}${isConfirmed ? ' (confirmed)' : ''}`,
    at: deps.now(),
  })
  return { ok: true, isAsked: false, paymentId, refundCents }
}

/** Whether a refund that was ordered waits for a dispute. */
const isWaiting = async (deps: BookingDeps, paymentId: string, refundCents: Cents) =>
  refundCents > 0 && (await areRefundsBlocked(deps.db, paymentId))
