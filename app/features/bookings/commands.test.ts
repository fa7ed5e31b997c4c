import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBookingForm,
  aBookingWorld,
  aBusiness,
  aPlace,
  aUser,
  setsAvailability,
} from '../../../tests/builders.ts'
import type { PaymentProvider, ProviderState, WebhookEvent } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { writeSignedList } from '../../shared/signed.ts'
import { blockTime } from '../availability/commands.server.ts'
import { BROWSER_PAYMENTS_COOKIE, UNPAID_HOLDS_OF_ADDRESS } from '../payments/rules.ts'
import {
  applySnapshot,
  type BookingDeps,
  beginConfirmation,
  decideBooking,
  giveUpPayment,
  performDueRefunds,
  receivePaymentEvent,
  remindOfEvents,
  reportPayment,
  startBookingPayment,
  sweepPayments,
  tendPendingBookings,
  withdrawBooking,
} from './commands.server.ts'
import {
  findBookingByLink,
  findBrowserPayment,
  listBookingsOfBusinesses,
  listBookingsOfCustomer,
} from './queries.server.ts'
import type { BookingForm, BookingStatus } from './rules.ts'
import { bookingLinkToken } from './rules.ts'

const HOUR_MS = 3_600_000
let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: BookingDeps
let business: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
  deps = world.deps
})
afterAll(() => world.close())
beforeEach(async () => {
  business = await aBusiness(world.db)
})

type Order = Partial<Parameters<typeof startBookingPayment>[1]>

function order(overrides: Order = {}) {
  return {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId: business.id,
    booking: aBookingForm(),
    customerUserId: null,
    ...overrides,
  }
}

async function started(overrides: Order = {}, using: BookingDeps = deps) {
  const payment = await startBookingPayment(using, order(overrides))
  if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
  return payment
}

