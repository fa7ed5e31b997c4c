import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  CARDS,
  decide,
  deps,
  event,
  mailsAbout,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { findBookingByLink } from '../bookings/list/queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { refundAgain, resolveFailedRefund } from './failed-refund-commands.server.ts'
import { findUnfulfilledReason } from './queries.server.ts'
import { addRefund, insertRefund } from './refund-commands.server.ts'
import { applyRefundSnapshot, askAboutRefunds, REFUNDS_PER_RUN } from './refund-news-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { askProviderAgain } from './sweep-commands.server.ts'

setBookingStage()

/** A declined booking whose refund the provider has taken. */
async function declined(cardNumber: string) {
  const payment = await booked({}, cardNumber)
  await decide(payment.bookingId, 'declined')
  world.clock.forward(deps.refundGraceMs)
  await performDueRefunds(deps)
  return payment
}

const shownRefund = async (paymentId: string) =>
  (await findBookingByLink(world.db, await bookingLinkToken(deps.secret, paymentId)))?.refund
const firstRefund = async (paymentId: string) => {
  const [refund] = await refundsOf(paymentId)
  if (!refund) throw new Error('no refund')
  return { id: refund.id, paymentId, line: refund.line, reason: refund.reason, amountCents: 45_500 }
}
const news = (reference: string, type = 'refund.updated') => receive(deps, event(reference, newId(), type))

describe('a refund that stays pending', () => {
  it('stays on its way until the provider says that it succeeded, and sends one mail then', async () => {
    const { bookingId, paymentId, reference } = await declined(CARDS.refundPending)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refund due' }])
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'sent' })
    expect(await mailsAbout(`${bookingId}-refunded`)).toEqual([])
    expect(await refundsOf(paymentId)).toMatchObject([{ pending_reason: 'processing' }])

    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await Promise.all([news(reference), news(reference), askAboutRefunds(deps)])
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'done' })
    expect(await mailsAbout(`${bookingId}-refunded`)).toHaveLength(1)
  })

  it('completes without its webhook, by asking the provider', async () => {
    const { paymentId } = await declined(CARDS.refundPending)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await askAboutRefunds(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })
})

describe('a refund that comes back', () => {
  async function cameBack() {
    const payment = await declined(CARDS.refundFails)
    expect(await bookingsOf(payment.paymentId)).toMatchObject([{ payment_status: 'refunded' }])
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await news(payment.reference, 'refund.failed')
    return payment
  }

  it('reopens the booking’s money and tells customer and operators once', async () => {
    const { bookingId, paymentId, reference } = await cameBack()
    await news(reference, 'refund.failed')
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refund due' }])
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'failed', resolution: null })
    expect(await mailsAbout(`${bookingId}-refund-failed`)).toHaveLength(1)
    const { id } = await firstRefund(paymentId)
    expect(await mailsAbout(`refund-failed-${id}-operator`)).toHaveLength(1)
    expect(await refundedCents(reference)).toBe(0)
  })

  it('reaches the operators alone after the customer has deleted the account', async () => {
    const payment = await declined(CARDS.refundFails)
    await world.db.updateTable('bookings').set({ email: '' }).where('id', '=', payment.bookingId).execute()
    await world.db
      .updateTable('sales')
      .set({ customer_email: '' })
      .where('id', '=', payment.paymentId)
      .execute()
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await news(payment.reference, 'refund.failed')
    expect((await world.jobs.mails()).filter(({ to }) => to === '')).toEqual([])
    const { id } = await firstRefund(payment.paymentId)
    const [mail] = await mailsAbout(`refund-failed-${id}-operator`)
    expect(mail?.text).toContain('Their account is deleted')
    expect(mail?.text).not.toContain('We’ve asked the customer')
  })

  it('becomes due again without its webhook, by asking the provider', async () => {
    const { paymentId } = await declined(CARDS.refundFails)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await askAboutRefunds(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refund due' }])
  })

  it('never succeeds again by news that are older', async () => {
    const { paymentId } = await cameBack()
    const refund = await firstRefund(paymentId)
    const row = { id: refund.id, payment_id: paymentId, line: refund.line }
    await applyRefundSnapshot(deps, row, {
      reference: 'sbr_1',
      idempotencyKey: `refund-${refund.id}`,
      amountCents: 45_500,
      status: 'succeeded',
      pendingReason: null,
      failureReason: null,
    })
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refund due' }])
  })

  it('can be settled once by an operator who paid it back another way', async () => {
    const { paymentId } = await cameBack()
    const refund = await firstRefund(paymentId)
    const resolve = () =>
      world.db.transaction().execute((tx) =>
        resolveFailedRefund(deps, tx, {
          refund,
          reference: 'BSB 062-000',
          note: 'Osko',
          accountGivenAt: null,
        }),
      )
    expect(await resolve()).toEqual({ ok: true })
    expect(await resolve()).toEqual({ ok: false, reason: 'not_failed' })
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'failed', resolution: 'paid_otherwise' })
    expect(await refundsOf(paymentId)).toMatchObject([{ note: 'Osko' }])
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'paid' }])
  })

  it('can be ordered again once, under a new key, and then covers the price', async () => {
    const { bookingId, paymentId, reference } = await cameBack()
    const refund = await firstRefund(paymentId)
    const again = () => world.db.transaction().execute((tx) => refundAgain(deps, tx, refund))
    expect(await again()).toEqual({ ok: true })
    expect(await again()).toMatchObject({ ok: false })
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'done' })
    expect(await mailsAbout(`${bookingId}-refunded`)).toHaveLength(2)
  })
})

