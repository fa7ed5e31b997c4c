import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBookingWorld,
  aConversation,
  anOffer,
  aUser,
  enquiryDepsOf,
  movesEvent,
} from '../../../tests/builders.ts'
import { asCustomer, asVendor, declines, proposes } from '../../../tests/change-stage.ts'
import { aPaidVendor, books } from '../../../tests/payout-stage.ts'
import type { LiveTopic } from '../../adapters/live-updates/port.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { declineQuote, sendQuote } from '../quotes/commands.server.ts'
import { writeReview } from '../reviews/commands.server.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import { listCustomerTasks } from './customer-queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let vendor: Awaited<ReturnType<typeof aPaidVendor>>
let customer: Awaited<ReturnType<typeof aUser>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  vendor = await aPaidVendor(world, { hasDeposit: true })
  customer = await aUser(world.db)
})

const now = () => world.clock.now()
const inMs = (ms: number) => new Date(now().getTime() + ms)
const tasksOf = (userId = customer.id, verifiedEmail: string | null = null) =>
  listCustomerTasks(world.db, { userId, verifiedEmail }, { now: now(), secret: world.deps.secret })
const kindsOf = async (userId?: string) => (await tasksOf(userId)).map(({ kind }) => kind)

/** A booking of the customer's account. */
async function aBooking(daysAhead = 120) {
  const booked = await books(world, vendor.business, { daysAhead })
  await world.db
    .updateTable('sales')
    .set({ customer_user_id: customer.id })
    .where('id', '=', booked.paymentId)
    .execute()
  return { ...booked, linkToken: await bookingLinkToken(world.deps.secret, booked.paymentId) }
}

const setsBalance = (
  paymentId: string,
  columns: Partial<{ state: InstalmentState; due_at: Date; unpaid_since: Date }>,
) =>
  world.db
    .updateTable('instalments')
    .set(columns)
    .where('payment_id', '=', paymentId)
    .where('number', '=', 2)
    .execute()

describe('a change', () => {
  it('waits for the customer’s answer, live, and then for its payment', async () => {
    const booked = await aBooking()
    const told: LiveTopic[] = []
    const stop = world.deps.liveUpdates.subscribe([`desk:${customer.id}`], (topic) => told.push(topic))
    await proposes(world.deps, booked, asVendor(vendor.userId), { quantity: 61 })
    await expect.poll(() => told.length, { timeout: 1_000 }).toBeGreaterThan(0)
    stop()
    expect(await tasksOf()).toMatchObject([
      { kind: 'change', cents: 884_500, to: `/bookings/${booked.linkToken}/change` },
    ])
    expect(await kindsOf(vendor.userId)).toEqual([])
    expect(await kindsOf((await aUser(world.db)).id)).toEqual([])
    await world.db
      .updateTable('changes')
      .set({ state: 'accepted' })
      .where('booking_id', '=', booked.bookingId)
      .execute()
    expect(await kindsOf()).toEqual(['payment'])
    await declines(world.deps, booked, asCustomer(booked))
    expect(await kindsOf()).toEqual([])
  })

  it('isn’t there when the customer proposed it', async () => {
    const booked = await aBooking()
    await proposes(world.deps, booked, asCustomer(booked), { quantity: 61 })
    expect(await kindsOf()).toEqual([])
  })
})

it('finds a guest’s booking by the address that the account has proven, and only then', async () => {
  const booked = await books(world, vendor.business, { daysAhead: 120 })
  const { email } = await world.db
    .selectFrom('bookings')
    .select('email')
    .where('id', '=', booked.bookingId)
    .executeTakeFirstOrThrow()
  await setsBalance(booked.paymentId, { state: 'failed', due_at: now(), unpaid_since: now() })
  expect(await tasksOf(customer.id, null)).toEqual([])
  const ids = (await tasksOf(customer.id, email)).map(({ kind }) => kind)
  expect(ids).toEqual(['balance'])
})

