import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { PROOF_REFUSALS } from '../../features/accounts/messages.ts'
import { proofSchema } from '../../features/accounts/schema.ts'
import {
  ACTS,
  type ActName,
  actOf,
  operationSchema,
  readActName,
} from '../../features/operators/act-rules.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { may } from '../../features/operators/role-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { askAgain, findProofAsked, PROOF_STATUSES } from '../ask-again.server.ts'
import type { ActContext, ActHandlers } from './act-handlers.server.ts'
import { CHECK_HANDLERS } from './check-operations.server.ts'
import { DISPUTE_HANDLERS } from './dispute-operations.server.ts'
import { INCOME_REPORT_HANDLERS } from './income-report-operations.server.ts'
import { PAYOUT_HANDLERS, REFUND_HANDLERS } from './money-operations.server.ts'
import { refuseRole, requireOperator } from './operator.server.ts'
import { MODERATION_HANDLERS, NAMING_HANDLERS, REPORT_HANDLERS } from './people-operations.server.ts'
import { TASK_HANDLERS } from './task-operations.server.ts'

/** How each act is carried out. */
const HANDLERS: ActHandlers<ActName> = {
  ...CHECK_HANDLERS,
  ...REFUND_HANDLERS,
  ...PAYOUT_HANDLERS,
  ...DISPUTE_HANDLERS,
  ...INCOME_REPORT_HANDLERS,
  ...MODERATION_HANDLERS,
  ...NAMING_HANDLERS,
  ...REPORT_HANDLERS,
  ...TASK_HANDLERS,
}

/**
 * Performs the act of an operators' button. The first lines refuse everybody but operators, and operators whose role
 * isn't enough, before anything else is read.
 */
export async function performOperation(request: Request, context: Readonly<RouterContextProvider>) {
  const operator = await requireOperator({ request, context })
  const form = await readForm(request, [operationSchema, proofSchema])
  const name = readActName(form.get('intent'))
  if (name && !may(operator.role, ACTS[name].permission))
    throw refuseRole(operator.role, ACTS[name].permission)
  const parsed = operationSchema.safeParse(Object.fromEntries(form))
  if (!name || !parsed.success) {
    const errors = name && parsed.error ? fieldErrorsOf(name, parsed.error) : {}
    const message = Object.values(errors)[0] ?? 'We couldn’t read this request.'
    return data<OperationAnswer>({ ok: false, message, errors }, { status: 422 })
  }
  const proof = ACTS[name].asksAgain ? await askAgain({ request, context }, form) : null
  if (proof) {
    const message = PROOF_REFUSALS[proof]
    const byPasskey = (await findProofAsked({ request, context }))?.byPasskey ?? false
    return data<OperationAnswer>(
      { ok: false, message, errors: { proof: message }, asksAgain: { byPasskey } },
      { status: PROOF_STATUSES[proof] },
    )
  }
  const { intent: _, ...input } = parsed.data
  const answer = await carryOut(context.get(servicesContext), { name, operator }, input)
  return data<OperationAnswer>(answer, { status: answer.ok ? 200 : answer.errors ? 422 : 409 })
}

/** The messages at the fields that the operator types into; the other values come from the page. */
function fieldErrorsOf(name: ActName, error: z.ZodError): Record<string, string> {
  const { fieldErrors } = z.flattenError(error)
  return Object.fromEntries(
    Object.entries(actOf(name).fields ?? {}).flatMap(([field, words]) => {
      const message =
        'options' in words ? null : (fieldErrors as Record<string, string[] | undefined>)[field]?.[0]
      return message ? [[field, message]] : []
    }),
  )
}

function carryOut(
  services: ActContext['services'],
  { name, operator }: Pick<ActContext, 'operator'> & { name: ActName },
  input: object,
): Promise<OperationAnswer> {
  // The schema of this act has read the input.
  return HANDLERS[name]({ services, operator }, input as never)
}
