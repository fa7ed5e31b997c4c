import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  DECLINE_REASON,
  decide,
  deps,
  mailsAbout,
  notificationsOf,
  type Order,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBusiness, aUser, movesEvent } from '../../../../tests/builders.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { addRefund } from '../../payments/refund-commands.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { findBookingByLink, listBookingsOfBusinesses } from '../list/queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import type { BookingStatus } from '../status-rules.ts'
import { decideBooking } from './commands.server.ts'
import { tellDeclines } from './decline-commands.server.ts'
import { vendorStatusOf } from './decline-rules.ts'

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
      decideBooking(deps, {
        userId: business.user_id,
        bookingId,
        decision,
        seen,
        reason: DECLINE_REASON,
      })
    const outcomes = await Promise.all([answer('approved', 'pending'), answer('declined', 'pending')])
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: 'changed' }])
    const [row] = await bookingsOf(paymentId)
    const first = outcomes.find((outcome) => outcome.ok)
    const status = row && vendorStatusOf(row) === 'declined' ? 'declined' : 'approved'
    expect(status).toBe(first?.ok && first.status)
    expect(await refundsOf(paymentId)).toEqual([])
    expect(await mailsAbout(`${bookingId}-approved`)).toHaveLength(row?.status === 'approved' ? 1 : 0)
    // The second can still make the same decision.
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
    const userId = business.user_id
    expect(await decideBooking(deps, { userId, bookingId, decision: 'declined' })).toEqual({
      ok: true,
      changed: true,
      status: 'declined',
      paymentStatus: 'paid',
      refundDueAt: dueAt,
    })
    await tellDeclines(deps)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(0)
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(0)
    await tellDeclines(deps)
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('You’ll get a full refund of $455.00. We’re sending it now.')
    await Promise.all([performDueRefunds(deps), performDueRefunds(deps)])
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined', payment_status: 'refunded' }])
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'done', attempts: 1 }])
    expect(await mailsAbout(`${bookingId}-refunded`)).toHaveLength(1)
    expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'refund_claimed' })
  })

  it('approves a declined booking until its refund is claimed, more than once', async () => {
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
      Array.from({ length: 2 }, () => expect.stringMatching(/^Confirmed after all: /)),
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
    const [listed] = await listBookingsOfBusinesses(world.db, {
      userId: business.user_id,
      businessId: 'all',
      now: world.clock.now(),
    })
    expect(listed).toMatchObject({ decisions: [], refund: { state: 'claimed' } })
    world.clock.forward(60_000)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })
})

