import { expect } from 'vitest'
import { startBookingPayment } from '../../app/features/bookings/checkout/commands.server.ts'
import type { BookingForm } from '../../app/features/bookings/form-rules.ts'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { settleDisputes } from '../../app/features/payments/dispute-commands.server.ts'
import { findPayment } from '../../app/features/payments/queries.server.ts'
import { reportPayment } from '../../app/features/payments/settlement-commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'

/** The sandbox card whose payments succeed. */
export const GOOD_CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }

/**
 * Books and pays without a browser, by the commands that the routes call.
 * @param order.cardNumber a sandbox card; by default one whose payments succeed
 * @returns the path of the customer's own booking page
 */
export async function bookAndPay(
  services: Services,
  order: { businessId: string; amountCents: number; booking: BookingForm; cardNumber?: string },
): Promise<{ bookingId: string; paymentId: string; path: string }> {
  const deps = bookingDeps(services)
  const started = await startBookingPayment(deps, {
    amount: order.amountCents,
    submitKey: crypto.randomUUID(),
    businessId: order.businessId,
    booking: order.booking,
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error(JSON.stringify(started))
  const { clientSecret, paymentId } = started
  const card = { ...GOOD_CARD, ...(order.cardNumber ? { cardNumber: order.cardNumber } : {}) }
  expect(await services.sandbox?.confirmCard({ clientSecret, ...card })).toMatchObject({ ok: true })
  const reported = await reportPayment(deps, { clientSecret })
  if (!reported.ok || !reported.purchaseId) throw new Error(JSON.stringify(reported))
  const linkToken = await bookingLinkToken(services.config.secret, paymentId)
  return { bookingId: reported.purchaseId, paymentId, path: `/bookings/${linkToken}` }
}

/** The sandbox card whose charge is disputed at once. */
const DISPUTED_CARD = '4000000000000259'

/**
 * Books and pays with a card whose bank then disputes the charge.
 * @returns also the dispute's id
 */
export async function bookAndDispute(
  services: Services,
  order: Omit<Parameters<typeof bookAndPay>[1], 'cardNumber'>,
): Promise<Awaited<ReturnType<typeof bookAndPay>> & { disputeId: string }> {
  const booked = await bookAndPay(services, { ...order, cardNumber: DISPUTED_CARD })
  const { db, payments } = services
  const payment = await findPayment(db, booked.paymentId)
  if (payment) await settleDisputes(bookingDeps(services), payments, payment)
  const { id } = await db
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', booked.paymentId)
    .executeTakeFirstOrThrow()
  return { ...booked, disputeId: id }
}
