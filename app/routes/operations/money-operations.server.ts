import {
  type CancellationDeps,
  orderCancellation,
  settleCancellation,
} from '../../features/operators/cancellation-commands.server.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import {
  answerDispute,
  type DisputeAnswerDeps,
  settleAnswer,
} from '../../features/operators/dispute-answer-commands.server.ts'
import {
  ASKED_SECOND,
  answeredBy,
  DISPUTE_ACCEPTED,
  EVIDENCE_SENT,
  refusedText,
  SENDING_AGAIN,
} from '../../features/operators/dispute-messages.ts'
import type { EvidenceTexts } from '../../features/operators/dispute-rules.ts'
import { setRate } from '../../features/operators/ledger-commands.server.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import {
  AMOUNT_INVALID,
  amountTooHigh,
  orderTooHigh,
  REFUNDS_WAIT,
  refundedText,
  SECOND_OPERATOR_ASKED,
  VENDOR_UNKNOWN,
} from '../../features/operators/messages.ts'
import {
  decidePayoutOrder,
  placeHold,
  placePayoutOrder,
  releaseHold,
} from '../../features/operators/payout-commands.server.ts'
import {
  orderRefund,
  type RefundOrderDeps,
  settleRefund,
} from '../../features/operators/refund-order-commands.server.ts'
import type { PayoutDeps } from '../../features/payouts/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { type Cents, parsePrice } from '../../shared/money.ts'
import { answerOf, type OperationOf, refused } from './operation-answers.server.ts'

type RefundOperation = OperationOf<
  'refund' | 'refund-again' | 'paid-otherwise' | 'confirm-refund' | 'drop-refund'
>

/** Orders a refund, or settles the order of one. Above the limit of one operator it waits for a second. */
export async function carryOutRefund(
  deps: RefundOrderDeps,
  operation: RefundOperation,
  operator: Operator,
): Promise<OperationAnswer> {
  const { intent, id } = operation
  if (intent === 'confirm-refund' || intent === 'drop-refund') {
    const isConfirmed = intent === 'confirm-refund'
    const settled = await settleRefund(deps, { operator, orderId: id, isConfirmed })
    if (!settled.ok && settled.reason === 'exceeds')
      return { ok: false, message: amountTooHigh(settled.leftCents) }
    return answerOf(settled, isConfirmed ? refundText(settled) : 'Dropped')
  }
  const order =
    intent === 'refund'
      ? ({ kind: 'refund', paymentId: id, amountCents: operation.amount, ...borneBy(operation) } as const)
      : intent === 'refund-again'
        ? ({ kind: 'refund_again', refundId: id } as const)
        : ({ kind: 'paid_otherwise', refundId: id, ...referenceOf(operation) } as const)
  const seen = intent === 'refund' ? { seenCents: operation.seen } : {}
  const ordered = await orderRefund(deps, { ...order, ...seen, operator })
  if (!ordered.ok && ordered.reason === 'exceeds') {
    const message = amountTooHigh(ordered.leftCents)
    return { ok: false, message, errors: { amount: message } }
  }
  if (ordered.ok && ordered.isAsked) return { ok: true, message: SECOND_OPERATOR_ASKED }
  const messages = {
    refund: refundText(ordered),
    'refund-again': 'Refund ordered again',
    'paid-otherwise': 'Recorded as paid back',
  }
  return answerOf(ordered, messages[intent])
}

const borneBy = (operation: OperationOf<'refund'>) => ({
  borneBy: operation.borneBy,
  reason: operation.reason,
})
const referenceOf = (operation: OperationOf<'paid-otherwise'>) => ({
  reference: operation.reference,
  reason: operation.reason,
})

/** The answer to a refund that has been carried out. */
function refundText(
  done: { ok: true; waits: boolean; amountCents: Cents; reducedCents: Cents } | { ok: false },
): string {
  if (!done.ok) return ''
  return done.waits ? `Refund ordered. ${REFUNDS_WAIT}` : refundedText(done.amountCents, done.reducedCents)
}

type CancellationOperation = OperationOf<'cancel-booking' | 'confirm-cancellation' | 'drop-cancellation'>

/** Cancels a booking, or settles the order of a cancellation. Above the limit of one operator it waits for a second. */
export async function carryOutCancellation(
  deps: CancellationDeps,
  operation: CancellationOperation,
  operator: Operator,
): Promise<OperationAnswer> {
  switch (operation.intent) {
    case 'cancel-booking': {
      const cents = operation.refund === 'amount' ? parsePrice(operation.amount) : null
      if (operation.refund === 'amount' && cents === null)
        return { ok: false, message: AMOUNT_INVALID, errors: { amount: AMOUNT_INVALID } }
      const cancelled = await orderCancellation(deps, {
        operator,
        paymentId: operation.id,
        side: operation.side,
        refund: operation.refund === 'amount' ? { cents: cents ?? 0 } : operation.refund,
        seenCents: operation.seen ?? null,
        reason: operation.reason,
      })
      if (!cancelled.ok && cancelled.reason === 'exceeds') {
        const message = amountTooHigh(cancelled.leftCents)
        return { ok: false, message, errors: { amount: message } }
      }
      if (cancelled.ok && cancelled.isAsked) return { ok: true, message: SECOND_OPERATOR_ASKED }
      return answerOf(cancelled, cancelledText(cancelled))
    }
    case 'confirm-cancellation':
    case 'drop-cancellation': {
      const isConfirmed = operation.intent === 'confirm-cancellation'
      const order = { operator, orderId: operation.id, isConfirmed }
      const settled = await settleCancellation(deps, order)
      if (!settled.ok && settled.reason === 'exceeds')
        return { ok: false, message: amountTooHigh(settled.leftCents) }
      return answerOf(settled, isConfirmed ? cancelledText(settled) : 'Dropped')
    }
  }
}

