import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createLiveUpdates } from '../app/adapters/live-updates/notify.server.ts'
import { createBookingDeps } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { placeHold } from '../app/features/operators/payout-commands.server.ts'
import { settleDisputes } from '../app/features/payments/dispute-commands.server.ts'
import { openPayoutAccount } from '../app/features/payouts/account-commands.server.ts'
import type { PayoutDeps } from '../app/features/payouts/deps.server.ts'
import { sweepPayouts } from '../app/features/payouts/settlement-commands.server.ts'
import { aBookingWorld } from './builders.ts'
import { openEmbeddedDatabase, watchTransactions } from './database.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  moneyOf,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  refundsAsOperator,
  sumAtProvider,
  transfersOf,
} from './payout-stage.ts'
import { findPostgres } from './postgres.ts'

/**
 * Everything that moves a vendor's money, at the same moment: two sweeps, a refund, a dispute, an operator's hold. On PGlite
 * transactions take turns. On PostgreSQL each side has a pool of its own, and only there they can deadlock.
 */

const ROUNDS = 6
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the payouts race is skipped.\n')

describe.each([
  { kind: 'PGlite', available: true },
  { kind: 'PostgreSQL', available: hasPostgres },
] as const)('a vendor’s money at the same moment, on $kind', ({ kind, available }) => {
  let world: Awaited<ReturnType<typeof aBookingWorld>>
  let deps: PayoutDeps
  let second: PayoutDeps
  let secondBooking: (typeof world)['deps']
  let close = async () => {}

  beforeAll(async () => {
    if (!available) return
    if (kind === 'PGlite') {
      world = await aBookingWorld(openEmbeddedDatabase)
      deps = payoutDepsOf(world)
      second = deps
      secondBooking = world.deps
      close = () => world.close()
      return
    }
    world = await aBookingWorld()
    const { connection } = world
    if (connection.kind === 'pglite') throw new Error('The race needs a PostgreSQL.')
    // A connection that closes while the server stops is not an error.
    const other = watchTransactions(openPostgres(connection.url, () => {}))
    const liveUpdates = await createLiveUpdates(other)
    deps = payoutDepsOf(world)
    second = { ...deps, db: other.db, liveUpdates }
    secondBooking = createBookingDeps({ ...world.deps, db: other.db, liveUpdates })
    close = async () => {
      await liveUpdates.close()
      await other.close()
      await world.close()
    }
  }, 60_000)
  afterAll(() => close())

  async function aDueTransfer() {
    const { business, userId } = await aPaidVendor(world)
    const payment = await books(world, business)
    passesEvent(world)
    return { ...payment, business, userId }
  }
  /** Sweeps until nothing is on its way. */
  async function comesToRest() {
    for (let run = 0; run < 3; run++) {
      world.clock.forward(3_600_000)
      await Promise.all([sweepPayouts(deps), sweepPayouts(second)])
    }
    expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
    const { rows } = await sql<{ deadlocks: string }>`
      select coalesce(sum(deadlocks), 0) as deadlocks from pg_stat_database`.execute(world.db)
    expect(Number(rows[0]?.deadlocks)).toBe(0)
  }
  const refunds = (paymentId: string) =>
    refundsAsOperator(secondBooking, { operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'Cold.' })

  it.skipIf(!available)('two sweeps send a share once', { timeout: 60_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { bookingId, userId } = await aDueTransfer()
      await Promise.all([sweepPayouts(deps), sweepPayouts(second), sweepPayouts(deps), sweepPayouts(second)])
      expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made', attempts: 1 }])
      expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(783_000)
    }
    await comesToRest()
  })

  it.skipIf(!available)(
    'a refund against a transfer leaves the vendor their half',
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { bookingId, paymentId, userId } = await aDueTransfer()
        await Promise.all([sweepPayouts(deps), refunds(paymentId), sweepPayouts(second)])
        await comesToRest()
        expect(await moneyOf(world, bookingId)).toMatchObject({
          refundedCents: 435_000,
          earnedCents: 391_500,
          commissionCents: 43_500,
          payableCents: 0,
          receivableCents: 0,
        })
        expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(391_500)
      }
    },
  )

  it.skipIf(!available)(
    'a dispute against a transfer leaves nothing with the vendor',
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { bookingId, paymentId, reference, userId } = await aDueTransfer()
        const dispute = async () => {
          await world.payments.openDispute(reference, 'dispute')
          const about = { id: paymentId, provider_reference: reference }
          await settleDisputes(secondBooking, world.payments, about)
        }
        await Promise.all([sweepPayouts(deps), dispute(), sweepPayouts(second)])
        await comesToRest()
        expect(await moneyOf(world, bookingId)).toMatchObject({ disputedCents: 870_000, payableCents: 0 })
        expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(0)
      }
    },
  )

  it.skipIf(!available)(
    'a hold against a claim either comes first or too late',
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { bookingId, userId } = await aDueTransfer()
        const hold = { operator: OPERATOR, vendorUserId: userId, bookingId, reason: 'A complaint.' }
        const [, held] = await Promise.all([
          sweepPayouts(deps),
          placeHold(second, hold),
          sweepPayouts(second),
        ])
        expect(held).toEqual({ ok: true })
        await comesToRest()
        const [row] = await transfersOf(world, bookingId)
        const cents = row?.state === 'made' ? 783_000 : 0
        expect([row?.state, row?.held_reason]).toEqual(cents > 0 ? ['made', null] : ['due', 'operator'])
        expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(cents)
      }
    },
  )

  it.skipIf(!available)('two presses open one account', { timeout: 60_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { userId } = await aPaidVendor(world, { isReady: false })
      const press = (using: PayoutDeps) =>
        openPayoutAccount(using, { userId, email: `${userId}@press.example` })
      const answers = await Promise.all([press(deps), press(second), press(deps)])
      expect(answers.every(({ ok }) => ok)).toBe(true)
      const made = await world.db
        .selectFrom('sandbox_accounts')
        .select('id')
        .where('email', '=', `${userId}@press.example`)
        .execute()
      expect(made).toEqual([{ id: await accountOf(world, userId) }])
    }
  })
})
