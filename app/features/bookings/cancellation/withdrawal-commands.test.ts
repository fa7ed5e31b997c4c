import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
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
} from '../../../../tests/booking-stage.ts'
import { aUser } from '../../../../tests/builders.ts'
import { OPERATOR, refundsAsOperator } from '../../../../tests/payout-stage.ts'
import { newId } from '../../../shared/ids.ts'
import { findPurchaseRest } from '../../payments/queries.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { processPendingBookings } from '../decisions/reminder-commands.server.ts'
import { findBookingByLink, listBookingsOfBusinesses } from '../list/queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import { withdrawBooking } from './withdrawal-commands.server.ts'

setBookingStage()

describe('withdrawBooking', () => {
  it('refuses anyone but the customer, who is known by link, account or verified email', async () => {
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

  it('refunds in full at once, and ends the vendor’s decision', async () => {
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

  const partlyRefunded = async () => {
    const payment = await booked()
    const { paymentId } = payment
    await refundsAsOperator(deps, {
      operator: OPERATOR,
      paymentId,
      amountCents: 10_000,
      reason: 'The heater failed.',
    })
    return { ...payment, linkToken: await bookingLinkToken(deps.secret, paymentId) }
  }
  const REST = 'You’ll get $355.00 back, the rest of your payment. We’re sending it now.'

  it('mails the rest that goes back where an operator has refunded a part, as both sides saw it before', async () => {
    const { bookingId, paymentId, linkToken } = await partlyRefunded()
    const about = { userId: business.user_id, businessId: business.id, now: world.clock.now() }
    expect(await findBookingByLink(world.db, linkToken)).toMatchObject({ leftCents: 35_500 })
    expect(await listBookingsOfBusinesses(world.db, about)).toMatchObject([{ leftCents: 35_500 }])
    await withdrawBooking(deps, { bookingId, by: { linkToken } })
    expect((await mailsAbout(`${bookingId}-withdrawn@`))[0]?.text).toContain(REST)
    expect((await findPurchaseRest(world.db, paymentId)).leftCents).toBe(0)
    expect(await findBookingByLink(world.db, linkToken)).toMatchObject({ leftCents: 0 })
  })

  it('mails the same where the vendor doesn’t answer', async () => {
    const { bookingId } = await partlyRefunded()
    world.clock.forward(deps.undecided.declineAfterMs)
    await processPendingBookings(deps)
    expect((await mailsAbout(`${bookingId}-undecided@`))[0]?.text).toContain(REST)
  })

  it('leaves what a lost dispute has taken out of what is left', async () => {
    const { paymentId, reference } = await booked({}, CARDS.disputed)
    const hears = (type: string) => receive(deps, event(reference, newId(), type))
    await hears('charge.dispute.created')
    await world.payments.decideDispute(reference, 'lost')
    await hears('charge.dispute.closed')
    const linkToken = await bookingLinkToken(deps.secret, paymentId)
    expect(await findBookingByLink(world.db, linkToken)).toMatchObject({ leftCents: 0 })
  })

  it('refuses to withdraw a decided booking', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'approved')
    const by = { linkToken: await bookingLinkToken(deps.secret, paymentId) }
    expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: false, reason: 'already_decided' })
  })
})
