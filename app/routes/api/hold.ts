import { beginConfirmation, giveUpPayment } from '../../features/bookings/checkout/commands.server.ts'
import { PAYMENT_ERROR_MESSAGES } from '../../features/bookings/messages.ts'
import { holdRequestSchema } from '../../features/bookings/schema.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../../features/payments/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { dateHeader, jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import type { Route } from './+types/hold'
import { timeGoneAnswer } from './time-gone.ts'

const MAX_BODY_BYTES = 4_096
const statuses = {
  malformed: 400,
  unknown_payment: 404,
  gone: 404,
  already_paid: 409,
  payment_ended: 409,
} as const

export const loader = () => refusal('malformed', 405)

/**
 * The hold of a payment. 'keep' extends it before the browser confirms the card, which it may do only after a 200.
 * 'release' ends it when the customer goes back or cancels; a leaving page sends it by beacon, with a text content
 * type.
 */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return refusal('malformed', 405)
  const { config, now } = context.get(servicesContext)
  const parsed = holdRequestSchema.safeParse((await readJsonBody(request, MAX_BODY_BYTES))?.value)
  if (!parsed.success) return refusal('malformed')
  const { submitKey } = parsed.data
  const deps = bookingDeps(context.get(servicesContext))
  if (parsed.data.do === 'release') {
    const released = await giveUpPayment(deps, { submitKey })
    return released.ok ? jsonAnswer(200, { released: true }) : refusal(released.reason)
  }
  const exceptPayments = await readSignedList(
    request.headers.get('cookie'),
    BROWSER_PAYMENTS_COOKIE,
    config.secret,
  )
  const begun = await beginConfirmation(deps, { submitKey, exceptPayments })
  if (begun.ok) return jsonAnswer(200, { expiresAt: begun.expiresAt.toISOString() }, dateHeader(now()))
  if (begun.reason === 'time_gone') return timeGoneAnswer(begun)
  return refusal(
    begun.reason,
    undefined,
    begun.reason === 'already_paid' ? { payment: begun.reference } : undefined,
  )
}

function refusal(code: keyof typeof statuses, status?: number, detail?: { payment: string }): Response {
  return jsonAnswer(status ?? statuses[code], {
    error: { code, message: PAYMENT_ERROR_MESSAGES[code], ...detail },
  })
}
