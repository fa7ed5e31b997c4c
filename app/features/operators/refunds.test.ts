import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
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
  started,
  world,
} from '../../../tests/booking-stage.ts'
import { aReturnedRefund } from '../../../tests/monday-stage.ts'
import {
  cancelsAsOperator,
  paysOtherwiseAsOperator,
  refundsAgainAsOperator,
  refundsAsOperator,
} from '../../../tests/payout-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { DialogProvider } from '../../ui/dialog.tsx'
import type { ShownAccount } from '../payments/refund-account-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { OperatorRole } from './components/operator-role.tsx'
import { listOperatorLog } from './log-queries.server.ts'
import { listPayments } from './payment-queries.server.ts'
import { findPaymentTrail } from './payment-trail-queries.server.ts'
import { PaymentScreen } from './screens/payment-screen.tsx'

setBookingStage()

const operator = { userId: 'operator-1', email: 'operator@example.com' }
const trailOf = (paymentId: string) => findPaymentTrail(world.db, paymentId, world.clock.now())
const refund = (paymentId: string, amountCents: number) =>
  refundsAsOperator(deps, { operator, paymentId, amountCents, reason: 'The heater failed.' })

describe('an operator’s refund', () => {
  it('gives back half twice, and refuses a third with what is left', async () => {
    const { paymentId, reference } = await booked()
    expect(await refund(paymentId, 22_750)).toMatchObject({ ok: true, waits: false })
    expect(await refund(paymentId, 22_750)).toMatchObject({ ok: true, waits: false })
    expect(await refund(paymentId, 22_750)).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending', payment_status: 'refunded' }])
    expect((await trailOf(paymentId))?.refundableCents).toBe(0)
    expect(await listOperatorLog(world.db)).toMatchObject([
      { action: 'refund', reason: '$227.50: The heater failed.' },
      { action: 'refund' },
    ])
  })

  it('counts as partial until all has gone back', async () => {
    const { paymentId } = await booked()
    await refund(paymentId, 22_750)
    const half = { refund: { state: 'done', isPart: true } }
    expect(await trailOf(paymentId)).toMatchObject(half)
    const listed = () =>
      listPayments(world.db, { filter: 'refunds', words: paymentId, now: world.clock.now() })
    expect(await listed()).toMatchObject([half])
    await refund(paymentId, 22_749)
    expect(await trailOf(paymentId)).toMatchObject(half)
    await refund(paymentId, 1)
    expect(await listed()).toMatchObject([{ refund: { state: 'done', isPart: false } }])
  })

  it('fails for an unpaid payment, and for a missing payment', async () => {
    const payment = await started()
    expect(await refund(payment.paymentId, 100)).toEqual({ ok: false, reason: 'not_paid' })
    expect(await refund('nothing', 100)).toEqual({ ok: false, reason: 'not_found' })
  })
})

describe('cancelling a booking', () => {
  it.each([
    ['vendor', 'declined'],
    ['customer', 'withdrawn'],
  ] as const)('for the %s refunds the rest, frees the time and tells both sides', async (side, status) => {
    const { bookingId, paymentId, reference } = await booked()
    await decide(bookingId, 'approved')
    await refund(paymentId, 10_000)
    const cancel = () => cancelsAsOperator(deps, { operator, paymentId, side, reason: 'The hall flooded.' })
    expect(await cancel()).toMatchObject({ ok: true, waits: false, refundCents: 35_500 })
    expect(await cancel()).toEqual({ ok: false, reason: 'already_over' })
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status, payment_status: 'refunded' }])
    expect(await mailsAbout(`${bookingId}-cancelled-for-vendor`)).toHaveLength(1)
    const [mail] = await mailsAbout(`${bookingId}-cancelled@`)
    expect(mail?.text).toContain('The hall flooded.')
    expect(mail?.text).toContain('You get $355.00 back.')
    const slots = await world.db
      .selectFrom('slots')
      .select('id')
      .where('booking_id', '=', bookingId)
      .execute()
    expect(slots).toEqual([])
    // A vendor can't take it up again.
    expect(await decide(bookingId, 'approved')).toMatchObject({ ok: false })
  })
})

describe('cancelling an approved booking for its customer', () => {
  /** 20 days before the event, where the policy gives half back. */
  async function cancelling() {
    const payment = await booked()
    await decide(payment.bookingId, 'approved')
    const before = world.clock.now().getTime()
    world.clock.forward(Date.parse('2027-02-21T05:00:00Z') - before)
    const order = { operator, paymentId: payment.paymentId, side: 'customer', reason: 'They moved.' } as const
    return {
      ...payment,
      order,
      restoreClock: () => world.clock.forward(before - world.clock.now().getTime()),
    }
  }

  it('gives back by the policy what the operator was shown, and logs both amounts', async () => {
    const { paymentId, bookingId, reference, order, restoreClock } = await cancelling()
    expect((await trailOf(paymentId))?.policyCents).toBe(22_750)
    for (const expectedCents of [null, 22_749])
      expect(await cancelsAsOperator(deps, { ...order, refund: 'policy', expectedCents })).toEqual({
        ok: false,
        reason: 'changed',
      })
    expect(
      await cancelsAsOperator(deps, { ...order, refund: 'policy', expectedCents: 22_750 }),
    ).toMatchObject({
      ok: true,
      refundCents: 22_750,
    })
    expect(await refundedCents(reference)).toBe(22_750)
    const [entry] = await listOperatorLog(world.db)
    expect(entry?.reason).toBe('for the customer, $227.50 back (policy $227.50): They moved.')
    const [mail] = await mailsAbout(`${bookingId}-cancelled-for-vendor`)
    expect(mail?.text).toContain('You keep $227.50')
    restoreClock()
  })

  it('keeps another amount within what is left', async () => {
    const { bookingId, reference, order, restoreClock } = await cancelling()
    expect(await cancelsAsOperator(deps, { ...order, refund: { cents: 45_501 } })).toEqual({
      ok: false,
      reason: 'exceeds',
      leftCents: 45_500,
    })
    expect(await cancelsAsOperator(deps, { ...order, refund: { cents: 0 } })).toMatchObject({ ok: true })
    expect(await refundedCents(reference)).toBe(0)
    const row = await world.db
      .selectFrom('cancellations')
      .selectAll()
      .where('booking_id', '=', bookingId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ cancelled_by: 'operator', reason: 'They moved.', shown_at: null })
    expect(Number(row.kept_cents)).toBe(45_500)
    restoreClock()
  })
})

