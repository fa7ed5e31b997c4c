import { describe, expect, it } from 'vitest'
import {
  booked,
  CARDS,
  decide,
  deps,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { movesEvent } from '../../../tests/builders.ts'
import { cancelsAsOperator } from '../../../tests/payout-stage.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { resolveFailedRefund } from '../payments/failed-refund-commands.server.ts'
import { listNearDeclines } from './decline-queries.server.ts'

setBookingStage()

const dayFromNow = (days: number) =>
  new Date(world.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)
const listed = () => listNearDeclines(world.db, world.clock.now())

/** An approved booking whose event is some days away. */
async function approved(days: number, cardNumber: string = CARDS.plain) {
  const payment = await booked({}, cardNumber)
  await movesEvent(world.db, payment.bookingId, dayFromNow(days))
  await decide(payment.bookingId, 'approved')
  return payment
}

describe('declines shortly before the event', () => {
  it('stay listed for 30 days, newest first, with the reason and the days before', async () => {
    const first = await approved(12)
    await decide(first.bookingId, 'declined')
    world.clock.forward(DAY_MS)
    const second = await approved(1)
    await decide(second.bookingId, 'declined')
    const far = await approved(40)
    await decide(far.bookingId, 'declined')
    const pending = await booked()
    await movesEvent(world.db, pending.bookingId, dayFromNow(5))
    await decide(pending.bookingId, 'declined')
    expect(await listed()).toMatchObject([
      { paymentId: second.paymentId, daysBefore: 1 },
      { paymentId: first.paymentId, daysBefore: 12, reason: 'The roof leaks since the storm.' },
    ])
    world.clock.forward(29 * DAY_MS)
    expect((await listed()).map(({ paymentId }) => paymentId)).toEqual([second.paymentId])
    world.clock.forward(DAY_MS)
    expect(await listed()).toEqual([])
  })

  it('leave the list when they are undone, and come back once when declined again', async () => {
    const { bookingId, paymentId } = await approved(12)
    await decide(bookingId, 'declined')
    world.clock.forward(1_000)
    await decide(bookingId, 'approved')
    expect(await listed()).toEqual([])
    world.clock.forward(1_000)
    await decide(bookingId, 'declined')
    expect((await listed()).map((decline) => decline.paymentId)).toEqual([paymentId])
  })

  it('don’t include what an operator cancelled for the vendor', async () => {
    const before = await listed()
    const { paymentId } = await approved(12)
    const operator = { userId: 'operator-1', email: 'operator@example.com' }
    await cancelsAsOperator(deps, { operator, paymentId, side: 'vendor', reason: 'The hall flooded.' })
    expect(await listed()).toEqual(before)
  })

  it('keep their reason when the refund came back and was paid another way', async () => {
    const { bookingId, paymentId, reference } = await approved(12, CARDS.refundFails)
    await decide(bookingId, 'declined')
    await world.db
      .updateTable('payment_actions')
      .set({ state: 'done', provider_status: 'failed' })
      .where('payment_id', '=', paymentId)
      .execute()
    const [row] = await refundsOf(paymentId)
    const refund = { id: row?.id ?? '', paymentId, line: 1 }
    await world.db
      .transaction()
      .execute((tx) =>
        resolveFailedRefund(deps, tx, { refund, reference, note: 'By Osko.', accountGivenAt: null }),
      )
    const found = (await listed()).find((decline) => decline.paymentId === paymentId)
    expect(found?.reason).toBe('The roof leaks since the storm.')
  })
})