async function payCard(clientSecret: string) {
  const confirmed = await world.payments.confirmCard({
    clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  expect(confirmed).toMatchObject({ ok: true, status: 'succeeded' })
}

/** A booking that is paid and stored. */
async function booked(overrides: Order = {}) {
  const payment = await started(overrides)
  await payCard(payment.clientSecret)
  const settled = await reportPayment(deps, { clientSecret: payment.clientSecret })
  if (!settled.ok || !settled.bookingId) throw new Error(JSON.stringify(settled))
  return { ...payment, bookingId: settled.bookingId }
}

const paymentRow = (id: string) =>
  world.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const bookingsOf = (paymentId: string) =>
  world.db.selectFrom('bookings').selectAll().where('payment_row_id', '=', paymentId).execute()
const refundsOf = (paymentId: string) =>
  world.db.selectFrom('payment_actions').selectAll().where('payment_id', '=', paymentId).execute()
const notificationsOf = (userId: string) =>
  world.db.selectFrom('notifications').selectAll().where('user_id', '=', userId).execute()
const mailsAbout = async (id: string) =>
  (await world.jobs.mails()).filter((mail) => mail.messageId.includes(id))
const refundedCents = async (reference: string) => {
  const found = await world.payments.retrieve(reference)
  return found.ok ? found.snapshot.refundedCents : null
}
const decide = (bookingId: string, decision: 'approved' | 'declined', userId = business.user_id) =>
  decideBooking(deps, { userId, bookingId, decision })
const event = (reference: string, id = newId()): WebhookEvent => ({
  id,
  type: 'payment_intent.succeeded',
  reference,
  payload: { id },
})

describe('startBookingPayment', () => {
  it('keeps the checked booking and the snapshot before any card', async () => {
    const customer = await aUser(world.db)
    const payment = await started({ customerUserId: customer.id })
    const row = await paymentRow(payment.paymentId)
    expect(row).toMatchObject({
      state: 'open',
      provider: 'sandbox',
      provider_reference: payment.reference,
      customer_user_id: customer.id,
      owner_user_id: business.user_id,
      draft: aBookingForm(),
      sold: {
        businessId: business.id,
        businessName: business.name,
        timeZone: 'Australia/Melbourne',
        unitPriceCents: 4_550,
        priceUnit: 'perPerson',
        place: 'Melbourne, VIC',
      },
    })
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

  it('refuses an amount that is not price times quantity, and says the right one', async () => {
    for (const amount of [45_499, 1, 0, -45_500, 455.5, Number.MAX_VALUE]) {
      expect(await startBookingPayment(deps, order({ amount }))).toEqual({
        ok: false,
        reason: 'amount_differs',
        amountCents: 45_500,
      })
    }
  })

  it('charges the price of the chosen unit, and keeps it with the payment', async () => {
    const booking = aBookingForm({ bookingType: 'perHour', quantity: 4 })
    const payment = await started({ booking, amount: 84_000 })
    const row = await paymentRow(payment.paymentId)
    expect(Number(row.amount_cents)).toBe(84_000)
    expect(row.sold).toMatchObject({ unitPriceCents: 21_000, priceUnit: 'perHour' })
    const line = await world.db
      .selectFrom('payment_lines')
      .selectAll()
      .where('payment_id', '=', payment.paymentId)
      .executeTakeFirstOrThrow()
    expect([line.unit_price_cents, line.amount_cents].map(Number)).toEqual([21_000, 84_000])
    const paid = await world.payments.retrieve(payment.reference)
    expect(paid.ok && paid.snapshot.amountCents).toBe(84_000)
  })

  it('refuses the price of the other unit, and says the right total', async () => {
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

  it('takes a listing without a second price by its first unit alone, whatever was ticked once', async () => {
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

  it('refuses a business that is gone, hidden, on request, or whose owner is away', async () => {
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

  it('says what is wrong beside the fields', async () => {
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

  it('gives one payment for one submit key, pressed twice or ten times at once', async () => {
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

  it('answers a key that was paid with the payment, also when the report never came', async () => {
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

  it('finds its payment again after dying between the provider and our row', async () => {
    const same = order()
    const dying: PaymentProvider = {
      ...world.payments,
      async create(input) {
        await world.payments.create(input)
        throw new Error('the process died here')
      },
    }
    await expect(startBookingPayment({ ...deps, payments: dying }, same)).rejects.toThrow('died')
    const again = await started(same)
    const made = await world.db
      .selectFrom('sandbox_payments')
      .selectAll()
      .where('payment_id', '=', again.paymentId)
      .execute()
    expect(made.map((row) => row.id)).toEqual([again.reference])
  })

  it('tries anew after a definite no, and with the same key after silence', async () => {
    const keys: string[] = []
    const answering = (reason: 'refused' | 'unreachable'): BookingDeps => ({
      ...deps,
      payments: {
        ...world.payments,
        async create(input) {
          keys.push(input.idempotencyKey)
          return { ok: false, reason, message: 'No.' }
        },
      },
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
    expect(mails[0]?.html.split(linkToken)).toHaveLength(3)
    // While the mail waits to be sent, and in its row for days, there is no link in it.
    const { rows } = await sql<{ data: string }>`select data::text from kept_jobs`.execute(world.db)
    expect(rows.length).toBeGreaterThan(1)
    for (const { data } of rows) expect(data).not.toContain(linkToken)
    expect(mails[0]?.text).toContain('Saturday 13 March 2027, 4:00 pm')
  })

  it('is the same from the webhook: twice, at once with the report, and late', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const one = event(payment.reference)
    await Promise.all([
      receivePaymentEvent(deps, one),
      receivePaymentEvent(deps, one),
      reportPayment(deps, { clientSecret: payment.clientSecret }),
      sweepPayments(deps),
    ])
    expect(await receivePaymentEvent(deps, one)).toBe(true)
    expect(await receivePaymentEvent(deps, event(payment.reference))).toBe(true)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
    const row = await world.db
      .selectFrom('payment_events')
      .selectAll()
      .where('event_id', '=', one.id)
      .executeTakeFirstOrThrow()
    expect(row.processed_at).not.toBeNull()
  })

  it('believes the provider, not the event: a success that is none stores nothing', async () => {
    const payment = await started()
    expect(await receivePaymentEvent(deps, event(payment.reference))).toBe(true)
    expect(await receivePaymentEvent(deps, event('sb_unknown'))).toBe(true)
    expect(await reportPayment(deps, { clientSecret: payment.clientSecret })).toEqual({
      ok: true,
      state: 'open',
      bookingId: null,
    })
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
  })

  it('leaves an event unprocessed while the provider is away', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const away: BookingDeps = {
      ...deps,
      payments: {
        ...world.payments,
        retrieve: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
      },
    }
    const one = event(payment.reference)
    expect(await receivePaymentEvent(away, one)).toBe(false)
    expect(await reportPayment(away, { clientSecret: payment.clientSecret })).toEqual({
      ok: false,
      reason: 'provider_unavailable',
    })
    expect(await receivePaymentEvent(deps, one)).toBe(true)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('never moves back, whatever comes late', async () => {
    const { paymentId, reference, bookingId } = await booked()
    const found = await world.payments.retrieve(reference)
    if (!found.ok) throw new Error(found.message)
    for (const state of ['open', 'processing', 'cancelled'] as const) {
      expect(await applySnapshot(deps, { ...found.snapshot, state })).toEqual({
        ok: true,
        state: 'paid',
        bookingId,
      })
    }
    expect(await refundsOf(paymentId)).toHaveLength(0)
  })

  it.each([{ amountCents: 45_499 }, { currency: 'usd' }])(
    'stores no booking for %j, and gives the money back',
    async (wrong) => {
      const payment = await started()
      await payCard(payment.clientSecret)
      const found = await world.payments.retrieve(payment.reference)
      if (!found.ok) throw new Error(found.message)
      const snapshot = { ...found.snapshot, ...wrong }
      for (let time = 0; time < 2; time++) {
        expect(await applySnapshot(deps, snapshot)).toEqual({ ok: true, state: 'failed', bookingId: null })
      }
      expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
      expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'wrong_amount', state: 'due' }])
      expect(await mailsAbout(payment.paymentId)).toHaveLength(1)
      const slots = world.db.selectFrom('slots').select('id').where('payment_id', '=', payment.paymentId)
      expect(await slots.execute(), 'its time is free again').toEqual([])
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
    expect(await receivePaymentEvent(deps, event(payment.reference))).toBe(true)
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

describe('sweepPayments', () => {
  it('stores the booking of a payment whose report and webhook never came', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    await sweepPayments(deps)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('cancels what has run out of time, so that no card can pay it afterwards', async () => {
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

  it('keeps the booking of a card that was just in time', async () => {
    const payment = await started()
    world.clock.forward(deps.paymentExpiryMs)
    await payCard(payment.clientSecret)
    await sweepPayments(deps)
    expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
  })

  it('ends a payment that the provider may or may not know', async () => {
    const same = order()
    const silent: BookingDeps = {
      ...deps,
      payments: {
        ...world.payments,
        create: async (input) => {
          await world.payments.create(input)
          return { ok: false, reason: 'unreachable', message: 'No answer.' }
        },
      },
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

  it('refunds a success after our own expiry, and tells the customer', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    await world.db
      .updateTable('payments')
      .set({ state: 'expired' })
      .where('id', '=', payment.paymentId)
      .execute()
    for (let time = 0; time < 2; time++) await receivePaymentEvent(deps, event(payment.reference))
    expect(await bookingsOf(payment.paymentId)).toHaveLength(0)
    expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'paid_too_late' }])
    expect((await mailsAbout(payment.paymentId)).map((mail) => mail.to)).toEqual(['kim@example.com'])
    await performDueRefunds(deps)
    expect(await refundedCents(payment.reference)).toBe(45_500)
  })
})

describe('decideBooking', () => {
  it('is the owner’s alone', async () => {
    const { bookingId } = await booked()
    const stranger = await aUser(world.db)
    const other = await aBusiness(world.db)
    for (const userId of ['', stranger.id, other.user_id]) {
      expect(await decide(bookingId, 'approved', userId)).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await decide('no-such-booking', 'approved')).toEqual({ ok: false, reason: 'not_found' })
  })

  it('tells the second of two who decide at once, and overwrites nothing', async () => {
    const { bookingId, paymentId } = await booked()
    const answer = (decision: 'approved' | 'declined', seen: BookingStatus) =>
      decideBooking(deps, { userId: business.user_id, bookingId, decision, seen })
    const outcomes = await Promise.all([answer('approved', 'pending'), answer('declined', 'pending')])
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: 'changed' }])
    const [row] = await bookingsOf(paymentId)
    const first = outcomes.find((outcome) => outcome.ok)
    expect(row?.status).toBe(first?.ok && first.status)
    expect(await refundsOf(paymentId)).toHaveLength(row?.status === 'declined' ? 1 : 0)
    expect(await mailsAbout(`${bookingId}-approved`)).toHaveLength(row?.status === 'approved' ? 1 : 0)
    // Both want the same: nobody is in anybody's way.
    const status = row?.status === 'declined' ? 'declined' : 'approved'
    expect(await answer(status, 'pending')).toMatchObject({ ok: true, changed: false })
    // Having looked again, the second can still decide otherwise.
    const other = status === 'approved' ? 'declined' : 'approved'
    expect(await answer(other, status)).toMatchObject({ ok: true, changed: true, status: other })
  })

  it('approves, tells the customer, and takes a second tap calmly', async () => {
    const customer = await aUser(world.db)
    const { bookingId } = await booked({ customerUserId: customer.id })
    expect(await decide(bookingId, 'approved')).toEqual({
      ok: true,
      changed: true,
      status: 'approved',
      paymentStatus: 'paid',
      refundDueAt: null,
    })
    expect(await decide(bookingId, 'approved')).toMatchObject({
      ok: true,
      changed: false,
      status: 'approved',
    })
    expect(await mailsAbout(`${bookingId}-approved`)).toHaveLength(1)
    expect(await notificationsOf(customer.id)).toMatchObject([{ kind: 'approved' }])
  })

  it('refunds a decline after the grace time, once', async () => {
    const { bookingId, paymentId, reference } = await booked()
    const dueAt = new Date(world.clock.now().getTime() + deps.refundGraceMs)
    expect(await decide(bookingId, 'declined')).toMatchObject({
      changed: true,
      paymentStatus: 'refund due',
      refundDueAt: dueAt,
    })
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('We send the refund after Friday 20 November 2026')
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(0)
    world.clock.forward(deps.refundGraceMs)
    await Promise.all([performDueRefunds(deps), performDueRefunds(deps)])
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined', payment_status: 'refunded' }])
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'done', attempts: 1 }])
    expect(await mailsAbout(`${bookingId}-refunded`)).toHaveLength(1)
    expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'refund_claimed' })
  })

  it('takes a decline back within the grace time, and again, and again', async () => {
    const { bookingId, paymentId, reference } = await booked()
    for (let round = 0; round < 2; round++) {
      await decide(bookingId, 'declined')
      world.clock.forward(1_000)
      expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true, paymentStatus: 'paid' })
    }
    world.clock.forward(2 * deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(0)
    expect((await refundsOf(paymentId)).map((refund) => refund.state)).toEqual(['cancelled', 'cancelled'])
    const mails = await mailsAbout(`${bookingId}-approved`)
    expect(mails.map((mail) => mail.subject)).toEqual(
      Array.from({ length: 2 }, () => `Good news after all: ${business.name} approved your booking`),
    )
  })

  it('lets one of undo and claim win, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const { bookingId, paymentId, reference } = await booked()
      await decide(bookingId, 'declined')
      world.clock.forward(deps.refundGraceMs)
      const claim = () => performDueRefunds(deps)
      const undo = () => decide(bookingId, 'approved')
      const [, undone] =
        round % 2 === 0
          ? await Promise.all([claim(), undo()])
          : await Promise.all([undo(), claim()]).then(([first]) => [undefined, first] as const)
      await performDueRefunds(deps)
      const [booking] = await bookingsOf(paymentId)
      if (undone.ok) {
        expect(booking).toMatchObject({ status: 'approved', payment_status: 'paid' })
        expect(await refundedCents(reference)).toBe(0)
      } else {
        expect(undone.reason).toBe('refund_claimed')
        expect(booking).toMatchObject({ status: 'declined', payment_status: 'refunded' })
        expect(await refundedCents(reference)).toBe(45_500)
      }
    }
  })

  it('tries a failed refund again later, with the same key, and keeps the decision final', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    const keys: string[] = []
    const failing: BookingDeps = {
      ...deps,
      payments: {
        ...world.payments,
        async refund(input) {
          keys.push(input.idempotencyKey)
          // It took place, and its answer was lost.
          await world.payments.refund(input)
          return { ok: false, reason: 'unreachable', message: 'No answer.' }
        },
      },
    }
    await performDueRefunds(failing)
    await performDueRefunds(failing)
    expect(keys).toHaveLength(1)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'claimed', last_error: 'No answer.' }])
    expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'refund_claimed' })
    const [listed] = await listBookingsOfBusinesses(world.db, { userId: business.user_id, businessId: 'all' })
    expect(listed).toMatchObject({ decisions: [], refund: { state: 'claimed' } })
    world.clock.forward(60_000)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })
})

describe('withdrawBooking', () => {
  it('is the customer’s alone: by link, by account, by verified e-mail', async () => {
    const customer = await aUser(world.db)
    const { bookingId } = await booked({ customerUserId: customer.id })
    const strangers = [
      { linkToken: await bookingLinkToken(deps.secret, 'another') },
      { linkToken: '' },
      { userId: business.user_id, verifiedEmail: `${business.user_id}@example.com` },
      { userId: 'nobody', verifiedEmail: null },
    ]
    for (const by of strangers) {
      expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: false, reason: 'not_found' })
    }
    const byAccount = { userId: customer.id, verifiedEmail: null }
    expect(await withdrawBooking(deps, { bookingId, by: byAccount })).toEqual({ ok: true })

    const other = await booked()
    const linkToken = await bookingLinkToken(deps.secret, other.paymentId)
    expect(await withdrawBooking(deps, { bookingId: other.bookingId, by: { linkToken } })).toEqual({
      ok: true,
    })
    const third = await booked()
    const byMail = { userId: 'x', verifiedEmail: 'KIM@example.com' }
    expect(await withdrawBooking(deps, { bookingId: third.bookingId, by: byMail })).toEqual({ ok: true })
  })

  it('refunds in full at once, and the vendor can decide no more', async () => {
    const { bookingId, paymentId, reference } = await booked()
    const by = { linkToken: await bookingLinkToken(deps.secret, paymentId) }
    expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: true })
    expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: true })
    expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'withdrawn' })
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'withdrawn', payment_status: 'refunded' }])
    expect(await refundsOf(paymentId)).toHaveLength(1)
  })

  it('comes too late once it is decided', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'approved')
    const by = { linkToken: await bookingLinkToken(deps.secret, paymentId) }
    expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: false, reason: 'already_decided' })
  })
})

