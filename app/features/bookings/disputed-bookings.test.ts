import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  business,
  decide,
  deps,
  event,
  mailsAbout,
  notificationsOf,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aUser } from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../../../tests/change-stage.ts'
import { newId } from '../../shared/ids.ts'
import { findPurchaseRest } from '../payments/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { findReceipt } from '../receipts/queries.server.ts'
import { stopText } from '../terms/timeline-messages.ts'
import { cancelBooking } from './cancellation/commands.server.ts'
import { findCancelling } from './cancellation/queries.server.ts'
import { withdrawBooking } from './cancellation/withdrawal-commands.server.ts'
import { nextSentence } from './components/booking-status.tsx'
import { atBankText, cancelledText } from './components/refund-note.tsx'
import { processPendingBookings } from './decisions/reminder-commands.server.ts'
import { spentAndDue } from './list/my-bookings-rules.ts'
import { findVendorOverview } from './list/overview-queries.server.ts'
import { findBookingByLink, listBookingsOfBusinesses } from './list/queries.server.ts'
import { bookingLinkToken, lineOfBooking } from './rules.ts'

setBookingStage()

const START = '2026-11-20T01:00:00.000Z'
const DECIDES = 'Your bank is deciding about this payment. If it stays with us, we refund $455.00.'
const DECIDES_FOR_VENDOR =
  'The customer’s bank is deciding about this payment. If it stays with us, we refund $455.00 to the customer.'
const RETURNED = 'Your bank returned $455.00 to you.'
const RETURNED_FOR_VENDOR = 'The customer’s bank returned $455.00 to them.'

beforeEach(() => world.clock.forward(Date.parse(START) - world.clock.now().getTime()))

const hear = (reference: string, type: string) => receive(deps, event(reference, newId(), type))

async function opens({ reference }: { reference: string }) {
  expect(await world.payments.openDispute(reference, 'dispute')).toEqual({ ok: true })
  await hear(reference, 'charge.dispute.created')
}

async function decides({ reference }: { reference: string }, outcome: 'won' | 'lost') {
  await world.payments.decideDispute(reference, outcome)
  await hear(reference, 'charge.dispute.closed')
}

async function bookedByUser() {
  const customer = await aUser(world.db)
  const payment = await booked({ customerUserId: customer.id })
  const linkToken = await bookingLinkToken(deps.secret, payment.paymentId)
  return { ...payment, customer, linkToken }
}
type Booked = Awaited<ReturnType<typeof bookedByUser>>

async function pageOf({ linkToken }: Booked) {
  const booking = await findBookingByLink(world.db, linkToken)
  if (!booking) throw new Error('There is no booking.')
  const line = lineOfBooking(booking, world.clock.now()) ?? []
  return {
    booking,
    next: nextSentence(booking, world.clock.now()),
    stops: line.map(({ events }) => stopText(events)),
    cancelling: line.find(({ mark }) => mark === 'now')?.cancelling,
  }
}

async function vendorsOf({ bookingId }: Booked) {
  const [booking] = await listBookingsOfBusinesses(world.db, {
    userId: business.user_id,
    businessId: 'all',
    now: world.clock.now(),
    ids: [bookingId],
  })
  if (!booking) throw new Error('There is no booking.')
  return booking
}

const textsOf = async (id: string) => (await mailsAbout(id)).map(({ text }) => text).join('\n')
const bodiesOf = async (userId: string) => (await notificationsOf(userId)).map(({ body }) => body)

/** Cancels an approved booking within the time when it is free. */
async function cancels({ bookingId, linkToken }: Booked) {
  const cancelling = await findCancelling(deps, linkToken)
  const signed = cancelling?.quote?.signed ?? ''
  expect(await cancelBooking(deps, { bookingId, by: { linkToken }, signed })).toMatchObject({ ok: true })
}

