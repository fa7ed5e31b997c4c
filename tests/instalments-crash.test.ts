import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_POINTS } from '../app/adapters/payments/fault-points.ts'
import { readConfig } from '../app/config.server.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { bookingDeps, createServices } from '../app/services.server.ts'
import type { aBookingWorld } from './builders.ts'
import { freePort } from './free-port.ts'
import {
  approves,
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  chargesOf,
  DAY_MS,
  DEPOSIT_CENTS,
  instalmentDeps,
  movesTo,
  tends,
} from './instalment-stage.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { prepareDatabase, serverSettings, startServerProcess } from './server-process.ts'

/**
 * A real server process, killed (kill -9) at each point between the reminder of an instalment and its stored payment, then
 * started again. The card is charged once. It runs on PostgreSQL if this machine has one, else on PGlite.
 */

type World = Awaited<ReturnType<typeof aBookingWorld>>

const points = FAULT_POINTS.filter((point) => point.startsWith('instalment-'))
const DAYS_AHEAD = 300
const BALANCE_DAYS = 30

describe('a server killed in the middle of an instalment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-instalments-crash-'))
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
  async function inside<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
    const config = readConfig(serverSettings(place(), await freePort()))
    const services = await createServices(config, {
      databaseFolder: 'database',
      now: () => new Date(Date.now() + aheadMs),
    })
    const { db, now, jobs, sandbox: payments } = services
    payments?.setWebhookFault('never')
    const clock = { now, forward: (ms: number) => (aheadMs += ms) }
    const world = { db, jobs, clock, payments, deps: bookingDeps(services) } as unknown as World
    try {
      await services.startJobs()
      return await work(world)
    } finally {
      await services.close()
    }
  }

  it.each(points)(
    'charges the card once, after the restart too, at %s',
    { timeout: 90_000 },
    async (point) => {
      const booked = await inside(async (world) => {
        const date = new Date(world.clock.now().getTime() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
        const made = await booksWithDeposit(world, { date })
        await approves(world, made)
        if (point.startsWith('instalment-refused'))
          await world.payments.setNextAnswer(made.reference, 'insufficient_funds')
        return made
      })

      const { origin, ended, child } = await startServerProcess(place(), { CRASH_AT: point })
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
      await move({ days: DAYS_AHEAD - BALANCE_DAYS - 8 })
      // By hours around the reminder and the charge, since a move may return before its jobs are done.
      for (let moves = 0; !isOver; moves++) await move(moves === 30 ? { days: 5 } : { hours: 1 })
      expect(await ended).toBe('SIGKILL')
      server = null

      await inside(async (world) => {
        const { due_at } = await balanceOf(world, booked.paymentId)
        movesTo(world, due_at)
        for (let day = 0; day < 6 && (await balanceOf(world, booked.paymentId)).state !== 'paid'; day++) {
          world.clock.forward(DAY_MS)
          await tends(world, instalmentDeps(world))
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
})
