import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  decide,
  deps,
  mailsAbout,
  notificationsOf,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aBusiness, aUser } from '../../../tests/builders.ts'
import { performDueRefunds } from '../payments/refund-commands.server.ts'
import { decideBooking } from './decision-commands.server.ts'
import type { BookingDeps } from './deps.server.ts'
import { listBookingsOfBusinesses } from './queries.server.ts'
import type { BookingStatus } from './rules.ts'

setBookingStage()

describe('decideBooking', () => {
  it('refuses anyone but the owner', async () => {
    const { bookingId } = await booked()
    const stranger = await aUser(world.db)
    const other = await aBusiness(world.db)
    for (const userId of ['', stranger.id, other.user_id]) {
      expect(await decide(bookingId, 'approved', userId)).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await decide('no-such-booking', 'approved')).toEqual({ ok: false, reason: 'not_found' })
  })

  it('refuses the second of two people who decide at once, and overwrites nothing', async () => {
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
    // The second can still make the same decision.
    const status = row?.status === 'declined' ? 'declined' : 'approved'
    expect(await answer(status, 'pending')).toMatchObject({ ok: true, changed: false })
    // Having seen the new status, the second can decide otherwise.
    const other = status === 'approved' ? 'declined' : 'approved'
    expect(await answer(other, status)).toMatchObject({ ok: true, changed: true, status: other })
  })

  it('approves, notifies the customer, and ignores a second tap', async () => {
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

  it('approves a declined booking within the grace time, more than once', async () => {
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

  it('retries a failed refund later, with the same key, and keeps the decision final', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    const keys: string[] = []
    const failing: BookingDeps = {
      ...deps,
      providers: [
        {
          ...world.payments,
          async refund(input) {
            keys.push(input.idempotencyKey)
            // The refund was made, but the response was lost.
            await world.payments.refund(input)
            return { ok: false, reason: 'unreachable', message: 'No answer.' }
          },
        },
      ],
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
