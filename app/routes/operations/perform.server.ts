import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { PROOF_REFUSALS } from '../../features/accounts/messages.ts'
import { proofSchema } from '../../features/accounts/schema.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { may, OPERATIONS, permissionOfIntent } from '../../features/operators/role-rules.ts'
import { type Operation, operationSchema } from '../../features/operators/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps, payoutDeps } from '../../services/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { readForm } from '../../shared/form.ts'
import { askAgain, findProofAsked, PROOF_STATUSES } from '../ask-again.server.ts'
import { carryOutCheck } from './check-operations.server.ts'
import {
  carryOutAnswer,
  carryOutCancellation,
  carryOutPayout,
  carryOutRate,
  carryOutRefund,
} from './money-operations.server.ts'
import { refused } from './operation-answers.server.ts'
import { refuseRole, requireOperator, type SignedInOperator } from './operator.server.ts'
import { carryOutAccount, carryOutModeration, carryOutNaming } from './people-operations.server.ts'

/** The fields that operators type into; the others come from the page. */
const TYPED_FIELDS = [
  ...['amount', 'reference', 'vendor', 'rate', 'email', 'role'],
  ...['product', 'serviceDate', 'terms', 'refusal', 'statement', 'reason'],
]

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
  const proof = OPERATIONS[parsed.data.intent].asksAgain ? await askAgain({ request, context }, form) : null
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

/** Carries out an operation by the command of its intent. The answer's texts are for the operator. */
async function carryOut(
  operation: Operation,
  operator: SignedInOperator,
  services: Services,
): Promise<OperationAnswer> {
  const deps = { ...bookingDeps(services), secondOperatorCents: services.config.operatorSecondPersonCents }
  switch (operation.intent) {
    case 'ask':
    case 'retry-refund':
    case 'compare':
    case 'prove':
      return carryOutCheck(services, deps, operation, operator)
    case 'refund':
    case 'refund-again':
    case 'paid-otherwise':
    case 'confirm-refund':
    case 'drop-refund':
      return carryOutRefund(deps, operation, operator)
    case 'cancel-booking':
    case 'confirm-cancellation':
    case 'drop-cancellation':
      return carryOutCancellation(deps, operation, operator)
    case 'approve-review':
    case 'reject-review':
    case 'hide-listing':
    case 'show-listing':
    case 'close-report':
      return carryOutModeration(services, deps, operation, operator)
    case 'disable-account':
    case 'enable-account':
      return carryOutAccount(services, deps, operation, operator)
    case 'set-category-rate':
    case 'set-vendor-rate':
      return carryOutRate(services, operation, operator)
    case 'name-operator':
    case 'change-role':
    case 'remove-operator':
    case 'confirm-naming':
    case 'drop-naming':
      return carryOutNaming(operation, operator, services)
    case 'submit-evidence':
    case 'accept-dispute':
    case 'confirm-answer':
    case 'drop-answer':
      return carryOutAnswer(deps, operation, operator)
    default: {
      const payouts = payoutDeps(services)
      return payouts ? carryOutPayout(payouts, operation, operator) : refused('payouts_off')
    }
  }
}
