import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
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
  started,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm, aBusiness, aUser, setsAvailability } from '../../../../tests/builders.ts'
import { asCustomer, asVendor, declines, proposes } from '../../../../tests/change-stage.ts'
import {
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  confirms,
  DUE_AT,
  GOOD_CARD,
  instalmentDeps,
  movesTo,
  runInstalmentJobs,
} from '../../../../tests/instalment-stage.ts'
import { cancelsAsOperator, OPERATOR } from '../../../../tests/payout-stage.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time-units.ts'
import { openInstalmentPayment } from '../../instalments/charge-commands.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../../payments/settlement-commands.server.ts'
import { cancelBooking, endOverdueBooking, endOverdueBookings } from '../cancellation/commands.server.ts'
import { findCancelling } from '../cancellation/queries.server.ts'
import { withdrawBooking } from '../cancellation/withdrawal-commands.server.ts'
import { listChanges } from '../changes/queries.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { listEntriesOf } from '../list/calendar-queries.server.ts'
import { findBookingByLink, listBookingsOfBusinesses } from '../list/queries.server.ts'
import { listVendorPlaces } from '../list/vendor-list-queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import { decideBooking, undoDecline } from './commands.server.ts'
import { tellDeclines } from './decline-commands.server.ts'
import type { DeclineCode } from './decline-rules.ts'
import { processPendingBookings, remindOfEvents } from './reminder-commands.server.ts'

setBookingStage()

const START = '2026-11-20T01:00:00.000Z'
/** The event is on 13 March 2027 at 16:00 in Melbourne, which is UTC+11. */
const EVENT = '2027-03-13T05:00:00.000Z'
const GRACE_MS = 15 * MINUTE_MS
const PRICE_CENTS = 45_500

const setClock = (iso: string, laterMs = 0) =>
  world.clock.forward(Date.parse(iso) + laterMs - world.clock.now().getTime())
beforeEach(() => setClock(START))

async function pending(overrides: Order = {}) {
  const payment = await booked(overrides)
  return { ...payment, linkToken: await bookingLinkToken(deps.secret, payment.paymentId) }
}
async function approved(overrides: Order = {}) {
  const booking = await pending(overrides)
  await decide(booking.bookingId, 'approved')
  return booking
}
type Booked = Awaited<ReturnType<typeof pending>>

/** Declines as the vendor does, with the grace. */
const decline = (
  { bookingId }: Pick<Booked, 'bookingId'>,
  reason?: { code?: DeclineCode; reason?: string },
) => decideBooking(deps, { userId: business.user_id, bookingId, decision: 'declined', ...reason })
const approve = ({ bookingId }: Booked) =>
  decideBooking(deps, { userId: business.user_id, bookingId, decision: 'approved' })
const undo = ({ bookingId }: Booked, userId = business.user_id) => undoDecline(deps, { userId, bookingId })
const words = { reason: DECLINE_REASON }

/** Runs the jobs of a minute. */
async function minutePasses(using: BookingDeps = deps) {
  await tellDeclines(using)
  await processPendingBookings(using)
  await remindOfEvents(using)
  await endOverdueBookings(using)
  await performDueRefunds(using)
}
const rowOf = async ({ paymentId }: Pick<Booked, 'paymentId'>) => (await bookingsOf(paymentId))[0]
const seenByCustomer = ({ linkToken }: Booked) => findBookingByLink(world.db, linkToken)
const seenByVendor = async () =>
  (
    await listBookingsOfBusinesses(world.db, {
      userId: business.user_id,
      businessId: 'all',
      now: world.clock.now(),
    })
  )[0]
const declineMails = ({ bookingId }: Pick<Booked, 'bookingId'>) => mailsAbout(`${bookingId}-declined`)

