import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, movesEvent } from '../../../../tests/builders.ts'
import {
  aPaidVendor,
  books,
  OPERATOR,
  paysBalance,
  refundsAgainAsOperator,
  refundsAsOperator,
} from '../../../../tests/payout-stage.ts'
import { newId } from '../../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import { clockText } from '../../desk/messages.ts'
import { listVendorTasks } from '../../desk/queries.server.ts'
import { settleDisputes } from '../../payments/dispute-commands.server.ts'
import { settleRefunds } from '../../payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../../payments/settlement-commands.server.ts'
import { cancelBooking } from '../cancellation/commands.server.ts'
import { findCancelling } from '../cancellation/queries.server.ts'
import { startBookingPayment } from '../checkout/commands.server.ts'
import { decideBooking } from '../decisions/commands.server.ts'
import { findNextEvent } from '../list/calendar-queries.server.ts'
import { findVendorOverview } from '../list/overview-queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import { findVendorInsights } from './queries.server.ts'

// The clock stands at noon on Friday 20 November 2026 in Melbourne.
let world: Awaited<ReturnType<typeof aBookingWorld>>
let hall: Awaited<ReturnType<typeof aBusiness>>
let barn: Awaited<ReturnType<typeof aBusiness>>
let foreign: Awaited<ReturnType<typeof aBusiness>>

