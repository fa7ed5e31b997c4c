import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type aBookingForm,
  aBookingWorld,
  aBusiness,
  aPaidBooking,
  aPlace,
  aUser,
  movesEvent,
} from '../../../tests/builders.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import { listVendorTasks } from '../desk/queries.server.ts'
import { listOpenBookings } from '../privacy/queries.server.ts'
import { findVendorOverview } from './list/overview-queries.server.ts'
import { countOpenBookings } from './open-queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let business: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  business = await aBusiness(world.db)
})

/** Pays for a booking of the business. @returns its id */
async function aBooking(form: Parameters<typeof aBookingForm>[0] = {}): Promise<string> {
  return (await aPaidBooking(world, { businessId: business.id, form })).bookingId
}

const changes = (id: string, change: object) =>
  world.db.updateTable('bookings').set(change).where('id', '=', id).execute()

describe('an open booking', () => {
  // From 4 pm for seven hours, so it ends at 11 pm local time.
  it.each([
    ['Perth', 'WA', 'Australia/Perth', '2027-03-13T15:00:00Z'],
    ['Sydney', 'NSW', 'Australia/Sydney', '2027-03-13T12:00:00Z'],
  ] as const)('stays open in %s until the minute its event ends', async (name, state, zone, end) => {
    const place = await aPlace(world.db, { id: name.toLowerCase(), name, state, time_zone: zone })
    business = await aBusiness(world.db, { place_id: place.id })
    const id = await aBooking()
    await changes(id, { status: 'approved' })
    const openAt = async (now: Date) => ({
      counted: (await countOpenBookings(world.db, [business.id], now)).get(business.id) ?? 0,
      next: (await findVendorOverview(world.db, business.user_id, now)).nextEvents.length,
      keepsAccount: (await listOpenBookings(world.db, { userId: business.user_id, now })).length,
    })
    const endMs = Date.parse(end)
    const open = { counted: 1, next: 1, keepsAccount: 1 }
    const over = { counted: 0, next: 0, keepsAccount: 0 }
    expect(await openAt(new Date(endMs - MINUTE_MS))).toEqual(open)
    expect(await openAt(new Date(endMs))).toEqual(over)
    expect(await openAt(new Date(endMs + MINUTE_MS))).toEqual(over)
  })

  it('stays open past midnight until its event ends', async () => {
    await aBooking({ time: '22:00' })
    // Midnight in Melbourne is 13:00 UTC, and the event ends five hours later.
    const counted = async (now: string) =>
      (await countOpenBookings(world.db, [business.id], new Date(now))).get(business.id)
    expect(await counted('2027-03-13T17:59:00Z')).toBe(1)
    expect(await counted('2027-03-13T18:00:00Z')).toBeUndefined()
  })

  it('must not be declined, withdrawn or refunded, and counts for its own business', async () => {
    for (const change of [
      { status: 'declined', payment_status: 'refund due' },
      { status: 'withdrawn', payment_status: 'refunded' },
      { status: 'approved', payment_status: 'refunded' },
    ])
      await changes(await aBooking(), change)
    const now = world.clock.now()
    expect(await countOpenBookings(world.db, [business.id], now)).toEqual(new Map())
    const first = business
    await aBooking()
    await aBooking()
    business = await aBusiness(world.db)
    await aBooking()
    expect(await countOpenBookings(world.db, [first.id], now)).toEqual(new Map([[first.id, 2]]))
    expect(await countOpenBookings(world.db, [], now)).toEqual(new Map())
  })
})

describe('findVendorOverview', () => {
  it('returns a vendor’s own undecided bookings, next events and payments of the month', async () => {
    const strangerId = (await aUser(world.db)).id
    const booking = async (date: string, change: object) => {
      const id = await aBooking()
      await movesEvent(world.db, id, date)
      await changes(id, change)
      return id
    }
    const waiting = await booking('2026-12-05', { total_price_cents: 30_000 })
    const later = await booking('2026-12-24', { status: 'approved', total_price_cents: 20_000 })
    const next = await booking('2026-11-20', { status: 'approved', total_price_cents: 10_000 })
    await booking('2026-11-19', { status: 'approved', total_price_cents: 1_000 })
    await booking('2026-12-01', { status: 'declined', payment_status: 'refund due', total_price_cents: 7 })
    // 11:30 pm on 31 October in Melbourne, and 31 minutes later.
    for (const [created_at, total_price_cents] of [
      [new Date('2026-10-31T12:30:00Z'), 5],
      [new Date('2026-10-31T13:01:00Z'), 3],
    ])
      await booking('2026-11-20', { status: 'declined', created_at, total_price_cents })

    const tasksOf = (userId: string) =>
      listVendorTasks(world.db, { userId, provider: null, now: world.clock.now() })
    expect(await tasksOf(business.user_id)).toMatchObject([{ kind: 'request', id: waiting, cents: 30_000 }])
    expect(await tasksOf(strangerId)).toEqual([])
    const overview = await findVendorOverview(world.db, business.user_id, world.clock.now())
    expect(overview.nextEvents.map(({ id }) => id)).toEqual([next, later])
    expect(overview.nextEvents[0]).toMatchObject({ date: '2026-11-20', time: '16:00', totalCents: 10_000 })
    expect(overview.paidThisMonthCents).toBe(61_003)
    expect(overview.month).toBe('November 2026')
    expect(overview.hasEverBeenBooked).toBe(true)
    expect(await findVendorOverview(world.db, strangerId, world.clock.now())).toMatchObject({
      nextEvents: [],
      paidThisMonthCents: 0,
      hasEverBeenBooked: false,
    })
  })
})