describe('a decline in its grace', () => {
  it('tells nothing when it is undone, and once made again tells once, with businesses that are free (Accept 2)', async () => {
    const customer = await aUser(world.db)
    const booking = await pending({ customerUserId: customer.id })
    const category = 'Extras'
    await world.db.updateTable('businesses').set({ category }).where('id', '=', business.id).execute()
    await aBusiness(world.db, { name: 'Second Choice', category })
    const mailsBefore = (await world.jobs.mails()).length

    // 10:00, undone at 10:14.
    expect(await decline(booking, { code: 'price' })).toMatchObject({ ok: true, changed: true })
    world.clock.forward(14 * MINUTE_MS)
    await minutePasses()
    expect(await undo(booking)).toEqual({ ok: true, changed: true })
    // Again at 10:20, told at 10:35.
    world.clock.forward(6 * MINUTE_MS)
    expect(await decline(booking, { code: 'already_booked', reason: 'Try us in May.' })).toMatchObject({
      refundDueAt: new Date(world.clock.now().getTime() + GRACE_MS),
    })
    world.clock.forward(GRACE_MS - 1)
    await minutePasses()
    expect((await world.jobs.mails()).length).toBe(mailsBefore)
    expect(await notificationsOf(customer.id)).toEqual([])
    world.clock.forward(1)
    await minutePasses()
    await minutePasses()
    const mails = await declineMails(booking)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('The reason: Already booked at that time. Try us in May.')
    expect(mails[0]?.text).toMatch(/These are free at the same time:\s+Second Choice/)
    const told = (await notificationsOf(customer.id)).map(({ kind }) => kind)
    expect(told.toSorted()).toEqual(['declined', 'refunded'])
    expect(await rowOf(booking)).toMatchObject({
      status: 'declined',
      tells_at: null,
      told_at: world.clock.now(),
      decline_code: 'already_booked',
    })
    expect(await refundedCents(booking.reference)).toBe(PRICE_CENTS)
  })

  it('leaves the booking waiting for its customer, and its time held', async () => {
    await setsAvailability(world.db, business.id, { capacity: 1 })
    const booking = await pending()
    const before = await seenByCustomer(booking)
    await decline(booking, { code: 'too_large', reason: 'We seat 80.' })
    expect(await seenByCustomer(booking)).toEqual(before)
    expect(before).toMatchObject({ stored: { status: 'pending', paymentStatus: 'paid' }, canWithdraw: true })
    await expect(started()).rejects.toThrow('taken')
    world.clock.forward(GRACE_MS)
    await minutePasses()
    expect(await seenByCustomer(booking)).toMatchObject({
      stored: { status: 'declined' },
      declineReason: 'The event is larger than we can take on. We seat 80.',
    })
    await started()
  })

  it('shows its vendor a declined booking, with nothing to answer and the way back', async () => {
    const booking = await pending()
    await decline(booking, { code: 'closed' })
    expect(await seenByVendor()).toMatchObject({
      listed: { status: 'declined' },
      stored: { status: 'declined', paymentStatus: 'paid' },
      waiting: { tellsAt: '2026-11-20T01:15:00.000Z', code: 'closed' },
      declineReason: 'Closed on that day.',
      decisions: ['approved'],
      left: null,
      canChange: false,
    })
    const vendor = { userId: business.user_id, businessId: 'all' } as const
    expect(await listVendorPlaces(world.db, vendor)).toMatchObject([{ status: 'declined', waits: true }])
    const range = { from: new Date(Date.parse(EVENT) - DAY_MS), until: new Date(Date.parse(EVENT) + DAY_MS) }
    const entries = { businessIds: [business.id], range, now: world.clock.now() }
    expect(await listEntriesOf(world.db, entries)).toMatchObject([{ status: 'declined', isConflict: false }])
    await undo(booking)
    expect(await seenByVendor()).toMatchObject({
      listed: { status: 'pending' },
      waiting: null,
      declineReason: null,
    })
    expect(await listEntriesOf(world.db, entries)).toMatchObject([{ status: 'pending' }])
  })

  it('can be undone until it ends, by its owner alone', async () => {
    const booking = await pending()
    await decline(booking)
    const other = await aBusiness(world.db)
    for (const userId of ['', other.user_id])
      expect(await undo(booking, userId)).toEqual({ ok: false, reason: 'not_found' })
    expect(await undoDecline(deps, { userId: business.user_id, bookingId: 'no-such-booking' })).toEqual({
      ok: false,
      reason: 'not_found',
    })
    world.clock.forward(GRACE_MS - 1)
    expect(await undo(booking)).toEqual({ ok: true, changed: true })
    // Another tab.
    expect(await undo(booking)).toEqual({ ok: true, changed: false })
    await decline(booking)
    world.clock.forward(GRACE_MS)
    // The job hasn't run yet.
    expect(await undo(booking)).toEqual({ ok: false, reason: 'decline_told' })
    expect(await approve(booking)).toEqual({ ok: false, reason: 'decline_told' })
    await minutePasses()
    expect(await undo(booking)).toEqual({ ok: false, reason: 'decline_told' })
    expect(await approve(booking)).toEqual({ ok: false, reason: 'refund_claimed' })
  })

  it('takes a second decline for the same, and refuses an answer to what it no longer is', async () => {
    const booking = await pending()
    const { bookingId } = booking
    await decline(booking, { code: 'price' })
    world.clock.forward(MINUTE_MS)
    expect(await decline(booking, { code: 'other' })).toMatchObject({ ok: true, changed: false })
    expect(await rowOf(booking)).toMatchObject({
      decline_code: 'price',
      tells_at: new Date('2026-11-20T01:15:00.000Z'),
    })
    const decision = { userId: business.user_id, bookingId, decision: 'approved' } as const
    expect(await decideBooking(deps, { ...decision, seen: 'pending' })).toEqual({
      ok: false,
      reason: 'changed',
    })
    expect(await decideBooking(deps, { ...decision, seen: 'declined' })).toMatchObject({
      ok: true,
      changed: true,
      status: 'approved',
    })
  })

  it('ends with an approval, which tells nothing else', async () => {
    const booking = await pending()
    await decline(booking, { code: 'price', reason: 'Too little.' })
    world.clock.forward(MINUTE_MS)
    expect(await approve(booking)).toMatchObject({ ok: true, changed: true, status: 'approved' })
    world.clock.forward(DAY_MS)
    await minutePasses()
    expect(await declineMails(booking)).toEqual([])
    expect((await mailsAbout(`${booking.bookingId}-approved`)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Confirmed: /),
    ])
    expect(await rowOf(booking)).toMatchObject({
      status: 'approved',
      tells_at: null,
      decline_code: null,
      decline_words: null,
    })
  })

  it.each([
    ['undone', undo],
    ['approved', approve],
  ] as const)(
    'of an approved booking is %s without a word, since its customer knows it so',
    async (_how, back) => {
      const booking = await approved()
      const decidedAt = (await rowOf(booking))?.decided_at
      expect(await decline(booking)).toEqual({ ok: false, reason: 'reason_missing' })
      await decline(booking, words)
      expect(await seenByCustomer(booking)).toMatchObject({
        stored: { status: 'approved' },
        cancellation: null,
      })
      const mailsBefore = (await world.jobs.mails()).length
      expect(await back(booking)).toMatchObject({ ok: true, changed: true })
      world.clock.forward(HOUR_MS)
      await minutePasses()
      expect((await world.jobs.mails()).length).toBe(mailsBefore)
      expect(await rowOf(booking)).toMatchObject({
        status: 'approved',
        decided_at: decidedAt,
        tells_at: null,
      })
      expect(await refundsOf(booking.paymentId)).toEqual([])
    },
  )
})

