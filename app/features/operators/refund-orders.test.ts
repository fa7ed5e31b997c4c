import { describe, expect, it } from 'vitest'
import {
  booked,
  decide,
  deps,
  refundedCents,
  refundsOf,
  setBookingStage,
  started,
  world,
} from '../../../tests/booking-stage.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { OPERATOR, refundsAsOperator, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { MONEY_APPROVALS } from './act-rules.ts'
import { expireApprovals } from './approval-commands.server.ts'
import { listOpenApprovals } from './approval-queries.server.ts'
import { orderCancellation, settleCancellation } from './cancellation-commands.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import { forgetMoves } from './move-commands.server.ts'
import { refundIn } from './payment-commands.server.ts'
import { findPaymentTrail } from './payment-trail-queries.server.ts'
import { orderRefund, type RefundOrderInput, settleRefund } from './refund-order-commands.server.ts'
import { ORDER_LIFE_MS, SUM_WINDOW_MS } from './rules.ts'

setBookingStage()

/** The bookings of these tests cost $455. */
const LIMIT = 20_000
const using = () => ({ ...deps, secondOperatorCents: LIMIT })
const refund = (paymentId: string, amountCents: number, operator = OPERATOR) =>
  orderRefund(using(), {
    operator,
    kind: 'refund',
    paymentId,
    amountCents,
    borneBy: 'operator',
    reason: 'The heater failed.',
  })
const settle = (orderId: string, operator = SECOND_OPERATOR, isConfirmed = true) =>
  settleRefund(using(), { operator, orderId, isConfirmed })
const waitingOf = async (paymentId: string) =>
  (await listOpenApprovals(world.db, MONEY_APPROVALS)).filter(({ subjectId }) => subjectId === paymentId)

async function proposed(amountCents = LIMIT + 1) {
  const payment = await booked()
  expect(await refund(payment.paymentId, amountCents)).toMatchObject({ ok: true, isAsked: true })
  const [order] = await waitingOf(payment.paymentId)
  if (!order) throw new Error('No order waits.')
  return { ...payment, orderId: order.id }
}

