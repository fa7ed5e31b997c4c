import type { ActName } from '../../features/operators/act-rules.ts'
import {
  orderCancellation,
  settleCancellation,
} from '../../features/operators/cancellation-commands.server.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { setRate } from '../../features/operators/ledger-commands.server.ts'
import {
  AMOUNT_INVALID,
  amountTooHigh,
  orderTooHigh,
  REFUNDS_WAIT,
  refundedText,
  SECOND_OPERATOR_ASKED,
} from '../../features/operators/messages.ts'
import { openRefundAccount, retryRefund } from '../../features/operators/payment-commands.server.ts'
import {
  decidePayoutOrder,
  placeHold,
  placePayoutOrder,
  releaseHold,
} from '../../features/operators/payout-commands.server.ts'
import {
  orderRefund,
  type RefundOrderInput,
  settleRefund,
} from '../../features/operators/refund-order-commands.server.ts'
import type { PayoutDeps } from '../../features/payouts/deps.server.ts'
import { bookingDeps, type PayoutServices, payoutDeps } from '../../services/deps.server.ts'
import { type Cents, parsePrice } from '../../shared/money.ts'
import {
  type ActContext,
  type ActHandlers,
  answerOf,
  answerOfAmount,
  refused,
  secondPersonDeps,
} from './act-handlers.server.ts'

/** Orders a refund. Above the limit of one operator it waits for a second. */
async function refund(
  { services, operator }: ActContext,
  act: ActName,
  order: RefundOrderInput & { expectedCents?: Cents },
): Promise<OperationAnswer> {
  const ordered = await orderRefund(secondPersonDeps(services), { ...order, operator })
  return answerOfAmount(act, ordered, { done: refundText(order.kind, ordered), tooHigh: amountTooHigh })
}

type RefundDone = { ok: true; isAsked: boolean; waits: boolean; amountCents: Cents; reducedCents: Cents }

/** The answer to a refund, unless the act's own words say all. */
function refundText(kind: RefundOrderInput['kind'], done: RefundDone | { ok: false }): string | undefined {
  if (!done.ok) return undefined
  if (done.isAsked) return SECOND_OPERATOR_ASKED
  if (kind !== 'refund') return undefined
  return done.waits ? `Refund ordered. ${REFUNDS_WAIT}` : refundedText(done.amountCents, done.reducedCents)
}

async function settleRefundOrder(
  { services, operator }: ActContext,
  act: 'confirm-refund' | 'drop-refund',
  orderId: string,
): Promise<OperationAnswer> {
  const isConfirmed = act === 'confirm-refund'
  const settled = await settleRefund(secondPersonDeps(services), { operator, orderId, isConfirmed })
  const done = isConfirmed ? refundText('refund', settled) : undefined
  return answerOfAmount(act, settled, { done, tooHigh: amountTooHigh })
}

const cancelledText = (done: { ok: boolean; waits?: boolean }) =>
  done.waits ? `Booking cancelled. ${REFUNDS_WAIT}` : undefined

async function settleCancellationOrder(
  { services, operator }: ActContext,
  act: 'confirm-cancellation' | 'drop-cancellation',
  orderId: string,
): Promise<OperationAnswer> {
  const isConfirmed = act === 'confirm-cancellation'
  const settled = await settleCancellation(secondPersonDeps(services), { operator, orderId, isConfirmed })
  return answerOfAmount(act, settled, { done: cancelledText(settled), tooHigh: amountTooHigh })
}

/** Orders, confirms and drops what goes back to a customer. Above the limit of one operator it waits for a second. */
export const REFUND_HANDLERS: ActHandlers<
  | 'retry-refund'
  | 'refund'
  | 'refund-again'
  | 'open-refund-account'
  | 'paid-otherwise'
  | 'confirm-refund'
  | 'drop-refund'
  | 'cancel-booking'
  | 'confirm-cancellation'
  | 'drop-cancellation'
