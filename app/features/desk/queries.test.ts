import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBookingWorld,
  aConversation,
  aMessage,
  anOffer,
  aUser,
  enquiryDepsOf,
  movesEvent,
} from '../../../tests/builders.ts'
import { asCustomer, asVendor, declines, proposes } from '../../../tests/change-stage.ts'
import { instalmentDeps, movesTo } from '../../../tests/instalment-stage.ts'
import {
  aPaidVendor,
  books,
  finishesAccount,
  passesEvent,
  payoutDepsOf,
} from '../../../tests/payout-stage.ts'
import type { LiveTopic } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { DOCUMENTS } from '../agreements/rules.ts'
import { removeOutsideCalendar } from '../availability/outside-calendar-commands.server.ts'
import { decideBooking, undoDecline } from '../bookings/decisions/commands.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { answerPrefilled } from '../businesses/prefilled-commands.server.ts'
import { sendMessage, verifyConversation } from '../enquiries/commands.server.ts'
import { closeConversation } from '../enquiries/status-commands.server.ts'
import { extendInstalment } from '../instalments/commands.server.ts'
import { refreshPayoutAccount } from '../payouts/account-commands.server.ts'
import type { PayoutAccountState, StoredRequirement } from '../payouts/rules.ts'
import { sweepPayouts } from '../payouts/settlement-commands.server.ts'
import { sendQuote } from '../quotes/commands.server.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import { countVendorTasks, listVendorTasks } from './queries.server.ts'
import { DESK_ROWS } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let vendor: Awaited<ReturnType<typeof aPaidVendor>>
let strangerId: string

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  vendor = await aPaidVendor(world, { hasDeposit: true })
  strangerId = (await aPaidVendor(world)).userId
})

const now = () => world.clock.now()
const inMs = (ms: number) => new Date(now().getTime() + ms)
const tasksOf = (userId = vendor.userId, provider: string | null = 'sandbox') =>
  listVendorTasks(world.db, { userId, provider, now: now() })
const kindsOf = async (userId?: string) => (await tasksOf(userId)).map(({ kind }) => kind)

/** Sets columns of a row, as jobs and providers do in time. */
const sets = (table: 'bookings' | 'changes' | 'conversations' | 'quotes', id: string, columns: object) =>
  world.db.updateTable(table).set(columns).where('id', '=', id).execute()

/** Another event of the vendor, approved or not, with its customer's link. */
async function aBooking(given: Parameters<typeof books>[2] = {}) {
  const booked = await books(world, vendor.business, { daysAhead: 120, ...given })
  return { ...booked, linkToken: await bookingLinkToken(world.deps.secret, booked.paymentId) }
}

/** A confirmed guest's question. */
async function aQuestion(given: { waitingSince?: Date } = {}) {
  const enquiries = enquiryDepsOf(world.deps)
  const guest = { name: 'Kim Lee', email: `${newId(8)}@example.com` }
  const asked = await aConversation({ deps: enquiries, db: world.db }, { business: vendor.business, guest })
  await verifyConversation(enquiries, { by: asked.link })
  if (given.waitingSince) await sets('conversations', asked.id, { waiting_since: given.waitingSince })
  return asked.id
}

const writes = (conversationId: string) =>
  sendMessage(enquiryDepsOf(world.deps), {
    id: conversationId,
    by: { userId: vendor.userId, verifiedEmail: null },
    message: aMessage(),
  })

/** A sent quote whose validity ends then. */
async function aQuote(validUntil: Date) {
  const conversationId = await aQuestion()
  const sent = await sendQuote(world.deps, {
    userId: vendor.userId,
    conversationId,
    version: 1,
    offer: anOffer({
      date: '2027-05-13',
      validTo: inMs(9 * DAY_MS)
        .toISOString()
        .slice(0, 10),
    }),
  })
  if (!sent.ok) throw new Error(JSON.stringify(sent))
  await sets('quotes', sent.quoteId, { valid_until: validUntil })
  return { conversationId, quoteId: sent.quoteId }
}