describe('an operator’s refund', () => {
  it('leaves at once up to the limit', async () => {
    const { paymentId, reference } = await booked()
    expect(await refund(paymentId, LIMIT)).toMatchObject({ ok: true, isAsked: false })
    expect(await refundedCents(reference)).toBe(LIMIT)
    expect(await waitingOf(paymentId)).toEqual([])
  })

  it('above the limit waits, and leaves as proposed once another person confirms it', async () => {
    const { paymentId, reference, orderId } = await proposed()
    expect(await refundedCents(reference)).toBe(0)
    expect((await findPaymentTrail(world.db, paymentId, world.clock.now()))?.refundOrder?.id).toBe(orderId)
    expect(await settle(orderId)).toMatchObject({ ok: true, amountCents: LIMIT + 1 })
    expect(await refundedCents(reference)).toBe(LIMIT + 1)
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'settled' })
    expect(await waitingOf(paymentId)).toEqual([])
    const log = (await listOperatorLog(world.db)).filter(({ subjectId }) => subjectId === paymentId)
    expect(log.map(({ action, operatorEmail }) => [action, operatorEmail]).toSorted()).toEqual([
      ['ask-second-operator', OPERATOR.email],
      ['confirm-refund', SECOND_OPERATOR.email],
      ['refund', SECOND_OPERATOR.email],
    ])
  })

  it('can’t be confirmed by the person who proposed it, in one tab or two', async () => {
    const { reference, orderId } = await proposed()
    const tabs = await Promise.all([settle(orderId, OPERATOR), settle(orderId, { ...OPERATOR })])
    expect(tabs).toEqual([
      { ok: false, reason: 'own_order' },
      { ok: false, reason: 'own_order' },
    ])
    expect(await refundedCents(reference)).toBe(0)
  })

  it('leaves once when two others confirm it at the same moment', async () => {
    const { reference, orderId } = await proposed()
    const third = { userId: 'operator-3', email: 'third@example.com' }
    const both = await Promise.all([settle(orderId), settle(orderId, third)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await refundedCents(reference)).toBe(LIMIT + 1)
  })

  it('can be dropped by either, and proposed again', async () => {
    const { paymentId, reference, orderId } = await proposed()
    expect(await settle(orderId, OPERATOR, false)).toMatchObject({ ok: true })
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'settled' })
    expect(await refund(paymentId, LIMIT + 1)).toMatchObject({ isAsked: true })
    expect(await refundedCents(reference)).toBe(0)
  })

  it('expires after three days, and can then be proposed again', async () => {
    const { paymentId, reference, orderId } = await proposed()
    world.clock.forward(ORDER_LIFE_MS - 1)
    await expireApprovals(world.deps, world.clock.now())
    expect(await waitingOf(paymentId)).toHaveLength(1)
    world.clock.forward(1)
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'expired' })
    await expireApprovals(world.deps, world.clock.now())
    expect(await waitingOf(paymentId)).toEqual([])
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'settled' })
    expect(await refund(paymentId, LIMIT + 1)).toMatchObject({ isAsked: true })
    expect(await refundedCents(reference)).toBe(0)
  })

  it('can’t be confirmed once something else is left of the payment than when it was proposed', async () => {
    const { paymentId, reference, orderId } = await proposed()
    // No operator can order another refund meanwhile, but a refund under way can end.
    const refundsMeanwhile = (amountCents: number) =>
      world.db.transaction().execute((tx) =>
        refundIn(deps, tx, {
          operator: OPERATOR,
          paymentId,
          amountCents,
          borneBy: 'vendor',
          reason: 'At the same time.',
        }),
      )
    await refundsMeanwhile(1_000)
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'changed' })
    await refundsMeanwhile(44_000)
    await performDueRefunds(deps)
    expect(await settle(orderId)).toMatchObject({ ok: false, reason: 'exceeds', leftCents: 500 })
    expect(await refundedCents(reference)).toBe(45_000)
    expect(await waitingOf(paymentId)).toHaveLength(1)
  })

  it('leaves an expired order to the job when it is refused itself', async () => {
    await proposed()
    world.clock.forward(ORDER_LIFE_MS)
    const { paymentId } = await booked()
    const refused = await leavesAsIs(world.db, 'orderRefund', () => refund(paymentId, 45_501))
    expect(refused).toMatchObject({ reason: 'exceeds' })
  })

  it('can’t be proposed when it couldn’t leave', async () => {
    const { paymentId } = await booked()
    expect(await refund(paymentId, 45_501)).toEqual({ ok: false, reason: 'exceeds', leftCents: 45_500 })
    const unpaid = await started()
    expect(await refund(unpaid.paymentId, LIMIT + 1)).toEqual({ ok: false, reason: 'not_paid' })
    expect(await refund('none', LIMIT + 1)).toEqual({ ok: false, reason: 'not_found' })
    expect([await waitingOf(paymentId), await waitingOf(unpaid.paymentId)]).toEqual([[], []])
  })
})

