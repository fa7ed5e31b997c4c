import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import {
  type LedgerTransaction,
  lockLedger,
  postTransactions,
} from '../app/features/ledger/commands.server.ts'
import { findVendorBalances, proveLedger } from '../app/features/ledger/queries.server.ts'
import {
  adjustment,
  charge,
  type Entry,
  earned,
  fee,
  transfer,
  writeOff,
} from '../app/features/ledger/rules.ts'
import { newId } from '../app/shared/ids.ts'
import { createServerDatabase, openEmbeddedDatabase, watchTransactions } from './database.ts'
import { findPostgres } from './postgres.ts'

/** Postings of the same vendors at the same moment, on two pools of connections to PostgreSQL and on PGlite. */

const RACERS = 200
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the ledger race is skipped.\n')

const failed = (error: Error) => {
  throw error
}

describe.each([
  { kind: 'PGlite', available: true },
  { kind: 'PostgreSQL', available: hasPostgres },
] as const)('200 postings at once, on $kind', ({ kind, available }) => {
  let handles: Database[] = []
  let close = async () => {}

  beforeAll(async () => {
    if (!available) return
    if (kind === 'PGlite') {
      const connection = await openEmbeddedDatabase()
      handles = [connection.db]
      close = connection.close
      return
    }
    const url = await createServerDatabase('tables')
    const pools = [openPostgres(url, failed), openPostgres(url, failed)].map(watchTransactions)
    handles = pools.map(({ db }) => db)
    close = async () => {
      for (const pool of pools) await pool.close()
    }
  }, 60_000)
  afterAll(() => close())

  const first = () => handles[0] as Database
  const inTransaction = <Result>(racer: number, work: (tx: DatabaseTransaction) => Promise<Result>) =>
    (handles[racer % handles.length] as Database).transaction().execute(work)
  const of =
    (vendorUserId: string, bookingId = newId()) =>
    (entry: Entry, key = newId()): LedgerTransaction => ({
      ...entry,
      key,
      vendorUserId,
      bookingId,
      paymentId: null,
      providerReference: null,
      at: new Date(),
    })
  const racers = Array.from({ length: RACERS }, (_, racer) => racer)

  async function isProvedWithoutDeadlock() {
    expect((await proveLedger(first())).map(({ count }) => count)).toEqual([0, 0, 0])
    const { rows } = await sql<{ deadlocks: string }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(first())
    expect(Number(rows[0]?.deadlocks)).toBe(0)
  }

  it.skipIf(!available)('sums stay right, in whatever order a transaction posts', async () => {
    const vendor = newId()
    await Promise.all(
      racers.map((racer) =>
        inTransaction(racer, async (tx) => {
          const about = of(vendor)
          // The two have no account in common.
          const steps = [
            [about(charge(1_000)), about(fee(30))],
            [
              about(adjustment({ from: 'vendor_payable', to: 'vendor_receivable', cents: 1 })),
              about(writeOff(1)),
            ],
          ]
          for (const step of racer % 2 ? steps : steps.toReversed()) await postTransactions(tx, step)
        }),
      ),
    )
    expect(await findVendorBalances(first(), vendor)).toMatchObject({
      provider_balance: 970 * RACERS,
      customer_money_held: -1_000 * RACERS,
      vendor_payable: -RACERS,
      vendor_receivable: 0,
      provider_fees: 30 * RACERS,
      losses: RACERS,
    })
    await isProvedWithoutDeadlock()
  })

  it.skipIf(!available)('several vendors in opposite order never deadlock', async () => {
    const vendors = [newId(), newId(), newId()]
    await Promise.all(
      racers.map((racer) =>
        inTransaction(racer, async (tx) => {
          const order = racer % 2 ? vendors : vendors.toReversed()
          if (racer % 3 === 0) await lockLedger(tx, order)
          await postTransactions(
            tx,
            order.map((vendor) => of(vendor)(charge(7))),
          )
        }),
      ),
    )
    for (const vendor of vendors)
      expect(await findVendorBalances(first(), vendor)).toMatchObject({ provider_balance: 7 * RACERS })
    await isProvedWithoutDeadlock()
  })

  it.skipIf(!available)(
    'an event is posted once, whoever reports it and whatever they posted before',
    async () => {
      const vendor = newId()
      const about = of(vendor)
      const events = [about(charge(1_000)), about(fee(30)), about(earned(1_000))]
      const posted = await Promise.all(
        racers.map((racer) =>
          inTransaction(racer, async (tx) => {
            const order = racer % 2 ? events : events.toReversed()
            let count = 0
            for (const event of order) count += (await postTransactions(tx, [event])).size
            return count
          }),
        ),
      )
      expect(posted.reduce((sum, count) => sum + count, 0)).toBe(events.length)
      expect(await findVendorBalances(first(), vendor)).toMatchObject({
        provider_balance: 970,
        vendor_payable: -1_000,
      })
      await isProvedWithoutDeadlock()
    },
  )

  it.skipIf(!available)('a sum that is read under the lock is not spent twice', async () => {
    const vendor = newId()
    const about = of(vendor)
    await inTransaction(0, (tx) => postTransactions(tx, [about(charge(1_000)), about(earned(1_000))]))
    await Promise.all(
      racers.map((racer) =>
        inTransaction(racer, async (tx) => {
          await lockLedger(tx, [vendor])
          const cents = -(await findVendorBalances(tx, vendor)).vendor_payable
          if (cents < 100) return
          await postTransactions(tx, [
            about(transfer({ cents: 100, debts: [], paidFrom: 'provider_balance' })),
          ])
        }),
      ),
    )
    expect(await findVendorBalances(first(), vendor)).toMatchObject({
      provider_balance: 0,
      vendor_payable: 0,
    })
    await isProvedWithoutDeadlock()
  })
})