/** A booking whose balance is unpaid since then. */
async function anUnpaidBalance(unpaidSince: Date) {
  const booked = await aBooking()
  await setsBalance(booked.paymentId, {
    state: 'needs_customer',
    due_at: unpaidSince,
    unpaid_since: unpaidSince,
  })
  return booked
}

const setsBalance = (
  paymentId: string,
  columns: Partial<{ state: InstalmentState; due_at: Date; unpaid_since: Date; extended_at: Date }>,
) =>
  world.db
    .updateTable('instalments')
    .set(columns)
    .where('payment_id', '=', paymentId)
    .where('number', '=', 2)
    .execute()

/** A calendar of another service that was read last then. */
async function aSilentCalendar(lastRead: Date, lastError: string | null = 'unreachable') {
  const id = newId()
  await world.db
    .insertInto('outside_calendars')
    .values({
      id,
      business_id: vendor.business.id,
      name: 'Google',
      url: `https://calendar.example/${id}.ics`,
      added_at: new Date('2026-11-01T00:00:00Z'),
      next_sync_at: inMs(DAY_MS),
      last_synced_at: lastRead,
      last_error: lastError,
      etag: null,
    })
    .execute()
  return id
}

const setsAccount = (columns: { state?: PayoutAccountState; requirements?: StoredRequirement[] }) =>
  world.db
    .updateTable('payout_accounts')
    .set({
      ...(columns.state ? { state: columns.state } : {}),
      ...(columns.requirements ? { requirements: JSON.stringify(columns.requirements) } : {}),
    })
    .where('vendor_user_id', '=', vendor.userId)
    .execute()

const wants = (dueAt: string | null): StoredRequirement[] => [
  { code: 'individual.verification.document', awaiting: 'vendor', dueAt },
]

describe('a vendor’s desk at 9 am on 27 November 2026', () => {
  it('lists seven things in the order in which they are due, and each is gone after its action', async () => {
    // Documents and replies to reviews don't exist yet: a provider's document and an unpaid balance are in their places.
    movesTo(world, new Date('2026-11-26T22:00:00Z'))
    const request = await aBooking({ isApproved: false })
    await sets('bookings', request.bookingId, { decide_by: new Date('2026-11-27T00:00:00Z') })
    const question = await aQuestion({ waitingSince: new Date('2026-11-26T05:00:00Z') })
    const calendar = await aSilentCalendar(new Date('2026-11-26T15:00:00Z'))
    await setsAccount({ requirements: wants('2026-11-28T12:59:00.000Z') })
    const quote = await aQuote(new Date('2026-11-29T13:00:00Z'))
    const moved = await aBooking()
    await proposes(world.deps, moved, asCustomer(moved), { quantity: 61 })
    const { id: changeId } = await world.db
      .selectFrom('changes')
      .select('id')
      .where('booking_id', '=', moved.bookingId)
      .executeTakeFirstOrThrow()
    await sets('changes', changeId, { expires_at: new Date('2026-12-01T02:00:00Z') })
    const unpaid = await anUnpaidBalance(new Date('2026-11-26T22:00:00Z'))

    const tasks = await tasksOf()
    expect(tasks.map(({ kind, id, by, cents }) => [kind, id, by, cents])).toEqual([
      ['request', request.bookingId, '2026-11-27T00:00:00.000Z', 870_000],
      ['question', question, '2026-11-27T05:00:00.000Z', 500_000],
      ['calendar', calendar, '2026-11-27T15:00:00.000Z', null],
      ['payouts', vendor.userId, '2026-11-28T12:59:00.000Z', null],
      ['quote', quote.quoteId, '2026-11-29T13:00:00.000Z', 479_000],
      ['change', changeId, '2026-12-01T02:00:00.000Z', 884_500],
      // Seven days after it became unpaid, at nine.
      ['balance', expect.any(String), '2026-12-03T22:00:00.000Z', 696_000],
    ])
    const about = { userId: vendor.userId, provider: 'sandbox', now: now() }
    expect(await countVendorTasks(world.db, about)).toBe(7)
    expect(await kindsOf(strangerId)).toEqual([])

    world.clock.forward(1_000)
    const told: LiveTopic[] = []
    const topics: LiveTopic[] = [`desk:${vendor.userId}`, `payouts:${vendor.userId}`]
    const stop = world.deps.liveUpdates.subscribe(topics, (topic) => told.push(topic))
    const actions: [string, () => Promise<unknown>][] = [
      [
        'request',
        () => decideBooking(world.deps, { userId: vendor.userId, ...request, decision: 'approved' }),
      ],
      ['question', () => writes(question)],
      [
        'calendar',
        () =>
          removeOutsideCalendar(world.deps, {
            userId: vendor.userId,
            businessId: vendor.business.id,
            calendarId: calendar,
          }),
      ],
      ['payouts', () => refreshPayoutAccount(payoutDepsOf(world), { userId: vendor.userId })],
      ['quote', () => writes(quote.conversationId)],
      ['change', () => declines(world.deps, moved, asVendor(vendor.userId))],
      ['balance', () => extendInstalment(instalmentDeps(world), { firstPaymentId: unpaid.paymentId })],
    ]
    const left = tasks.map(({ kind }) => kind as string)
    for (const [kind, act] of actions) {
      told.length = 0
      await act()
      left.splice(left.indexOf(kind), 1)
      expect(await kindsOf(), `after the action of the ${kind}`).toEqual(left)
      await expect.poll(() => told.length, { timeout: 1_000, message: kind }).toBeGreaterThan(0)
    }
    stop()
  })
})

