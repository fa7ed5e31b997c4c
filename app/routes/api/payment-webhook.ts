import { receivePaymentEvent } from '../../features/payments/settlement-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services.server.ts'
import { jsonAnswer, readTextBody } from '../../shared/json-body.ts'
import type { Route } from './+types/payment-webhook'

const MAX_BODY_BYTES = 262_144

export const loader = () => jsonAnswer(405, { error: { code: 'method', message: 'Send a POST.' } })

/**
 * The provider's events. The signature covers the body as it was sent, so nothing may parse it before. 2xx only
 * after what follows from the event is stored; anything else is delivered again.
 */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return loader()
  const services = context.get(servicesContext)
  const rawBody = await readTextBody(request, MAX_BODY_BYTES)
  const event = rawBody === null ? null : services.payments.parseWebhook(rawBody, request.headers)
  if (!event)
    return jsonAnswer(400, { error: { code: 'signature', message: 'The signature does not fit the body.' } })
  const done = await receivePaymentEvent(bookingDeps(services), services.payments, event)
  return done
    ? jsonAnswer(200, { received: true })
    : jsonAnswer(503, { error: { code: 'later', message: 'Please deliver this again.' } })
}
