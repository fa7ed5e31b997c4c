import { readSandboxConfirmation } from '../../adapters/payments/sandbox-cards.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import type { Route } from './+types/sandbox-confirm'

const MAX_BODY_BYTES = 4_096
// A refused card is the sandbox working as intended: an error status would show as a fault in the browser's console.
const statuses = { unknown_payment: 404, ended: 409, fields: 422, card_refused: 200 } as const

export const loader = () => refusal(405, 'The sandbox takes a POST.')

/** Replaces the provider's own server, to which a real card form talks. Exists only with the sandbox. */
export async function action({ request, context }: Route.ActionArgs) {
  const { sandbox } = context.get(servicesContext)
  if (!sandbox) return refusal(404, 'There is no sandbox here.')
  if (request.method !== 'POST') return loader()
  const input = readSandboxConfirmation((await readJsonBody(request, MAX_BODY_BYTES))?.value)
  if (!input) return refusal(400, 'We couldn’t read this request.')
  const result = await sandbox.confirmCard(input)
  if (result.ok) return jsonAnswer(200, { payment: { id: result.id, status: result.status } })
  return refusal(
    statuses[result.reason],
    result.message,
    result.reason === 'fields' ? result.fields : undefined,
  )
}

function refusal(status: number, message: string, fields?: object): Response {
  return jsonAnswer(status, { error: { message, ...(fields ? { fields } : {}) } })
}
