import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aBookingWorld, aUser } from '../../../tests/builders.ts'
import { asVendor, declines, proposes } from '../../../tests/change-stage.ts'
import { aPaidVendor, books, payoutDepsOf, paysBalance } from '../../../tests/payout-stage.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { findEarnings } from '../payouts/earning-queries.server.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import { createBookingDeps } from './checkout/fulfilment-commands.server.ts'
import { decideBooking } from './decisions/commands.server.ts'
import { listCalendarEntries } from './list/calendar-queries.server.ts'
import { findVendorOverview } from './list/overview-queries.server.ts'
import { listBookingsOfBusinesses } from './list/queries.server.ts'
import { listVendorPlaces } from './list/vendor-list-queries.server.ts'
import { bookingLinkToken } from './rules.ts'

/** A price in parts as its vendor sees it: in the bookings, on the overview, in the calendar and in payouts. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
let vendor: Awaited<ReturnType<typeof aPaidVendor>>
let booked: Awaited<ReturnType<typeof books>>

beforeAll(async () => {
  world = await aBookingWorld()
  const payoutTimes = { delayMs: 2 * DAY_MS, holdLimitMs: 85 * DAY_MS }
  world.deps = createBookingDeps({ ...world.deps, payoutTimes })
})
afterAll(() => world.close())
beforeEach(async () => {
  vendor = await aPaidVendor(world, { hasDeposit: true })
  booked = await books(world, vendor.business, { daysAhead: 200 })
})

const bookingsOf = (userId: string) =>
  listBookingsOfBusinesses(world.db, { userId, businessId: 'all', now: world.clock.now() })
const overviewOf = (userId: string) => findVendorOverview(world.db, userId, world.clock.now())
const entriesOf = () => {
  const from = world.clock.now()
  const range = { from, until: new Date(from.getTime() + 300 * DAY_MS) }
  return listCalendarEntries(world.db, { businessId: vendor.business.id, range, now: from })
}
const earningOf = async () => {
  const { payoutDelayMs: delayMs } = payoutDepsOf(world)
  return (await findEarnings(world.db, [booked.bookingId], { now: world.clock.now(), delayMs }))[0]
}
const becomes = (state: InstalmentState) =>
  world.db
    .updateTable('instalments')
    .set({ state })
    .where('payment_id', '=', booked.paymentId)
    .where('number', '=', 2)
    .execute()

it('the record keeps the whole price and ‘paid’, and another field says what is paid and due', async () => {
  const [booking] = await bookingsOf(vendor.userId)
  expect(booking?.stored).toMatchObject({ totalPrice: '8700.00', paymentStatus: 'paid' })
  expect(Object.keys(booking?.listed ?? {}).sort()).toEqual(
    ['businessId', 'createdAt', 'date', 'email', 'message', 'name', 'status', 'time'].sort(),
  )
  expect(booking).toMatchObject({
    leftCents: 174_000,
    due: { paidCents: 174_000, cents: 696_000, standing: 'scheduled' },
  })
  const [entry] = await entriesOf()
  expect(entry?.due).toMatchObject({ label: 'Deposit paid', isLate: false })
  expect(entry?.due?.text).toMatch(/^\$1,740\.00 paid · \$6,960\.00 due on \d+ \w+ \d{4}$/)
  const overview = await overviewOf(vendor.userId)
  expect(overview).toMatchObject({ unpaid: [], paidThisMonthCents: 174_000 })
  expect(overview.nextEvents).toMatchObject([{ totalCents: 870_000, due: { cents: 696_000 } }])
  expect(await earningOf()).toMatchObject({ yoursCents: 156_600, yoursDueCents: 626_400 })
})

it.each([
  ['failed', 'failing', 'Balance unpaid', 'unpaid since'],
  ['needs_customer', 'failing', 'Balance unpaid', 'unpaid since'],
  ['overdue', 'overdue', 'Balance overdue', 'overdue since'],
] as const)(
  'a balance that is %s shows in the bookings, on the overview and in the calendar',
  async (state, standing, label, words) => {
    await becomes(state)
    expect(await bookingsOf(vendor.userId)).toMatchObject([{ due: { standing } }])
    expect((await overviewOf(vendor.userId)).unpaid).toMatchObject([
      { id: booked.bookingId, due: { standing } },
    ])
    const [entry] = await entriesOf()
    expect(entry?.due).toMatchObject({ label, isLate: true, text: expect.stringContaining(words) })
  },
)

it('nothing is due once the balance is paid', async () => {
  await paysBalance(world, booked.paymentId)
  expect(await bookingsOf(vendor.userId)).toMatchObject([{ leftCents: 870_000, due: null }])
  expect(await overviewOf(vendor.userId)).toMatchObject({ unpaid: [], paidThisMonthCents: 870_000 })
  expect(await entriesOf()).toMatchObject([{ due: null }])
  expect(await earningOf()).toMatchObject({ yoursCents: 783_000, yoursDueCents: 0 })
})

it('nothing is due of a declined booking, also if its balance was unpaid', async () => {
  await becomes('failed')
  await decideBooking(world.deps, {
    userId: vendor.userId,
    bookingId: booked.bookingId,
    decision: 'declined',
    reason: 'The roof was torn off in the storm.',
    isAtOnce: true,
  })
  expect(await bookingsOf(vendor.userId)).toMatchObject([{ leftCents: 0, due: null }])
  expect((await overviewOf(vendor.userId)).unpaid).toEqual([])
})

it('a price that was paid at once has nothing due', async () => {
  const near = await books(world, vendor.business, { daysAhead: 30 })
  const booking = (await bookingsOf(vendor.userId)).find(({ id }) => id === near.bookingId)
  expect(booking).toMatchObject({ leftCents: 870_000, due: null })
})

it('another vendor sees nothing of it', async () => {
  const { id } = await aUser(world.db)
  await becomes('overdue')
  expect(await bookingsOf(id)).toEqual([])
  expect(await overviewOf(id)).toMatchObject({ unpaid: [], nextEvents: [], paidThisMonthCents: 0 })
})

it('the list of bookings tells which of them wait: for an answer, for an agreed change or for an unpaid balance', async () => {
  const waits = async () => (await listVendorPlaces(world.db, { ...vendor, businessId: 'all' }))[0]?.waits
  const hasStatus = (status: 'pending' | 'approved') =>
    world.db.updateTable('bookings').set({ status }).where('id', '=', booked.bookingId).execute()
  expect(await waits()).toBe(false)
  await hasStatus('pending')
  expect(await waits()).toBe(true)
  await hasStatus('approved')
  for (const [state, expected] of [
    ['charging', false],
    ['failed', true],
    ['needs_customer', true],
    ['overdue', true],
    ['paid', false],
    ['scheduled', false],
  ] as const) {
    await becomes(state)
    expect([state, await waits()]).toEqual([state, expected])
  }
  const linkToken = await bookingLinkToken(world.deps.secret, booked.paymentId)
  const changeable = { ...booked, linkToken }
  const proposed = await proposes(world.deps, changeable, asVendor(vendor.userId), { time: '17:00' })
  expect(proposed).toMatchObject({ ok: true })
  expect(await waits()).toBe(true)
  await declines(world.deps, changeable, asVendor(vendor.userId))
  expect(await waits()).toBe(false)
})
