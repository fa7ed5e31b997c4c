import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  decide,
  deps,
  event,
  leavesExpiredHold,
  mailsAbout,
  type Order,
  order,
  payCard,
  paymentRow,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  started,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm, setsAvailability } from '../../../../tests/builders.ts'
import { leavesAsIs } from '../../../../tests/leaves-as-is.ts'
import type { PaymentProvider, ProviderState } from '../../../adapters/payments/port.ts'
import { newId } from '../../../shared/ids.ts'
import { signedListCookie } from '../../../shared/signed-cookie.server.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import { blockTime } from '../../availability/hours-commands.server.ts'
import { UNPAID_HOLDS_OF_ADDRESS } from '../../availability/rules.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../../payments/rules.ts'
import { applySnapshot, reportPayment } from '../../payments/settlement-commands.server.ts'
import { sweepPayments } from '../../payments/sweep-commands.server.ts'
import { withdrawBooking } from '../cancellation/withdrawal-commands.server.ts'
import { processPendingBookings } from '../decisions/reminder-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { listBookingsOfBusinesses } from '../list/queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import { beginConfirmation, giveUpPayment, startBookingPayment } from './commands.server.ts'
import { findBrowserPayment } from './queries.server.ts'

setBookingStage()

describe('a payment', () => {
  const slots = () =>
    world.db.selectFrom('slots').selectAll().where('business_id', '=', business.id).orderBy('id').execute()
  const providerState = async (reference: string): Promise<ProviderState | null> => {
    const found = await world.payments.retrieve(reference)
    return found.ok ? found.snapshot.state : null
  }
  const keep = (submitKey: string, exceptPayments: string[] = []) =>
    beginConfirmation(deps, { submitKey, exceptPayments })
  const keyed = () => ({ submitKey: crypto.randomUUID() })
  const other = aBookingForm({ fullName: 'Ana Reyes', email: 'ana@example.com' })
  const away: Partial<PaymentProvider> = {
    retrieve: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
    cancel: async () => ({ ok: false, reason: 'unreachable', message: 'Away.' }),
  }
  const withoutProvider = (): BookingDeps => ({ ...deps, providers: [{ ...world.payments, ...away }] })
  /** Whether another customer can hold the time. Deletes the hold again. */
  const isFree = async (overrides: Order = {}) => {
    const held = await startBookingPayment(deps, order({ booking: other, ...overrides }))
    if (held.ok) await world.db.deleteFrom('slots').where('payment_id', '=', held.paymentId).execute()
    return held.ok
  }

  beforeEach(() => setsAvailability(world.db, business.id, { capacity: 1 }))

  it('holds its time with setting up and cleaning, in UTC beside the zone', async () => {
    const payment = await started()
    expect(await slots()).toMatchObject([
      {
        kind: 'hold',
        payment_id: payment.paymentId,
        booking_id: null,
        expires_at: payment.expiresAt,
        is_exclusive: true,
        time_zone: 'Australia/Melbourne',
      },
    ])
    expect((await paymentRow(payment.paymentId)).sale).toMatchObject({
      event: { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' },
      occupied: { from: '2027-03-13T03:00:00.000Z', until: '2027-03-13T13:00:00.000Z' },
    })
  })

  it('keeps its time from the next customer, who gets the nearest free times and no payment', async () => {
    await started()
    const refused = order({ booking: other })
    expect(await startBookingPayment(deps, refused)).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'taken',
      alternatives: [
        // The same day: ten hours before, as the seven hours and three for setting up and cleaning need.
        { date: '2027-03-13', time: '06:00' },
        { date: '2027-03-13', time: '05:30' },
        { date: '2027-03-13', time: '05:00' },
      ],
    })
    const rows = await world.db
      .selectFrom('payments')
      .select('id')
      .where('submit_key', '=', refused.submitKey)
      .execute()
    expect(rows).toEqual([])
    // Another day is free.
    await started({ booking: aBookingForm({ date: '2027-03-14' }) })
  })

  it.each([
    ['closed', { weekly: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } }, {}],
    ['too_soon', { noticeMinutes: 200 * 24 * 60 }, {}],
    ['too_far', { horizonDays: 30 }, {}],
    ['too_many_guests', { maxGuests: 9 }, {}],
    ['no_such_time', {}, { date: '2027-10-03', time: '02:30' }],
  ] as const)('can’t be started when its time is refused as %s', async (why, settings, slotRequest) => {
    await setsAvailability(world.db, business.id, settings as object)
    expect(await startBookingPayment(deps, order({ booking: aBookingForm(slotRequest) }))).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why,
    })
  })

  it('holds its time once for one submit key, pressed ten times at once, and again without an extension', async () => {
    const same = order()
    const answers = await Promise.all(Array.from({ length: 10 }, () => startBookingPayment(deps, same)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    world.clock.forward(60_000)
    expect(await startBookingPayment(deps, same)).toEqual(answers[0])
    expect(await slots()).toHaveLength(1)
  })

  it('replaces its browser’s earlier payment, and ends that one at the provider too', async () => {
    const first = await started()
    const second = await started({
      booking: aBookingForm({ time: '17:00' }),
      exceptPayments: [first.paymentId],
    })
    expect((await slots()).map((slot) => slot.payment_id)).toEqual([second.paymentId])
    expect(await providerState(first.reference)).toBe('cancelled')
    expect((await paymentRow(first.paymentId)).state).toBe('expired')
  })

  it('can’t be started from an address that holds too many unpaid times, and leaves nothing behind', async () => {
    const heldFrom = newId()
    const days = Array.from({ length: UNPAID_HOLDS_OF_ADDRESS + 1 }, (_, day) => day)
    const orders = days.map((day) => {
      const date = new Date(Date.UTC(2027, 2, 13 + day)).toISOString().slice(0, 10)
      return order({ heldFrom, booking: aBookingForm({ date }) })
    })
    const last = orders.pop()
    // Each order is one hold, even when it is repeated.
    for (const same of [...orders, ...orders])
      expect(await startBookingPayment(deps, same)).toMatchObject({ ok: true })
    const refused = await leavesAsIs(world.db, 'storePayment', () =>
      startBookingPayment(deps, { ...order(), ...last }),
    )
    expect(refused).toEqual({ ok: false, reason: 'too_many_held_by_address' })
    expect(await slots()).toHaveLength(UNPAID_HOLDS_OF_ADDRESS)
  })

  it('hands its time to the booking once, however often it is settled', async () => {
    const { paymentId, bookingId, clientSecret } = await booked()
    for (let time = 0; time < 2; time++) await reportPayment(deps, { clientSecret })
    expect(await slots()).toMatchObject([
      { kind: 'booking', payment_id: paymentId, booking_id: bookingId, expires_at: null },
    ])
    expect(await isFree()).toBe(false)
  })

  it('frees its time after the hold, once the provider has cancelled it', async () => {
    const payment = await started()
    world.clock.forward(deps.holdMs)
    await sweepPayments(withoutProvider())
    expect(await slots(), 'the payment may still be paid').toHaveLength(1)
    for (let time = 0; time < 2; time++) await sweepPayments(deps)
    expect(await providerState(payment.reference)).toBe('cancelled')
    expect(await slots()).toEqual([])
  })

  it('loses its time to the next customer after the hold, even before the sweep', async () => {
    await started()
    world.clock.forward(deps.holdMs)
    const next = await started({ booking: other })
    expect((await slots()).map((slot) => slot.payment_id)).toEqual([next.paymentId])
  })

  describe('once the card is being confirmed', () => {
    it('holds its time until it ends, and a second call extends nothing', async () => {
      const key = keyed()
      const payment = await started(key)
      world.clock.forward(deps.holdMs - 1_000)
      const until = new Date(world.clock.now().getTime() + deps.paymentExpiryMs)
      expect(await keep(key.submitKey)).toEqual({ ok: true, expiresAt: until })
      world.clock.forward(60_000)
      expect(await keep(key.submitKey)).toEqual({ ok: true, expiresAt: until })
      await sweepPayments(deps)
      expect(await isFree()).toBe(false)
      await payCard(payment.clientSecret)
      await reportPayment(deps, { clientSecret: payment.clientSecret })
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
    })

    it('frees its time when it ends', async () => {
      const key = keyed()
      const payment = await started(key)
      await keep(key.submitKey)
      world.clock.forward(deps.paymentExpiryMs)
      await sweepPayments(deps)
      expect(await providerState(payment.reference)).toBe('cancelled')
      expect(await slots()).toEqual([])
    })

    it('holds its time while the provider is still processing the charge', async () => {
      const payment = await started()
      const found = await world.payments.retrieve(payment.reference)
      if (!found.ok) throw new Error(found.message)
      await applySnapshot(deps, world.payments, { ...found.snapshot, state: 'processing' })
      world.clock.forward(DAY_MS)
      expect(await isFree()).toBe(false)
      await applySnapshot(deps, world.payments, { ...found.snapshot, state: 'cancelled' })
      expect(await isFree()).toBe(true)
    })

    it('can’t extend its hold if it is unknown, ended or paid', async () => {
      expect(await keep('no-such-key')).toEqual({ ok: false, reason: 'unknown_payment' })
      const late = keyed()
      await started(late)
      world.clock.forward(deps.holdMs)
      expect(await keep(late.submitKey)).toEqual({ ok: false, reason: 'payment_ended' })
      const paid = keyed()
      const { reference } = await booked(paid)
      expect(await keep(paid.submitKey)).toEqual({ ok: false, reason: 'already_paid', reference })
    })

    it('takes its time again after another tab replaced it, and ends when another customer has it', async () => {
      const key = keyed()
      const first = await started(key)
      const elsewhere = aBookingForm({ date: '2027-03-20' })
      // The other tab's response was lost before the first tab's payment was ended.
      await world.db.deleteFrom('slots').where('payment_id', '=', first.paymentId).execute()
      const second = await started({ booking: elsewhere })
      expect(await keep(key.submitKey, [first.paymentId, second.paymentId])).toMatchObject({ ok: true })
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([first.paymentId])
      expect(await providerState(second.reference)).toBe('cancelled')

      const lost = keyed()
      const third = await started({ ...lost, booking: elsewhere })
      await world.db.deleteFrom('slots').where('payment_id', '=', third.paymentId).execute()
      await started({ booking: { ...other, date: '2027-03-20' } })
      expect(await keep(lost.submitKey)).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
      expect(await providerState(third.reference), 'nothing is left to pay for').toBe('cancelled')
    })
  })

  describe('after giving up', () => {
    it('frees its time at once and can’t be paid any more, however often it is given up', async () => {
      const key = keyed()
      const payment = await started(key)
      for (let time = 0; time < 2; time++) expect(await giveUpPayment(deps, key)).toEqual({ ok: true })
      expect(await providerState(payment.reference)).toBe('cancelled')
      expect(await slots()).toEqual([])
      expect(await isFree()).toBe(true)
    })

    it('frees its time at once while the provider is unreachable, and the sweep cancels it', async () => {
      const key = keyed()
      const payment = await started(key)
      await giveUpPayment(withoutProvider(), key)
      expect(await isFree()).toBe(true)
      expect(await providerState(payment.reference)).toBe('open')
      await sweepPayments(deps)
      expect(await providerState(payment.reference)).toBe('cancelled')
    })

    it('holds its time until the provider cancels it if its card is being confirmed', async () => {
      const key = keyed()
      await started(key)
      await keep(key.submitKey)
      await giveUpPayment(withoutProvider(), key)
      expect(await isFree()).toBe(false)
      await sweepPayments(deps)
      expect(await isFree()).toBe(true)
    })

    it('becomes a booking if it was paid in the meantime, and only its own key gives it up', async () => {
      const key = keyed()
      const payment = await started(key)
      expect(await giveUpPayment(deps, keyed())).toEqual({ ok: false, reason: 'unknown_payment' })
      expect(await slots()).toHaveLength(1)
      await payCard(payment.clientSecret)
      for (let time = 0; time < 2; time++) expect(await giveUpPayment(deps, key)).toEqual({ ok: true })
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
      expect(await slots()).toMatchObject([{ kind: 'booking' }])
    })
  })

  describe('that succeeds after its hold', () => {
    it('becomes a booking if its time is still free', async () => {
      const payment = await started()
      world.clock.forward(deps.holdMs)
      const next = await started({ booking: other })
      await world.db.deleteFrom('slots').where('payment_id', '=', next.paymentId).execute()
      await payCard(payment.clientSecret)
      await sweepPayments(deps)
      expect(await bookingsOf(payment.paymentId)).toHaveLength(1)
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([payment.paymentId])
    })

    it('gets refunded once if another customer has the time, and its customer is told why', async () => {
      const payment = await started()
      world.clock.forward(deps.holdMs)
      const next = await started({ booking: other })
      await payCard(payment.clientSecret)
      await Promise.all([sweepPayments(deps), reportPayment(deps, { clientSecret: payment.clientSecret })])
      await receive(deps, event(payment.reference))
      expect(await bookingsOf(payment.paymentId)).toEqual([])
      expect(await refundsOf(payment.paymentId)).toMatchObject([{ reason: 'time_gone', state: 'due' }])
      const mails = await mailsAbout(payment.paymentId)
      expect(mails.map((mail) => mail.to)).toEqual(['kim@example.com'])
      expect(mails[0]?.text).toContain('someone else had taken it by then')
      expect(mails[0]?.text).toContain('Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time')
      const cookie = await signedListCookie([payment.paymentId], BROWSER_PAYMENTS_COOKIE, deps.secret, {
        maxAgeS: 60,
        isSecure: false,
      })
      const seen = await findBrowserPayment(world.db, {
        cookieHeader: cookie.split(';')[0] ?? '',
        secret: deps.secret,
        reference: payment.reference,
      })
      expect(seen).toMatchObject({ state: 'paid', booking: null, unbooked: 'time_gone' })
      await performDueRefunds(deps)
      expect(await refundedCents(payment.reference)).toBe(45_500)
      expect((await slots()).map((slot) => slot.payment_id)).toEqual([next.paymentId])
    })
  })

  describe('once booked', () => {
    it('frees its time when the booking is declined, withdrawn or not decided in time', async () => {
      const declined = await booked()
      await decide(declined.bookingId, 'declined')
      expect(await isFree()).toBe(true)
      const withdrawn = await booked()
      const by = { linkToken: await bookingLinkToken(deps.secret, withdrawn.paymentId) }
      await withdrawBooking(deps, { bookingId: withdrawn.bookingId, by })
      expect(await isFree()).toBe(true)
      await booked()
      world.clock.forward(48 * HOUR_MS)
      await processPendingBookings(deps)
      expect(await isFree()).toBe(true)
      expect(await slots()).toEqual([])
    })

    it('takes its time again when a declined booking is approved', async () => {
      const { bookingId } = await booked()
      for (let round = 0; round < 2; round++) {
        await decide(bookingId, 'declined')
        world.clock.forward(1_000)
        expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true })
        expect(await slots()).toMatchObject([{ kind: 'booking', booking_id: bookingId }])
      }
    })

    it('leaves its time to a booking made after the decline, which stands with its refund', async () => {
      const { bookingId, reference } = await booked()
      await decide(bookingId, 'declined')
      const next = await booked({ booking: other })
      const refused = await decide(bookingId, 'approved')
      expect(refused).toMatchObject({
        ok: false,
        reason: 'gone',
        takenBy: [{ kind: 'booking', title: 'Ana Reyes', bookingId: next.bookingId }],
      })
      world.clock.forward(deps.refundGraceMs)
      await performDueRefunds(deps)
      expect(await refundedCents(reference)).toBe(45_500)
      expect(await decide(bookingId, 'approved')).toEqual({ ok: false, reason: 'refund_claimed' })
      expect((await slots()).map((slot) => slot.booking_id)).toEqual([next.bookingId])
    })

    it('leaves its time blocked when the vendor blocked it after the decline', async () => {
      const { bookingId } = await booked()
      await decide(bookingId, 'declined')
      const block = { from: '2027-03-13', fromTime: null, to: '2027-03-13', toTime: null, note: 'Painters' }
      await blockTime(deps, { userId: business.user_id, businessId: business.id, block })
      await leavesExpiredHold()
      const refused = await leavesAsIs(world.db, 'decideBooking', () => decide(bookingId, 'approved'))
      expect(refused).toMatchObject({ reason: 'gone', takenBy: [{ kind: 'block', title: 'Painters' }] })
    })

    it('keeps its time as agreed when the vendor changes the lengths afterwards', async () => {
      const { bookingId } = await booked()
      await setsAvailability(world.db, business.id, { capacity: 1, eventMinutes: 60, setupMinutes: 0 })
      await decide(bookingId, 'declined')
      world.clock.forward(1_000)
      await decide(bookingId, 'approved')
      const [mine] = await listBookingsOfBusinesses(world.db, {
        userId: business.user_id,
        businessId: 'all',
        now: world.clock.now(),
      })
      expect(mine?.span).toBe('Saturday 13 March 2027, 4:00 pm to 11:00 pm, Melbourne time')
      const at5 = aBookingForm({ time: '22:00' })
      expect(await isFree({ booking: at5 })).toBe(false)
    })
  })
})