describe('a grace', () => {
  it('ends with the vendor’s time to answer if that is sooner, and tells their decline, not the clock’s', async () => {
    const booking = await pending()
    setClock('2026-11-22T00:55:00.000Z')
    expect(await decline(booking, { code: 'too_far' })).toMatchObject({
      refundDueAt: new Date('2026-11-22T01:00:00.000Z'),
    })
    setClock('2026-11-22T00:59:59.999Z')
    await minutePasses()
    expect(await declineMails(booking)).toEqual([])
    setClock('2026-11-22T01:00:00.000Z')
    // Whichever of the jobs runs first.
    await processPendingBookings(deps)
    await minutePasses()
    expect((await declineMails(booking)).map(({ text }) => text)).toEqual([
      expect.stringContaining('The reason: The event is too far away.'),
    ])
    expect(await mailsAbout(`${booking.bookingId}-undecided`)).toEqual([])
    expect(await refundsOf(booking.paymentId)).toMatchObject([{ reason: 'declined' }])
  })

  it('ends when the event begins, and later declines are told at once', async () => {
    const booking = await approved()
    setClock(EVENT, -5 * MINUTE_MS)
    expect(await decline(booking, words)).toMatchObject({ refundDueAt: new Date(EVENT) })
    setClock(EVENT)
    await minutePasses()
    expect(await declineMails(booking)).toHaveLength(1)
    const other = await approved({ booking: aBookingForm({ date: '2027-03-20' }) })
    setClock('2027-03-20T05:00:00.000Z')
    await decline(other, words)
    expect(await declineMails(other)).toHaveLength(1)
  })

  it('can be zero, and a decline is then told at once', async () => {
    const booking = await pending()
    const { bookingId } = booking
    const using = { ...deps, refundGraceMs: 0 }
    const declined = { userId: business.user_id, bookingId, decision: 'declined' } as const
    expect(await decideBooking(using, declined)).toMatchObject({ paymentStatus: 'refund due' })
    expect(await declineMails(booking)).toHaveLength(1)
  })

  it('ends late after a crash, and several processes tell once', async () => {
    const first = await pending()
    await decline(first)
    world.clock.forward(1)
    const second = await pending()
    await decline(second)
    world.clock.forward(3 * HOUR_MS)
    const dying: BookingDeps = {
      ...deps,
      findAlternatives: async () => {
        throw new Error('killed')
      },
    }
    await expect(tellDeclines(dying)).rejects.toThrow('2 of 2 failed')
    expect(await rowOf(first)).toMatchObject({ status: 'pending' })
    expect(await refundsOf(first.paymentId)).toEqual([])
    await Promise.all([tellDeclines(deps), tellDeclines(deps)])
    for (const booking of [first, second]) {
      expect(await declineMails(booking)).toHaveLength(1)
      expect(await refundsOf(booking.paymentId)).toHaveLength(1)
    }
  })
})