describe('tendPendingBookings', () => {
  it('reminds after a day, once, and declines with a refund after two', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await tendPendingBookings(deps)
    expect(await mailsAbout(`${bookingId}-reminder`)).toHaveLength(0)
    world.clock.forward(24 * HOUR_MS)
    await tendPendingBookings(deps)
    await tendPendingBookings(deps)
    expect(await mailsAbout(`${bookingId}-reminder`)).toHaveLength(1)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending' }])
    world.clock.forward(24 * HOUR_MS)
    await tendPendingBookings(deps)
    await tendPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined', payment_status: 'refund due' }])
    expect(await mailsAbout(`${bookingId}-undecided`)).toHaveLength(1)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('leaves decided bookings alone', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'approved')
    world.clock.forward(72 * HOUR_MS)
    await tendPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
  })

  it('declines a day before the event, in the venue’s time', async () => {
    const soon = new Date(world.clock.now().getTime() + 30 * HOUR_MS)
    const there = new Date(soon.getTime() + 11 * HOUR_MS).toISOString()
    const booking: BookingForm = aBookingForm({ date: there.slice(0, 10), time: there.slice(11, 16) })
    const { paymentId } = await booked({ booking })
    world.clock.forward(5 * HOUR_MS)
    await tendPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending' }])
    world.clock.forward(1 * HOUR_MS + 60_000)
    await tendPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined' }])
  })
})

