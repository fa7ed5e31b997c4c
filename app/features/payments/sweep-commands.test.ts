import { describe, expect, it } from 'vitest'
import {
  bookingsOf,
  deps,
  event,
  mailsAbout,
  order,
  payCard,
  paymentRow,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  started,
  world,
} from '../../../tests/booking-stage.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { sweepPayments } from './sweep-commands.server.ts'

setBookingStage()

describe('sweepPayments', () => {
  it('stores the booking of a payment whose report and webhook never came', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    await sweepPayments(deps)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('cancels an expired payment, so that no card can pay it afterwards', async () => {
    const same = order()
    const payment = await started(same)
    world.clock.forward(deps.paymentExpiryMs)
    await sweepPayments(deps)
    await sweepPayments(deps)
    expect((await paymentRow(payment.paymentId)).state).toBe('expired')
    expect(await startBookingPayment(deps, same)).toEqual({ ok: false, reason: 'payment_ended' })
    const confirmed = await world.payments.confirmCard({
      clientSecret: payment.clientSecret,
      cardNumber: '4242424242424242',
      expiry: '12 / 30',
      cvc: '123',
    })
    expect(confirmed).toMatchObject({ ok: false, reason: 'ended' })
  })

  it('books an expired payment whose card was charged before the sweep', async () => {
    const payment = await started()
    world.clock.forward(deps.paymentExpiryMs)
    await payCard(payment.clientSecret)
    await sweepPayments(deps)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('ends a payment whose creation the provider never answered', async () => {
    const same = order()
    const silent: BookingDeps = {
      ...deps,
      providers: [
        {
          ...world.payments,
          create: async (input) => {
            await world.payments.create(input)
            return { ok: false, reason: 'unreachable', message: 'No answer.' }
          },
        },
      ],
    }
    await startBookingPayment(silent, same)
    world.clock.forward(deps.paymentExpiryMs)
    await sweepPayments(deps)
    const row = await world.db
      .selectFrom('payments')
      .selectAll()
      .where('submit_key', '=', same.submitKey)
      .executeTakeFirstOrThrow()
    expect(row.state).toBe('expired')
    expect(await world.payments.retrieve(row.provider_reference ?? '')).toMatchObject({
      snapshot: { state: 'cancelled' },
    })
  })

  it('refunds a success after our own expiry, and notifies the customer', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    await world.db
      .updateTable('payments')
      .set({ state: 'expired' })
      .where('id', '=', payment.paymentId)
      .execute()
    for (let time = 0; time < 2; time++) await receive(deps, event(payment.reference))
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
    expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'paid_too_late' }])
    expect((await mailsAbout(payment.paymentId)).map((mail) => mail.to)).toEqual(['kim@example.com'])
    await performDueRefunds(deps)
    expect(await refundedCents(payment.reference)).toBe(45_500)
  })
})