describe('a refund that came back', () => {
  async function cameBack() {
    const payment = await booked({}, CARDS.refundFails)
    await refund(payment.paymentId, 45_500)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await receive(deps, event(payment.reference, newId(), 'refund.failed'))
    const [row] = await refundsOf(payment.paymentId)
    return { ...payment, refundId: row?.id ?? '' }
  }
  const needsAttention = async (paymentId: string) =>
    (await listPayments(world.db, { filter: 'failing', words: '', now: world.clock.now() })).some(
      ({ id }) => id === paymentId,
    )

  it('needs attention until an operator records another way, once', async () => {
    const { paymentId, refundId } = await cameBack()
    expect(await needsAttention(paymentId)).toBe(true)
    const record = () =>
      paysOtherwiseAsOperator(deps, { operator, refundId, reference: 'BSB 062-000', reason: 'Osko transfer' })
    expect(await record()).toMatchObject({ ok: true, isAsked: false })
    expect(await record()).toEqual({ ok: false, reason: 'not_failed' })
    expect(await needsAttention(paymentId)).toBe(false)
    expect((await trailOf(paymentId))?.trail.map(({ what }) => what)).toContain('Paid back another way')
    // The money went back, so nothing more can.
    expect(await refund(paymentId, 1)).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
  })

  it('goes to the card again, once', async () => {
    const { paymentId, reference, refundId } = await cameBack()
    const again = () => refundsAgainAsOperator(deps, { operator, refundId })
    expect(await again()).toMatchObject({ ok: true, isAsked: false })
    expect(await again()).toMatchObject({ ok: false })
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await needsAttention(paymentId)).toBe(false)
  })
})

describe('while a payment is disputed', () => {
  async function disputed() {
    const payment = await booked()
    await world.payments.openDispute(payment.reference, 'dispute')
    await receive(deps, event(payment.reference, newId(), 'charge.dispute.created'))
    return payment
  }

  it('a refund is ordered and waits, and is not called late', async () => {
    const { paymentId, reference } = await disputed()
    expect(await trailOf(paymentId)).toMatchObject({ areRefundsBlocked: true })
    expect(await refund(paymentId, 10_000)).toMatchObject({ ok: true, waits: true })
    world.clock.forward(7 * DAY_MS)
    expect(await trailOf(paymentId)).toMatchObject({ refund: { state: 'due', overdue: false } })
    const failing = await listPayments(world.db, { filter: 'failing', words: '', now: world.clock.now() })
    expect(failing.map(({ id }) => id)).not.toContain(paymentId)
    expect(await refundedCents(reference)).toBe(0)
    await world.payments.decideDispute(reference, 'won')
    await receive(deps, event(reference, newId(), 'charge.dispute.closed'))
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(10_000)
    expect(await trailOf(paymentId)).toMatchObject({ areRefundsBlocked: false })
  })

  it('a booking can be cancelled, and its refund waits', async () => {
    const { paymentId, reference } = await disputed()
    const order = { operator, paymentId, side: 'vendor', reason: 'The hall flooded.' } as const
    expect(await cancelsAsOperator(deps, order)).toMatchObject({ ok: true, waits: true })
    expect(await refundedCents(reference)).toBe(0)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined', payment_status: 'refund due' }])
  })
})

describe('a booking that an operator has refunded in full', () => {
  it('stays refunded when its vendor approves it', async () => {
    const { bookingId, paymentId } = await booked()
    await refund(paymentId, 45_500)
    expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true, paymentStatus: 'refunded' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved', payment_status: 'refunded' }])
  })
})

describe('a refund that came back to a deleted account', () => {
  it('shows the account that its customer had named, with the way to open it', async () => {
    const { paymentId, refundId } = await aReturnedRefund()
    await world.db.updateTable('sales').set({ customer_email: '' }).where('id', '=', paymentId).execute()
    const payment = await trailOf(paymentId)
    if (!payment) throw new Error('no payment')
    const shown = (accounts: ReadonlyMap<string, ShownAccount>) => {
      const screen = createElement(PaymentScreen, {
        ...{ payment, accounts, proofs: new Map(), provider: 'sandbox', ownEmail: operator.email },
      })
      const element = createElement(
        OperatorRole,
        { value: 'admin' },
        createElement(DialogProvider, null, screen),
      )
      const router = createMemoryRouter([{ path: '/', element }])
      return renderToStaticMarkup(createElement(RouterProvider, { router }))
    }
    const account = { masked: 'PayID', givenAt: '2026-11-20T01:00:00.000Z', isReplaced: false, opened: null }
    const named = shown(new Map([[refundId, account]]))
    expect(named).toContain('The customer wants it sent to their PayID')
    expect(named).toContain('value="open-refund-account"')
    expect(named).not.toContain('no address to ask')
    const unnamed = shown(new Map())
    expect(unnamed).not.toContain('value="open-refund-account"')
    expect(unnamed).toContain('no address to ask')
  })
})