describe('remindOfEvents', () => {
  /** A booking in Melbourne that many hours ahead; its clock is eleven hours ahead of UTC in November. */
  const ahead = async (hours: number, overrides: Order = {}) => {
    const there = new Date(world.clock.now().getTime() + (hours + 11) * HOUR_MS).toISOString()
    return booked({
      booking: aBookingForm({ date: there.slice(0, 10), time: there.slice(11, 16) }),
      ...overrides,
    })
  }
  const remindersOf = async (bookingId: string) => {
    const kinds = (await mailsAbout(`booking-${bookingId}-event`)).map((mail) => mail.messageId.split('@')[0])
    return kinds.toSorted()
  }

  it('reminds both sides two days before, once, however many processes do it', async () => {
    const customer = await aUser(world.db)
    const { bookingId } = await ahead(60, { customerUserId: customer.id })
    await decide(bookingId, 'approved')
    world.clock.forward(11 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(bookingId)).toEqual([])
    world.clock.forward(1 * HOUR_MS + 60_000)
    await Promise.all([remindOfEvents(deps), remindOfEvents(deps), remindOfEvents(deps)])
    world.clock.forward(1 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(bookingId)).toEqual([
      `<booking-${bookingId}-event`,
      `<booking-${bookingId}-event-vendor`,
    ])
    const [toCustomer, toVendor] = await mailsAbout(`booking-${bookingId}-event`)
    expect(toCustomer).toMatchObject({
      to: 'kim@example.com',
      subject: expect.stringMatching(/^Coming up: /),
    })
    expect(toCustomer?.text).toContain('Phone: 0400 000 000')
    expect(toVendor).toMatchObject({
      to: `${business.user_id}@example.com`,
      preference: 'reminders',
      preferenceOf: business.user_id,
    })
    expect(toVendor?.text).toContain('0411 222 333')
    const ofVendor = (await notificationsOf(business.user_id)).filter(({ kind }) => kind === 'reminder')
    expect(ofVendor).toMatchObject([{ title: 'Kim Lee’s event is near', link: '/dashboard/bookings' }])
    const ofCustomer = (await notificationsOf(customer.id)).filter(({ kind }) => kind === 'reminder')
    expect(ofCustomer).toHaveLength(1)
  })

  it('says nothing of bookings that are not approved, or over', async () => {
    const pending = await ahead(40)
    const declined = await ahead(40)
    await decide(declined.bookingId, 'declined')
    const over = await ahead(30)
    await decide(over.bookingId, 'approved')
    world.clock.forward(31 * HOUR_MS)
    await remindOfEvents(deps)
    for (const { bookingId } of [pending, declined, over]) {
      expect(await remindersOf(bookingId)).toEqual([])
    }
  })

  it('counts the hours at the venue, wherever it is', async () => {
    const perth = await aPlace(world.db, {
      id: 'perth-wa',
      name: 'Perth',
      state: 'WA',
      time_zone: 'Australia/Perth',
    })
    const inPerth = await aBusiness(world.db, { place_id: perth.id, user_id: business.user_id })
    // The same clock time is three hours later there.
    const there = await ahead(48, { businessId: inPerth.id })
    const here = await ahead(48)
    for (const { bookingId } of [there, here]) await decide(bookingId, 'approved')
    await remindOfEvents(deps)
    expect(await remindersOf(here.bookingId)).toHaveLength(2)
    expect(await remindersOf(there.bookingId)).toEqual([])
    world.clock.forward(3 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(there.bookingId)).toHaveLength(2)
  })
})

