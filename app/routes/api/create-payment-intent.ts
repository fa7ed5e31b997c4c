import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import type { TooManyHeld } from '../../features/availability/slot-commands.server.ts'
import { type StartedPayment, startBookingPayment } from '../../features/bookings/checkout/commands.server.ts'
import type { BookingFieldErrors } from '../../features/bookings/form-rules.ts'
import { PAYMENT_ERROR_MESSAGES } from '../../features/bookings/messages.ts'
import { bookingFieldErrors, bookingSchema, paymentRequestSchema } from '../../features/bookings/schema.ts'
import { BROWSER_PAYMENTS_COOKIE, PAYMENT_STARTS_LIMIT } from '../../features/payments/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { dateHeader, jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import { browserPaymentsCookie } from '../browser-payments.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/create-payment-intent'
import { timeGoneAnswer } from './time-gone.ts'

const MAX_BODY_BYTES = 16_384

const statuses = {
  malformed: 400,
  fields: 422,
  gone: 404,
  vendor_paused: 409,
  amount_differs: 409,
  submit_key_reused: 409,
  payment_ended: 409,
  rate_limited: 429,
  too_many_held_by_browser: 429,
  too_many_held_by_address: 429,
  provider_unavailable: 503,
} as const satisfies Record<
  Exclude<Extract<StartedPayment, { ok: false }>['reason'], 'time_gone'> | 'malformed' | 'rate_limited',
  number
>

export const loader = () => refusal('malformed', 405)

/** POST {payment service}/create-payment-intent (Specification, section 7): starts the payment of a booking. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return refusal('malformed', 405)
  const { config, rateLimits, payments, now } = context.get(servicesContext)

  const body = await readJsonBody(request, MAX_BODY_BYTES)
  const parsed = paymentRequestSchema.safeParse(body?.value)
  if (!parsed.success) return refusal('malformed')
  const booking = bookingSchema.safeParse(parsed.data.booking)
  if (!booking.success) return refusal('fields', undefined, { fields: bookingFieldErrors(booking.error) })

  // After the cheap checks: a form with errors doesn't count as a payment.
  const address = limitedAddress(request)
  if (!(await rateLimits.take(`payment:${address}`, PAYMENT_STARTS_LIMIT)))
    return tooMany('rate_limited', PAYMENT_STARTS_LIMIT.windowMs)

  const cookieHeader = request.headers.get('cookie')
  const earlier = await readSignedList(cookieHeader, BROWSER_PAYMENTS_COOKIE, config.secret)
  const session = await findSession({ request, context })
  const started = await startBookingPayment(bookingDeps(context.get(servicesContext)), {
    amount: parsed.data.amount,
    submitKey: parsed.data.submitKey,
    businessId: parsed.data.businessId,
    booking: booking.data,
    customerUserId: session?.user.uid ?? null,
    exceptPayments: earlier,
    heldFrom: address,
  })
  if (!started.ok) {
    if (started.reason === 'time_gone') return timeGoneAnswer(started)
    if (started.reason === 'too_many_held_by_browser' || started.reason === 'too_many_held_by_address')
      return tooMany(started.reason, config.holdMs)
    if (started.reason === 'fields') return refusal('fields', undefined, { fields: started.fields })
    if (started.reason === 'amount_differs')
      return refusal('amount_differs', undefined, { amount: started.amountCents })
    return refusal(started.reason)
  }
  const headers = { 'set-cookie': await browserPaymentsCookie(earlier, started.paymentId, config) }
  if (started.alreadyPaid) return jsonAnswer(200, { alreadyPaid: true, payment: started.reference }, headers)
  return jsonAnswer(
    200,
    {
      clientSecret: started.clientSecret,
      payment: started.reference,
      provider: payments.publicConfig(),
      expiresAt: started.expiresAt.toISOString(),
      span: started.span,
      chargedCents: started.chargedCents,
      terms: started.terms,
      answerWithinMs: started.answerWithinMs,
      timeZone: started.timeZone,
      consent: started.consent,
    },
    { ...headers, ...dateHeader(now()) },
  )
}

function refusal(
  code: keyof typeof statuses,
  status?: number,
  detail: { fields?: BookingFieldErrors; amount?: number } = {},
  headers?: HeadersInit,
): Response {
  return jsonAnswer(
    status ?? statuses[code],
    { error: { code, message: PAYMENT_ERROR_MESSAGES[code], ...detail } },
    headers,
  )
}

function tooMany(code: 'rate_limited' | TooManyHeld, waitMs: number): Response {
  return refusal(code, undefined, {}, { 'retry-after': String(Math.ceil(waitMs / 1000)) })
}
