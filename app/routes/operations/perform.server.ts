import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { PROOF_REFUSALS } from '../../features/accounts/messages.ts'
import { proofSchema } from '../../features/accounts/schema.ts'
import { disableAccount, enableAccount } from '../../features/operators/account-commands.server.ts'
import {
  orderCancellation,
  settleCancellation,
} from '../../features/operators/cancellation-commands.server.ts'
import { compareWithProvider } from '../../features/operators/comparison-commands.server.ts'
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
  TOO_LATE,
} from '../../features/operators/dispute-messages.ts'
import type { EvidenceTexts } from '../../features/operators/dispute-rules.ts'
import { proveNow, setRate } from '../../features/operators/ledger-commands.server.ts'
import { hideListing, showHiddenListing } from '../../features/operators/listing-commands.server.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import {
  AMOUNT_INVALID,
  amountTooHigh,
  NAMING_REFUSALS,
  OTHER_PROVIDER,
  orderTooHigh,
  REFUNDS_WAIT,
  refundedText,
  SECOND_OPERATOR_ASKED,
  VENDOR_UNKNOWN,
} from '../../features/operators/messages.ts'
import { listNamedEmails } from '../../features/operators/named-admin-queries.server.ts'
import { askAboutPayment, retryRefund } from '../../features/operators/payment-commands.server.ts'
import {
  decidePayoutOrder,
  placeHold,
  placePayoutOrder,
  releaseHold,
} from '../../features/operators/payout-commands.server.ts'
import { changeRole, nameOperator, removeOperator } from '../../features/operators/people-commands.server.ts'
import {
  orderRefund,
  type RefundOrderDeps,
  settleRefund,
} from '../../features/operators/refund-order-commands.server.ts'
import { closeReport } from '../../features/operators/report-commands.server.ts'
import { moderateReview } from '../../features/operators/review-commands.server.ts'
import { may, permissionOfIntent } from '../../features/operators/role-rules.ts'
import { type Operation, operationSchema } from '../../features/operators/schema.ts'
import type { PayoutDeps } from '../../features/payouts/deps.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps, enquiryDeps, payoutDeps, proofDeps, type Services } from '../../services.server.ts'
import { readForm } from '../../shared/form.ts'
import { type Cents, parsePrice } from '../../shared/money.ts'
import { askAgain, findProofAsked, PROOF_STATUSES } from '../ask-again.server.ts'
import { refuseRole, requireOperator, type SignedInOperator } from './operator.server.ts'

/** The fields that operators type into; the others come from the page. */
const TYPED_FIELDS = [
  ...['amount', 'reference', 'vendor', 'rate', 'email', 'role'],
  ...['product', 'serviceDate', 'terms', 'refusal', 'statement', 'reason'],
]

const REFUSALS = {
  not_found: 'That no longer exists.',
  provider_unavailable: 'The provider didn’t answer. Try again in a minute.',
  other_provider: OTHER_PROVIDER,
  not_paid: 'This payment hasn’t been paid, so there’s nothing to refund.',
  not_failed: 'Someone has already settled this refund.',
  already_over: 'This booking was declined or withdrawn before.',
  not_failing: 'This refund is no longer failing.',
  own_account: 'You can’t disable your own account.',
  held: 'This is already held.',
  released: 'Someone has released it already.',
  changed: 'This has changed since you opened the page. Reload it and look again.',
  moving: 'A transfer is on its way. Look again in a minute.',
  waiting: 'An order about this already waits for a second person.',
  settled: 'Someone has decided about this order already.',
  expired: 'This order has waited for more than 3 days. Place it again.',
  own_order: 'Another operator has to confirm your order.',
  payouts_off: 'Payouts are switched off.',
  exists: 'Another rate was set at the same moment. Try again.',
  too_late: TOO_LATE,
  closed: 'Someone has closed this report already.',
  is_operator: 'This account is an operator’s. Remove their role first.',
  not_operator: 'This person isn’t an operator any more.',
  from_settings: 'The settings name this admin, so only the settings can change that.',
  last_admin: 'This is the last admin. Name another one first.',
  hidden_by_owner: 'Its owner has hidden it. Only they can show it.',
} as const

/** Operations that move money or give away rights ask an operator again who they are. */
const ASKS_AGAIN: ReadonlySet<Operation['intent']> = new Set([
  ...(['refund', 'refund-again', 'retry-refund', 'paid-otherwise'] as const),
  ...(['cancel-booking', 'confirm-cancellation', 'order-payout', 'confirm-order'] as const),
  ...(['confirm-refund', 'name-operator', 'change-role', 'remove-operator'] as const),
])