describe('a booking whose decline isn’t told', () => {
  it('can be withdrawn by its customer, and nobody is told of the decline', async () => {
    const booking = await pending()
    await decline(booking, { code: 'price', reason: 'Too little.' })
    const { bookingId, linkToken } = booking
    expect(await withdrawBooking(deps, { bookingId, by: { linkToken } })).toEqual({ ok: true })
    expect(await undo(booking)).toEqual({ ok: false, reason: 'withdrawn' })
    world.clock.forward(HOUR_MS)
    await minutePasses()
    expect(await declineMails(booking)).toEqual([])
    expect(await rowOf(booking)).toMatchObject({ status: 'withdrawn', tells_at: null, decline_words: null })
    expect(await refundedCents(booking.reference)).toBe(PRICE_CENTS)
  })

  it('costs its customer nothing to cancel, since its vendor has called it off', async () => {
    const booking = await approved()
    setClock('2027-03-10T00:00:00.000Z')
    const { bookingId, linkToken } = booking
    const quote = (await findCancelling(deps, linkToken))?.quote
    // By the policy they would lose it all.
    expect(quote?.refundCents).toBe(0)
    await decline(booking, words)
    expect(await cancelBooking(deps, { bookingId, by: { linkToken }, signed: quote?.signed ?? '' })).toEqual({
      ok: true,
      changed: true,
    })
    await minutePasses()
    expect(await seenByCustomer(booking)).toMatchObject({
      stored: { status: 'declined', paymentStatus: 'refunded' },
      cancellation: { by: 'vendor', refundCents: PRICE_CENTS },
    })
    expect(await declineMails(booking)).toHaveLength(1)
    expect(await refundedCents(booking.reference)).toBe(PRICE_CENTS)
  })

  it('can be cancelled by an operator, who ends the decline', async () => {
    const booking = await approved()
    await decline(booking, words)
    const { paymentId } = booking
    await cancelsAsOperator(deps, {
      operator: OPERATOR,
      paymentId,
      side: 'customer',
      reason: 'They fell ill.',
    })
    world.clock.forward(HOUR_MS)
    await minutePasses()
    expect(await declineMails(booking)).toEqual([])
    expect(await rowOf(booking)).toMatchObject({ status: 'withdrawn', tells_at: null })
    expect(await refundsOf(paymentId)).toHaveLength(1)
  })

  it('costs the customer nothing where an operator cancels it for them by the policy', async () => {
    const booking = await approved()
    await decline(booking, words)
    await cancelsAsOperator(deps, {
      operator: OPERATOR,
      paymentId: booking.paymentId,
      side: 'customer',
      reason: 'They fell ill.',
      refund: { cents: 0 },
    })
    await minutePasses()
    expect(await refundedCents(booking.reference)).toBe(PRICE_CENTS)
  })

  it('takes proposals of its customer, which end with it, and none of its vendor', async () => {
    const booking = await approved()
    const { bookingId } = booking
    await decline(booking, words)
    const proposed = { date: '2027-03-20', time: '16:00', quantity: 10 }
    const vendor = asVendor(business.user_id)
    expect(await proposes(deps, booking, vendor, proposed)).toEqual({ ok: false, reason: 'over' })
    expect(await proposes(deps, booking, asCustomer(booking), proposed)).toMatchObject({ ok: true })
    expect(await seenByVendor()).toMatchObject({ change: null })
    expect(await declines(deps, booking, vendor)).toEqual({ ok: false, reason: 'ended' })
    world.clock.forward(GRACE_MS)
    await minutePasses()
    expect(await listChanges(world.db, [bookingId])).toMatchObject([{ state: 'expired' }])
  })

  it('keeps an open proposal for the vendor who undoes the decline', async () => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: '2027-03-20' })
    await decline(booking, words)
    expect(await seenByVendor()).toMatchObject({ change: null })
    await undo(booking)
    expect(await seenByVendor()).toMatchObject({ change: { proposedBy: 'customer' } })
  })

  it('reminds neither side', async () => {
    const waiting = await pending()
    setClock(START, DAY_MS)
    await decline(waiting)
    await processPendingBookings(deps)
    expect(await mailsAbout(`${waiting.bookingId}-reminder`)).toEqual([])
    await undo(waiting)
    await processPendingBookings(deps)
    expect(await mailsAbout(`${waiting.bookingId}-reminder`)).toHaveLength(1)
    const near = await approved()
    setClock(EVENT, -48 * HOUR_MS)
    await decline(near, words)
    await remindOfEvents(deps)
    expect(await mailsAbout(`${near.bookingId}-event`)).toEqual([])
    await undo(near)
    await remindOfEvents(deps)
    expect(await mailsAbout(`${near.bookingId}-event`)).toHaveLength(2)
  })
})

