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
import { newId } from '../../shared/ids.ts'
import { performDueRefunds } from '../payments/refund-commands.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import {
  cancelBooking,
  orderRefundAgain,
  recordPaidOtherwise,
  refundPayment,
} from './payment-commands.server.ts'
import { findPaymentTrail, listPayments } from './payment-queries.server.ts'

setBookingStage()

const operator = { userId: 'operator-1', email: 'operator@example.com' }
const DAY_MS = 86_400_000
const trailOf = (paymentId: string) => findPaymentTrail(world.db, paymentId, world.clock.now())
const refund = (paymentId: string, amountCents: number) =>
  refundPayment(deps, { operator, paymentId, amountCents, reason: 'The heater failed.' })

describe('an operator’s refund', () => {
  it('gives back half twice, and refuses a third with what is left', async () => {
    const { paymentId, reference } = await booked()
    expect(await refund(paymentId, 22_750)).toEqual({ ok: true, waits: false })
    expect(await refund(paymentId, 22_750)).toEqual({ ok: true, waits: false })
    expect(await refund(paymentId, 22_750)).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending', payment_status: 'refunded' }])
    expect((await trailOf(paymentId))?.refundableCents).toBe(0)
    expect(await listOperatorLog(world.db)).toMatchObject([
      { action: 'refund', reason: '$227.50: The heater failed.' },
      { action: 'refund' },
    ])
  })

  it('is refused for an unpaid payment, and for one that does not exist', async () => {
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
    const cancel = () => cancelBooking(deps, { operator, paymentId, side, reason: 'The hall flooded.' })
    expect(await cancel()).toEqual({ ok: true, waits: false })
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
      recordPaidOtherwise(deps, { operator, refundId, reference: 'BSB 062-000', reason: 'Osko transfer' })
    expect(await record()).toEqual({ ok: true })
    expect(await record()).toEqual({ ok: false, reason: 'not_failed' })
    expect(await needsAttention(paymentId)).toBe(false)
    expect((await trailOf(paymentId))?.trail.map(({ what }) => what)).toContain('Paid back another way')
    // The money went back, so nothing more can.
    expect(await refund(paymentId, 1)).toEqual({ ok: false, reason: 'exceeds', leftCents: 0 })
  })

  it('goes to the card again, once', async () => {
    const { paymentId, reference, refundId } = await cameBack()
    const again = () => orderRefundAgain(deps, { operator, refundId })
    expect(await again()).toEqual({ ok: true })
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
    expect(await refund(paymentId, 10_000)).toEqual({ ok: true, waits: true })
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
    expect(await cancelBooking(deps, order)).toEqual({ ok: true, waits: true })
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