describe('parts of an amount', () => {
  it('count together for a day, whoever moves them', async () => {
    const { paymentId, reference } = await booked()
    expect(await refund(paymentId, 15_000)).toMatchObject({ isAsked: false })
    expect(await refund(paymentId, 5_001, SECOND_OPERATOR)).toMatchObject({ isAsked: true })
    expect(await refundedCents(reference)).toBe(15_000)
    const [order] = await waitingOf(paymentId)
    expect(await settle(order?.id ?? '', SECOND_OPERATOR)).toEqual({ ok: false, reason: 'own_order' })
    expect(await settle(order?.id ?? '', OPERATOR)).toMatchObject({ ok: true })
    // Two people have seen the second part, so it isn't counted.
    expect(await refund(paymentId, 5_000)).toMatchObject({ isAsked: false })
    expect(await refund(paymentId, 1)).toMatchObject({ isAsked: true })
  })

  it('stop counting together after 24 hours', async () => {
    const { paymentId } = await booked()
    await refund(paymentId, LIMIT)
    world.clock.forward(SUM_WINDOW_MS - 1)
    await forgetMoves(world.db, world.clock.now())
    expect(await refund(paymentId, 1)).toMatchObject({ isAsked: true })
    const [order] = await waitingOf(paymentId)
    await settle(order?.id ?? '', OPERATOR, false)
    world.clock.forward(1)
    expect(await refund(paymentId, 1)).toMatchObject({ isAsked: false })
  })

  it('stay below the limit together when they are sent at the same moment', async () => {
    const { paymentId, reference } = await booked()
    const parts = await Promise.all([refund(paymentId, 15_000), refund(paymentId, 15_000)])
    expect(parts.filter((part) => part.ok && part.isAsked)).toHaveLength(1)
    expect(await refundedCents(reference)).toBe(15_000)
  })

  it('count together across a refund and a cancellation', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await decide(bookingId, 'approved')
    await refund(paymentId, 15_000)
    const cancel = (refund: { cents: number }) =>
      orderCancellation(
        { ...deps, secondOperatorCents: 40_000 },
        {
          operator: OPERATOR,
          paymentId,
          side: 'vendor',
          reason: 'Flood.',
          refund,
        },
      )
    expect(await cancel({ cents: 15_000 })).toMatchObject({ ok: true, isAsked: true })
    expect(await refundedCents(reference)).toBe(15_000)
    // All that is left is less than the limit.
    // One order about a purchase waits at a time.
    expect(await refund(paymentId, 100)).toEqual({ ok: false, reason: 'waiting' })
    const [order] = await waitingOf(paymentId)
    world.clock.forward(ORDER_LIFE_MS)
    const late = { operator: SECOND_OPERATOR, orderId: order?.id ?? '', isConfirmed: true }
    expect(await settleCancellation(using(), late)).toEqual({ ok: false, reason: 'expired' })
  })
})

describe('a large refund that came back', () => {
  const again = (refundId: string) =>
    [
      { kind: 'refund_again', refundId },
      {
        kind: 'paid_otherwise',
        refundId,
        reference: 'BSB 062-000',
        accountGivenAt: null,
        reason: 'Osko transfer',
      },
    ] as const satisfies RefundOrderInput[]

  it.each([0, 1])('needs a second person for way %i, too', async (way) => {
    const { paymentId } = await booked()
    await refundsAsOperator(deps, { operator: OPERATOR, paymentId, amountCents: 30_000, reason: 'Rain.' })
    await world.db
      .updateTable('payment_actions')
      .set({ state: 'done', provider_status: 'failed' })
      .where('payment_id', '=', paymentId)
      .execute()
    const [refunded] = await refundsOf(paymentId)
    const input = again(refunded?.id ?? '')[way] as RefundOrderInput
    expect(await orderRefund(using(), { ...input, operator: OPERATOR })).toMatchObject({ isAsked: true })
    const [order] = await waitingOf(paymentId)
    expect(order).toMatchObject({ act: ['refund-again', 'paid-otherwise'][way], amountCents: 30_000 })
    expect(await settle(order?.id ?? '', OPERATOR)).toEqual({ ok: false, reason: 'own_order' })
    expect(await settle(order?.id ?? '')).toMatchObject({ ok: true })
    const { resolution } = await world.db
      .selectFrom('payment_actions')
      .select('resolution')
      .where('id', '=', refunded?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(resolution).toBe(way === 0 ? 'refunded_again' : 'paid_otherwise')
    expect(await orderRefund(using(), { ...input, operator: OPERATOR })).toMatchObject({
      reason: 'not_failed',
    })
  })
})