describe('the balance of a booking whose decline isn’t told', () => {
  /** An approved booking whose balance is about to be charged. */
  async function withBalanceDue() {
    const booking = await booksWithDeposit(world)
    const { user_id: userId } = await world.db
      .selectFrom('businesses')
      .select('user_id')
      .where('id', '=', booking.businessId)
      .executeTakeFirstOrThrow()
    const { bookingId } = booking
    await decideBooking(deps, { userId, bookingId, decision: 'approved' })
    movesTo(world, new Date(DUE_AT.getTime() - 7 * DAY_MS))
    await runInstalmentJobs(world)
    movesTo(world, new Date(DUE_AT.getTime() - MINUTE_MS))
    const declines = () =>
      decideBooking(deps, { userId, bookingId, decision: 'declined', reason: DECLINE_REASON })
    return { ...booking, userId, declines }
  }
  const stateOf = async ({ paymentId }: { paymentId: string }) => (await balanceOf(world, paymentId)).state
  const givenBack = async ({ paymentId }: { paymentId: string }) => {
    const { rows } = await sql<{ cents: string }>`select coalesce(sum(a.amount_cents), 0) as cents
      from payment_actions a join payments p on p.id = a.payment_id
      where p.sale_id = ${paymentId} and a.kind = 'refund' and a.state = 'done'`.execute(world.db)
    return Number(rows[0]?.cents)
  }

  it('isn’t charged, and ends when the decline is told', async () => {
    const booking = await withBalanceDue()
    await booking.declines()
    world.clock.forward(2 * MINUTE_MS)
    await runInstalmentJobs(world)
    expect(await stateOf(booking)).toBe('reminded')
    world.clock.forward(GRACE_MS)
    await minutePasses()
    await runInstalmentJobs(world)
    expect(await stateOf(booking)).toBe('ended')
    expect(await givenBack(booking)).toBe(870_000 - BALANCE_CENTS)
  })

  it('isn’t charged in the minute in which the decline is told, whichever job runs first', async () => {
    const booking = await withBalanceDue()
    await booking.declines()
    world.clock.forward(GRACE_MS)
    await runInstalmentJobs(world)
    const balance = await balanceOf(world, booking.paymentId)
    expect(balance.state).toBe('reminded')
    // The run looks for others instead of finding it again.
    expect(balance.try_at?.getTime()).toBeGreaterThan(world.clock.now().getTime())
    await minutePasses()
    expect(await givenBack(booking)).toBe(870_000 - BALANCE_CENTS)
  })

  it('can be charged after the vendor’s undo', async () => {
    const booking = await withBalanceDue()
    await booking.declines()
    world.clock.forward(2 * MINUTE_MS)
    await undoDecline(deps, booking)
    world.clock.forward(GRACE_MS)
    await runInstalmentJobs(world)
    expect(await stateOf(booking)).toBe('paid')
  })

  it('comes back with everything else if its customer pays it meanwhile', async () => {
    const booking = await withBalanceDue()
    await booking.declines()
    const opened = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!opened.ok) throw new Error(JSON.stringify(opened))
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    expect(await stateOf(booking)).toBe('paid')
    world.clock.forward(GRACE_MS)
    await minutePasses()
    expect(await givenBack(booking)).toBe(870_000)
  })

  it('doesn’t end the booking while it is overdue', async () => {
    const booking = await withBalanceDue()
    await world.db
      .updateTable('instalments')
      .set({ state: 'overdue' })
      .where('payment_id', '=', booking.paymentId)
      .where('number', '=', 2)
      .execute()
    await booking.declines()
    await endOverdueBookings(deps)
    expect(await endOverdueBooking(deps, booking.bookingId)).toBe(false)
    expect(await rowOf(booking)).toMatchObject({ status: 'approved' })
    world.clock.forward(GRACE_MS)
    await minutePasses()
    expect(await rowOf(booking)).toMatchObject({ status: 'declined' })
  })
})