> = {
  async 'retry-refund'({ services, operator }, { id: refundId }) {
    const retried = await retryRefund(bookingDeps(services), { operator, refundId })
    if (retried.ok && !retried.done) return { ok: false, message: 'The provider still refuses this refund.' }
    return answerOf('retry-refund', retried)
  },
  refund: (context, { id: paymentId, amount: amountCents, seen: expectedCents, borneBy, reason }) =>
    refund(context, 'refund', { kind: 'refund', paymentId, amountCents, expectedCents, borneBy, reason }),
  'refund-again': (context, { id: refundId }) =>
    refund(context, 'refund-again', { kind: 'refund_again', refundId }),
  async 'open-refund-account'({ services, operator }, { id: refundId }) {
    const opened = await openRefundAccount(bookingDeps(services), { operator, refundId })
    return answerOf('open-refund-account', opened)
  },
  'paid-otherwise': (context, { id: refundId, account, reference, reason }) =>
    refund(context, 'paid-otherwise', {
      kind: 'paid_otherwise',
      refundId,
      accountGivenAt: account || null,
      reference,
      reason,
    }),
  'confirm-refund': (context, { id }) => settleRefundOrder(context, 'confirm-refund', id),
  'drop-refund': (context, { id }) => settleRefundOrder(context, 'drop-refund', id),
  async 'cancel-booking'({ services, operator }, { id: paymentId, side, refund, seen, amount, reason }) {
    const cents = refund === 'amount' ? parsePrice(amount) : null
    if (refund === 'amount' && cents === null)
      return { ok: false, message: AMOUNT_INVALID, errors: { amount: AMOUNT_INVALID } }
    const cancelled = await orderCancellation(secondPersonDeps(services), {
      operator,
      paymentId,
      side,
      refund: refund === 'amount' ? { cents: cents ?? 0 } : refund,
      expectedCents: seen ?? null,
      reason,
    })
    const isAsked = cancelled.ok && cancelled.isAsked
    const done = isAsked ? SECOND_OPERATOR_ASKED : cancelledText(cancelled)
    return answerOfAmount('cancel-booking', cancelled, { done, tooHigh: amountTooHigh })
  },
  'confirm-cancellation': (context, { id }) => settleCancellationOrder(context, 'confirm-cancellation', id),
  'drop-cancellation': (context, { id }) => settleCancellationOrder(context, 'drop-cancellation', id),
}

/** Does something about payouts. Refuses while vendors aren't paid. */
async function withPayouts(
  services: PayoutServices,
  carryOut: (deps: PayoutDeps) => Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  const deps = payoutDeps(services)
  return deps ? carryOut(deps) : refused('payouts_off')
}

const settlePayoutOrder = (
  { services, operator }: ActContext,
  act: 'confirm-order' | 'drop-order',
  orderId: string,
) =>
  withPayouts(services, async (deps) => {
    const isConfirmed = act === 'confirm-order'
    const decided = await decidePayoutOrder(deps, { operator, orderId, isConfirmed })
    return answerOfAmount(act, decided, { tooHigh: orderTooHigh })
  })

/** Sets a rate of commission. Refuses while vendors aren't paid, and for an unknown vendor. */
async function rate(
  { services, operator }: ActContext,
  act: 'set-category-rate' | 'set-vendor-rate',
  of: Parameters<typeof setRate>[1]['of'],
  { rate: basisPoints, reason }: { rate: number; reason: string },
): Promise<OperationAnswer> {
  if (!services.payouts) return refused('not_found')
  return answerOf(act, await setRate(services, { operator, of, basisPoints, reason }))
}

/** Holds or releases payouts, places or decides an order about them, and sets rates of commission. */
export const PAYOUT_HANDLERS: ActHandlers<
  | 'hold-payouts'
  | 'release-payouts'
  | 'order-payout'
  | 'confirm-order'
  | 'drop-order'
  | 'set-category-rate'
  | 'set-vendor-rate'
> = {
  'hold-payouts': ({ services, operator }, { id: vendorUserId, booking: bookingId = null, reason }) =>
    withPayouts(services, async (deps) =>
      answerOf('hold-payouts', await placeHold(deps, { operator, vendorUserId, bookingId, reason })),
    ),
  'release-payouts': ({ services, operator }, { id: holdId, reason }) =>
    withPayouts(services, async (deps) =>
      answerOf('release-payouts', await releaseHold(deps, { operator, holdId, reason })),
    ),
  'order-payout': (
    { services, operator },
    { id: bookingId, kind, amount: amountCents, seen: expectedCents, reason },
  ) =>
    withPayouts(services, async (deps) => {
      const order = { operator, kind, bookingId, amountCents, expectedCents, reason }
      const ordered = await placePayoutOrder(deps, order)
      const done = ordered.ok && ordered.waits ? SECOND_OPERATOR_ASKED : undefined
      return answerOfAmount('order-payout', ordered, { done, tooHigh: orderTooHigh })
    }),
  'confirm-order': (context, { id }) => settlePayoutOrder(context, 'confirm-order', id),
  'drop-order': (context, { id }) => settlePayoutOrder(context, 'drop-order', id),
  'set-category-rate': (context, { category, ...set }) =>
    rate(context, 'set-category-rate', { category }, set),
  'set-vendor-rate': (context, { vendor: vendorEmail, ...set }) =>
    rate(context, 'set-vendor-rate', { vendorEmail }, set),
}
