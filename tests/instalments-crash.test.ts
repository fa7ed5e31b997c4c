import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../app/adapters/database/port.ts'
import { FAULT_POINTS } from '../app/adapters/payments/fault-points.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { pointsOfThisRun } from './crash-points.ts'
import { type CrashStage, openCrashStage } from './crash-stage.ts'
import {
  approves,
  BALANCE_CENTS,
  balanceOf,
  booksWithBalancesDue,
  booksWithDeposit,
  chargesOf,
  DEPOSIT_CENTS,
  instalmentDeps,
  movesTo,
  runInstalmentJobs,
} from './instalment-stage.ts'
import { findPostgres } from './postgres.ts'

/**
 * A real server process, killed (kill -9) at each point between the reminder of an instalment and its stored payment, then
 * started again. The card is charged once. It runs on PostgreSQL if this machine has one, else on PGlite.
 */

const points = FAULT_POINTS.filter((point) => point.startsWith('instalment-'))
const DAYS_AHEAD = 100
const BALANCE_DAYS = 30
/** Several batches of each process. */
const BALANCES = 45

/** By hours around the reminder and the charge, since a move may return before its jobs are done. */
function* moves() {
  yield { days: DAYS_AHEAD - BALANCE_DAYS - 8 }
  for (let hour = 0; ; hour++) yield hour === 30 ? { days: 5 } : { hours: 1 }
}

describe('a server killed in the middle of an instalment', () => {
  let stage: CrashStage
  beforeAll(async () => {
    stage = await openCrashStage()
  }, 60_000)
  afterAll(() => stage.close())

  it.each(pointsOfThisRun(points, 2))(
    'charges the card once, after the restart too, at %s',
    { timeout: 90_000 },
    async (point) => {
      const booked = await stage.inside(async (world) => {
        const date = new Date(world.clock.now().getTime() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
        const made = await booksWithDeposit(world, { date })
        await approves(world, made)
        if (point.startsWith('instalment-refused'))
          await world.payments.setNextAnswer(made.reference, 'insufficient_funds')
        return made
      })

      await stage.killAt(point, moves())

      await stage.inside(async (world) => {
        const { due_at } = await balanceOf(world, booked.paymentId)
        movesTo(world, due_at)
        for (let day = 0; day < 6 && (await balanceOf(world, booked.paymentId)).state !== 'paid'; day++) {
          world.clock.forward(DAY_MS)
          await runInstalmentJobs(world, instalmentDeps(world))
        }
        expect(await chargesOf(world, booked.paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
        expect(await balanceOf(world, booked.paymentId)).toMatchObject({
          state: 'paid',
          attempts: point.startsWith('instalment-refused') ? 2 : 1,
        })
        expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
      })
    },
  )

  // An embedded database belongs to one process.
  it.skipIf(!findPostgres())(
    'charges each of many balances once by two processes, of which one dies',
    {
      timeout: 180_000,
    },
    async () => {
      const paymentIds = await stage.inside((world) => booksWithBalancesDue(world, BALANCES))
      const countPaid = (db: Database) =>
        db
          .selectFrom('instalments')
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .where('payment_id', 'in', paymentIds)
          .where('number', '=', 2)
          .where('state', '=', 'paid')
          .executeTakeFirstOrThrow()
          .then(({ count }) => Number(count))
      // The survivor starts last: alone for a second, its minutely job could charge all of them.
      const victim = await stage.start({ CRASH_AT: 'instalment-charged' })
      const survivor = await stage.start()
      while (!victim.isOver()) await victim.move({ minutes: 1 })
      expect(await victim.ended).toBe('SIGKILL')
      await stage.watch(async (db) => {
        expect(await countPaid(db), 'the process died in the middle').toBeLessThan(BALANCES)
        // Past the time after which the claims of the dead process are taken up.
        do await survivor.move({ minutes: 6 })
        while ((await countPaid(db)) < BALANCES)
      })
      survivor.child.kill('SIGTERM')
      await survivor.ended

      await stage.inside(async (world) => {
        for (const paymentId of paymentIds) {
          expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
          expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
        }
        expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
      })
    },
  )
})
