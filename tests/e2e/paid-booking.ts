import { expect } from 'vitest'
import { startBookingPayment } from '../../app/features/bookings/checkout-commands.server.ts'
import type { BookingForm } from '../../app/features/bookings/rules.ts'
import { reportPayment } from '../../app/features/payments/settlement-commands.server.ts'
import { bookingDeps, type Services } from '../../app/services.server.ts'

/** The sandbox card whose payments succeed. */
export const GOOD_CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }

/** Books and pays without a browser, by the commands that the routes call. */
export async function bookAndPay(
  services: Services,
  order: { businessId: string; amountCents: number; booking: BookingForm },
): Promise<void> {
  const deps = bookingDeps(services)
  const started = await startBookingPayment(deps, {
    amount: order.amountCents,
    submitKey: crypto.randomUUID(),
    businessId: order.businessId,
    booking: order.booking,
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error(JSON.stringify(started))
  const { clientSecret } = started
  expect(await services.sandbox?.confirmCard({ clientSecret, ...GOOD_CARD })).toMatchObject({ ok: true })
  expect(await reportPayment(deps, { clientSecret })).toMatchObject({ ok: true, state: 'paid' })
}
