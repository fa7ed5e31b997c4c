import { z } from 'zod'
import {
  advanceClock,
  stepAccount,
  stepDispute,
  stepPayout,
  stepRefund,
  stepSavedCard,
} from '../../features/sandbox/commands.server.ts'
import { SANDBOX_REFUSALS } from '../../features/sandbox/messages.ts'
import {
  accountSchema,
  clockSchema,
  disputeSchema,
  payoutSchema,
  refundSchema,
  savedCardSchema,
} from '../../features/sandbox/schema.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { sandboxOnly } from '../contract.server.ts'
import type { Route } from './+types/operation'
import { sandboxServices } from './services.server.ts'

const MAX_BODY_BYTES = 4_096

export const middleware: Route.MiddlewareFunction[] = [sandboxOnly]

type Sandbox = ReturnType<typeof sandboxServices>
type Outcome = { ok: true } | { ok: false; reason: keyof typeof SANDBOX_REFUSALS }

/** Combines a schema with the command that takes its output. */
function operation<Input>(
  schema: z.ZodType<Input>,
  perform: (services: Sandbox, input: Input) => Promise<Outcome>,
): { schema: z.ZodType; perform: (services: Sandbox, input: never) => Promise<Outcome> } {
  return { schema, perform }
}

/**
 * The operations by name, each with its JSON:
 * clock `{"days": 1, "hours": 2, "minutes": 30}`; dispute `{"payment": "sb_…", "step": "open"}`; refund
 * `{"payment": "sb_…", "step": "fail", "webhooks": "late"}`; saved-card
 * `{"payment": "sb_…", "step": "authentication_required"}`; account `{"account": "sba_…", "step": "restrict"}`; payout
 * `{"account": "sba_…", "step": "fail"}`.
 */
const OPERATIONS = new Map([
  ['clock', operation(clockSchema, advanceClock)],
  ['dispute', operation(disputeSchema, ({ sandbox }, input) => stepDispute(sandbox, input))],
  ['refund', operation(refundSchema, ({ sandbox }, input) => stepRefund(sandbox, input))],
  ['saved-card', operation(savedCardSchema, ({ sandbox }, input) => stepSavedCard(sandbox, input))],
  ['account', operation(accountSchema, ({ sandbox }, input) => stepAccount(sandbox, input))],
  ['payout', operation(payoutSchema, ({ sandbox }, input) => stepPayout(sandbox, input))],
])

const timeOf = ({ clock }: Sandbox) => ({ now: clock.now().toISOString(), aheadMs: clock.aheadMs() })
const refusal = (status: number, error: object) => jsonAnswer(status, { error })

/** The time by which the product answers, and how far it is ahead of the real time. */
export function loader({ params, context }: Route.LoaderArgs) {
  if (params.operation === 'clock') return jsonAnswer(200, timeOf(sandboxServices(context)))
  return OPERATIONS.has(params.operation)
    ? refusal(405, { message: 'Send a POST with JSON.' })
    : refusal(404, { message: 'There is no such operation.' })
}

/** Performs an operation of the sandbox, and answers with the time. */
export async function action(args: Route.ActionArgs) {
  const { request, params, context } = args
  const found = OPERATIONS.get(params.operation)
  if (!found || request.method !== 'POST') return loader(args)
  const body = await readJsonBody(request, MAX_BODY_BYTES)
  if (!body) return refusal(400, { message: 'We couldn’t read this request.' })
  const parsed = found.schema.safeParse(body.value)
  if (!parsed.success) {
    const { fieldErrors, formErrors } = z.flattenError(parsed.error)
    return refusal(422, { message: formErrors[0] ?? 'Some fields are wrong.', fields: fieldErrors })
  }
  const services = sandboxServices(context)
  const outcome = await found.perform(services, parsed.data as never)
  if (outcome.ok) return jsonAnswer(200, timeOf(services))
  return refusal(409, { code: outcome.reason, message: SANDBOX_REFUSALS[outcome.reason] })
}