describe('the order', () => {
  it('sorts equal deadlines by money, and ends at fifty rows', async () => {
    const same = inMs(5 * HOUR_MS)
    const small = await aBooking({ isApproved: false, quantity: 10 })
    const large = await aBooking({ isApproved: false, quantity: 20 })
    for (const { bookingId } of [small, large]) await sets('bookings', bookingId, { decide_by: same })
    expect((await tasksOf()).map(({ id }) => id)).toEqual([large.bookingId, small.bookingId])
    await sql`
      insert into conversations (id, business_id, business_name, owner_user_id, customer_name, customer_email, link_hash,
        submit_key, wish, status, verified_at, waiting_since, last_message_at, created_at)
      select 'many' || n || ${vendor.userId}, ${vendor.business.id}, 'Hall', ${vendor.userId}, 'Kim', 'kim@example.com',
        'many' || n || ${vendor.userId}, 'many' || n || ${vendor.userId}, 'question', 'open', now(), ${now()}, ${now()}, now()
      from generate_series(1, ${DESK_ROWS + 5}) n`.execute(world.db)
    const tasks = await tasksOf()
    expect(tasks).toHaveLength(DESK_ROWS)
    expect(tasks.slice(0, 2).map(({ kind }) => kind)).toEqual(['request', 'request'])
  })
})

describe('a request', () => {
  it.each([
    ['refunded by an operator', { payment_status: 'refunded' }],
    ['declined', { status: 'declined', payment_status: 'refund due' }],
    ['withdrawn', { status: 'withdrawn', payment_status: 'refunded' }],
    ['declined, which its customer isn’t told yet', { tells_at: new Date('2099-01-01') }],
  ])('isn’t there once it is %s', async (_, columns) => {
    const { bookingId } = await aBooking({ isApproved: false })
    expect(await kindsOf()).toEqual(['request'])
    await sets('bookings', bookingId, columns)
    expect(await kindsOf()).toEqual([])
  })

  it('isn’t there once its event is over, as it can’t be answered any more', async () => {
    const { bookingId } = await aBooking({ isApproved: false })
    const yesterday = new Date(now().getTime() - DAY_MS).toISOString().slice(0, 10)
    await movesEvent(world.db, bookingId, yesterday)
    expect(await kindsOf()).toEqual([])
  })
})

it('a decline in its grace is announced to its vendor alone', async () => {
  const { bookingId, paymentId } = await aBooking({ isApproved: false })
  await world.db
    .updateTable('sales')
    .set({ customer_user_id: strangerId })
    .where('id', '=', paymentId)
    .execute()
  const told: LiveTopic[] = []
  const topics: LiveTopic[] = [`desk:${vendor.userId}`, `desk:${strangerId}`]
  const last: LiveTopic = `desk:${newId()}`
  const stop = world.deps.liveUpdates.subscribe([...topics, last], (topic) => told.push(topic))
  // News arrives in the order of the commits, so that of the booking has arrived before this.
  await world.db.transaction().execute((tx) => world.deps.liveUpdates.publish(tx, last))
  await expect.poll(() => told).toContain(last)
  told.length = 0
  await decideBooking(world.deps, { userId: vendor.userId, bookingId, decision: 'declined' })
  await expect.poll(() => told).toEqual([topics[0]])
  await undoDecline(world.deps, { userId: vendor.userId, bookingId })
  await expect.poll(() => told).toEqual([topics[0], topics[0]])
  stop()
})