const cancelledText = (cancelled: { ok: boolean; waits?: boolean }) =>
  cancelled.waits ? `Booking cancelled. ${REFUNDS_WAIT}` : 'Booking cancelled'

type AnswerOperation = OperationOf<'submit-evidence' | 'accept-dispute' | 'confirm-answer' | 'drop-answer'>

/** Sends an answer to a dispute, or settles one that waits for a second operator. */
export async function carryOutAnswer(
  deps: DisputeAnswerDeps,
  operation: AnswerOperation,
  operator: Operator,
): Promise<OperationAnswer> {
  const { intent, id } = operation
  if (intent === 'confirm-answer' || intent === 'drop-answer') {
    const isConfirmed = intent === 'confirm-answer'
    const settled = await settleAnswer(deps, { operator, answerId: id, isConfirmed })
    if (!settled.ok)
      return settled.reason === 'refused' ? refusedByProvider(settled.message) : refused(settled.reason)
    if (settled.outcome === 'unreachable') return { ok: true, message: SENDING_AGAIN }
    return { ok: true, message: isConfirmed ? 'Confirmed and sent' : 'Dropped' }
  }
  const { seen, reason } = operation
  const texts = intent === 'submit-evidence' ? textsOf(operation) : null
  const answered = await answerDispute(deps, { operator, disputeId: id, texts, seen, reason })
  if (answered.ok) {
    if (answered.outcome === 'waits') return { ok: true, message: ASKED_SECOND }
    if (answered.outcome === 'unreachable') return { ok: true, message: SENDING_AGAIN }
    return { ok: true, message: texts ? EVIDENCE_SENT : DISPUTE_ACCEPTED }
  }
  if (answered.reason === 'refused') return refusedByProvider(answered.message)
  if (answered.reason === 'changed' && answered.by)
    return { ok: false, message: answeredBy(answered.by.email, answered.by.kind) }
  return refused(answered.reason)
}

function textsOf({ product, serviceDate, terms, refusal, statement }: EvidenceTexts): EvidenceTexts {
  return { product, serviceDate, terms, refusal, statement }
}

const refusedByProvider = (message: string): OperationAnswer => ({ ok: false, message: refusedText(message) })

/** Sets a rate of commission. Refuses while vendors aren't paid, and for an unknown vendor. */
export async function carryOutRate(
  services: Services,
  operation: OperationOf<'set-category-rate' | 'set-vendor-rate'>,
  operator: Operator,
): Promise<OperationAnswer> {
  if (!services.payouts) return refused('not_found')
  const isVendor = operation.intent === 'set-vendor-rate'
  const set = await setRate(services, {
    operator,
    of: isVendor ? { vendorEmail: operation.vendor } : { category: operation.category },
    basisPoints: operation.rate,
    reason: operation.reason,
  })
  if (!set.ok && set.reason === 'not_found' && isVendor)
    return { ok: false, message: VENDOR_UNKNOWN, errors: { vendor: VENDOR_UNKNOWN } }
  return answerOf(set, 'Rate set')
}

type PayoutOperation = OperationOf<
  'hold-payouts' | 'release-payouts' | 'order-payout' | 'confirm-order' | 'drop-order'
>

/** Holds or releases payouts, and places or decides an order about them. */
export async function carryOutPayout(
  deps: PayoutDeps,
  operation: PayoutOperation,
  operator: Operator,
): Promise<OperationAnswer> {
  switch (operation.intent) {
    case 'hold-payouts': {
      const { id: vendorUserId, booking: bookingId = null, reason } = operation
      return answerOf(await placeHold(deps, { operator, vendorUserId, bookingId, reason }), 'Payouts held')
    }
    case 'release-payouts': {
      const { id: holdId, reason } = operation
      return answerOf(await releaseHold(deps, { operator, holdId, reason }), 'Payouts released')
    }
    case 'order-payout': {
      const { id: bookingId, kind, amount: amountCents, seen: seenCents, reason } = operation
      const order = { operator, kind, bookingId, amountCents, seenCents, reason }
      const ordered = await placePayoutOrder(deps, order)
      if (ordered.ok) return { ok: true, message: ordered.waits ? SECOND_OPERATOR_ASKED : 'Recorded' }
      if (ordered.reason !== 'exceeds') return refused(ordered.reason)
      const message = orderTooHigh(ordered.leftCents)
      return { ok: false, message, errors: { amount: message } }
    }
    case 'confirm-order':
    case 'drop-order': {
      const isConfirmed = operation.intent === 'confirm-order'
      const decided = await decidePayoutOrder(deps, { operator, orderId: operation.id, isConfirmed })
      if (!decided.ok && decided.reason === 'exceeds')
        return { ok: false, message: orderTooHigh(decided.leftCents) }
      if (!decided.ok) return refused(decided.reason)
      return { ok: true, message: isConfirmed ? 'Confirmed' : 'Dropped' }
    }
  }
}
