import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  deps,
  event,
  mailsAbout,
  notificationsOf,
  payCard,
  paymentRow,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  started,
  world,
} from '../../../tests/booking-stage.ts'
import { newId } from '../../shared/ids.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { applySnapshot, reportPayment } from './settlement-commands.server.ts'
import { sweepPayments } from './sweep-commands.server.ts'

setBookingStage()

describe('applySnapshot', () => {
  it('stores booking, notification and mails once, for 50 reports at the same time', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const settled = await Promise.all(
      Array.from({ length: 50 }, () => reportPayment(deps, { clientSecret: payment.clientSecret })),
    )
    expect(new Set(settled.map((each) => JSON.stringify(each))).size).toBe(1)
    const bookings = await bookingsOf(payment.paymentId)
    expect(bookings).toHaveLength(1)
    const [booking] = bookings
    expect(booking).toMatchObject({
      vendor_id: business.id,
      vendor_name: business.name,
      customer_name: 'Kim Lee',
      status: 'pending',
      payment_status: 'paid',
      payment_id: payment.reference,
    })
    expect(await notificationsOf(business.user_id)).toHaveLength(1)
    const mails = await mailsAbout(booking?.id ?? '')
    expect(mails.map((mail) => mail.to)).toEqual(['kim@example.com', `${business.user_id}@example.com`])
    const linkToken = await bookingLinkToken(deps.secret, payment.paymentId)
    expect(mails[0]?.text).toContain(`http://localhost:3000/bookings/${linkToken}`)
    expect(mails[0]?.text).toContain(`http://localhost:3000/bookings/${linkToken}/receipt.pdf`)
    // The booking, its receipt and its calendar file.
    expect(JSON.stringify(mails[0]?.content).split(linkToken)).toHaveLength(4)
    // The queued mail must not contain the link: its row is kept for days.
    const { rows } = await sql<{ data: string }>`select data::text from kept_jobs`.execute(world.db)
    expect(rows.length).toBeGreaterThan(1)
    for (const { data } of rows) expect(data).not.toContain(linkToken)
    expect(mails[0]?.text).toContain('Saturday 13 March 2027, 4:00 pm')
  })

  it('stores one booking when the webhook comes twice, at the same time as the report, and late', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const one = event(payment.reference)
    await Promise.all([
      receive(deps, one),
      receive(deps, one),
      reportPayment(deps, { clientSecret: payment.clientSecret }),
      sweepPayments(deps),
    ])
    expect(await receive(deps, one)).toBe(true)
    expect(await receive(deps, event(payment.reference))).toBe(true)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
    const row = await world.db
      .selectFrom('payment_events')
      .selectAll()
      .where('event_id', '=', one.id)
      .executeTakeFirstOrThrow()
    expect(row.processed_at).not.toBeNull()
  })

  it('believes the provider, not the event: a false success stores nothing', async () => {
    const payment = await started()
    expect(await receive(deps, event(payment.reference))).toBe(true)
    expect(await receive(deps, event('sb_unknown'))).toBe(true)
    expect(await reportPayment(deps, { clientSecret: payment.clientSecret })).toEqual({
      ok: true,
      state: 'open',
      purchaseId: null,
    })
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
  })

  it('leaves an event unprocessed while the provider is away', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const away: BookingDeps = {
      ...deps,
      providers: [
        {
          ...world.payments,
          retrieve: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
        },
      ],
    }
    const one = event(payment.reference)
    expect(await receive(away, one)).toBe(false)
    expect(await reportPayment(away, { clientSecret: payment.clientSecret })).toEqual({
      ok: false,
      reason: 'provider_unavailable',
    })
    expect(await receive(deps, one)).toBe(true)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('never moves a paid payment back, whatever arrives late', async () => {
    const { paymentId, reference, bookingId } = await booked()
    const found = await world.payments.retrieve(reference)
    if (!found.ok) throw new Error(found.message)
    for (const state of ['open', 'processing', 'cancelled'] as const) {
      expect(await applySnapshot(deps, world.payments, { ...found.snapshot, state })).toEqual({
        ok: true,
        state: 'paid',
        purchaseId: bookingId,
      })
    }
    expect(await refundsOf(paymentId)).toHaveLength(0)
  })

  it.each([{ amountCents: 45_499 }, { currency: 'usd' }])(
    'stores no booking for %j, and refunds the charge',
    async (wrong) => {
      const payment = await started()
      await payCard(payment.clientSecret)
      const found = await world.payments.retrieve(payment.reference)
      if (!found.ok) throw new Error(found.message)
      const snapshot = { ...found.snapshot, ...wrong }
      for (let time = 0; time < 2; time++) {
        expect(await applySnapshot(deps, world.payments, snapshot)).toEqual({
          ok: true,
          state: 'failed',
          purchaseId: null,
        })
      }
      expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
      expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'wrong_amount', state: 'due' }])
      expect(await mailsAbout(payment.paymentId)).toHaveLength(1)
      const slots = world.db.selectFrom('slots').select('id').where('payment_id', '=', payment.paymentId)
      expect(await slots.execute(), 'the time is free again').toEqual([])
      await performDueRefunds(deps)
      expect(await refundedCents(payment.reference)).toBe(snapshot.amountCents)
    },
  )

  it('finds the payment by our id when its reference was never stored', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    await world.db
      .updateTable('payments')
      .set({ provider_reference: null })
      .where('id', '=', payment.paymentId)
      .execute()
    expect(await receive(deps, event(payment.reference))).toBe(true)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
    expect((await paymentRow(payment.paymentId)).provider_reference).toBe(payment.reference)
  })

  it('refuses a client secret that is not this payment’s', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const forged = `${payment.reference}_secret_${'0'.repeat(26)}`
    for (const clientSecret of [forged, 'nonsense', '']) {
      expect(await reportPayment(deps, { clientSecret })).toEqual({ ok: false, reason: 'unknown_payment' })
    }
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
  })
})

describe('the database itself', () => {
  it('allows one booking for a payment’s line item, whatever the commands do', async () => {
    const { bookingId } = await booked()
    const row = await world.db
      .selectFrom('bookings')
      .selectAll()
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const again = { ...row, id: newId(), date: '2027-03-13', time: '16:00', total_price_cents: 45_500 }
    await expect(world.db.insertInto('bookings').values(again).execute()).rejects.toMatchObject({
      code: '23505',
    })
  })
})