describe('refunds in parts', () => {
  const order = (paymentId: string, amountCents: number) =>
    world.db.transaction().execute((tx) =>
      addRefund(deps, tx, {
        paymentId,
        line: 1,
        reason: 'operator',
        amountCents,
        dueAt: world.clock.now(),
        note: 'The heater failed.',
      }),
    )

  it('can’t exceed what is left, even when ordered at the same time', async () => {
    const { paymentId, reference } = await booked()
    const answers = await Promise.all([22_750, 22_750, 22_750].map((cents) => order(paymentId, cents)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2)
    expect(answers.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('leave a booking paid until they cover its price, and a decline refunds the rest', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await order(paymentId, 10_000)
    await performDueRefunds(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending', payment_status: 'paid' }])
    await decide(bookingId, 'declined')
    expect((await refundsOf(paymentId)).map(({ amount_cents }) => Number(amount_cents)).sort()).toEqual([
      10_000, 35_500,
    ])
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })
})

describe('a refund of the version before', () => {
  it('counts as done until the provider was asked about it', async () => {
    const { paymentId } = await declined(CARDS.plain)
    await world.db
      .updateTable('payment_actions')
      .set({ provider_status: null, provider_refund: null, asked_at: null })
      .where('payment_id', '=', paymentId)
      .execute()
    expect(await shownRefund(paymentId)).toMatchObject({ state: 'done' })
    await askAboutRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ provider_status: 'succeeded' }])
  })
})

describe('a refund made by hand at the provider', () => {
  const byHand = (reference: string, amountCents: number) =>
    world.payments.refund({ reference, amountCents, idempotencyKey: newId() })
  const amounts = async (paymentId: string) =>
    (await refundsOf(paymentId))
      .filter(({ state }) => state !== 'cancelled')
      .map(({ amount_cents, state }) => [Number(amount_cents), state])
      .toSorted()

  it('counts against what is left, once, and is mailed like ours', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await byHand(reference, 10_000)
    await Promise.all([news(reference, 'refund.created'), news(reference, 'charge.refunded')])
    expect(await amounts(paymentId)).toEqual([[10_000, 'done']])
    expect(await mailsAbout(`${bookingId}-refunded`)).toHaveLength(1)
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('cuts a refund that waits down to what it left, also when its webhook was lost', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await decide(bookingId, 'declined')
    await byHand(reference, 10_000)
    world.clock.forward(deps.refundGraceMs)
    // The provider refuses the full amount, which makes us list its refunds.
    await performDueRefunds(deps)
    expect(await amounts(paymentId)).toEqual([
      [10_000, 'done'],
      [35_500, 'due'],
    ])
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('counts once the provider is asked again', async () => {
    const { paymentId, reference } = await booked()
    await byHand(reference, 45_500)
    expect(await askProviderAgain(deps, paymentId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('leaves the reason why a payment is unfulfilled as it is', async () => {
    const { paymentId, reference } = await booked()
    await world.db.deleteFrom('receipt_numbers').execute()
    await world.db.deleteFrom('slots').where('payment_id', '=', paymentId).execute()
    await world.db.deleteFrom('bookings').where('payment_row_id', '=', paymentId).execute()
    await byHand(reference, 100)
    await news(reference)
    expect(await refundsOf(paymentId)).toMatchObject([{ line: null, reason: 'operator' }])
    expect(await findUnfulfilledReason(world.db, paymentId)).toBeNull()
  })
})

describe('money that came back', () => {
  it('can’t be refunded a second time while an operator has to settle it', async () => {
    const { paymentId, reference } = await declined(CARDS.refundFails)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await news(reference, 'refund.failed')
    const order = {
      paymentId,
      line: 1,
      reason: 'operator',
      amountCents: 1,
      dueAt: world.clock.now(),
    } as const
    const answer = await world.db.transaction().execute((tx) => addRefund(deps, tx, order))
    expect(answer).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
  })
})

describe('refunds that the provider keeps refusing', () => {
  const waiting = async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    return paymentId
  }
  const refused = (paymentId: string, attempts: number) =>
    world.db
      .updateTable('payment_actions')
      .set({ state: 'claimed', attempts, claimed_at: world.clock.now(), last_error: 'Not enough funds' })
      .where('payment_id', '=', paymentId)
      .execute()

  it('hold up none that is newer, however many they are', async () => {
    const first = await waiting()
    const order = await firstRefund(first)
    await world.db.transaction().execute(async (tx) => {
      for (let count = 1; count < REFUNDS_PER_RUN; count++)
        await insertRefund(deps, tx, { ...order, amountCents: 1, dueAt: world.clock.now() })
    })
    const newer = await waiting()
    await refused(first, 9)
    await performDueRefunds(deps)
    expect(await refundsOf(newer)).toMatchObject([{ state: 'done' }])
    expect(new Set((await refundsOf(first)).map(({ state }) => state))).toEqual(new Set(['claimed']))
    await world.db.deleteFrom('payment_actions').where('payment_id', '=', first).execute()
  })

  it.each([
    [1, 1],
    [2, 2],
    [6, 32],
    [7, 60],
    [9, 60],
  ])('get another try after %i tries once %i minutes have passed', async (tries, minutes) => {
    const paymentId = await waiting()
    await refused(paymentId, tries)
    world.clock.forward(minutes * 60_000 - 1)
    await performDueRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'claimed', attempts: tries }])
    world.clock.forward(1)
    await performDueRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'done', attempts: tries + 1 }])
  })
})

