import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createLiveUpdates } from '../app/adapters/live-updates/notify.server.ts'
import { blockTime } from '../app/features/availability/hours-commands.server.ts'
import {
  addOutsideCalendar,
  type OutsideCalendarDeps,
} from '../app/features/availability/outside-calendar-commands.server.ts'
import { UNPAID_HOLDS_OF_ADDRESS } from '../app/features/availability/rules.ts'
import { lockCalendar, takeHold } from '../app/features/availability/slot-commands.server.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { createBookingDeps } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import {
  findCustomerNames,
  listBookingsOf,
  listCalendarEntries,
} from '../app/features/bookings/list/calendar-queries.server.ts'
import { bookingLinkToken } from '../app/features/bookings/rules.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { newId } from '../app/shared/ids.ts'
import { HOUR_MS } from '../app/shared/time-units.ts'
import { leavesExpiredHold } from './booking-stage.ts'
import { aBookingForm, aBookingWorld, aBusiness, setsAvailability } from './builders.ts'
import { asCustomer, proposes } from './change-stage.ts'
import { openEmbeddedDatabase, openTestDatabase } from './database.ts'
import { leavesAsIs } from './leaves-as-is.ts'
import { findPostgres } from './postgres.ts'
import { openRaceTrack, type Racer, race, sameSlot } from './race.ts'
import { untilOneWaits } from './until-one-waits.ts'

/**
 * Many customers want one time at the same moment, on two server processes with PostgreSQL and on one with PGlite. As
 * many as the capacity allows get it. The others are refused with alternative times, and nobody is charged.
 */

const RACERS = 200
const HALF_HOUR_MS = 1_800_000
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the race is skipped.\n')

const kinds = [
  { kind: 'PGlite', available: true },
  { kind: 'PostgreSQL', available: hasPostgres },
] as const

type Finish = {
  racers: Racer[]
  slots: { submit_key: string; from: Date; until: Date }[]
  atProvider: { state: string }[]
  payments: number
  refunds: number
}