describe('the lists', () => {
  it('show a vendor the bookings of their own businesses, newest first', async () => {
    const second = await aBusiness(world.db, { user_id: business.user_id })
    const one = await booked()
    world.clock.forward(1_000)
    const two = await booked({ businessId: second.id })
    const list = (businessId: string, userId = business.user_id) =>
      listBookingsOfBusinesses(world.db, { userId, businessId }).then((found) => found.map((each) => each.id))
    expect(await list('all')).toEqual([two.bookingId, one.bookingId])
    expect(await list(business.id)).toEqual([one.bookingId])
    expect(await list(business.id, 'somebody-else')).toEqual([])
    const [item] = await listBookingsOfBusinesses(world.db, {
      userId: business.user_id,
      businessId: business.id,
    })
    expect(item).toMatchObject({
      listed: {
        businessId: business.id,
        name: 'Kim Lee',
        date: '2027-03-13',
        time: '16:00',
        status: 'pending',
      },
      stored: { totalPrice: '455.00', quantity: 10 },
      decisions: ['approved', 'declined'],
      refund: null,
    })
  })

  it('show a customer theirs: made while signed in, or of their verified e-mail', async () => {
    const customer = await aUser(world.db)
    const email = `${newId()}@example.com`
    const signedIn = await booked({ customerUserId: customer.id })
    world.clock.forward(1_000)
    const asGuest = await booked({ booking: aBookingForm({ email }) })
    const list = (verifiedEmail: string | null, userId = customer.id) =>
      listBookingsOfCustomer(world.db, { userId, verifiedEmail, secret: deps.secret })
    expect((await list(null)).map((each) => each.id)).toEqual([signedIn.bookingId])
    expect((await list(email.toUpperCase())).map((each) => each.id)).toEqual([
      asGuest.bookingId,
      signedIn.bookingId,
    ])
    expect(await list(null, 'somebody-else')).toEqual([])
    const [mine] = await list(null)
    expect(mine).toMatchObject({
      canWithdraw: true,
      place: 'Melbourne, VIC',
      contact: { phone: '0400 000 000', email: `${business.user_id}@example.com` },
      link: `/bookings/${await bookingLinkToken(deps.secret, signedIn.paymentId)}`,
    })
  })

  it('open by the link, which the database does not hold', async () => {
    const { paymentId, bookingId } = await booked()
    const token = await bookingLinkToken(deps.secret, paymentId)
    expect(await findBookingByLink(world.db, token)).toMatchObject({ id: bookingId })
    expect(await findBookingByLink(world.db, `${token.slice(0, -1)}_`)).toBeNull()
    expect((await paymentRow(paymentId)).link_hash).not.toContain(token)
    const unpaid = await started()
    expect(
      await findBookingByLink(world.db, await bookingLinkToken(deps.secret, unpaid.paymentId)),
    ).toBeNull()
  })
})