describe('a question', () => {
  it('isn’t there while the guest hasn’t confirmed it, and when it is closed', async () => {
    const enquiries = enquiryDepsOf(world.deps)
    const guest = { name: 'Kim Lee', email: 'kim@example.com' }
    const { id, link } = await aConversation(
      { deps: enquiries, db: world.db },
      { business: vendor.business, guest },
    )
    expect(await kindsOf()).toEqual([])
    await verifyConversation(enquiries, { by: link })
    expect(await kindsOf()).toEqual(['question'])
    await closeConversation(enquiries, { id, by: { userId: vendor.userId, verifiedEmail: null } })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a change', () => {
  it('isn’t there when the vendor proposed it, and once it is agreed', async () => {
    const booked = await aBooking()
    await proposes(world.deps, booked, asVendor(vendor.userId), { quantity: 61 })
    expect(await kindsOf()).toEqual([])
    const change = await world.db
      .selectFrom('changes')
      .select('id')
      .where('booking_id', '=', booked.bookingId)
      .executeTakeFirstOrThrow()
    await sets('changes', change.id, { proposed_by: 'customer' })
    expect(await kindsOf()).toEqual(['change'])
    await sets('bookings', booked.bookingId, { tells_at: inMs(HOUR_MS) })
    expect(await kindsOf()).toEqual([])
    await sets('bookings', booked.bookingId, { tells_at: null })
    await sets('changes', change.id, { state: 'accepted' })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a quote', () => {
  it('appears three days before it ends, and goes when it has', async () => {
    const { quoteId } = await aQuote(inMs(3 * DAY_MS + 1))
    expect(await kindsOf()).toEqual([])
    await sets('quotes', quoteId, { valid_until: inMs(3 * DAY_MS) })
    expect(await kindsOf()).toEqual(['quote'])
    await sets('quotes', quoteId, { valid_until: inMs(1) })
    expect(await kindsOf()).toEqual(['quote'])
    await sets('quotes', quoteId, { valid_until: now() })
    expect(await kindsOf()).toEqual([])
  })

  it('stays when the vendor wrote before these three days, and goes when its customer accepts', async () => {
    const { conversationId, quoteId } = await aQuote(inMs(2 * DAY_MS))
    await writes(conversationId)
    await world.db
      .updateTable('messages')
      .set({ created_at: inMs(-DAY_MS - 1) })
      .where('conversation_id', '=', conversationId)
      .where('sender', '=', 'vendor')
      .execute()
    expect(await kindsOf()).toEqual(['quote'])
    await sets('quotes', quoteId, { state: 'viewed' })
    expect(await kindsOf()).toEqual(['quote'])
    await sets('quotes', quoteId, { state: 'accepted' })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a balance', () => {
  it('stays while the vendor can give more time for it', async () => {
    const { paymentId } = await anUnpaidBalance(now())
    expect(await kindsOf()).toEqual(['balance'])
    for (const state of ['scheduled', 'reminded', 'charging', 'paid', 'overdue', 'ended'] as const) {
      await setsBalance(paymentId, { state })
      expect(await kindsOf(), state).toEqual([])
    }
    await setsBalance(paymentId, { state: 'failed' })
    expect(await kindsOf()).toEqual(['balance'])
    // Its deadline is the ninth hour of the seventh day.
    await setsBalance(paymentId, { due_at: inMs(-8 * DAY_MS), unpaid_since: inMs(-8 * DAY_MS) })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a dispute', () => {
  it('stays until the bank has our answer, and is due two days before', async () => {
    const { paymentId } = await aBooking()
    await world.db
      .insertInto('disputes')
      .values({
        id: newId(),
        payment_id: paymentId,
        provider: 'sandbox',
        provider_dispute: newId(),
        amount_cents: 174_000,
        reason: 'product_not_received',
        status: 'needs_response',
        funds: 'withdrawn',
        is_charge_refundable: false,
        evidence_due_at: inMs(9 * DAY_MS),
        opened_at: now(),
        checked_at: now(),
        closed_at: null,
      })
      .execute()
    expect(await tasksOf()).toMatchObject([
      { kind: 'dispute', by: inMs(7 * DAY_MS).toISOString(), cents: 174_000, to: null },
    ])
    const becomes = (columns: object) =>
      world.db.updateTable('disputes').set(columns).where('payment_id', '=', paymentId).execute()
    // Inquiries take no money, and vendors aren't told of them.
    for (const status of ['warning_needs_response', 'under_review', 'won', 'lost'] as const) {
      await becomes({ status })
      expect(await kindsOf(), status).toEqual([])
    }
    await becomes({ status: 'needs_response', evidence_due_at: null })
    expect(await kindsOf()).toEqual([])
    await becomes({ evidence_due_at: inMs(DAY_MS), closed_at: now() })
    expect(await kindsOf()).toEqual([])
  })
})

describe('a calendar', () => {
  it('appears once nothing was read from it for six hours', async () => {
    await aSilentCalendar(inMs(-6 * HOUR_MS + 1))
    expect(await kindsOf()).toEqual([])
    const id = await aSilentCalendar(inMs(-6 * HOUR_MS))
    await aSilentCalendar(inMs(-10 * HOUR_MS), null)
    expect(await tasksOf()).toMatchObject([{ kind: 'calendar', id, by: inMs(18 * HOUR_MS).toISOString() }])
    expect(await kindsOf(strangerId)).toEqual([])
    await world.db
      .updateTable('businesses')
      .set({ deleted_at: now() })
      .where('id', '=', vendor.business.id)
      .execute()
    expect(await kindsOf()).toEqual([])
  })
})

describe('payouts', () => {
  it('wait by the day of the provider’s requirement, and at once where they are paused', async () => {
    const due = inMs(DAY_MS).toISOString()
    await setsAccount({ requirements: wants(null) })
    expect(await kindsOf()).toEqual([])
    await setsAccount({ requirements: [{ code: 'x', awaiting: 'provider', dueAt: due }] })
    expect(await kindsOf()).toEqual([])
    await setsAccount({ requirements: wants(due) })
    expect(await tasksOf()).toMatchObject([{ kind: 'payouts', wait: 'needs_more', by: due }])
    await setsAccount({ state: 'restricted', requirements: [] })
    expect(await tasksOf()).toMatchObject([{ kind: 'payouts', wait: 'paused', by: null }])
    expect(await tasksOf(vendor.userId, null), 'with PAYOUTS=off').toEqual([])
    expect(await kindsOf(strangerId)).toEqual([])
    await setsAccount({ state: 'rejected' })
    expect(await kindsOf()).toEqual([])
  })

  it('wait for the agreement in force from the day on which its vendor was told of it', async () => {
    const { version } = DOCUMENTS.vendor_agreement
    await world.db
      .updateTable('acceptances')
      .set({ version: '2026-11-22' })
      .where('user_id', '=', vendor.userId)
      .execute()
    expect(await kindsOf()).toEqual([])
    await world.db
      .insertInto('agreement_notices')
      .values({ user_id: vendor.userId, version, told_at: now() })
      .execute()
    expect(await tasksOf()).toMatchObject([
      { kind: 'payouts', wait: 'agreement', by: inMs(14 * DAY_MS).toISOString() },
    ])
    await world.db
      .insertInto('acceptances')
      .values({
        ...{ id: newId(), user_id: vendor.userId, document: 'vendor_agreement', version },
        ...{ sha256: '', payment_id: null, accepted_at: now() },
      })
      .execute()
    expect(await kindsOf()).toEqual([])
  })
})

describe('a payout that the bank returned', () => {
  it('stays until the next payout', async () => {
    const { id: accountId } = await world.db
      .selectFrom('payout_accounts')
      .select('id')
      .where('vendor_user_id', '=', vendor.userId)
      .executeTakeFirstOrThrow()
    const paysOut = async (state: 'failed' | 'in_transit', at: Date) => {
      const id = newId()
      await world.db
        .insertInto('bank_payouts')
        .values({
          ...{ id, payout_account_id: accountId, provider_payout: id, amount_cents: 234_500, state },
          ...{ failure_reason: null, arrives_at: at, checked_at: at, created_at: at },
        })
        .execute()
      return id
    }
    const id = await paysOut('failed', inMs(-DAY_MS))
    expect(await tasksOf()).toMatchObject([
      { kind: 'bank', id, cents: 234_500, by: inMs(-DAY_MS).toISOString() },
    ])
    expect(await kindsOf(strangerId)).toEqual([])
    await paysOut('in_transit', now())
    expect(await kindsOf()).toEqual([])
  })
})

it('a customer without a business has nothing on a vendor’s desk', async () => {
  expect(await kindsOf((await aUser(world.db)).id)).toEqual([])
})

it('payouts wait for an account once we hold money for it, until that is set up', async () => {
  vendor = await aPaidVendor(world, { isReady: false })
  await books(world, vendor.business)
  passesEvent(world, -2 * DAY_MS)
  await sweepPayouts(payoutDepsOf(world))
  expect(await kindsOf(), 'the money isn’t due yet').toEqual([])
  passesEvent(world)
  await sweepPayouts(payoutDepsOf(world))
  expect(await tasksOf()).toMatchObject([{ kind: 'payouts', wait: 'set_up', cents: 783_000 }])
  expect(await kindsOf(strangerId)).toEqual([])
  await finishesAccount(world, vendor.userId)
  await sweepPayouts(payoutDepsOf(world))
  expect(await kindsOf()).toEqual([])
})

describe('a question about prefilled facts', () => {
  const asks = async (facts: object = { minHours: 4, travelKm: 50 }) => {
    await world.db
      .insertInto('prefilled_facts')
      .values({ business_id: vendor.business.id, facts: JSON.stringify(facts) })
      .execute()
  }
  const changes = (columns: object) =>
    world.db.updateTable('businesses').set(columns).where('id', '=', vendor.business.id).execute()
  const answers = (isRight: boolean) =>
    answerPrefilled(world.deps, { userId: vendor.userId, businessId: vendor.business.id, isRight })

  it.each([true, false])(
    'waits below all else until it is answered, and is announced: %s',
    async (isRight) => {
      const told: LiveTopic[] = []
      const stop = world.deps.liveUpdates.subscribe([`desk:${vendor.userId}`], (topic) => told.push(topic))
      await asks()
      await expect.poll(() => told.length).toBeGreaterThan(0)
      await aBooking({ isApproved: false })
      const tasks = await tasksOf()
      expect(tasks.map(({ kind }) => kind)).toEqual(['request', 'prefilled'])
      expect(tasks[1]).toMatchObject({
        id: vendor.business.id,
        business: vendor.business.name,
        by: null,
        to: '/dashboard/list-business',
      })
      expect(await kindsOf(strangerId)).toEqual([])
      told.length = 0
      await answers(isRight)
      await expect.poll(() => told.length).toBeGreaterThan(0)
      expect(await kindsOf()).toEqual(['request'])
      stop()
    },
  )

  it('ends once the listing states them, has none of them in its category, or is deleted', async () => {
    await asks({ travelKm: 50 })
    expect(await kindsOf(), 'no venue travels').toEqual([])
    await changes({ category: 'Catering' })
    expect(await kindsOf()).toEqual(['prefilled'])
    const told: LiveTopic[] = []
    const stop = world.deps.liveUpdates.subscribe([`desk:${vendor.userId}`], (topic) => told.push(topic))
    await changes({ facts: JSON.stringify({ travelKm: 30 }) })
    await expect.poll(() => told.length).toBeGreaterThan(0)
    expect(await kindsOf()).toEqual([])
    await changes({ facts: JSON.stringify({}) })
    expect(await kindsOf()).toEqual(['prefilled'])
    await changes({ deleted_at: now() })
    expect(await kindsOf()).toEqual([])
    stop()
  })
})
