import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { cancelForSide, planForSide, type RefundChoice } from '../bookings/cancellation-commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { areRefundsBlocked, findPayment } from '../payments/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { refuseAsSecond } from './naming-queries.server.ts'
import { hasWaitingOrder } from './refund-order-commands.server.ts'
import { cancellationStakeCents, type SecondPersonRefusal } from './rules.ts'
import {
  expireOrdersOf,
  isExpired,
  lockMoves,
  needsSecondPerson,
  recordMove,
} from './second-person-commands.server.ts'

/** The services of operators' cancellations, with the amount above which a second operator confirms. */
export type CancellationDeps = BookingDeps & { secondOperatorCents: Cents }

type Order = {
  operator: Operator
  paymentId: string
  side: 'vendor' | 'customer'
  reason: string
  refund?: RefundChoice
  seenCents?: Cents | null
}

type Refused =
  | { ok: false; reason: 'not_found' | 'already_over' | 'changed' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

type Cancelled = { ok: true; waits: boolean; refundCents: Cents }

/**
 * Cancels a booking for its vendor or its customer, or asks a second operator where much is at stake. The log has what goes back
 * and, for its customer, what the policy says.
 * @param input.refund what the customer gets back; by default all that is left
 * @param input.seenCents the refund by the policy that the operator saw; null where none was shown
 * @returns `waits` when the refund waits for a dispute, `isAsked` when nothing has happened before a second operator confirms.
 *   Refuses as `cancelForSide` does, and with 'waiting' when such an order waits already
 */
export async function orderCancellation(
  deps: CancellationDeps,
  input: Order,
): Promise<(Cancelled & { isAsked: boolean }) | Refused | { ok: false; reason: 'waiting' }> {
  const ordered = await deps.db.transaction().execute(async (tx) => {
    const bookingId = await deps.fulfilment.findBought(tx, input.paymentId)
    if (!bookingId) return refuse('not_found')
    const at = deps.now()
    const payment = await findPayment(tx, input.paymentId)
    if (!payment) return refuse('not_found')
    const firstPaymentId = payment.sale_id
    const movedCents = await lockMoves(tx, { firstPaymentId, now: at })
    await expireOrdersOf(tx, { firstPaymentId, now: at })
    const planned = await planForSide(deps, tx, { ...input, bookingId })
    if (!planned.ok) return planned
    const { row, refundCents } = planned
    if (await hasWaitingOrder(tx, firstPaymentId)) return refuse('waiting')
    const { operator, side, reason, refund = 'full' } = input
    const cents = cancellationStakeCents(planned)
    if (!needsSecondPerson({ cents, movedCents }, deps.secondOperatorCents)) {
      const cancelled = await cancelNow(deps, tx, { ...input, bookingId, isConfirmed: false })
      if (cancelled.ok) await recordMove(tx, { firstPaymentId, cents, operator, at })
      return cancelled
    }
    await tx
      .insertInto('cancellation_orders')
      .values({
        id: newId(),
        payment_id: row.payment_row_id,
        side,
        refund: typeof refund === 'string' ? refund : 'amount',
        refund_cents: refundCents,
        reason,
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
      subject: { kind: 'payment', id: row.payment_row_id, label: row.vendor_name },
      reason: `cancellation for the ${side}, ${formatMoney(refundCents)} back: ${reason}`,
      at,
    })
    return { ok: true, isAsked: true, refundCents } as const
  })
  if (!ordered.ok) return ordered
  const { isAsked, refundCents } = ordered
  if (isAsked) return { ok: true, isAsked, refundCents, waits: false }
  await performDueRefunds(deps)
  return { ok: true, isAsked, refundCents, waits: await isWaiting(deps, input.paymentId, refundCents) }
}

/**
 * Confirms or drops a cancellation that waits for a second operator.
 * @returns refuses with 'settled' (it no longer waits), 'expired', those of `refuseAsSecond`, 'changed' (another
 *   amount would go back by now) and the reasons of `cancelForSide`
 */
export async function settleCancellation(
  deps: CancellationDeps,
  input: { operator: Operator; orderId: string; isConfirmed: boolean },
): Promise<Cancelled | Refused | { ok: false; reason: 'settled' | SecondPersonRefusal | 'expired' }> {
  const { operator, orderId, isConfirmed } = input
  const settled = await deps.db.transaction().execute(async (tx) => {
    const found = await findWaiting(tx, orderId)
    if (!found) return refuse('settled')
    const second = { operatorId: operator.userId, askerId: found.placed_by, now: deps.now() }
    const refused = isConfirmed && (await refuseAsSecond(tx, second))
    if (refused) return refuse(refused)
    const { payment_id: paymentId, side, reason } = found
    const refundCents = Number(found.refund_cents)
    const at = deps.now()
    if (isConfirmed && isExpired(found, at)) return refuse('expired')
    await lockMoves(tx, { firstPaymentId: paymentId, now: at })
    const bookingId = (await deps.fulfilment.findBought(tx, paymentId)) ?? ''
    const refund: RefundChoice = found.refund === 'amount' ? { cents: refundCents } : found.refund
    const order = { operator, paymentId, side, reason, refund, seenCents: refundCents, bookingId }
    if (isConfirmed) {
      const planned = await planForSide(deps, tx, order)
      if (!planned.ok) return planned
      // A balance may have been charged since.
      if (planned.refundCents !== refundCents) return refuse('changed')
    }
    const taken = await tx
      .updateTable('cancellation_orders')
      .set({ settled_by: operator.userId, settled_at: at, outcome: isConfirmed ? 'done' : 'dropped' })
      .where('id', '=', orderId)
      .where('settled_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!taken) return refuse('settled')
    if (isConfirmed) return cancelNow(deps, tx, { ...order, isConfirmed })
    const payment = await findPayment(tx, paymentId)
    await logAction(tx, {
      operator,
      action: 'drop-order',
      subject: { kind: 'payment', id: paymentId, label: payment?.sale.businessName ?? paymentId },
      reason: `cancellation for the ${side}, ${formatMoney(refundCents)} back: dropped`,
      at,
    })
    return { ok: true, paymentId, refundCents } as const
  })
  if (!settled.ok) return settled
  const { refundCents, paymentId } = settled
  if (!isConfirmed) return { ok: true, refundCents, waits: false }
  await performDueRefunds(deps)
  return { ok: true, refundCents, waits: await isWaiting(deps, paymentId, refundCents) }
}

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

function findWaiting(tx: DatabaseTransaction, orderId: string) {
  return tx
    .selectFrom('cancellation_orders')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('id', '=', orderId)
    .executeTakeFirst()
}
