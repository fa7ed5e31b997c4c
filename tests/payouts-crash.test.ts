import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_POINTS } from '../app/adapters/payments/fault-points.ts'
import { readConfig } from '../app/config.server.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { refundPayment } from '../app/features/operators/payment-commands.server.ts'
import { sweepPayouts } from '../app/features/payouts/settlement-commands.server.ts'
import { bookingDeps, createServices, payoutDeps, type Services } from '../app/services.server.ts'
import type { aBookingWorld } from './builders.ts'
import { freePort } from './free-port.ts'
import { accountOf, aPaidVendor, books, DAY_MS, moneyOf, OPERATOR, sumAtProvider } from './payout-stage.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { prepareDatabase, serverSettings, startServerProcess } from './server-process.ts'

/**
 * A real server process, killed (kill -9) at each point between the claim of a transfer or a reversal and its stored answer,
 * then started again. Each is made once. It runs on PostgreSQL if this machine has one, else on PGlite.
 */

const points = FAULT_POINTS.filter((point) => /^(transfer|reversal)-/.test(point))
const PAYOUTS = { PAYOUTS: 'sandbox' }

describe('a server killed in the middle of a payout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-payouts-crash-'))
  let stopPostgres = () => {}
  let databaseUrl: string | null = null
  let server: ChildProcess | null = null
  let aheadMs = 0
  const place = () => ({ folder, databaseUrl })

  beforeAll(async () => {
    const programs = findPostgres()
    if (!programs) return prepareDatabase(folder)
    const cluster = await startPostgres(programs)
    stopPostgres = cluster.stop
    databaseUrl = cluster.url
  }, 60_000)
  afterAll(() => {
    server?.kill('SIGKILL')
    stopPostgres()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the product in this process, as a world of the stage. */
  async function inside<Result>(
    work: (world: Awaited<ReturnType<typeof aBookingWorld>>, services: Services) => Promise<Result>,
  ): Promise<Result> {
    const config = readConfig({ ...serverSettings(place(), await freePort()), ...PAYOUTS })
    const services = await createServices(config, {
      databaseFolder: 'database',
      now: () => new Date(Date.now() + aheadMs),
    })
    const { db, now, jobs, sandbox: payments } = services
    payments?.setWebhookFault('never')
    const clock = { now, forward: (ms: number) => (aheadMs += ms) }
    const world = { db, jobs, clock, payments, deps: bookingDeps(services) }
    try {
      await services.startJobs()
      return await work(world as unknown as Awaited<ReturnType<typeof aBookingWorld>>, services)
    } finally {
      await services.close()
    }
  }

  const sweep = async (services: Services) => {
    const deps = payoutDeps(services)
    if (!deps) throw new Error('payouts are off')
    await sweepPayouts(deps)
  }

  it.each(points)('makes it once, after the restart too, at %s', { timeout: 60_000 }, async (point) => {
    const isReversal = point.startsWith('reversal-')
    const booked = await inside(async (world, services) => {
      const { business, userId } = await aPaidVendor(world)
      // The daily payout to the bank would empty the account.
      await world.db.updateTable('sandbox_accounts').set({ is_bank_refused: true }).execute()
      const payment = await books(world, business)
      if (isReversal) {
        aheadMs += 33 * DAY_MS
        await sweep(services)
        const { paymentId } = payment
        const order = { operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'The heater failed.' }
        await refundPayment(world.deps, order)
      }
      return { ...payment, userId }
    })

    const { origin, ended, child } = await startServerProcess(place(), { ...PAYOUTS, CRASH_AT: point })
    server = child
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    const move = (step: object) =>
      fetch(`${origin}/api/sandbox/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(step),
      }).catch(() => null)
    // Each move runs the jobs once.
    await move({ days: 33 })
    while (!isOver) await move({ hours: 1 })
    expect(await ended).toBe('SIGKILL')
    server = null

    await inside(async (world, services) => {
      for (let run = 0; run < 3; run++) {
        aheadMs += 3_600_000
        await sweep(services)
      }
      const transfers = await world.db
        .selectFrom('sandbox_transfers')
        .innerJoin('transfers', 'transfers.id', 'sandbox_transfers.transfer_id')
        .select(['transfers.state', 'sandbox_transfers.amount_cents'])
        .where('transfers.booking_id', '=', booked.bookingId)
        .execute()
      expect(transfers.map((row) => [row.state, Number(row.amount_cents)])).toEqual([
        [isReversal ? 'partly_reversed' : 'made', 783_000],
      ])
      const leftCents = isReversal ? 391_500 : 783_000
      expect(await sumAtProvider(world, await accountOf(world, booked.userId))).toBe(leftCents)
      expect(await moneyOf(world, booked.bookingId)).toMatchObject({
        payableCents: 0,
        receivableCents: 0,
        earnedCents: leftCents,
      })
      expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
    })
  })
})
