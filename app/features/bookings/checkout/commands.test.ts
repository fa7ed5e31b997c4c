import { describe, expect, it } from 'vitest'
import {
  bookingsOf,
  business,
  deps,
  order,
  payCard,
  paymentRow,
  setBookingStage,
  started,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm, aBusiness, aUser } from '../../../../tests/builders.ts'
import type { PaymentProvider } from '../../../adapters/payments/port.ts'
import { HOUR_MS } from '../../../shared/time-units.ts'
import { setCommissionRate } from '../../ledger/commands.server.ts'
import { reportPayment } from '../../payments/settlement-commands.server.ts'
import { formOf } from '../../sales/rules.ts'
import type { BookingDeps } from '../deps.server.ts'
import { startBookingPayment } from './commands.server.ts'

setBookingStage()

describe('startBookingPayment', () => {
  it('stores the checked booking and the offer before a card is entered', async () => {
    const customer = await aUser(world.db)
    const payment = await started({ customerUserId: customer.id })
    const row = await paymentRow(payment.paymentId)
    expect(row).toMatchObject({
      state: 'open',
      provider: 'sandbox',
      provider_reference: payment.reference,
      sale: {
        customerUserId: customer.id,
        ownerUserId: business.user_id,
        businessId: business.id,
        businessName: business.name,
        timeZone: 'Australia/Melbourne',
        unitPriceCents: 4_550,
        bookingType: 'perPerson',
        place: 'Melbourne, VIC',
      },
    })
    expect(formOf(row.sale)).toEqual(aBookingForm())
    expect(Number(row.amount_cents)).toBe(45_500)
    expect(payment.expiresAt.getTime() - world.clock.now().getTime()).toBe(deps.paymentExpiryMs)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
    const lines = await world.db
      .selectFrom('payment_lines')
      .selectAll()
      .where('payment_id', '=', payment.paymentId)
      .execute()
    expect(lines).toMatchObject([{ line: 1, quantity: 10, business_id: business.id }])
  })

  it('agrees the vendor’s time to answer, which a later change of the setting leaves alone', async () => {
    const payment = await started(
      {},
      { ...deps, undecided: { ...deps.undecided, declineAfterMs: 6 * HOUR_MS } },
    )
    expect(payment.answerWithinMs).toBe(6 * HOUR_MS)
    await payCard(payment.clientSecret)
    expect(await reportPayment(deps, { clientSecret: payment.clientSecret })).toMatchObject({ ok: true })
    const [booking] = await bookingsOf(payment.paymentId)
    expect(booking?.decide_by).toEqual(new Date(world.clock.now().getTime() + 6 * HOUR_MS))
  })

  it('agrees the commission of the moment at which the payment begins', async () => {
    const agreed = async (using = deps) => {
      const { paymentId } = await started({}, using)
      return (await paymentRow(paymentId)).sale.commission
    }
    const set = (of: Parameters<typeof setCommissionRate>[1]['of'], basisPoints: number, validFrom: Date) =>
      world.db
        .transaction()
        .execute((tx) => setCommissionRate(tx, { of, basisPoints, validFrom, at: world.clock.now() }))
    expect(await agreed()).toEqual({ basisPoints: 1_000, isGstRegistered: true })
    await set({ vendorUserId: business.user_id }, 800, new Date(world.clock.now().getTime() + 1))
    expect(await agreed()).toEqual({ basisPoints: 1_000, isGstRegistered: true })
    await set({ vendorUserId: business.user_id }, 700, world.clock.now())
    expect(await agreed()).toEqual({ basisPoints: 700, isGstRegistered: true })
    expect(await agreed({ ...deps, commission: null })).toEqual({ basisPoints: 0, isGstRegistered: false })
    const category = 'Extras'
    const other = await aBusiness(world.db, { category })
    await set({ category }, 1_250, world.clock.now())
    const { paymentId } = await started({ businessId: other.id })
    expect((await paymentRow(paymentId)).sale.commission?.basisPoints).toBe(1_250)
  })

  it('refuses an amount that is not price times quantity, and returns the right one', async () => {
    for (const amount of [45_499, 1, 0, -45_500, 455.5, Number.MAX_VALUE]) {
      expect(await startBookingPayment(deps, order({ amount }))).toEqual({
        ok: false,
        reason: 'amount_differs',
        amountCents: 45_500,
      })
    }
  })

  it('charges the price of the chosen unit, and stores it with the payment', async () => {
    const booking = aBookingForm({ bookingType: 'perHour', quantity: 4 })
    const payment = await started({ booking, amount: 84_000 })
    const row = await paymentRow(payment.paymentId)
    expect(Number(row.amount_cents)).toBe(84_000)
    expect(row.sale).toMatchObject({ unitPriceCents: 21_000, bookingType: 'perHour' })
    const line = await world.db
      .selectFrom('payment_lines')
      .selectAll()
      .where('payment_id', '=', payment.paymentId)
      .executeTakeFirstOrThrow()
    expect([line.unit_price_cents, line.amount_cents].map(Number)).toEqual([21_000, 84_000])
    const paid = await world.payments.retrieve(payment.reference)
    expect(paid.ok && paid.snapshot.amountCents).toBe(84_000)
  })

  it('refuses the price of the other unit, and returns the right total', async () => {
    const perHour = aBookingForm({ bookingType: 'perHour', quantity: 10 })
    expect(await startBookingPayment(deps, order({ booking: perHour, amount: 45_500 }))).toEqual({
      ok: false,
      reason: 'amount_differs',
      amountCents: 210_000,
    })
    expect(await startBookingPayment(deps, order({ amount: 210_000 }))).toEqual({
      ok: false,
      reason: 'amount_differs',
      amountCents: 45_500,
    })
  })

  it('books a listing without a second price by its first unit alone, whatever types it stores', async () => {
    const stored = await aBusiness(world.db, {
      booking_types: ['perPerson', 'perHour'],
      second_price_cents: null,
      second_price_unit: null,
    })
    const perHour = aBookingForm({ bookingType: 'perHour', quantity: 4 })
    expect(
      await startBookingPayment(deps, order({ businessId: stored.id, booking: perHour, amount: 18_200 })),
    ).toMatchObject({ reason: 'fields', fields: { bookingType: expect.any(String) } })
    expect(await startBookingPayment(deps, order({ businessId: stored.id }))).toMatchObject({ ok: true })
  })

  it('refuses a business that is missing, deleted, hidden, on request, or of a deactivated owner', async () => {
    const now = world.clock.now()
    const away = await aUser(world.db, { deactivated_at: now })
    const ids = [
      'no-such-business',
      (await aBusiness(world.db, { deleted_at: now })).id,
      (await aBusiness(world.db, { hidden_at: now })).id,
      (await aBusiness(world.db, { price_cents: 0 })).id,
      (await aBusiness(world.db, { user_id: away.id })).id,
    ]
    for (const businessId of ids) {
      expect(await startBookingPayment(deps, order({ businessId }))).toEqual({ ok: false, reason: 'gone' })
    }
  })

  it('returns the errors by field', async () => {
    const hourly = await aBusiness(world.db, { price_unit: 'perHour', booking_types: ['perHour'] })
    expect(await startBookingPayment(deps, order({ businessId: hourly.id }))).toMatchObject({
      reason: 'fields',
      fields: { bookingType: expect.any(String) },
    })
    const booking = aBookingForm({ date: '2026-11-19' })
    expect(await startBookingPayment(deps, order({ booking }))).toMatchObject({
      reason: 'fields',
      fields: { date: expect.any(String) },
    })
  })

  it('starts one payment for one submit key, pressed ten times at once and again', async () => {
    const same = order()
    const answers = await Promise.all(Array.from({ length: 10 }, () => startBookingPayment(deps, same)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.ok).toBe(true)
    const rows = await world.db
      .selectFrom('payments')
      .where('submit_key', '=', same.submitKey)
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
    expect(await startBookingPayment(deps, same)).toEqual(answers[0])
  })

  it('refuses other details under the same key', async () => {
    const same = order()
    await startBookingPayment(deps, same)
    const booking = aBookingForm({ time: '17:00' })
    expect(await startBookingPayment(deps, { ...same, booking })).toEqual({
      ok: false,
      reason: 'submit_key_reused',
    })
  })

  it('returns the payment for a paid key, even when the report never came', async () => {
    const same = order()
    const payment = await started(same)
    await payCard(payment.clientSecret)
    expect(await startBookingPayment(deps, same)).toEqual({
      ok: true,
      alreadyPaid: true,
      paymentId: payment.paymentId,
      reference: payment.reference,
    })
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('finds its payment again after a crash between the provider’s creation and our update', async () => {
    const same = order()
    const dying: PaymentProvider = {
      ...world.payments,
      async create(input) {
        await world.payments.create(input)
        throw new Error('the process died here')
      },
    }
    await expect(startBookingPayment({ ...deps, providers: [dying] }, same)).rejects.toThrow('died')
    const again = await started(same)
    const made = await world.db
      .selectFrom('sandbox_payments')
      .selectAll()
      .where('payment_id', '=', again.paymentId)
      .execute()
    expect(made.map((row) => row.id)).toEqual([again.reference])
  })

  it('retries with a new key after a definite refusal, and with the same key without an answer', async () => {
    const keys: string[] = []
    const answering = (reason: 'refused' | 'unreachable'): BookingDeps => ({
      ...deps,
      providers: [
        {
          ...world.payments,
          async create(input) {
            keys.push(input.idempotencyKey)
            return { ok: false, reason, message: 'No.' }
          },
        },
      ],
    })
    const same = order()
    for (const reason of ['unreachable', 'unreachable', 'refused', 'refused'] as const) {
      expect(await startBookingPayment(answering(reason), same)).toEqual({
        ok: false,
        reason: 'provider_unavailable',
      })
    }
    expect(keys.map((key) => key.split('-')[1])).toEqual(['1', '1', '1', '2'])
    expect((await started(same)).reference).toMatch(/^sb_/)
  })
})
