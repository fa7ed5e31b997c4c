import { instalmentDepsOf } from '../../features/bookings/checkout/fulfilment-commands.server.ts'
import { receiveCardEvent } from '../../features/instalments/card-commands.server.ts'
import { receivePaymentEvent } from '../../features/payments/settlement-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { MAX_WEBHOOK_BODY_BYTES } from '../../shared/body-limits.ts'
import { jsonAnswer, readTextBody } from '../../shared/json-body.ts'
import type { Route } from './+types/payment-webhook'

export const loader = () => jsonAnswer(405, { error: { code: 'method', message: 'Send a POST.' } })

/**
 * Receives the provider's events. The signature covers the body as sent, so nothing may parse it first. Responds 2xx
 * only once the event's consequences are stored; otherwise the provider delivers it again.
 */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return loader()
  const { payments } = context.get(servicesContext)
  const rawBody = await readTextBody(request, MAX_WEBHOOK_BODY_BYTES)
  const event = rawBody === null ? null : payments.parseWebhook(rawBody, request.headers)
  if (!event)
    return jsonAnswer(400, {
      error: { code: 'signature', message: 'The signature does not match the body.' },
    })
  const deps = bookingDeps(context.get(servicesContext))
  const done =
    (await receiveCardEvent(instalmentDepsOf(deps), payments, event)) &&
    (await receivePaymentEvent(deps, payments, event))
  return done
    ? jsonAnswer(200, { received: true })
    : jsonAnswer(503, { error: { code: 'later', message: 'Please deliver this again.' } })
}