let week = 0
async function aBooking(
  businessId: string,
  date: string,
  change: object = { status: 'pending' },
): Promise<string> {
  const payment = await startBookingPayment(world.deps, {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId,
    // Paid for some free day; the test moves it.
    booking: aBookingForm({ date: new Date(Date.UTC(2027, 2, 13 + 7 * week++)).toISOString().slice(0, 10) }),
    customerUserId: null,
  })
  if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
  const { clientSecret } = payment
  await world.payments.confirmCard({
    clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  const settled = await reportPayment(world.deps, { clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
  await movesEvent(world.db, settled.purchaseId, date)
  await world.db.updateTable('bookings').set(change).where('id', '=', settled.purchaseId).execute()
  return settled.purchaseId
}

beforeAll(async () => {
  world = await aBookingWorld()
  const { db } = world
  hall = await aBusiness(db)
  barn = await aBusiness(db, {
    user_id: hall.user_id,
    name: 'The Barn',
    created_at: new Date('2026-11-02T00:00:00Z'),
  })
  foreign = await aBusiness(db)
})
afterAll(() => world.close())

describe('a vendor’s year', () => {
  beforeAll(async () => {
    const approved = (total_price_cents: number, created_at: string) => ({
      status: 'approved',
      total_price_cents,
      created_at: new Date(created_at),
    })
    await aBooking(hall.id, '2026-10-10', approved(500_000, '2026-08-01T00:00:00Z'))
    await aBooking(barn.id, '2026-10-31', approved(250_000, '2026-08-31T15:00:00Z'))
    await aBooking(hall.id, '2026-11-19', approved(100_000, '2026-09-01T00:00:00Z'))
    await aBooking(hall.id, '2026-11-20', approved(70_000, '2026-09-01T00:00:00Z'))
    await aBooking(hall.id, '2027-01-02', approved(300_000, '2026-09-01T00:00:00Z'))
    // Nothing of these: too old, not decided, and refunded.
    await aBooking(hall.id, '2025-10-31', approved(900_000, '2025-08-01T00:00:00Z'))
    await aBooking(hall.id, '2027-01-09', { created_at: new Date('2026-11-19T00:00:00Z') })
    await aBooking(hall.id, '2026-10-17', {
      ...approved(900_000, '2026-08-01T00:00:00Z'),
      payment_status: 'refunded',
    })
    await aBooking(foreign.id, '2026-10-17', approved(800_000, '2026-08-01T00:00:00Z'))
    // A cancelled one leaves what the terms let the vendor keep.
    const cancelled = await aBooking(barn.id, '2026-12-05', {
      ...approved(400_000, '2026-09-01T00:00:00Z'),
      status: 'withdrawn',
    })
    await world.db
      .insertInto('cancellations')
      .values({
        ...{ id: newId(), booking_id: cancelled, cancelled_by: 'customer', share_basis_points: 5_000 },
        ...{ refund_cents: 200_000, kept_cents: 200_000, uncollected_cents: 0, shown_at: null, reason: null },
        created_at: new Date('2026-11-01T00:00:00Z'),
      })
      .execute()
    const { payment_row_id } = await world.db
      .selectFrom('bookings')
      .select('payment_row_id')
      .where('id', '=', cancelled)
      .executeTakeFirstOrThrow()
    await world.db
      .insertInto('payment_actions')
      .values({
        ...{ id: newId(), payment_id: payment_row_id, line: 1, kind: 'refund', reason: 'withdrawn' },
        ...{ amount_cents: 200_000, due_at: world.clock.now() },
      })
      .execute()
    await world.db
      .insertInto('business_views')
      .values([
        { business_id: hall.id, day: '2026-08-05', views: 300 },
        { business_id: barn.id, day: '2026-08-31', views: 200 },
        { business_id: hall.id, day: '2026-11-20', views: 40 },
        { business_id: foreign.id, day: '2026-08-05', views: 9_000 },
      ])
      .execute()
  })

  it('counts revenue in the month of the event, apart from what is ahead, and nobody else’s', async () => {
    const { months, revenue, today } = await findVendorInsights(world.db, hall.user_id, world.clock.now())
    expect(today).toBe('2026-11-20')
    expect(months.map(({ month }) => month)).toEqual([
      ...['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'],
      ...['2026-08', '2026-09', '2026-10', '2026-11', '2026-12', '2027-01', '2027-02'],
    ])
    const moneyOf = (asked: string) => {
      const found = months.find(({ month }) => month === asked)
      return [found?.earnedCents, found?.aheadCents]
    }
    expect(moneyOf('2026-10')).toEqual([750_000, 0])
    expect(moneyOf('2026-11')).toEqual([100_000, 70_000])
    expect(moneyOf('2026-12')).toEqual([0, 200_000])
    expect(moneyOf('2027-01')).toEqual([0, 300_000])
    expect(revenue.bars).toHaveLength(months.length)
    expect(revenue.axis.at(-1)?.value).toBe(800_000)
  })

  it('sets bookings against the views of the month in which they were made, by the vendor’s clock', async () => {
    const { months } = await findVendorInsights(world.db, hall.user_id, world.clock.now())
    const countsOf = (asked: string) => {
      const found = months.find(({ month }) => month === asked)
      return [found?.views, found?.bookings]
    }
    // 1 am on 1 September in Melbourne is still August in UTC.
    expect(countsOf('2026-08')).toEqual([500, 2])
    expect(countsOf('2026-09')).toEqual([0, 5])
    expect(countsOf('2026-11')).toEqual([40, 1])
  })

  it('shows no figures and no strips to a vendor without listings', async () => {
    const found = await findVendorInsights(world.db, 'nobody', world.clock.now())
    expect(found.occupancy).toEqual([])
    expect(found.months.every((month) => month.earnedCents + month.aheadCents + month.views === 0)).toBe(true)
  })
})

describe('the next weeks', () => {
  it('have a row for each listing, with the use of each day from this Monday on', async () => {
    const pendingId = await aBooking(barn.id, '2026-11-28')
    const { db } = world
    await db
      .deleteFrom('slots')
      .where('business_id', '=', barn.id)
      .where('booking_id', 'is distinct from', pendingId)
      .execute()
    // The event runs past midnight, and belongs to its first day.
    const party = '[2026-11-28T05:00:00Z,2026-11-28T20:00:00Z)'
    await db
      .updateTable('slots')
      .set({ during: party, event: party })
      .where('booking_id', '=', pendingId)
      .execute()
    // The block touches two days.
    const away = '[2026-12-04T05:00:00Z,2026-12-04T20:00:00Z)'
    await db
      .insertInto('slots')
      .values({
        ...{ id: newId(), business_id: barn.id, kind: 'block', during: away, event: away, note: 'Away' },
        ...{ time_zone: 'Australia/Melbourne', is_exclusive: false, expires_at: null },
        ...{ payment_id: null, booking_id: null, created_at: world.clock.now() },
      })
      .execute()
    const { occupancy } = await findVendorInsights(world.db, hall.user_id, world.clock.now())
    expect(occupancy.map(({ businessId }) => businessId).sort()).toEqual([hall.id, barn.id].sort())
    const weeks = occupancy.find(({ businessId }) => businessId === barn.id)
    expect(weeks).toMatchObject({ name: 'The Barn', from: '2026-11-16' })
    expect(weeks?.days).toHaveLength(84)
    expect(weeks?.days.slice(10, 21)).toEqual([
      ...['free', 'free', 'waiting', 'free', 'free', 'free', 'free', 'free', 'blocked', 'blocked', 'free'],
    ])
  })
})

describe('a booking to decide', () => {
  it('shows its time left, the most urgent first', async () => {
    const soon = await aBooking(hall.id, '2027-03-06', {
      decide_by: new Date(world.clock.now().getTime() + 3 * HOUR_MS),
    })
    const now = world.clock.now()
    const tasks = await listVendorTasks(world.db, { userId: hall.user_id, provider: null, now })
    expect(tasks[0]).toMatchObject({ kind: 'request', id: soon })
    const clocks = tasks.map((task) => clockText(task, now))
    expect(clocks[0]).toEqual({ text: '3 hours left', isSoon: true })
    expect(clocks.length).toBeGreaterThan(1)
    expect(clocks.slice(1).every(({ isSoon }) => !isSoon)).toBe(true)
  })
})

describe('the next event', () => {
  it('comes from any listing of the vendor, never from another vendor’s', async () => {
    const find = (userId: string) => findNextEvent(world.db, { userId, now: world.clock.now() })
    expect(await find(hall.user_id)).toBe('2026-11-20')
    await aBooking(foreign.id, '2026-11-21', { status: 'declined' })
    expect(await find(foreign.user_id)).toBeNull()
    expect(await find('nobody')).toBeNull()
  })
})

describe('the revenue of a booking of $8,700', () => {
  type Vendor = Awaited<ReturnType<typeof aPaidVendor>>
  type Booked = Awaited<ReturnType<typeof books>>

  async function bookedBy(vendor: Vendor, given: Parameters<typeof books>[2] = {}): Promise<Booked> {
    return books(world, vendor.business, { daysAhead: 60, ...given })
  }

  const refunds = ({ paymentId }: Booked, amountCents: number, borneBy: 'vendor' | 'operator' = 'vendor') =>
    refundsAsOperator(world.deps, { operator: OPERATOR, paymentId, amountCents, reason: 'Sorry', borneBy })

  const tellsOf = ({ paymentId, reference }: Booked) => ({ id: paymentId, provider_reference: reference })

  async function losesDispute(booked: Booked): Promise<void> {
    await world.payments.openDispute(booked.reference, 'dispute')
    await settleDisputes(world.deps, world.payments, tellsOf(booked))
    await world.payments.decideDispute(booked.reference, 'lost')
    await settleDisputes(world.deps, world.payments, tellsOf(booked))
  }

  async function cancels({ bookingId, paymentId }: Booked): Promise<void> {
    const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
    const found = await findCancelling(world.deps, linkToken)
    const signed = found?.quote?.signed ?? ''
    expect(await cancelBooking(world.deps, { bookingId, by: { linkToken }, signed })).toMatchObject({
      ok: true,
    })
  }

  async function revenueOf({ userId }: Vendor): Promise<number> {
    const { months } = await findVendorInsights(world.db, userId, world.clock.now())
    return months.reduce((sum, { earnedCents, aheadCents }) => sum + earnedCents + aheadCents, 0)
  }

  it('falls by what an operator takes off the balance before it is paid', async () => {
    const vendor = await aPaidVendor(world, { hasDeposit: true })
    const booked = await bookedBy(vendor)
    expect(await revenueOf(vendor)).toBe(870_000)
    await refunds(booked, 200_000)
    expect(await revenueOf(vendor)).toBe(670_000)
    await paysBalance(world, booked.paymentId)
    expect(await revenueOf(vendor)).toBe(670_000)
  })

  it('falls by a refund, unless an operator bears it', async () => {
    const vendor = await aPaidVendor(world)
    const booked = await bookedBy(vendor)
    await refunds(booked, 100_000, 'operator')
    expect(await revenueOf(vendor)).toBe(870_000)
    await refunds(booked, 200_000)
    expect(await revenueOf(vendor)).toBe(670_000)
  })

  it('stays whole where an operator bears the refund of all of it, and ends with a refund that the vendor bears', async () => {
    const vendor = await aPaidVendor(world)
    await refunds(await bookedBy(vendor), 870_000, 'operator')
    expect(await revenueOf(vendor)).toBe(870_000)
    await refunds(await bookedBy(vendor), 870_000)
    expect(await revenueOf(vendor)).toBe(870_000)
  })

  it('falls once by a refund that came back and was ordered again', async () => {
    const vendor = await aPaidVendor(world)
    const booked = await bookedBy(vendor, { card: '4000000000005126' })
    await refunds(booked, 100_000)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await settleRefunds(world.deps, world.payments, tellsOf(booked))
    expect(await revenueOf(vendor)).toBe(770_000)
    const { id } = await world.db
      .selectFrom('payment_actions')
      .select('id')
      .where('payment_id', '=', booked.paymentId)
      .where('provider_status', '=', 'failed')
      .executeTakeFirstOrThrow()
    expect(await refundsAgainAsOperator(world.deps, { operator: OPERATOR, refundId: id })).toMatchObject({
      ok: true,
    })
    expect(await revenueOf(vendor)).toBe(770_000)
  })

  it('falls by a refund that was made at the provider by hand', async () => {
    const vendor = await aPaidVendor(world)
    const booked = await bookedBy(vendor)
    await world.payments.refund({
      reference: booked.reference,
      amountCents: 150_000,
      idempotencyKey: 'by-hand',
    })
    await settleRefunds(world.deps, world.payments, tellsOf(booked))
    expect(await revenueOf(vendor)).toBe(720_000)
  })

  it('ends with a lost dispute', async () => {
    const vendor = await aPaidVendor(world)
    await losesDispute(await bookedBy(vendor))
    expect(await revenueOf(vendor)).toBe(0)
  })

  it('equals what a cancellation leaves the vendor, and falls with what goes back after it', async () => {
    const vendor = await aPaidVendor(world)
    const booked = await bookedBy(vendor, { daysAhead: 10 })
    await refunds(booked, 100_000, 'operator')
    await cancels(booked)
    await performDueRefunds(world.deps)
    const { refund_cents } = await world.db
      .selectFrom('cancellations')
      .select('refund_cents')
      .where('booking_id', '=', booked.bookingId)
      .executeTakeFirstOrThrow()
    // A refund that an operator bore isn't the vendor's to keep once the event is cancelled.
    const keptCents = 770_000 - Number(refund_cents)
    expect(keptCents).toBeGreaterThan(50_000)
    expect(Number(refund_cents)).toBeGreaterThan(0)
    expect(await revenueOf(vendor)).toBe(keptCents)
    await refunds(booked, 50_000)
    expect(await revenueOf(vendor)).toBe(keptCents - 50_000)
    await losesDispute(booked)
    expect(await revenueOf(vendor)).toBe(0)
  })

  it('counts what is paid of it in the month’s payments, less what comes off at the vendor’s cost', async () => {
    const vendor = await aPaidVendor(world, { hasDeposit: true })
    const paid = async () =>
      (await findVendorOverview(world.db, vendor.userId, world.clock.now())).paidThisMonthCents
    const booked = await bookedBy(vendor)
    await refunds(booked, 100_000)
    expect(await paid(), 'the balance is reduced, and isn’t paid').toBe(174_000)
    await paysBalance(world, booked.paymentId)
    expect(await paid()).toBe(770_000)
    await refunds(booked, 200_000)
    expect(await paid()).toBe(570_000)
    await refunds(booked, 150_000, 'operator')
    expect(await paid(), 'the vendor still gets it').toBe(570_000)
    await losesDispute(booked)
    expect(await paid()).toBe(396_000)
  })

  it('counts in the month’s payments as what a cancellation leaves the vendor, and not once it is declined', async () => {
    const vendor = await aPaidVendor(world)
    const paid = async () =>
      (await findVendorOverview(world.db, vendor.userId, world.clock.now())).paidThisMonthCents
    const cancelled = await bookedBy(vendor, { daysAhead: 10 })
    await refunds(cancelled, 100_000, 'operator')
    expect(await paid()).toBe(870_000)
    await cancels(cancelled)
    const { kept_cents } = await world.db
      .selectFrom('cancellations')
      .select('kept_cents')
      .where('booking_id', '=', cancelled.bookingId)
      .executeTakeFirstOrThrow()
    expect(Number(kept_cents)).toBeGreaterThan(0)
    expect(await paid()).toBe(Number(kept_cents))
    const declined = await bookedBy(vendor, { isApproved: false })
    await refunds(declined, 100_000, 'operator')
    expect(await paid()).toBe(Number(kept_cents) + 870_000)
    const { bookingId } = declined
    await decideBooking(world.deps, {
      userId: vendor.userId,
      bookingId,
      decision: 'declined',
      reason: 'Flood',
      isAtOnce: true,
    })
    expect(await paid()).toBe(Number(kept_cents))
  })

  it('falls to the deposit that a cancelled booking keeps', async () => {
    const vendor = await aPaidVendor(world, { hasDeposit: true })
    const booked = await bookedBy(vendor)
    world.clock.forward(40 * DAY_MS)
    await cancels(booked)
    const { kept_cents } = await world.db
      .selectFrom('cancellations')
      .select('kept_cents')
      .where('booking_id', '=', booked.bookingId)
      .executeTakeFirstOrThrow()
    expect(Number(kept_cents)).toBe(174_000)
    expect(await revenueOf(vendor)).toBe(174_000)
  })
})