/**
 * Performs the operation of an operators' button. The first lines refuse everybody but operators, and operators whose role
 * isn't enough, before anything else is read.
 */
export async function performOperation(request: Request, context: Readonly<RouterContextProvider>) {
  const operator = await requireOperator({ request, context })
  const form = await readForm(request, [operationSchema, proofSchema])
  const permission = permissionOfIntent(form.get('intent'))
  if (permission && !may(operator.role, permission)) throw refuseRole(operator.role, permission)
  const parsed = operationSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error)
    const errors = Object.fromEntries(
      TYPED_FIELDS.flatMap((name) => {
        const message = (fieldErrors as Record<string, string[] | undefined>)[name]?.[0]
        return message ? [[name, message]] : []
      }),
    )
    const message = Object.values(errors)[0] ?? 'We couldn’t read this request.'
    return data<OperationAnswer>({ ok: false, message, errors }, { status: 422 })
  }
  const proof = ASKS_AGAIN.has(parsed.data.intent) ? await askAgain({ request, context }, form) : null
  if (proof) {
    const message = PROOF_REFUSALS[proof]
    const byPasskey = (await findProofAsked({ request, context }))?.byPasskey ?? false
    return data<OperationAnswer>(
      { ok: false, message, errors: { proof: message }, asksAgain: { byPasskey } },
      { status: PROOF_STATUSES[proof] },
    )
  }
  const answer = await carryOut(parsed.data, operator, context.get(servicesContext))
  return data<OperationAnswer>(answer, { status: answer.ok ? 200 : answer.errors ? 422 : 409 })
}

