import { describe, expect, it } from 'vitest'
import {
  booked,
  business,
  decide,
  deps,
  mailsAbout,
  type Order,
  setBookingStage,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm } from '../../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../../../../tests/change-stage.ts'
import { approves, booksWithDeposit } from '../../../../tests/instalment-stage.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import { cancelBooking } from '../cancellation/commands.server.ts'
import { findCancelling } from '../cancellation/queries.server.ts'
import type { BookingForm } from '../form-rules.ts'
import { bookingLinkToken } from '../rules.ts'
import { endReminders, tellOfComingEvents } from './coming-up-commands.server.ts'

setBookingStage()

/** The day and time in Melbourne so many hours ahead. Its clock is eleven hours ahead of UTC in summer. */
function inHours(hours: number): Pick<BookingForm, 'date' | 'time'> {
  const there = new Date(world.clock.now().getTime() + (hours + 11) * HOUR_MS).toISOString()
  return { date: there.slice(0, 10), time: there.slice(11, 16) }
}

/** Books so many hours ahead, and approves at once. */
async function approved(hours: number, overrides: Order = {}) {
  const booking = await booked({ booking: aBookingForm(inHours(hours)), ...overrides })
  await decide(booking.bookingId, 'approved')
  return { ...booking, linkToken: await bookingLinkToken(deps.secret, booking.paymentId) }
}

const toldOf = async (bookingId: string) =>
  (await mailsAbout(`booking-${bookingId}-coming-up`)).map(({ messageId }) =>
    Number(/-coming-up-(\d+)-/.exec(messageId)?.[1]),
  )

/** Moves the clock and runs the job in two processes. */
async function passes(ms: number) {
  world.clock.forward(ms)
  await Promise.all([tellOfComingEvents(deps), tellOfComingEvents(deps)])
}

const DAY_HOURS = 24

describe('tellOfComingEvents', () => {
  it('tells the customer six weeks, a week and a day before, once each, however many processes run', async () => {
    const { bookingId } = await approved(43 * DAY_HOURS)
    await passes(DAY_MS - 60_000)
    expect(await toldOf(bookingId)).toEqual([])
    await passes(120_000)
    expect(await toldOf(bookingId)).toEqual([42])
    for (let day = 0; day < 42; day++) await passes(DAY_MS)
    expect(await toldOf(bookingId)).toEqual([42, 7, 1])
  })

  it('says when and where, with the vendor’s contact and what is still due', async () => {
    const { bookingId } = await approved(8 * DAY_HOURS)
    await passes(DAY_MS + 60_000)
    const [mail] = await mailsAbout(`booking-${bookingId}-coming-up`)
    expect(mail?.to).toBe('kim@example.com')
    expect(mail?.subject).toMatch(/^Coming up: \w{3} \d{1,2} \w+, \d{1,2}:\d\d [ap]m, /)
    expect(mail?.text).toMatch(/^One week to go: /)
    expect(mail?.text).toMatch(/is coming up: .* time, in Melbourne, VIC\./)
    expect(mail?.text).toContain('Phone: 0400 000 000')
  })

  it('tells only what is still ahead of a booking made later', async () => {
    const { bookingId } = await approved(30 * DAY_HOURS)
    await passes(60_000)
    expect(await toldOf(bookingId)).toEqual([])
    for (let day = 0; day < 30; day++) await passes(DAY_MS)
    expect(await toldOf(bookingId)).toEqual([7, 1])
  })

  it('leaves out what was due before the vendor approved', async () => {
    const { bookingId } = await booked({ booking: aBookingForm(inHours(7 * DAY_HOURS + 2)) })
    world.clock.forward(3 * HOUR_MS)
    await decide(bookingId, 'approved')
    await passes(60_000)
    expect(await toldOf(bookingId)).toEqual([])
  })

  it('tells late after an outage of the jobs, but no more than three days', async () => {
    const soon = await approved(43 * DAY_HOURS)
    const late = await approved(46 * DAY_HOURS)
    await passes(4 * DAY_MS + 60_000)
    expect(await toldOf(soon.bookingId)).toEqual([])
    expect(await toldOf(late.bookingId)).toEqual([42])
  })

  it('counts from the new day once the event has moved', async () => {
    const booking = await approved(43 * DAY_HOURS)
    await passes(DAY_MS + 60_000)
    expect(await toldOf(booking.bookingId)).toEqual([42])
    const moves = async (hours: number) => {
      expect(await proposes(deps, booking, asCustomer(booking), inHours(hours))).toMatchObject({ ok: true })
      expect(await agrees(deps, booking, asVendor(business.user_id))).toMatchObject({ ok: true })
    }
    await moves(50 * DAY_HOURS)
    await passes(60_000)
    expect(await toldOf(booking.bookingId)).toEqual([42])
    await passes(8 * DAY_MS)
    expect(await toldOf(booking.bookingId)).toEqual([42, 42])
    // Nearer than a week: that mail would come together with the one about the change.
    await moves(5 * DAY_HOURS)
    await passes(60_000)
    expect(await toldOf(booking.bookingId)).toEqual([42, 42])
    await passes(4 * DAY_MS)
    expect(await toldOf(booking.bookingId)).toEqual([42, 42, 1])
  })

  it('tells nothing of a booking that isn’t approved, or is cancelled', async () => {
    const pending = await booked({ booking: aBookingForm(inHours(25)) })
    const cancelled = await approved(25)
    const { linkToken, bookingId } = cancelled
    const signed = (await findCancelling(deps, linkToken))?.quote?.signed ?? ''
    expect(await cancelBooking(deps, { bookingId, by: { linkToken }, signed })).toMatchObject({ ok: true })
    await passes(HOUR_MS + 60_000)
    for (const each of [pending, cancelled]) expect(await toldOf(each.bookingId)).toEqual([])
  })

  it('tells nothing once the event has begun', async () => {
    const begun = await approved(25)
    world.clock.forward(25 * HOUR_MS)
    await passes(60_000)
    expect(await toldOf(begun.bookingId)).toEqual([])
  })
})

