import type { PayoutWebhook } from '../../adapters/payments/payout-port.ts'
import { receivePayoutEvent } from '../../features/payouts/event-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { payoutDeps } from '../../services/deps.server.ts'
import { MAX_WEBHOOK_BODY_BYTES } from '../../shared/body-limits.ts'
import { jsonAnswer, readTextBody } from '../../shared/json-body.ts'
import type { Route } from './+types/payout-webhook'

/** Each address has a secret of its own. */
const WEBHOOKS: ReadonlyMap<string, PayoutWebhook> = new Map([
  ['connected-accounts', 'connected'],
  ['accounts', 'accounts'],
])

const refuse = (status: number, code: string, message: string) =>
  jsonAnswer(status, { error: { code, message } })

export const loader = () => refuse(405, 'method', 'Send a POST.')

/**
 * Receives an event about vendors' accounts. The signature covers the body as sent, so nothing may parse it first.
 * Responds 2xx only once the event is stored and its account asked about; otherwise the provider delivers it again.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return loader()
  const deps = payoutDeps(context.get(servicesContext))
  const webhook = WEBHOOKS.get(params.about)
  // Without payouts these addresses don't exist.
  if (!deps || !webhook) return refuse(404, 'unknown', 'There is no such address.')
  const rawBody = await readTextBody(request, MAX_WEBHOOK_BODY_BYTES)
  const event = rawBody === null ? null : deps.payouts.parseWebhook(webhook, rawBody, request.headers)
  if (!event) return refuse(400, 'signature', 'The signature does not match the body.')
  const done = await receivePayoutEvent(deps, event)
  return done ? jsonAnswer(200, { received: true }) : refuse(503, 'later', 'Please deliver this again.')
}