describe('asking about refunds', () => {
  const answering = (answer: object): typeof deps => ({
    ...deps,
    providers: [{ ...world.payments, listRefunds: async () => answer as never }],
  })

  it('goes on with other payments after a refusal', async () => {
    const { paymentId } = await declined(CARDS.refundPending)
    world.clock.forward(DAY_MS)
    const refusing = answering({ ok: false, reason: 'refused', message: 'No such payment.' })
    await askAboutRefunds(refusing)
    const [asked] = await refundsOf(paymentId)
    expect(asked?.asked_at).toEqual(world.clock.now())
  })

  it('starts with the same payments again after silence', async () => {
    const { paymentId } = await declined(CARDS.refundPending)
    const [before] = await refundsOf(paymentId)
    world.clock.forward(DAY_MS)
    await askAboutRefunds(answering({ ok: false, reason: 'unreachable', message: 'Too many requests' }))
    expect((await refundsOf(paymentId))[0]?.asked_at).toEqual(before?.asked_at)
  })

  it('ignores a slow failure once a retry has succeeded', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    const slow: typeof deps = {
      ...deps,
      providers: [
        {
          ...world.payments,
          async refund() {
            world.clock.forward(60_001)
            await performDueRefunds(deps)
            return { ok: false, reason: 'unreachable', message: 'No answer.' }
          },
        },
      ],
    }
    await performDueRefunds(slow)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'done', last_error: null, attempts: 2 }])
  })
})