describe('endReminders', () => {
  it('ends these mails by the link, twice without an error, and nobody else’s', async () => {
    const ended = await approved(8 * DAY_HOURS)
    const other = await approved(8 * DAY_HOURS)
    expect(await endReminders(deps, ended.linkToken)).toEqual({ ok: true })
    expect(await endReminders(deps, ended.linkToken)).toEqual({ ok: true })
    expect(await endReminders(deps, 'x'.repeat(43))).toEqual({ ok: false, reason: 'not_found' })
    await passes(DAY_MS + 60_000)
    expect(await toldOf(ended.bookingId)).toEqual([])
    expect(await toldOf(other.bookingId)).toEqual([7])
  })

  it('works by the link of the mail, and by the button of mail programs', async () => {
    const { bookingId, linkToken } = await approved(8 * DAY_HOURS)
    await passes(DAY_MS + 60_000)
    const [mail] = await mailsAbout(`booking-${bookingId}-coming-up`)
    const stop = `http://localhost:3000/bookings/${linkToken}/reminders`
    expect(mail?.unsubscribeUrl).toBe(stop)
  })
})

// Last, as it moves the clock past the end of summer.
describe('the mail about an event whose balance is unpaid', () => {
  it('asks the customer to pay, and announces no charge of the refused card', async () => {
    const { date } = inHours(60 * DAY_HOURS)
    const states = ['failed', 'needs_customer', 'overdue', 'reminded'] as const
    const bookings = await Promise.all(
      states.map(async (state) => {
        const made = await booksWithDeposit(world, { date })
        await approves(world, made)
        return { ...made, state }
      }),
    )
    world.clock.forward(51 * DAY_MS)
    for (const { paymentId, state } of bookings)
      await world.db
        .updateTable('instalments')
        .set({ state, unpaid_since: state === 'reminded' ? null : world.clock.now() })
        .where('payment_id', '=', paymentId)
        .where('number', '=', 2)
        .execute()
    for (let day = 0; day < 3; day++) await passes(DAY_MS)
    const [failed, asked, overdue, reminded] = await Promise.all(
      bookings.map(async ({ bookingId }) => (await mailsAbout(`booking-${bookingId}-coming-up-7`))[0]),
    )
    for (const mail of [failed, asked, overdue]) {
      expect(mail?.text).toMatch(/^One week to go: pay \$6,960\.00/)
      expect(mail?.text).toMatch(/\/bookings\/[^/\s]+\/pay\b/)
      expect(mail?.text).not.toContain('the same card')
    }
    for (const mail of [failed, asked])
      expect(mail?.text).toMatch(/Your card wasn’t charged, .* Pay by .*, or we’ll cancel the booking\./s)
    expect(overdue?.text).toContain('$6,960.00 is overdue, so your booking is about to end.')
    expect(reminded?.text).toContain('We charge it to the same card')
  })
})
