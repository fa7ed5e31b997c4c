import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  decide,
  deps,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aUser } from '../../../tests/builders.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { bookingLinkToken } from './rules.ts'
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

  it('refuses to withdraw a decided booking', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'approved')
    const by = { linkToken: await bookingLinkToken(deps.secret, paymentId) }
    expect(await withdrawBooking(deps, { bookingId, by })).toEqual({ ok: false, reason: 'already_decided' })
  })
})