describe('a balance', () => {
  it('waits while the card didn’t pay it', async () => {
    const { paymentId, linkToken } = await aBooking()
    expect(await kindsOf()).toEqual([])
    for (const state of ['failed', 'needs_customer', 'overdue'] as const) {
      await setsBalance(paymentId, { state, due_at: now(), unpaid_since: now() })
      expect(await tasksOf(), state).toMatchObject([
        { kind: 'balance', cents: 696_000, to: `/bookings/${linkToken}/pay` },
      ])
    }
    for (const state of ['charging', 'paid', 'ended'] as const) {
      await setsBalance(paymentId, { state })
      expect(await kindsOf(), state).toEqual([])
    }
  })

  it('waits for another card when the saved one expires before its day', async () => {
    const { paymentId, linkToken } = await aBooking()
    await setsBalance(paymentId, { due_at: new Date('2027-03-15T00:00:00Z') })
    const expires = (year: number, month: number, method: string | null = 'pm_1') =>
      world.db
        .updateTable('saved_cards')
        .set({ expires_year: year, expires_month: month, provider_method: method })
        .where('payment_id', '=', paymentId)
        .execute()
    await expires(2027, 3)
    expect(await kindsOf(), 'it is valid until the end of its month').toEqual([])
    await expires(2027, 2)
    expect(await tasksOf()).toMatchObject([
      { kind: 'card', by: '2027-03-15T00:00:00.000Z', to: `/bookings/${linkToken}/card` },
    ])
    await expires(2027, 2, null)
    expect(await kindsOf(), 'no card is saved').toEqual([])
  })
})

describe('a quote', () => {
  it('waits until it is declined or ends', async () => {
    const enquiries = enquiryDepsOf(world.deps)
    const asked = await aConversation(
      { deps: enquiries, db: world.db },
      { business: vendor.business, customer },
    )
    const sent = await sendQuote(world.deps, {
      userId: vendor.userId,
      conversationId: asked.id,
      version: 1,
      offer: anOffer({
        date: '2027-05-13',
        validTo: inMs(9 * DAY_MS)
          .toISOString()
          .slice(0, 10),
      }),
    })
    if (!sent.ok) throw new Error(JSON.stringify(sent))
    const validUntil = (at: Date) =>
      world.db.updateTable('quotes').set({ valid_until: at }).where('id', '=', sent.quoteId).execute()
    await validUntil(inMs(1))
    expect(await tasksOf()).toMatchObject([{ kind: 'quote', cents: 479_000, to: `/quotes/${sent.quoteId}` }])
    expect(await kindsOf(vendor.userId)).toEqual([])
    await validUntil(now())
    expect(await kindsOf()).toEqual([])
    await validUntil(inMs(DAY_MS))
    await declineQuote(world.deps, { quoteId: sent.quoteId, by: asked.customer })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a review', () => {
  it('waits from the day after the event for thirty days, until it is written', async () => {
    const { bookingId, paymentId } = await aBooking()
    await setsBalance(paymentId, { state: 'paid' })
    // 20 November, 12:00 in Melbourne.
    await movesEvent(world.db, bookingId, '2026-11-20')
    expect(await kindsOf(), 'on its day').toEqual([])
    await movesEvent(world.db, bookingId, '2026-11-19')
    expect(await tasksOf()).toMatchObject([{ kind: 'review', to: `/my-bookings/${bookingId}/review` }])
    await movesEvent(world.db, bookingId, '2026-10-21')
    expect(await kindsOf()).toEqual(['review'])
    await movesEvent(world.db, bookingId, '2026-10-20')
    expect(await kindsOf()).toEqual([])
    await movesEvent(world.db, bookingId, '2026-11-19')
    const written = await writeReview(
      { db: world.db, jobs: world.jobs, now },
      {
        by: { userId: customer.id, verifiedEmail: null, bookingId },
        rating: 5,
        body: 'A lovely evening by the water.',
      },
    )
    expect(written).toMatchObject({ ok: true })
    expect(await kindsOf()).toEqual([])
  })
})
