import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness } from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, paysChange, proposes } from '../../../tests/change-stage.ts'
import {
  approves,
  balanceOf,
  booksWithDeposit,
  confirms,
  DUE_AT,
  GOOD_CARD,
  movesTo,
  runInstalmentJobs,
} from '../../../tests/instalment-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { openChangePayment } from '../bookings/changes/payment-commands.server.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { compareWithProvider } from './comparison-commands.server.ts'
import { findNewestComparison } from './comparison-queries.server.ts'
import { findPaymentTrail } from './payment-trail-queries.server.ts'

/** The comparison with the provider, and the page of a payment, where a purchase has several payments. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

async function differences() {
  // The newest comparison is the last to begin.
  world.clock.forward(1_000)
  await compareWithProvider(world.deps, { operator: null })
  return (await findNewestComparison(world.db))?.differences
}

const bookingOn = async (paymentId: string) =>
  (await findPaymentTrail(world.db, paymentId, world.clock.now()))?.bookingId

/** Books ten places, paid in full, and approves them. */
async function booksInFull() {
  const business = await aBusiness(world.db)
  const date = new Date(world.clock.now().getTime() + 120 * DAY_MS).toISOString().slice(0, 10)
  const started = await startBookingPayment(world.deps, {
    submitKey: newId(),
    amount: 45_500,
    businessId: business.id,
    booking: aBookingForm({ date }),
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('The booking could not be started.')
  await confirms(world, started.clientSecret, GOOD_CARD)
  const settled = await reportPayment(world.deps, { clientSecret: started.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error('The booking could not be paid.')
  const { paymentId } = started
  const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
  const booking = { paymentId, bookingId: settled.purchaseId, linkToken, vendor: asVendor(business.user_id) }
  await approves(world, booking)
  return booking
}

describe('the comparison with the provider', () => {
  it('knows what the balance of a booking has paid for, and finds a payment for nothing', async () => {
    const booked = await booksWithDeposit(world)
    await approves(world, booked)
    movesTo(world, new Date(DUE_AT.getTime() - 7 * DAY_MS))
    await runInstalmentJobs(world)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world)
    world.clock.forward(HOUR_MS)
    const balance = await balanceOf(world, booked.paymentId)
    expect(balance.state).toBe('paid')
    expect(await differences()).toEqual([])
    expect(await bookingOn(balance.paid_by ?? '')).toBe(booked.bookingId)

    // As if the balance had been stored as unpaid, or with another payment.
    const row = world.db.updateTable('instalments').where('id', '=', balance.id)
    const found = [
      {
        kind: 'paid_without_booking',
        paymentId: balance.paid_by,
        ours: 'paid, $6,960.00, 0 booked, $0.00 refunded',
        theirs: 'succeeded, $6,960.00, $0.00 refunded',
      },
    ]
    for (const lost of [{ state: 'charging' as const }, { paid_by: null }]) {
      await row.set(lost).execute()
      expect(await differences()).toMatchObject(found)
      expect(await bookingOn(balance.paid_by ?? '')).toBe(null)
      await row.set({ state: 'paid', paid_by: balance.paid_by }).execute()
    }
  })

  it('knows what the payment of a change has paid for, once it is paid', async () => {
    const booking = await booksInFull()
    await proposes(world.deps, booking, asCustomer(booking), { quantity: 12 })
    await agrees(world.deps, booking, booking.vendor)
    // A page with its card fields is open, and nothing is paid yet.
    await openChangePayment(world.deps, booking.linkToken)
    world.clock.forward(HOUR_MS)
    expect(await differences()).toEqual([])

    await paysChange(world, booking)
    world.clock.forward(HOUR_MS)
    expect(await differences()).toEqual([])
    const { payment_id: paidBy } = await world.db
      .selectFrom('changes')
      .select('payment_id')
      .where('booking_id', '=', booking.bookingId)
      .executeTakeFirstOrThrow()
    expect(await bookingOn(paidBy ?? '')).toBe(booking.bookingId)
    expect(await bookingOn(booking.paymentId)).toBe(booking.bookingId)
  })
})
