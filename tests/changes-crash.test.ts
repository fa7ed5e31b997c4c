import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultPointName } from '../app/adapters/payments/fault-points.ts'
import { expireChanges } from '../app/features/bookings/changes/expiry-commands.server.ts'
import { openChangePayment } from '../app/features/bookings/changes/payment-commands.server.ts'
import { listChanges } from '../app/features/bookings/changes/queries.server.ts'
import { performDueRefunds } from '../app/features/payments/refund-sending-commands.server.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { sweepPayments } from '../app/features/payments/sweep-commands.server.ts'
import { addDays } from '../app/shared/dates.ts'
import { DAY_MS, MINUTE_MS } from '../app/shared/time-units.ts'
import { type aBookingWorld, aUser, setsAvailability } from './builders.ts'
import { agrees, amountsBefore, asCustomer, asVendor, proposes } from './change-stage.ts'
import { pointsOfThisRun } from './crash-points.ts'
import { type CrashStage, openCrashStage } from './crash-stage.ts'
import {
  aDepositBusiness,
  approves,
  BALANCE_CENTS,
  booksWithDeposit,
  chargesOf,
  confirms,
  DEPOSIT_CENTS,
  GOOD_CARD,
} from './instalment-stage.ts'
import { findMoneyDifferences } from './money-proof.ts'
import { findPostgres } from './postgres.ts'

/**
 * Real server processes, killed (kill -9) at each point between a change's charged card and its stored booking, then started
 * again. The booking changes once, its old time is given up only with the new one taken, and the money is right. It runs on
 * PostgreSQL if this machine has one, else on PGlite.
 */

type World = Awaited<ReturnType<typeof aBookingWorld>>

/** In the order in which a payment passes them. */
const points = [
  'card-charged',
  'report-received',
  'provider-asked',
  'payment-locked',
  'payment-moved',
  'change-applied-uncommitted',
  'money-posted',
  'settled-uncommitted',
  'settled',
] as const satisfies readonly FaultPointName[]
/** Points that the sweep passes too, before anything is committed, so that the next process dies there again. */
const repeated: readonly FaultPointName[] = ['payment-locked', 'payment-moved', 'change-applied-uncommitted']
const DAYS_AHEAD = 300
const NEAR_DAYS = 30
const MORE_PEOPLE = 6
const UNIT_CENTS = 14_500
/** Moved within a month, so that the balance is paid with the change. */
const DUE_CENTS = BALANCE_CENTS + MORE_PEOPLE * UNIT_CENTS
const CHANGES = 12
const TIME = '16:00'

const dayAhead = (world: World, days: number) =>
  new Date(world.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)

/** A business that takes one booking at a time, with an approved booking whose deposit is paid. */
async function booked(world: World) {
  const { id: userId } = await aUser(world.db)
  const { id: businessId } = await aDepositBusiness(world, { user_id: userId })
  await setsAvailability(world.db, businessId, { capacity: 1 })
  const date = dayAhead(world, DAYS_AHEAD)
  const booking = await booksWithDeposit(world, { businessId, date })
  await approves(world, booking)
  return {
    ...booking,
    userId,
    date,
    proposed: { date: dayAhead(world, NEAR_DAYS), time: TIME, quantity: 66 },
  }
}

/** An agreed change that waits for its payment. */
async function agreed(world: World) {
  const booking = await booked(world)
  await proposes(world.deps, booking, asCustomer(booking), booking.proposed)
  await agrees(world.deps, booking, asVendor(booking.userId))
  const opened = await openChangePayment(world.deps, booking.linkToken)
  if (!opened.ok) throw new Error(opened.reason)
  expect(opened.amountCents).toBe(DUE_CENTS)
  return { ...booking, clientSecret: opened.clientSecret }
}
type Agreed = Awaited<ReturnType<typeof booked>>

/** Runs the jobs until everything has settled. */
async function settles(world: World): Promise<void> {
  for (let round = 0; round < 3; round++) {
    world.clock.forward(10 * MINUTE_MS)
    await sweepPayments(world.deps)
    await expireChanges(world.deps)
    await performDueRefunds(world.deps)
  }
}

const slotsOf = (world: World, { businessId }: Agreed) =>
  world.db
    .selectFrom('slots')
    .select(['kind', 'booking_id', 'moves_payment_id'])
    .where('business_id', '=', businessId)
    .execute()

/** Books the same day as another customer. @returns whether the time was free */
const isFree = (world: World, { businessId }: Agreed, date: string) =>
  booksWithDeposit(world, { businessId, date }).then(
    () => true,
    () => false,
  )