describe('a refund whose payment the bank is deciding about', () => {
  it('gets no promise in mails and notifications, which say that the bank decides', async () => {
    const declined = await bookedByUser()
    await opens(declined)
    await decide(declined.bookingId, 'declined')
    const withdrawn = await bookedByUser()
    await opens(withdrawn)
    await withdrawBooking(deps, { bookingId: withdrawn.bookingId, by: { linkToken: withdrawn.linkToken } })
    const undecided = await bookedByUser()
    await opens(undecided)
    world.clock.forward(deps.undecided.declineAfterMs)
    await processPendingBookings(deps)
    const mails = await Promise.all([
      textsOf(`booking-${declined.bookingId}-declined-`),
      textsOf(`booking-${withdrawn.bookingId}-withdrawn@`),
      textsOf(`booking-${undecided.bookingId}-undecided@`),
    ])
    for (const text of mails) {
      expect(text).toContain(DECIDES)
      expect(text).not.toMatch(/sending it now|We send the refund|full refund/)
    }
    const forVendor = await textsOf(`booking-${undecided.bookingId}-declined-for-vendor`)
    expect(forVendor).toContain(DECIDES_FOR_VENDOR)
    expect(forVendor).not.toContain('full refund')
    for (const { customer } of [declined, undecided]) expect(await bodiesOf(customer.id)).toContain(DECIDES)
  })

  it('waits after a cancellation, as both sides are told', async () => {
    const booking = await bookedByUser()
    await decide(booking.bookingId, 'approved')
    await opens(booking)
    await cancels(booking)
    const text = await textsOf(`booking-${booking.bookingId}-cancelled@`)
    expect(text).toContain(DECIDES)
    expect(text).not.toContain('sending it now')
    const forVendor = await textsOf(`booking-${booking.bookingId}-customer-cancelled@`)
    expect(forVendor).toContain(`You keep nothing. ${DECIDES_FOR_VENDOR}`)
    expect(await bodiesOf(business.user_id)).toContainEqual(expect.stringContaining(DECIDES_FOR_VENDOR))
  })

  it('shows no date on pages and the receipt until the dispute is won', async () => {
    const booking = await bookedByUser()
    await decide(booking.bookingId, 'declined')
    world.clock.forward(2 * deps.refundGraceMs)
    await opens(booking)
    const waiting = await pageOf(booking)
    expect(waiting.next).toBe(`${waiting.booking.stored.vendorName} can’t take this booking. ${DECIDES}`)
    expect(waiting.stops.join()).not.toContain('refunded')
    expect(atBankText(await vendorsOf(booking))).toBe(DECIDES_FOR_VENDOR)
    expect(await findReceipt(world.db, booking)).toMatchObject({
      refunds: [{ isWaiting: true }],
      returns: [],
    })

    await decides(booking, 'won')
    expect((await pageOf(booking)).next).toContain('We’re sending your refund of $455.00.')
    expect(atBankText(await vendorsOf(booking))).toBe('')
    expect(await findReceipt(world.db, booking)).toMatchObject({ refunds: [{ isWaiting: false }] })
    await performDueRefunds(deps)
    expect((await pageOf(booking)).next).toContain('We sent your refund of $455.00')
  })
})

describe('a payment that the bank has returned', () => {
  it('appears on pages, the timeline and the receipt in place of its refund', async () => {
    const booking = await bookedByUser()
    await decide(booking.bookingId, 'declined')
    await opens(booking)
    await decides(booking, 'lost')
    const { next, stops } = await pageOf(booking)
    expect(next).toMatch(new RegExp(`can’t take this booking\\. ${RETURNED.replace('$', '\\$')}$`))
    expect(stops.join()).toContain('$455.00 returned by your bank')
    expect(atBankText(await vendorsOf(booking))).toBe(RETURNED_FOR_VENDOR)
    expect(await findReceipt(world.db, booking)).toMatchObject({
      refunds: [],
      returns: [{ amountCents: 45_500, at: expect.any(Date) }],
    })
  })

  it('comes back no second time when the booking is cancelled', async () => {
    const booking = await bookedByUser()
    await decide(booking.bookingId, 'approved')
    await opens(booking)
    await decides(booking, 'lost')
    const before = await pageOf(booking)
    expect(before.cancelling).toMatchObject({ backCents: 0, costCents: 0 })
    await cancels(booking)
    expect((await pageOf(booking)).next).toBe(`You have cancelled this booking. ${RETURNED}`)
    const text = await textsOf(`booking-${booking.bookingId}-cancelled@`)
    expect(text).toContain(RETURNED)
    expect(text).not.toContain('nothing back')
    const vendors = await vendorsOf(booking)
    if (!vendors.cancellation) throw new Error('There is no cancellation.')
    expect(cancelledText(vendors.cancellation, vendors)).toBe(
      `The customer cancelled. You keep nothing. ${RETURNED_FOR_VENDOR}`,
    )
  })

  it('appears in place of a full refund when a booking ends undecided', async () => {
    const booking = await bookedByUser()
    await opens(booking)
    await decides(booking, 'lost')
    expect((await pageOf(booking)).next).not.toContain('full refund')
    world.clock.forward(deps.undecided.declineAfterMs)
    await processPendingBookings(deps)
    expect(await textsOf(`booking-${booking.bookingId}-undecided@`)).toContain(RETURNED)
    expect(await bodiesOf(booking.customer.id)).toContain(RETURNED)
  })
})

describe('a lost dispute that takes the place of a change’s waiting refund', () => {
  it('leaves as much to refund, and as much revenue, as the bank has left of the charge', async () => {
    const booking = await bookedByUser()
    await decide(booking.bookingId, 'approved')
    await opens(booking)
    // A part: the change’s refund of $227.50 waits, and the bank takes $300.00 of $455.00.
    await sql`update sandbox_disputes set amount_cents = 30000 where sandbox_payment_id = ${booking.reference}`.execute(
      world.db,
    )
    await proposes(deps, booking, asVendor(business.user_id), { quantity: 5 })
    expect(await agrees(deps, booking, asCustomer(booking))).toMatchObject({ ok: true })
    await decides(booking, 'lost')
    const { leftCents } = await findPurchaseRest(world.db, booking.paymentId)
    expect(leftCents).toBe(15_500)
    expect((await pageOf(booking)).booking.leftCents, 'for its customer').toBe(leftCents)
    expect((await vendorsOf(booking)).leftCents, 'for its vendor').toBe(leftCents)
    const now = world.clock.now()
    expect(spentAndDue([(await pageOf(booking)).booking]), 'spent').toEqual({
      spentCents: leftCents,
      dueCents: 0,
    })
    expect(await findVendorOverview(world.db, business.user_id, now), 'revenue').toMatchObject({
      paidThisMonthCents: leftCents,
    })
  })
})