describe.each(kinds)('200 at once, on $kind', ({ kind, available }) => {
  const finishes = new Map<string, Finish>()
  const finish = (name: string) => {
    const found = finishes.get(name)
    if (!found) throw new Error(`no race ${name}`)
    return found
  }

  /** Bookings of one to four hours that start at any half hour of a day, so that they overlap in all ways. */
  const staggered = () =>
    sameSlot(RACERS, { bookingType: 'perHour' }).map((booking, index) => {
      const halfHours = (index * 7) % 40
      const time = `${String(halfHours >> 1).padStart(2, '0')}:${halfHours % 2 ? '30' : '00'}`
      return { ...booking, time, quantity: 1 + (index % 4) }
    })
  const races = [
    { name: 'one crew', capacity: 1, bookings: sameSlot(RACERS) },
    { name: 'two crews', capacity: 2, bookings: sameSlot(RACERS) },
    { name: 'staggered, one crew', capacity: 1, bookings: staggered() },
    { name: 'staggered, two crews', capacity: 2, bookings: staggered() },
  ]

  beforeAll(async () => {
    const track = available ? await openRaceTrack(kind) : null
    if (!track) return
    try {
      const businesses = await track.withDatabase(async ({ db }) => {
        const made = races.map(async ({ capacity }) => {
          const business = await aBusiness(db)
          await setsAvailability(db, business.id, { capacity, setupMinutes: 30, cleanupMinutes: 15 })
          return business
        })
        return Promise.all(made)
      })
      const prices = (index: number) => ({
        perPerson: Number(businesses[index]?.price_cents),
        perHour: Number(businesses[index]?.second_price_cents),
      })
      const answers = await track.withServers(async (origins) => {
        const all: Racer[][] = []
        for (const [index, { bookings }] of races.entries()) {
          all.push(await race(origins, businesses[index]?.id ?? '', bookings, prices(index)))
        }
        return all
      })
      await track.withDatabase(async ({ db }) => {
        for (const [index, { name }] of races.entries()) {
          const business = businesses[index]
          const ids = db
            .selectFrom('sales')
            .select('id')
            .where('owner_user_id', '=', business?.user_id ?? '')
          finishes.set(name, {
            racers: answers[index] ?? [],
            slots: await db
              .selectFrom('slots')
              .innerJoin('payments', 'payments.id', 'slots.payment_id')
              .select([
                'payments.submit_key',
                sql<Date>`lower(slots.during)`.as('from'),
                sql<Date>`upper(slots.during)`.as('until'),
              ])
              .where('slots.business_id', '=', business?.id ?? '')
              .execute(),
            atProvider: await db
              .selectFrom('sandbox_payments')
              .select('state')
              .where('payment_id', 'in', ids)
              .execute(),
            payments: (await ids.execute()).length,
            refunds: (
              await db.selectFrom('payment_actions').select('id').where('payment_id', 'in', ids).execute()
            ).length,
          })
        }
      })
    } finally {
      track.close()
    }
  }, 120_000)

  it.skipIf(!available).each([
    ['one crew', 1],
    ['two crews', 2],
  ])('%s: %i get the time, all others are refused with alternatives', (name, capacity) => {
    const { racers, slots } = finish(name)
    expect(racers).toHaveLength(RACERS)
    expect(racers.filter(({ status }) => status === 200)).toHaveLength(capacity)
    const refused = racers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status, code, why }) => `${status} ${code} ${why}`))).toEqual(
      new Set(['409 time_gone taken']),
    )
    for (const { alternatives, booking } of refused) {
      expect(alternatives).toHaveLength(3)
      expect(alternatives).not.toContainEqual({ date: booking.date, time: booking.time })
    }
    expect(slots).toHaveLength(capacity)
  })

  it.skipIf(!available).each([
    ['staggered, one crew', 1],
    ['staggered, two crews', 2],
  ])('%s: never more than %i at once, and no booking refused that would have fitted', (name, capacity) => {
    const { racers, slots } = finish(name)
    const accepted = racers.filter(({ status }) => status === 200)
    expect(slots.map((slot) => slot.submit_key).toSorted()).toEqual(
      accepted.map((racer) => racer.submitKey).toSorted(),
    )
    const atOnce = (spans: { from: Date; until: Date }[]) =>
      Math.max(...spans.map(({ from }) => spans.filter((one) => one.from <= from && from < one.until).length))
    expect(atOnce(slots)).toBe(capacity)
    const [example] = accepted
    const exampleSlot = slots.find((slot) => slot.submit_key === example?.submitKey)
    if (!example || !exampleSlot) throw new Error('nobody won')
    /** The span of a booking, computed from an accepted one on the same day. */
    const spanOf = ({ time, quantity }: Racer['booking']) => {
      const halfHours = (text: string) => Number(text.slice(0, 2)) * 2 + (text.endsWith('30') ? 1 : 0)
      const laterMs = (halfHours(time) - halfHours(example.booking.time)) * HALF_HOUR_MS
      const longerMs = (quantity - example.booking.quantity) * 2 * HALF_HOUR_MS
      return {
        from: new Date(exampleSlot.from.getTime() + laterMs),
        until: new Date(exampleSlot.until.getTime() + laterMs + longerMs),
      }
    }
    for (const { submitKey, booking } of accepted) {
      const slot = slots.find((one) => one.submit_key === submitKey)
      expect(spanOf(booking)).toEqual({ from: slot?.from, until: slot?.until })
    }
    const refused = racers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(RACERS / 2)
    for (const { booking, code, why } of refused) {
      expect([code, why]).toEqual(['time_gone', 'taken'])
      expect(atOnce([...slots, spanOf(booking)])).toBe(capacity + 1)
    }
  })

  it.skipIf(!available).each(races.map(({ name }) => name))(
    '%s: no payment exists for a refused booking',
    (name) => {
      const { racers, atProvider, payments, refunds } = finish(name)
      const accepted = racers.filter(({ status }) => status === 200).length
      expect(payments).toBe(accepted)
      expect(atProvider).toEqual(
        Array.from({ length: accepted }, () => ({ state: 'requires_payment_method' })),
      )
      expect(refunds).toBe(0)
    },
  )
})