/** The statements of the version before, which doesn't know the grace. */
describe('the version before', () => {
  const oldStatus = (status: string, { bookingId }: Booked) =>
    sql`update "bookings" set "status" = ${status}, "decided_at" = ${world.clock.now()} where "id" = ${bookingId}`.execute(
      world.db,
    )

  it.each(['approved', 'declined', 'withdrawn'])(
    'leaves nothing to tell where it says ‘%s’',
    async (status) => {
      const booking = await pending()
      await decline(booking, { code: 'price', reason: 'Too little.' })
      await oldStatus(status, booking)
      expect(await rowOf(booking)).toMatchObject({
        status,
        tells_at: null,
        told_at: null,
        decline_code: null,
        decline_words: null,
      })
      world.clock.forward(HOUR_MS)
      await tellDeclines(deps)
      expect(await declineMails(booking)).toEqual([])
      // It tells at once, so its decline counts as told.
      if (status === 'declined') expect(await undo(booking)).toEqual({ ok: false, reason: 'decline_told' })
    },
  )

  it('takes back a decline that this version has told, with its reason', async () => {
    const booking = await pending()
    await decline(booking, { code: 'price', reason: 'Too little.' })
    world.clock.forward(GRACE_MS)
    await tellDeclines(deps)
    await oldStatus('approved', booking)
    expect(await rowOf(booking)).toMatchObject({ told_at: null, decline_code: null, decline_words: null })
  })
})