describe('declining an approved booking', () => {
  /** An approved booking whose event is on a day, from 4 pm to 11 pm in Melbourne. */
  async function approved(date: string, overrides: Order = {}) {
    const payment = await booked(overrides)
    await movesEvent(world.db, payment.bookingId, date)
    expect(await decide(payment.bookingId, 'approved')).toMatchObject({ ok: true })
    return payment
  }
  const dayFromNow = (days: number) =>
    new Date(world.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)
  /** Declines with words, at the end of the grace. */
  const declineWith = (bookingId: string, reason?: string) =>
    decideBooking(deps, {
      userId: business.user_id,
      bookingId,
      decision: 'declined',
      isAtOnce: true,
      ...(reason === undefined ? {} : { reason }),
    })
  /** Makes a refund as an operator does. */
  async function refundBefore(paymentId: string, amountCents: number) {
    const order = { paymentId, line: 1, reason: 'operator', amountCents, dueAt: world.clock.now() } as const
    await world.db.transaction().execute((tx) => addRefund(deps, tx, order))
    await performDueRefunds(deps)
  }
  const findByLink = async (paymentId: string) =>
    findBookingByLink(world.db, await bookingLinkToken(deps.secret, paymentId))
  const reportsOf = (bookingId: string) => mailsAbout(`near-decline-${bookingId}`)

  it('needs a reason, and changes nothing without one', async () => {
    const { bookingId, paymentId } = await approved(dayFromNow(60))
    for (const reason of [undefined, ''])
      expect(await declineWith(bookingId, reason)).toEqual({ ok: false, reason: 'reason_missing' })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved', payment_status: 'paid' }])
    expect(await refundsOf(paymentId)).toEqual([])
  })

  it('stores the reason with the refund and tells it to the customer, everywhere they look', async () => {
    const customer = await aUser(world.db)
    const { bookingId, paymentId } = await approved(dayFromNow(60), {
      customerUserId: customer.id,
    })
    expect(await declineWith(bookingId, 'The roof leaks since the storm.')).toMatchObject({ ok: true })
    expect(await refundsOf(paymentId)).toMatchObject([{ note: 'The roof leaks since the storm.' }])
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('had confirmed your booking and can’t take it after all')
    expect(mail?.text).toContain('The reason: The roof leaks since the storm.')
    const notified = await notificationsOf(customer.id)
    expect(notified.find(({ kind }) => kind === 'declined')?.body).toBe('The roof leaks since the storm.')
    const seen = await findByLink(paymentId)
    expect(seen?.declineReason).toBe('The roof leaks since the storm.')
    const [listed] = await listBookingsOfBusinesses(world.db, {
      userId: business.user_id,
      businessId: 'all',
      now: world.clock.now(),
    })
    expect(listed?.declineReason).toBe('The roof leaks since the storm.')
  })

  it('asks for no reason to decline a pending booking, and keeps its words apart from the refund', async () => {
    const { bookingId, paymentId } = await booked()
    expect(await declineWith(bookingId, 'We rest that week.')).toMatchObject({ ok: true })
    // A note would make it the decline of an approved booking (`listNearDeclines`).
    expect(await refundsOf(paymentId)).toMatchObject([{ note: null }])
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('can’t take your booking. We’re sorry.')
    expect(mail?.text).toContain('The reason: We rest that week.')
    expect((await findByLink(paymentId))?.declineReason).toBe('We rest that week.')
    const other = await booked()
    expect(await declineWith(other.bookingId)).toMatchObject({ ok: true })
    const [second] = await mailsAbout(`${other.bookingId}-declined`)
    expect(second?.text).not.toContain('The reason')
    expect((await findByLink(other.paymentId))?.declineReason).toBeNull()
  })

  it('can be undone until its refund is claimed, and its reason is then no longer shown', async () => {
    const { bookingId, paymentId } = await approved(dayFromNow(60))
    await declineWith(bookingId, 'The roof leaks since the storm.')
    world.clock.forward(1_000)
    expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true, paymentStatus: 'paid' })
    expect((await findByLink(paymentId))?.declineReason).toBeNull()
    world.clock.forward(1_000)
    await declineWith(bookingId, 'The cook has left us.')
    expect(await refundsOf(paymentId)).toHaveLength(2)
    expect((await findByLink(paymentId))?.declineReason).toBe('The cook has left us.')
  })

  it('refunds only the rest after an operator’s refund, and says so', async () => {
    const { bookingId, paymentId } = await approved(dayFromNow(60))
    await refundBefore(paymentId, 10_000)
    await declineWith(bookingId, 'The roof leaks since the storm.')
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('You’ll get $355.00 back, the rest of your payment.')
    expect(mail?.text).not.toContain('full refund')
  })

  it('sends no mail about an approval when all of the price was refunded before', async () => {
    const { bookingId, paymentId } = await approved(dayFromNow(60))
    await refundBefore(paymentId, 45_500)
    expect(await declineWith(bookingId, 'The roof leaks since the storm.')).toMatchObject({
      paymentStatus: 'refunded',
      refundDueAt: null,
    })
    const [mail] = await mailsAbout(`${bookingId}-declined`)
    expect(mail?.text).toContain('All of your payment has been refunded already.')
    expect(await mailsAbout(`${bookingId}-approved`)).toHaveLength(1)
  })

  it('ends with the event: from then on it is neither offered nor accepted', async () => {
    const date = dayFromNow(1)
    const { bookingId, paymentId } = await approved(date)
    const endsAt = Date.parse(`${date}T12:00:00.000Z`)
    const offered = async () => {
      const input = { userId: business.user_id, businessId: 'all', now: world.clock.now() } as const
      return (await listBookingsOfBusinesses(world.db, input))[0]?.decisions
    }
    world.clock.forward(endsAt - world.clock.now().getTime() - 1)
    expect(await offered()).toEqual(['declined'])
    world.clock.forward(1)
    expect(await offered()).toEqual([])
    expect(await declineWith(bookingId, 'They did not behave.')).toEqual({ ok: false, reason: 'event_over' })
    expect(await refundsOf(paymentId)).toEqual([])
  })

  it('stands once the event is over, although the refund is still due', async () => {
    const { bookingId, paymentId } = await approved(dayFromNow(1))
    await world.db
      .updateTable('sales')
      .set({ event_from: world.clock.now(), event_until: new Date(world.clock.now().getTime() + 60_000) })
      .where('id', '=', paymentId)
      .execute()
    await declineWith(bookingId, 'The band hasn’t arrived.')
    world.clock.forward(60_000)
    expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'event_over' })
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'due' }])
  })

  it.each([
    [30, 'tells the operators', 1],
    [31, 'tells only the customer', 0],
  ])('%i days before the event %s', async (days, _whom, times) => {
    // To the start of the event: 5 am UTC.
    const toFive = new Date(world.clock.now()).setUTCHours(5, 0, 0, 0) + DAY_MS - world.clock.now().getTime()
    world.clock.forward(toFive)
    const { bookingId } = await approved(dayFromNow(days))
    await declineWith(bookingId, 'The roof leaks since the storm.')
    const reports = await reportsOf(bookingId)
    expect(reports).toHaveLength(times)
    for (const report of reports) {
      expect(report.to).toBe('operator@example.com')
      expect(report.subject).toBe(`Declined 30 days before the event: ${business.name}`)
      expect(report.text).toContain('Their reason: The roof leaks since the storm.')
    }
  })

  it('reports no decline of a pending booking, and no refused one', async () => {
    const { bookingId } = await booked()
    await movesEvent(world.db, bookingId, dayFromNow(5))
    await declineWith(bookingId)
    expect(await reportsOf(bookingId)).toEqual([])
    const other = await approved(dayFromNow(5))
    await declineWith(other.bookingId)
    expect(await reportsOf(other.bookingId)).toEqual([])
  })
})