async function carryOut(
  operation: Operation,
  operator: SignedInOperator,
  services: Services,
): Promise<OperationAnswer> {
  const deps = bookingDeps(services)
  switch (operation.intent) {
    case 'ask': {
      const settled = await askAboutPayment(deps, { operator, paymentId: operation.id })
      return settled.ok ? { ok: true, message: `The payment is ${settled.state}.` } : refused(settled.reason)
    }
    case 'retry-refund': {
      const retried = await retryRefund(deps, { operator, refundId: operation.id })
      if (!retried.ok) return refused(retried.reason)
      return retried.done
        ? { ok: true, message: 'The refund went through.' }
        : { ok: false, message: 'The provider still refuses this refund.' }
    }
    case 'refund':
    case 'refund-again':
    case 'paid-otherwise':
    case 'confirm-refund':
    case 'drop-refund':
      return carryOutRefund(withLimit(deps, services), operation, operator)
    case 'cancel-booking': {
      const cents = operation.refund === 'amount' ? parsePrice(operation.amount) : null
      if (operation.refund === 'amount' && cents === null)
        return { ok: false, message: AMOUNT_INVALID, errors: { amount: AMOUNT_INVALID } }
      const cancelled = await orderCancellation(withLimit(deps, services), {
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
      const settled = await settleCancellation(withLimit(deps, services), order)
      if (!settled.ok && settled.reason === 'exceeds')
        return { ok: false, message: amountTooHigh(settled.leftCents) }
      return answerOf(settled, isConfirmed ? cancelledText(settled) : 'Dropped')
    }
    case 'compare': {
      const { differences, failure } = await compareWithProvider(deps, { operator })
      if (failure) return { ok: false, message: `The comparison was cut off: ${failure}` }
      const found = differences === 1 ? '1 difference' : `${differences} differences`
      return { ok: true, message: differences === 0 ? 'Everything agrees.' : `${found} found.` }
    }
    case 'approve-review':
      return answerOf(
        await moderateReview(deps, { operator, reviewId: operation.id, decision: 'approve' }),
        'Review approved',
      )
    case 'reject-review':
      return answerOf(
        await moderateReview(deps, {
          operator,
          reviewId: operation.id,
          decision: 'reject',
          reason: operation.reason,
        }),
        'Review rejected',
      )
    case 'disable-account':
      return answerOf(
        await disableAccount(deps, {
          operator,
          userId: operation.id,
          reason: operation.reason,
          // An admin may disable an account that the settings name: no other button can stop it.
          protectedEmails:
            operator.role === 'admin'
              ? new Set()
              : await listNamedEmails(services.db, services.config.operatorEmails),
          adminEmails: services.config.operatorEmails,
        }),
        'Account disabled',
      )
    case 'enable-account':
      return answerOf(await enableAccount(deps, { operator, userId: operation.id }), 'Account enabled')
    case 'hide-listing':
      return answerOf(
        await hideListing(deps, { operator, businessId: operation.id, reason: operation.reason }),
        'Listing hidden',
      )
    case 'show-listing':
      return answerOf(await showHiddenListing(deps, { operator, businessId: operation.id }), 'Listing shown')
    case 'close-report':
      return answerOf(
        await closeReport(enquiryDeps(services), {
          operator,
          reportId: operation.id,
          outcome: operation.reason,
          block: operation.block || null,
        }),
        'Report closed',
      )
    case 'prove': {
      if (!services.payouts) return refused('not_found')
      const { differenceCount, failure } = await proveNow(proofDeps(services), { operator })
      if (failure) return { ok: false, message: `We couldn’t compare with the provider: ${failure}` }
      const found = differenceCount === 1 ? '1 difference' : `${differenceCount} differences`
      return { ok: true, message: differenceCount === 0 ? 'Every check agrees.' : `${found} found.` }
    }
    case 'set-category-rate':
    case 'set-vendor-rate': {
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
    case 'name-operator':
    case 'change-role':
    case 'remove-operator':
      return carryOutNaming(operation, operator, services)
    case 'submit-evidence':
    case 'accept-dispute':
    case 'confirm-answer':
    case 'drop-answer':
      return carryOutAnswer(withLimit(deps, services), operation, operator)
    default: {
      const payouts = payoutDeps(services)
      return payouts ? carryOutPayout(payouts, operation, operator) : refused('payouts_off')
    }
  }
}

type RefundOperation = Extract<
  Operation,
  { intent: 'refund' | 'refund-again' | 'paid-otherwise' | 'confirm-refund' | 'drop-refund' }
>

async function carryOutRefund(
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
  const ordered = await orderRefund(deps, { ...order, operator })
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

const borneBy = (operation: Extract<Operation, { intent: 'refund' }>) => ({
  borneBy: operation.borneBy,
  reason: operation.reason,
})
const referenceOf = (operation: Extract<Operation, { intent: 'paid-otherwise' }>) => ({
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

type NamingOperation = Extract<Operation, { intent: 'name-operator' | 'change-role' | 'remove-operator' }>

async function carryOutNaming(
  operation: NamingOperation,
  operator: Operator,
  { config, db, jobs, liveUpdates, now }: Services,
): Promise<OperationAnswer> {
  const { brand, publicUrl, operatorEmails: adminEmails } = config
  const deps = { db, jobs, liveUpdates, now, brand, publicUrl, adminEmails }
  switch (operation.intent) {
    case 'name-operator': {
      const { email, role } = operation
      const named = await nameOperator(deps, { operator, email, role })
      if (named.ok) return { ok: true, message: `${email} is an operator now.` }
      const message = NAMING_REFUSALS[named.reason]
      return { ok: false, message, errors: { email: message } }
    }
    case 'change-role': {
      const { id: userId, seen, role } = operation
      return answerOf(await changeRole(deps, { operator, userId, seen, role }), 'Role changed')
    }
    case 'remove-operator': {
      const { id: userId, seen } = operation
      return answerOf(await removeOperator(deps, { operator, userId, seen }), 'Operator removed')
    }
  }
}

const withLimit = (deps: ReturnType<typeof bookingDeps>, services: Services) => ({
  ...deps,
  secondOperatorCents: services.config.operatorSecondPersonCents,
})

const cancelledText = (cancelled: { ok: boolean; waits?: boolean }) =>
  cancelled.waits ? `Booking cancelled. ${REFUNDS_WAIT}` : 'Booking cancelled'

type AnswerOperation = Extract<
  Operation,
  { intent: 'submit-evidence' | 'accept-dispute' | 'confirm-answer' | 'drop-answer' }
>

async function carryOutAnswer(
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

type PayoutOperation = Extract<
  Operation,
  {
    intent: 'hold-payouts' | 'release-payouts' | 'order-payout' | 'confirm-order' | 'drop-order'
  }
>

async function carryOutPayout(
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

function refused(reason: keyof typeof REFUSALS): OperationAnswer {
  return { ok: false, message: REFUSALS[reason] }
}

function answerOf(
  outcome: { ok: true } | { ok: false; reason: keyof typeof REFUSALS },
  message: string,
): OperationAnswer {
  return outcome.ok ? { ok: true, message } : refused(outcome.reason)
}