describe('the time of a payment', () => {
  const slots = () =>
    world.db.selectFrom('slots').selectAll().where('business_id', '=', business.id).orderBy('id').execute()
  const providerState = async (reference: string): Promise<ProviderState | null> => {
    const found = await world.payments.retrieve(reference)
    return found.ok ? found.snapshot.state : null
  }
  const keep = (submitKey: string, exceptPayments: string[] = []) =>
    beginConfirmation(deps, { submitKey, exceptPayments })
  const keyed = () => ({ submitKey: crypto.randomUUID() })
  const other = aBookingForm({ fullName: 'Ana Reyes', email: 'ana@example.com' })
  const away: Partial<PaymentProvider> = {
    retrieve: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
    cancel: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
  }
  const withoutProvider = (): BookingDeps => ({ ...deps, payments: { ...world.payments, ...away } })
  /** What is free is a hold of its own: nobody else has it. */
  const isFree = async (overrides: Order = {}) => {
    const held = await startBookingPayment(deps, order({ booking: other, ...overrides }))
    if (held.ok) await world.db.deleteFrom('slots').where('payment_id', '=', held.paymentId).execute()
    return held.ok
  }

  beforeEach(() => setsAvailability(world.db, business.id, { capacity: 1 }))

  it('is kept free for it, with setting up and cleaning, in UTC beside the zone', async () => {
    const payment = await started()
    expect(await slots()).toMatchObject([
      {
        kind: 'hold',
        payment_id: payment.paymentId,
        booking_id: null,
        expires_at: payment.expiresAt,
        is_exclusive: true,
        time_zone: 'Australia/Melbourne',
      },
    ])
    expect((await paymentRow(payment.paymentId)).sold).toMatchObject({
      event: { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' },
      occupied: { from: '2027-03-13T03:00:00.000Z', until: '2027-03-13T13:00:00.000Z' },
    })
  })

  it('is refused to the next one, with the nearest free times, and nothing is begun', async () => {
    await started()
    const refused = order({ booking: other })
    expect(await startBookingPayment(deps, refused)).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'taken',
      alternatives: [
        // Ten hours to either side; the earlier of two as near comes first.
        { date: '2027-03-13', time: '06:00' },
        { date: '2027-03-14', time: '02:00' },
        { date: '2027-03-13', time: '05:30' },
      ],
    })
    const rows = await world.db
      .selectFrom('payments')
      .select('id')
      .where('submit_key', '=', refused.submitKey)
      .execute()
    expect(rows).toEqual([])
    // Another time is free.
    await started({ booking: aBookingForm({ date: '2027-03-14' }) })
  })

  it.each([
    ['closed', { weekly: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } }, {}],
    ['too_soon', { noticeMinutes: 200 * 24 * 60 }, {}],
    ['too_far', { horizonDays: 30 }, {}],
    ['too_many_guests', { maxGuests: 9 }, {}],
    ['no_such_time', {}, { date: '2027-10-03', time: '02:30' }],
  ] as const)('is refused as %s', async (why, settings, wish) => {
    await setsAvailability(world.db, business.id, settings as object)
    expect(await startBookingPayment(deps, order({ booking: aBookingForm(wish) }))).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why,
    })
  })

  it('is the same hold for one submit key, pressed ten times at once or later; later makes it no longer', async () => {
    const same = order()
    const answers = await Promise.all(Array.from({ length: 10 }, () => startBookingPayment(deps, same)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    world.clock.forward(60_000)
    expect(await startBookingPayment(deps, same)).toEqual(answers[0])
    expect(await slots()).toHaveLength(1)
  })

  it('is held once for a browser: its new payment ends the old one, at the provider too', async () => {
    const first = await started()
    const second = await started({
      booking: aBookingForm({ time: '17:00' }),
      exceptPayments: [first.paymentId],
    })
    expect((await slots()).map((slot) => slot.payment_id)).toEqual([second.paymentId])
    expect(await providerState(first.reference)).toBe('cancelled')
    expect((await paymentRow(first.paymentId)).state).toBe('expired')
  })

  it('stays free when its address holds too many unpaid times, and no payment is left behind', async () => {
    const heldFrom = newId()
    const days = Array.from({ length: UNPAID_HOLDS_OF_ADDRESS + 1 }, (_, day) => day)
    const orders = days.map((day) => {
      const date = new Date(Date.UTC(2027, 2, 13 + day)).toISOString().slice(0, 10)
      return order({ heldFrom, booking: aBookingForm({ date }) })
    })
    const last = orders.pop()
    // Each again and again is one hold.
    for (const same of [...orders, ...orders])
      expect(await startBookingPayment(deps, same)).toMatchObject({ ok: true })
    const refused = { ok: false, reason: 'too_many_held_by_address' }
    expect(await startBookingPayment(deps, { ...order(), ...last })).toEqual(refused)
    expect(await slots()).toHaveLength(UNPAID_HOLDS_OF_ADDRESS)
    const left = world.db
      .selectFrom('payments')
      .select('id')
      .where('submit_key', '=', last?.submitKey ?? '')
    expect(await left.execute()).toEqual([])
  })

  it('becomes the booking’s, once, however often it is settled', async () => {
    const { paymentId, bookingId, clientSecret } = await booked()
    for (let time = 0; time < 2; time++) await reportPayment(deps, { clientSecret })
    expect(await slots()).toMatchObject([
      { kind: 'booking', payment_id: paymentId, booking_id: bookingId, expires_at: null },
    ])
    expect(await isFree()).toBe(false)
  })

  it('is free after its end: cancelled at the provider first, twice too', async () => {
    const payment = await started()
    world.clock.forward(deps.holdMs)
    await sweepPayments(withoutProvider())
    expect(await slots(), 'nobody knows yet whether it is paid').toHaveLength(1)
    for (let time = 0; time < 2; time++) await sweepPayments(deps)
    expect(await providerState(payment.reference)).toBe('cancelled')
    expect(await slots()).toEqual([])
  })

  it('is taken over by the next one after its end, also before the sweep', async () => {
    await started()
    world.clock.forward(deps.holdMs)
    const next = await started({ booking: other })
    expect((await slots()).map((slot) => slot.payment_id)).toEqual([next.paymentId])
  })

  describe('once the card is being confirmed', () => {
    it('lasts as long as the payment, and asking again makes it no longer', async () => {
      const key = keyed()
      const payment = await started(key)
      world.clock.forward(deps.holdMs - 1_000)
      const until = new Date(world.clock.now().getTime() + deps.paymentExpiryMs)
      expect(await keep(key.submitKey)).toEqual({ ok: true, expiresAt: until })
      world.clock.forward(60_000)
      expect(await keep(key.submitKey)).toEqual({ ok: true, expiresAt: until })
      await sweepPayments(deps)
      expect(await isFree()).toBe(false)
      await payCard(payment.clientSecret)
      await reportPayment(deps, { clientSecret: payment.clientSecret })
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
    })

    it('is free at the payment’s end', async () => {
      const key = keyed()
      const payment = await started(key)
      await keep(key.submitKey)
      world.clock.forward(deps.paymentExpiryMs)
      await sweepPayments(deps)
      expect(await providerState(payment.reference)).toBe('cancelled')
      expect(await slots()).toEqual([])
    })

    it('lasts while the provider has no answer yet', async () => {
      const payment = await started()
      const found = await world.payments.retrieve(payment.reference)
      if (!found.ok) throw new Error(found.message)
      await applySnapshot(deps, { ...found.snapshot, state: 'processing' })
      world.clock.forward(24 * HOUR_MS)
      expect(await isFree()).toBe(false)
      await applySnapshot(deps, { ...found.snapshot, state: 'cancelled' })
      expect(await isFree()).toBe(true)
    })

    it('is not begun for what nobody knows, has ended, or is paid', async () => {
      expect(await keep('no-such-key')).toEqual({ ok: false, reason: 'unknown_payment' })
      const late = keyed()
      await started(late)
      world.clock.forward(deps.holdMs)
      expect(await keep(late.submitKey)).toEqual({ ok: false, reason: 'payment_ended' })
      const paid = keyed()
      const { reference } = await booked(paid)
      expect(await keep(paid.submitKey)).toEqual({ ok: false, reason: 'already_paid', reference })
    })

    it('is taken again when another tab had replaced it, and refused when somebody has it', async () => {
      const key = keyed()
      const first = await started(key)
      const elsewhere = aBookingForm({ date: '2027-03-20' })
      // The other tab’s answer was lost before the first one’s payment was ended.
      await world.db.deleteFrom('slots').where('payment_id', '=', first.paymentId).execute()
      const second = await started({ booking: elsewhere })
      expect(await keep(key.submitKey, [first.paymentId, second.paymentId])).toMatchObject({ ok: true })
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([first.paymentId])
      expect(await providerState(second.reference)).toBe('cancelled')

      const lost = keyed()
      const third = await started({ ...lost, booking: elsewhere })
      await world.db.deleteFrom('slots').where('payment_id', '=', third.paymentId).execute()
      await started({ booking: { ...other, date: '2027-03-20' } })
      expect(await keep(lost.submitKey)).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
      expect(await providerState(third.reference), 'nothing is left to pay for').toBe('cancelled')
    })
  })

  describe('given up', () => {
    it('is free at once, and nothing can be paid any more; again it changes nothing', async () => {
      const key = keyed()
      const payment = await started(key)
      for (let time = 0; time < 2; time++) expect(await giveUpPayment(deps, key)).toEqual({ ok: true })
      expect(await providerState(payment.reference)).toBe('cancelled')
      expect(await slots()).toEqual([])
      expect(await isFree()).toBe(true)
    })

    it('is free at once also while the provider is away, and ended later', async () => {
      const key = keyed()
      const payment = await started(key)
      await giveUpPayment(withoutProvider(), key)
      expect(await isFree()).toBe(true)
      expect(await providerState(payment.reference)).toBe('open')
      await sweepPayments(deps)
      expect(await providerState(payment.reference)).toBe('cancelled')
    })

    it('waits for the provider once a card is being confirmed', async () => {
      const key = keyed()
      await started(key)
      await keep(key.submitKey)
      await giveUpPayment(withoutProvider(), key)
      expect(await isFree()).toBe(false)
      await sweepPayments(deps)
      expect(await isFree()).toBe(true)
    })

    it('is booked when it was paid in the meantime, and nobody else can give it up', async () => {
      const key = keyed()
      const payment = await started(key)
      expect(await giveUpPayment(deps, keyed())).toEqual({ ok: false, reason: 'unknown_payment' })
      expect(await slots()).toHaveLength(1)
      await payCard(payment.clientSecret)
      for (let time = 0; time < 2; time++) expect(await giveUpPayment(deps, key)).toEqual({ ok: true })
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
      expect(await slots()).toMatchObject([{ kind: 'booking' }])
    })
  })

  describe('of a payment that succeeds after its hold', () => {
    it('is booked all the same if nobody has it', async () => {
      const payment = await started()
      world.clock.forward(deps.holdMs)
      const next = await started({ booking: other })
      await world.db.deleteFrom('slots').where('payment_id', '=', next.paymentId).execute()
      await payCard(payment.clientSecret)
      await sweepPayments(deps)
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([payment.paymentId])
    })

    it('is refunded if somebody has it, once, and the customer is told why', async () => {
      const payment = await started()
      world.clock.forward(deps.holdMs)
      const next = await started({ booking: other })
      await payCard(payment.clientSecret)
      await Promise.all([sweepPayments(deps), reportPayment(deps, { clientSecret: payment.clientSecret })])
      await receivePaymentEvent(deps, event(payment.reference))
      expect(await bookingsOf(payment.paymentId)).toEqual([])
      expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'time_gone', state: 'due' }])
      const mails = await mailsAbout(payment.paymentId)
      expect(mails.map((mail) => mail.to)).toEqual(['kim@example.com'])
      expect(mails[0]?.text).toContain('somebody else had it')
      expect(mails[0]?.text).toContain('Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time')
      const value = await writeSignedList([payment.paymentId], BROWSER_PAYMENTS_COOKIE, deps.secret)
      const seen = await findBrowserPayment(world.db, {
        cookieHeader: `${BROWSER_PAYMENTS_COOKIE}=${value}`,
        secret: deps.secret,
        reference: payment.reference,
      })
      expect(seen).toMatchObject({ state: 'paid', booking: null, unbooked: 'time_gone' })
      await performDueRefunds(deps)
      expect(await refundedCents(payment.reference)).toBe(45_500)
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([next.paymentId])
    })
  })

  describe('of a booking', () => {
    it('is free once it is declined, withdrawn, or not decided in time', async () => {
      const declined = await booked()
      await decide(declined.bookingId, 'declined')
      expect(await isFree()).toBe(true)
      const withdrawn = await booked()
      const by = { linkToken: await bookingLinkToken(deps.secret, withdrawn.paymentId) }
      await withdrawBooking(deps, { bookingId: withdrawn.bookingId, by })
      expect(await isFree()).toBe(true)
      await booked()
      world.clock.forward(48 * HOUR_MS)
      await tendPendingBookings(deps)
      expect(await isFree()).toBe(true)
      expect(await slots()).toEqual([])
    })

    it('is taken again when a decline is taken back', async () => {
      const { bookingId } = await booked()
      for (let round = 0; round < 2; round++) {
        await decide(bookingId, 'declined')
        world.clock.forward(1_000)
        expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true })
        expect(await slots()).toMatchObject([{ kind: 'booking', booking_id: bookingId }])
      }
    })

    it('is somebody else’s when it was booked in between: the decline stands, and its refund', async () => {
      const { bookingId, reference } = await booked()
      await decide(bookingId, 'declined')
      const next = await booked({ booking: other })
      const refused = await decide(bookingId, 'approved')
      expect(refused).toMatchObject({
        ok: false,
        reason: 'gone',
        takenBy: [{ kind: 'booking', title: 'Ana Reyes', bookingId: next.bookingId }],
      })
      world.clock.forward(deps.refundGraceMs)
      await performDueRefunds(deps)
      expect(await refundedCents(reference)).toBe(45_500)
      expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'refund_claimed' })
      expect((await slots()).map((slot) => slot.booking_id)).toEqual([next.bookingId])
    })

    it('is the vendor’s own when they blocked it in between', async () => {
      const { bookingId } = await booked()
      await decide(bookingId, 'declined')
      const block = { from: '2027-03-13', fromTime: null, to: '2027-03-13', toTime: null, note: 'Painters' }
      await blockTime(deps, { userId: business.user_id, businessId: business.id, block })
      expect(await decide(bookingId, 'approved')).toMatchObject({
        reason: 'gone',
        takenBy: [{ kind: 'block', title: 'Painters' }],
      })
    })

    it('stays as it was agreed when the vendor changes the lengths afterwards', async () => {
      const { bookingId } = await booked()
      await setsAvailability(world.db, business.id, { capacity: 1, eventMinutes: 60, setupMinutes: 0 })
      await decide(bookingId, 'declined')
      world.clock.forward(1_000)
      await decide(bookingId, 'approved')
      const [mine] = await listBookingsOfBusinesses(world.db, { userId: business.user_id, businessId: 'all' })
      expect(mine?.span).toBe('Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time')
      const at5 = aBookingForm({ time: '22:00' })
      expect(await isFree({ booking: at5 })).toBe(false)
    })
  })
})

describe('the database itself', () => {
  it('holds one booking of a payment’s line, and one live refund of it, whatever the commands do', async () => {
    const { paymentId, bookingId } = await booked()
    const row = await world.db
      .selectFrom('bookings')
      .selectAll()
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const again = { ...row, id: newId(), date: '2027-03-13', time: '16:00', total_price_cents: 45_500 }
    await expect(world.db.insertInto('bookings').values(again).execute()).rejects.toMatchObject({
      code: '23505',
    })
    const refund = (state: 'due' | 'cancelled') =>
      world.db
        .insertInto('payment_actions')
        .values({
          id: newId(),
          payment_id: paymentId,
          line: 1,
          kind: 'refund',
          amount_cents: 45_500,
          reason: 'declined',
          due_at: world.clock.now(),
          state,
          claimed_at: null,
          last_error: null,
          done_at: null,
        })
        .execute()
    await refund('cancelled')
    await refund('due')
    await refund('cancelled')
    await expect(refund('due')).rejects.toMatchObject({ code: '23505' })
    // Left as the other tests expect it: nothing due.
    await world.db.deleteFrom('payment_actions').where('payment_id', '=', paymentId).execute()
  })
})
