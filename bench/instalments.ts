import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../app/adapters/database/port.ts'
import { openCrashStage } from '../tests/crash-stage.ts'
import { booksWithBalancesDue } from '../tests/instalment-stage.ts'
import { findPostgres } from '../tests/postgres.ts'
import type { Row } from './run.ts'

/**
 * Measures how long 1,000 balances that are due at once take to be charged by two processes on PostgreSQL, by their own schedules
 * in real time. One of them is killed (kill -9) after a third.
 */

const BALANCES = 1_000
const AIM_MS = 600_000
const MAX_CALLS_PER_SECOND = 100
/** Creating the payment and charging the card. */
const CALLS_PER_CHARGE = 2
const ASKED_EVERY_MS = 250

export async function run(): Promise<Row[]> {
  if (!findPostgres())
    return [{ what: 'balances on PostgreSQL', result: 'left out: there is none on this machine' }]
  const stage = await openCrashStage()
  try {
    await stage.inside((world) => booksWithBalancesDue(world, BALANCES))
    const victim = await stage.start()
    await stage.start()
    return await stage.watch(async (db) => {
      const started = performance.now()
      await waitFor(db, BALANCES / 3, started)
      victim.child.kill('SIGKILL')
      await victim.ended
      const killedAfter = performance.now() - started
      await waitFor(db, BALANCES, started)
      const took = performance.now() - started
      const { once, busiest } = await lookBack(db)
      if (once !== BALANCES || took > AIM_MS || busiest * CALLS_PER_CHARGE > MAX_CALLS_PER_SECOND)
        process.exitCode = 1
      return [
        {
          what: `${BALANCES.toLocaleString('en')} balances due at once, two processes, one killed after ${inSeconds(killedAfter)} s: seconds until the last is paid`,
          result: inSeconds(took),
          aim: 'under 600',
        },
        { what: 'of them charged exactly once at the provider', result: String(once), aim: String(BALANCES) },
        {
          what: 'calls to the provider in the busiest second',
          result: String(busiest * CALLS_PER_CHARGE),
          aim: `at most ${MAX_CALLS_PER_SECOND}`,
        },
      ]
    })
  } finally {
    stage.close()
  }
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(0)

async function waitFor(db: Database, count: number, started: number): Promise<void> {
  while ((await countPaid(db)) < count) {
    if (performance.now() - started > 2 * AIM_MS) throw new Error('The balances were not paid in time.')
    await pause(ASKED_EVERY_MS)
  }
}

async function countPaid(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('instalments')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('number', '=', 2)
    .where('state', '=', 'paid')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many purchases have one charge of their balance at the provider, and the most charges in one second. */
async function lookBack(db: Database): Promise<{ once: number; busiest: number }> {
  const charges = await db
    .selectFrom('sandbox_payments')
    .innerJoin('payments', 'payments.provider_reference', 'sandbox_payments.id')
    .select(['payments.sale_id', 'payments.paid_at'])
    .whereRef('payments.sale_id', '<>', 'payments.id')
    .where('sandbox_payments.state', '=', 'succeeded')
    .execute()
  const purchases = Map.groupBy(charges, ({ sale_id: saleId }) => saleId)
  const seconds = Map.groupBy(charges, ({ paid_at: at }) => Math.floor((at?.getTime() ?? 0) / 1_000))
  return {
    once: [...purchases.values()].filter((of) => of.length === 1).length,
    busiest: Math.max(...[...seconds.values()].map((of) => of.length)),
  }
}