async function isChanged(world: World, booking: Agreed): Promise<void> {
  const rows = await world.db
    .selectFrom('bookings')
    .selectAll()
    .where('vendor_id', '=', booking.businessId)
    .execute()
  expect(rows).toMatchObject([
    { id: booking.bookingId, status: 'approved', payment_status: 'paid', quantity: 66 },
  ])
  expect(Number(rows[0]?.total_price_cents)).toBe(DEPOSIT_CENTS + DUE_CENTS)
  expect(await listChanges(world.db, [booking.bookingId])).toMatchObject([{ state: 'paid' }])
  expect(await slotsOf(world, booking)).toEqual([
    { kind: 'booking', booking_id: booking.bookingId, moves_payment_id: null },
  ])
  expect(await chargesOf(world, booking.paymentId)).toEqual([DEPOSIT_CENTS, DUE_CENTS])
  const { refunded } = await world.db
    .selectFrom('sandbox_payments')
    .select((eb) => eb.fn.sum('refunded_cents').as('refunded'))
    .where('transfer_group', '=', booking.paymentId)
    .executeTakeFirstOrThrow()
  expect(Number(refunded)).toBe(0)
  const instalments = await world.db
    .selectFrom('instalments')
    .select(['number', 'amount_cents', 'state'])
    .where('payment_id', '=', booking.paymentId)
    .orderBy('number')
    .execute()
  expect(instalments.map((row) => [Number(row.amount_cents), row.state])).toEqual([
    [DEPOSIT_CENTS, 'paid'],
    [DUE_CENTS, 'paid'],
  ])
  expect(await isFree(world, booking, booking.proposed.date), 'the new time is taken').toBe(false)
  expect(await isFree(world, booking, booking.date), 'the old time is free').toBe(true)
}

/** Pays with a card and reports it. The process may die at any time, so any response may be missing. */
async function pays(server: Awaited<ReturnType<CrashStage['start']>>, clientSecret: string): Promise<void> {
  const card = { cardNumber: GOOD_CARD, expiry: '12 / 39', cvc: '123' }
  await server.postJson('/api/sandbox/confirm', { clientSecret, ...card })
  await server.postJson('/api/payment-report', { clientSecret })
}

const isCharged = (stage: CrashStage, { paymentId }: Agreed): Promise<boolean> =>
  stage.watch(async (db) => (await chargesOf({ db }, paymentId)).length > 1)

async function isProved(world: World): Promise<void> {
  expect(await findMoneyDifferences(world.db)).toEqual([])
}

describe('a server killed in the middle of a change', () => {
  let stage: CrashStage
  beforeAll(async () => {
    stage = await openCrashStage()
  }, 60_000)
  afterAll(() => stage.close())

  it.each(pointsOfThisRun(points, 2))(
    'changes the booking once, and charges once, at %s',
    { timeout: 90_000 },
    async (point) => {
      const booking = await stage.inside(agreed)
      const { clientSecret } = booking
      // A process that starts sweeps open payments too, and may come to the point before the card is charged.
      do {
        const server = await stage.start({ CRASH_AT: point })
        await pays(server, clientSecret)
        expect(await server.ended).toBe('SIGKILL')
      } while (!(await isCharged(stage, booking)))
      if (repeated.includes(point))
        await stage.killAt(
          point,
          (function* () {
            for (;;) yield { minutes: 1 }
          })(),
        )
      await stage.inside(async (world) => {
        await settles(world)
        // The browser never got an answer, so it reports once more.
        await reportPayment(world.deps, { clientSecret })
        await settles(world)
        await isChanged(world, booking)
        await isProved(world)
      })
    },
  )

  it('holds nothing of a proposal that was not stored', { timeout: 90_000 }, async () => {
    const booking = await stage.inside(async (world) => {
      const made = await booked(world)
      return { ...made, shown: await amountsBefore(world.deps, made, made.proposed) }
    })
    const server = await stage.start({ CRASH_AT: 'change-proposed-uncommitted' })
    await server.postForm(`/bookings/${booking.linkToken}/change`, {
      intent: 'propose',
      ...booking.proposed,
      quantity: String(booking.proposed.quantity),
      shown: booking.shown,
    })
    expect(await server.ended).toBe('SIGKILL')
    await stage.inside(async (world) => {
      expect(await listChanges(world.db, [booking.bookingId])).toEqual([])
      expect(await slotsOf(world, booking)).toMatchObject([{ kind: 'booking', moves_payment_id: null }])
      expect(
        await proposes(world.deps, booking, asCustomer(booking), { date: addDays(booking.proposed.date, 1) }),
      ).toMatchObject({ ok: true, changed: true })
    })
  })

  // An embedded database belongs to one process.
  it.skipIf(!findPostgres())(
    'settles each of many changes once by two processes, of which one dies',
    { timeout: 180_000 },
    async () => {
      const bookings = await stage.inside(async (world) => {
        const made: Awaited<ReturnType<typeof agreed>>[] = []
        for (let nth = 0; nth < CHANGES; nth++) {
          const booking = await agreed(world)
          // The first is paid only once both processes run, or the survivor's sweep might settle it.
          if (nth > 0) await confirms(world, booking.clientSecret, GOOD_CARD)
          made.push(booking)
        }
        return made
      })
      const survivor = await stage.start()
      const victim = await stage.start({ CRASH_AT: 'change-applied-uncommitted' })
      const [first, ...others] = bookings.map(({ clientSecret }) => ({ clientSecret }))
      await Promise.all([
        pays(victim, first?.clientSecret ?? ''),
        ...others.flatMap((one) => [
          survivor.postJson('/api/payment-report', one),
          survivor.postJson('/api/payment-report', one),
        ]),
      ])
      expect(await victim.ended).toBe('SIGKILL')
      await survivor.postJson('/api/payment-report', first)
      survivor.child.kill('SIGTERM')
      await survivor.ended
      await stage.inside(async (world) => {
        for (const booking of bookings) await isChanged(world, booking)
        await isProved(world)
      })
    },
  )
})
