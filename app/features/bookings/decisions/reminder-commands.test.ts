import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  decide,
  deps,
  mailsAbout,
  notificationsOf,
  type Order,
  refundedCents,
  setBookingStage,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm, aBusiness, aPlace, aUser } from '../../../../tests/builders.ts'
import { newId } from '../../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import type { BookingForm } from '../form-rules.ts'
import { processPendingBookings, remindOfEvents } from './reminder-commands.server.ts'

setBookingStage()

describe('processPendingBookings', () => {
  it('reminds the vendor once after a day, and declines with a refund after two', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await processPendingBookings(deps)
    expect(await mailsAbout(`${bookingId}-reminder`)).toHaveLength(0)
    world.clock.forward(DAY_MS)
    await processPendingBookings(deps)
    await processPendingBookings(deps)
    expect(await mailsAbout(`${bookingId}-reminder`)).toHaveLength(1)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending' }])
    world.clock.forward(DAY_MS)
    await processPendingBookings(deps)
    await processPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined', payment_status: 'refund due' }])
    expect(await mailsAbout(`${bookingId}-undecided`)).toHaveLength(1)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('leaves decided bookings alone', async () => {
    const { bookingId, paymentId } = await booked()
    await decide(bookingId, 'approved')
    world.clock.forward(72 * HOUR_MS)
    await processPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
  })

  it('declines a day before the event, by the venue’s clock', async () => {
    const soon = new Date(world.clock.now().getTime() + 30 * HOUR_MS)
    const there = new Date(soon.getTime() + 11 * HOUR_MS).toISOString()
    const booking: BookingForm = aBookingForm({ date: there.slice(0, 10), time: there.slice(11, 16) })
    const { paymentId } = await booked({ booking })
    world.clock.forward(5 * HOUR_MS)
    await processPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending' }])
    world.clock.forward(1 * HOUR_MS + 60_000)
    await processPendingBookings(deps)
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'declined' }])
  })
})

describe('remindOfEvents', () => {
  /** Books in Melbourne this number of hours ahead. Its clock is eleven hours ahead of UTC in November. */
  const ahead = async (hours: number, overrides: Order = {}) => {
    const there = new Date(world.clock.now().getTime() + (hours + 11) * HOUR_MS).toISOString()
    return booked({
      booking: aBookingForm({ date: there.slice(0, 10), time: there.slice(11, 16) }),
      ...overrides,
    })
  }
  const remindersOf = async (bookingId: string) => {
    const kinds = (await mailsAbout(`booking-${bookingId}-event`)).map((mail) => mail.messageId.split('@')[0])
    return kinds.toSorted()
  }

  it('reminds the vendor once, two days before, however many processes run, and notifies the customer', async () => {
    const customer = await aUser(world.db)
    const { bookingId } = await ahead(60, { customerUserId: customer.id })
    await decide(bookingId, 'approved')
    world.clock.forward(11 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(bookingId)).toEqual([])
    world.clock.forward(1 * HOUR_MS + 60_000)
    await Promise.all([remindOfEvents(deps), remindOfEvents(deps), remindOfEvents(deps)])
    world.clock.forward(1 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(bookingId)).toEqual([`<booking-${bookingId}-event-vendor`])
    const [toVendor] = await mailsAbout(`booking-${bookingId}-event`)
    expect(toVendor).toMatchObject({
      to: `${business.user_id}@example.com`,
      subject: expect.stringMatching(/^Coming up: /),
      preference: 'reminders',
      preferenceOf: business.user_id,
    })
    expect(toVendor?.text).toContain('0411 222 333')
    const ofVendor = (await notificationsOf(business.user_id)).filter(({ kind }) => kind === 'reminder')
    expect(ofVendor).toMatchObject([{ title: 'Kim Lee’s event is coming up', link: '/dashboard/bookings' }])
    const ofCustomer = (await notificationsOf(customer.id)).filter(({ kind }) => kind === 'reminder')
    expect(ofCustomer).toHaveLength(1)
  })

  it('greets the person behind a registered company', async () => {
    await world.db
      .insertInto('business_registrations')
      .values({
        id: newId(),
        user_id: business.user_id,
        business_name: 'Kookaburra Events Pty Ltd',
        abn: '51824753556',
        business_structure: 'Company',
        industry_type: 'Venue',
        principal_address: '1 Sample Street',
        business_phone: '0355501234',
        business_email: 'office@kookaburra.example',
        owner_name: 'Robin Vale',
        owner_dob: '1990-02-03',
        owner_phone: '0400000000',
        owner_email: 'robin@kookaburra.example',
        logo_url: null,
      })
      .execute()
    const { bookingId } = await ahead(40)
    await decide(bookingId, 'approved')
    await remindOfEvents(deps)
    const [toVendor] = await mailsAbout(`booking-${bookingId}-event`)
    expect(toVendor?.to).toBe('office@kookaburra.example')
    expect(toVendor?.text).toMatch(/^[^\n]+\n\nHi Robin,\n/)
  })

  it('sends no reminder of bookings that are not approved, or over', async () => {
    const pending = await ahead(40)
    const declined = await ahead(40)
    await decide(declined.bookingId, 'declined')
    const over = await ahead(30)
    await decide(over.bookingId, 'approved')
    world.clock.forward(31 * HOUR_MS)
    await remindOfEvents(deps)
    for (const { bookingId } of [pending, declined, over]) {
      expect(await remindersOf(bookingId)).toEqual([])
    }
  })

  it('counts the hours by the venue’s clock', async () => {
    const perth = await aPlace(world.db, {
      id: 'perth-wa',
      name: 'Perth',
      state: 'WA',
      time_zone: 'Australia/Perth',
    })
    const inPerth = await aBusiness(world.db, { place_id: perth.id, user_id: business.user_id })
    // The same clock time comes three hours later in Perth.
    const there = await ahead(48, { businessId: inPerth.id })
    const here = await ahead(48)
    for (const { bookingId } of [there, here]) await decide(bookingId, 'approved')
    await remindOfEvents(deps)
    expect(await remindersOf(here.bookingId)).toHaveLength(1)
    expect(await remindersOf(there.bookingId)).toEqual([])
    world.clock.forward(3 * HOUR_MS)
    await remindOfEvents(deps)
    expect(await remindersOf(there.bookingId)).toHaveLength(1)
  })
})