describe.each(kinds)('at the same moment, on $kind', ({ kind, available }) => {
  let world: Awaited<ReturnType<typeof aBookingWorld>>
  /** The same product on separate connections, as on a second machine. PGlite has only one. */
  let others: { deps: BookingDeps; close(): Promise<void> }

  beforeAll(async () => {
    if (!available) return
    world = await aBookingWorld(kind === 'PGlite' ? openEmbeddedDatabase : openTestDatabase)
    const { connection, deps } = world
    if (connection.kind === 'pglite') others = { deps, close: async () => {} }
    else {
      // A connection that closes while the server stops is not an error.
      const second = openPostgres(connection.url, () => {})
      const liveUpdates = await createLiveUpdates(second)
      others = {
        deps: createBookingDeps({ ...deps, db: second.db, liveUpdates }),
        async close() {
          await liveUpdates.close()
          await second.close()
        },
      }
    }
  }, 60_000)
  afterAll(async () => {
    if (!available) return
    await others.close()
    await world.close()
  })

  const start = (deps: BookingDeps, businessId: string, fullName: string) =>
    startBookingPayment(deps, {
      amount: 45_500,
      submitKey: crypto.randomUUID(),
      businessId,
      booking: aBookingForm({ fullName }),
      customerUserId: null,
    })
  async function books(businessId: string) {
    const first = await start(world.deps, businessId, 'Kim Lee')
    if (!first.ok || first.alreadyPaid) throw new Error('the first one got nothing')
    const { clientSecret, paymentId } = first
    await world.payments.confirmCard({
      clientSecret,
      cardNumber: '4242424242424242',
      expiry: '12 / 39',
      cvc: '123',
    })
    const settled = await reportPayment(world.deps, { clientSecret })
    return { paymentId, bookingId: settled.ok ? (settled.purchaseId ?? '') : '' }
  }

  const span = { from: new Date('2027-03-13T05:00:00Z'), until: new Date('2027-03-13T12:00:00Z') }
  const time = { event: span, occupied: span, timeZone: 'Australia/Melbourne' }

  it.skipIf(!available).each([
    ['an import', 'outside_events'],
    ['a blocked time', 'slots'],
  ] as const)('no hold slips in after %s, and earlier holds are conflicts', async (what, table) => {
    for (let round = 0; round < 10; round++) {
      const business = await aBusiness(world.db)
      await setsAvailability(world.db, business.id, { capacity: 50 })
      const own = { userId: business.user_id, businessId: business.id }
      const hold = (deps: BookingDeps) =>
        deps.db.transaction().execute((tx) =>
          takeHold(deps, tx, {
            businessId: business.id,
            paymentId: newId(),
            time,
            expiresAt: new Date(deps.now().getTime() + HOUR_MS),
            exceptPayments: [],
          }),
        )
      const calendars: OutsideCalendarDeps['calendars'] = {
        read: async () => ({
          ok: true,
          unchanged: false,
          etag: '',
          events: [{ key: 'one', from: span.from, until: span.until, title: 'Busy' }],
        }),
      }
      const import_ = () =>
        addOutsideCalendar(
          { ...others.deps, calendars, findCustomerNames, listBookingsOf },
          { ...own, name: 'Mine', url: 'https://example.com' },
        )
      const block = () =>
        blockTime(others.deps, {
          ...own,
          block: { from: '2027-03-13', fromTime: null, to: '2027-03-13', toTime: null, note: '' },
        })
      const holds = Array.from({ length: 12 }, (_, index) => hold(index % 2 ? world.deps : others.deps))
      const taking = what === 'an import' ? import_() : block()
      const [taken, ...held] = await Promise.all([taking, ...holds])
      expect(taken).toMatchObject({ ok: true })
      expect(await hold(world.deps)).toEqual({ ok: false, reason: 'taken' })
      // Both write only under the business's lock, so their transaction ids follow the order of the locks.
      const late = await sql<{ id: string }>`
        select h.id from slots h, ${sql.table(table)} b
        where h.business_id = ${business.id} and h.kind = 'hold' and h.xmin::text::bigint > b.xmin::text::bigint
          and ${
            table === 'slots'
              ? sql`b.business_id = h.business_id and b.kind = 'block'`
              : sql`b.calendar_id in (
            select id from outside_calendars where business_id = ${business.id})`
          }
      `.execute(world.db)
      expect(late.rows).toEqual([])
      const entries = await listCalendarEntries(world.db, {
        businessId: business.id,
        range: span,
        now: world.deps.now(),
      })
      const inIt = entries.filter((entry) => entry.kind === 'hold')
      expect(inIt).toHaveLength(held.filter(({ ok }) => ok).length)
      expect(inIt.every((entry) => entry.isConflict)).toBe(true)
    }
  })

  it.skipIf(!available)('one address holds no more than its limit, over all businesses', async () => {
    const businesses = await Promise.all(Array.from({ length: 6 }, () => aBusiness(world.db)))
    const heldFrom = `10.9.${newId(6)}`
    const started = await Promise.all(
      Array.from({ length: 2 * UNPAID_HOLDS_OF_ADDRESS }, (_, index) =>
        startBookingPayment(index % 2 ? world.deps : others.deps, {
          amount: 45_500,
          submitKey: crypto.randomUUID(),
          businessId: businesses[index % businesses.length]?.id ?? '',
          booking: aBookingForm(),
          customerUserId: null,
          heldFrom,
        }),
      ),
    )
    const refusals = started.flatMap((one) => (one.ok ? [] : [one.reason]))
    expect(refusals).toEqual(Array(UNPAID_HOLDS_OF_ADDRESS).fill('too_many_held_by_address'))
  })

  it.skipIf(!available)(
    'either the vendor approves again or another customer books, never both',
    async () => {
      const won = { approved: 0, booked: 0 }
      for (let round = 0; round < 20; round++) {
        const business = await aBusiness(world.db)
        await setsAvailability(world.db, business.id, { capacity: 1 })
        const { bookingId } = await books(business.id)
        const decide = (decision: 'approved' | 'declined') =>
          decideBooking(world.deps, { userId: business.user_id, bookingId, decision, isAtOnce: true })
        await decide('declined')
        const approve = () => decide('approved')
        const book = () => start(others.deps, business.id, 'Ana Reyes')
        const [approved, booked] =
          round % 2
            ? await Promise.all([approve(), book()])
            : await Promise.all([book(), approve()]).then(([one, other]) => [other, one] as const)
        const slots = await world.db
          .selectFrom('slots')
          .select('kind')
          .where('business_id', '=', business.id)
          .execute()
        if (approved.ok) {
          won.approved += 1
          expect(booked).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
          expect(slots).toEqual([{ kind: 'booking' }])
        } else {
          won.booked += 1
          expect(approved).toMatchObject({ reason: 'gone', takenBy: [{ kind: 'hold' }] })
          expect(booked).toMatchObject({ ok: true })
          expect(slots).toEqual([{ kind: 'hold' }])
        }
      }
      expect(won.approved + won.booked).toBe(20)
    },
  )

  it.skipIf(!available || kind === 'PGlite')(
    'a change is refused whose time is blocked after its check, and nothing of it is stored',
    async () => {
      const business = await aBusiness(world.db)
      await setsAvailability(world.db, business.id, { capacity: 1 })
      const { paymentId, bookingId } = await books(business.id)
      const booking = { bookingId, linkToken: await bookingLinkToken(world.deps.secret, paymentId) }
      const refused = await leavesAsIs(world.db, 'proposeChange', async (isBefore) => {
        const answers: ReturnType<typeof proposes>[] = []
        await others.deps.db.transaction().execute(async (tx) => {
          await lockCalendar(tx, business.id)
          answers.push(proposes(world.deps, booking, asCustomer(booking), { date: '2027-03-20' }))
          await untilOneWaits(others.deps.db)
          await sql`
            insert into slots (id, business_id, kind, during, event, time_zone, is_exclusive, created_at)
            values (${newId()}, ${business.id}, 'block', '[2027-03-19,2027-03-22)', '[2027-03-19,2027-03-22)',
              'Australia/Melbourne', false, now())`.execute(tx)
          await leavesExpiredHold(business.id, { db: tx })
          await isBefore(tx)
        })
        const [answer] = await Promise.all(answers)
        if (!answer) throw new Error('Nothing was proposed.')
        return answer
      })
      expect(refused).toMatchObject({ reason: 'time_gone', why: 'taken' })
    },
  )
})
