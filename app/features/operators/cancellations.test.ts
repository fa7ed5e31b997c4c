import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  decide,
  deps,
  refundedCents,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { OPERATOR, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import { APPROVAL_ACTS } from './act-rules.ts'
import { listOpenApprovals } from './approval-queries.server.ts'
import {
  type CancellationDeps,
  orderCancellation,
  settleCancellation,
} from './cancellation-commands.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import { refundIn } from './payment-commands.server.ts'
import { cancellationStakeCents, ORDER_LIFE_MS } from './rules.ts'

setBookingStage()

const REASON = 'The hall flooded.'
const withLimit = (secondOperatorCents: number): CancellationDeps => ({ ...deps, secondOperatorCents })
const order = (paymentId: string, limitCents: number, refund: 'full' | { cents: number } = 'full') =>
  orderCancellation(withLimit(limitCents), {
    operator: OPERATOR,
    paymentId,
    side: 'customer',
    reason: REASON,
    refund,
  })
const settle = (orderId: string, operator = SECOND_OPERATOR, isConfirmed = true) =>
  settleCancellation(withLimit(0), { operator, orderId, isConfirmed })
const waitingOf = async (paymentId: string) =>
  (await listOpenApprovals(world.db, APPROVAL_ACTS.cancellation, paymentId))[0]

async function waiting() {
  const payment = await booked()
  await decide(payment.bookingId, 'approved')
  expect(await order(payment.paymentId, 45_499)).toMatchObject({ ok: true, isAsked: true })
  const placed = await waitingOf(payment.paymentId)
  if (!placed) throw new Error('No order waits.')
  return { ...payment, orderId: placed.id }
}

describe('an operator’s cancellation', () => {
  it('takes effect at once up to the limit', async () => {
    const { paymentId, reference } = await booked()
    expect(await order(paymentId, 45_500)).toMatchObject({ ok: true, isAsked: false, refundCents: 45_500 })
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('above the limit waits for another operator, who confirms it', async () => {
    const { paymentId, reference, orderId } = await waiting()
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
    expect(await refundedCents(reference)).toBe(0)
    expect(await order(paymentId, 45_499)).toEqual({ ok: false, reason: 'waiting' })
    expect(await settle(orderId, OPERATOR)).toEqual({ ok: false, reason: 'own_order' })
    // The log is in the order of its times.
    world.clock.forward(1_000)
    expect(await settle(orderId)).toEqual({ ok: true, waits: false, refundCents: 45_500 })
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'settled' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'withdrawn', payment_status: 'refunded' }])
    expect(await refundedCents(reference)).toBe(45_500)
    const log = await listOperatorLog(world.db)
    const own = log.filter(({ subjectId }) => subjectId === paymentId)
    expect(own.map(({ action, operatorEmail }) => [action, operatorEmail])).toEqual([
      ['cancel-booking', SECOND_OPERATOR.email],
      ['ask-second-operator', OPERATOR.email],
    ])
  })

  it('takes effect once when two operators confirm it at the same moment', async () => {
    const { reference, orderId } = await waiting()
    const third = { userId: 'operator-3', email: 'third@example.com' }
    const answers = await Promise.all([settle(orderId), settle(orderId, third)])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('can be dropped by its own operator, and then placed again', async () => {
    const { paymentId, orderId } = await waiting()
    expect(await settle(orderId, OPERATOR, false)).toMatchObject({ ok: true })
    expect(await waitingOf(paymentId)).toBeUndefined()
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
    expect(await order(paymentId, 45_499)).toMatchObject({ isAsked: true })
  })

  it('can’t be confirmed once another amount would go back', async () => {
    const { paymentId, orderId } = await waiting()
    // No operator can order a refund meanwhile, but a refund under way can end.
    const refund = {
      operator: OPERATOR,
      paymentId,
      amountCents: 500,
      borneBy: 'vendor',
      reason: 'Cold.',
    } as const
    await world.db.transaction().execute((tx) => refundIn(deps, tx, refund))
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'changed' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
  })

  it('can’t be confirmed once the booking is over', async () => {
    const { bookingId, orderId } = await waiting()
    await decide(bookingId, 'declined')
    expect(await settle(orderId)).toEqual({ ok: false, reason: 'already_over' })
  })

  it('leaves an expired order to the job when it is refused itself', async () => {
    await waiting()
    world.clock.forward(ORDER_LIFE_MS)
    const { paymentId } = await booked()
    const refused = await leavesAsIs(world.db, 'orderCancellation', () =>
      order(paymentId, 0, { cents: 45_501 }),
    )
    expect(refused).toMatchObject({ reason: 'exceeds' })
  })

  it('still waits if the policy’s share changes between its check and its refund', async () => {
    const { paymentId, bookingId } = await booked()
    await decide(bookingId, 'approved')
    await orderCancellation(withLimit(0), {
      operator: OPERATOR,
      paymentId,
      side: 'customer',
      reason: REASON,
      refund: 'policy',
      expectedCents: 45_500,
    })
    const orderId = (await waitingOf(paymentId))?.id ?? ''
    // The event has passed when the second quote asks for the time.
    let asked = 0
    const later = { ...withLimit(0), now: () => (++asked > 3 ? new Date('2027-03-14') : world.clock.now()) }
    const refused = await leavesAsIs(world.db, 'settleApproval', () =>
      settleCancellation(later, { operator: SECOND_OPERATOR, orderId, isConfirmed: true }),
    )
    expect(refused).toMatchObject({ reason: 'changed' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
  })

  it('counts towards the limit as its refund, or as what it withholds of the policy’s if that is more', () => {
    expect(cancellationStakeCents({ refundCents: 600, policyCents: null })).toBe(600)
    expect(cancellationStakeCents({ refundCents: 600, policyCents: 1_000 })).toBe(600)
    expect(cancellationStakeCents({ refundCents: 100, policyCents: 1_000 })).toBe(900)
  })
})
