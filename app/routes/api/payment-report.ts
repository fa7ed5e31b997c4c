import { PAYMENT_ERROR_MESSAGES } from '../../features/bookings/messages.ts'
import { paymentReportSchema } from '../../features/bookings/schema.ts'
import { reportPayment } from '../../features/payments/settlement-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import type { Route } from './+types/payment-report'

const MAX_BODY_BYTES = 4_096
const statuses = { malformed: 400, unknown_payment: 404, provider_unavailable: 503 } as const

export const loader = () => refusal('malformed', 405)

/** The browser reports that its card form succeeded; the provider is asked whether that is true (Decision 6). */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return refusal('malformed', 405)
  const parsed = paymentReportSchema.safeParse((await readJsonBody(request, MAX_BODY_BYTES))?.value)
  if (!parsed.success) return refusal('malformed')
  const settled = await reportPayment(bookingDeps(context.get(servicesContext)), parsed.data)
  if (!settled.ok) return refusal(settled.reason)
  return jsonAnswer(200, { state: settled.state, bookingId: settled.purchaseId })
}

function refusal(code: keyof typeof statuses, status?: number): Response {
  return jsonAnswer(status ?? statuses[code], { error: { code, message: PAYMENT_ERROR_MESSAGES[code] } })
}
