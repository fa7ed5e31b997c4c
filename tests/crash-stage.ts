import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPglite } from '../app/adapters/database/pglite.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { readConfig } from '../app/config.server.ts'
import { bookingDeps } from '../app/services/deps.server.ts'
import { createServices, type Services } from '../app/services.server.ts'
import type { aBookingWorld } from './builders.ts'
import { sendTo } from './client.ts'
import { createServerDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { findPostgres } from './postgres.ts'
import { PROCESS_KEY_HEADER, prepareDatabase, serverSettings, startServerProcess } from './server-process.ts'

/** A process that never comes to its fault point fails its test with what it has printed, rather than with the test's own limit. */
const ENDS_WITHIN_MS = 60_000

type World = Awaited<ReturnType<typeof aBookingWorld>>

/**
 * Ends the deliveries of the sandbox's webhooks. Otherwise the next process would deliver those of a killed one once they are due,
 * perhaps while it starts, and die of that before its own payment.
 */
export async function endDeliveries({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db
    .updateTable('sandbox_events')
    .set({ delivered_at: now() })
    .where('delivered_at', 'is', null)
    .execute()
}

/**
 * Opens the stage of tests that kill server processes (kill -9): a database that outlives them, on PostgreSQL if this machine has
 * one, else on PGlite.
 * @param settings of all processes, in addition to those of `serverSettings`
 */
export async function openCrashStage(settings: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-crash-stage-'))
  const databaseUrl = findPostgres() ? await createServerDatabase() : null
  if (!databaseUrl) await prepareDatabase(folder)
  const place = { folder, databaseUrl }
  const children = new Set<ChildProcess>()
  let aheadMs = 0

  /** Starts a server process. `move` moves its clock, which runs the jobs once; it does nothing once the process has died. */
  async function start(extra: Record<string, string> = {}) {
    const { origin, ended, child, output } = await startServerProcess(place, { ...settings, ...extra })
    children.add(child)
    let isOver = false
    void ended.then(() => {
      isOver = true
      children.delete(child)
    })
    const postJson = (path: string, json: unknown) =>
      sendTo({ origin }, path, { json, headers: PROCESS_KEY_HEADER }).catch(() => null)
    return {
      child,
      ended,
      output,
      isOver: () => isOver,
      /** Posts JSON. @returns null once the process has died */
      postJson,
      postForm: (path: string, fields: Record<string, string>) =>
        sendTo({ origin }, path, { fields }).catch(() => null),
      async move(step: { days?: number; hours?: number; minutes?: number }): Promise<void> {
        await postJson('/api/sandbox/clock', step)
      },
    }
  }

  return {
    start,
    /** Starts a server process that dies at a fault point, and moves its clock until it has. */
    async killAt(
      point: string,
      moves: Iterable<{ days?: number; hours?: number; minutes?: number }>,
    ): Promise<void> {
      const server = await start({ CRASH_AT: point })
      for (const step of moves) {
        if (server.isOver()) break
        await server.move(step)
      }
      const signal = await Promise.race([server.ended, pause(ENDS_WITHIN_MS, 'no end', { ref: false })])
      if (signal !== 'SIGKILL')
        throw new Error(`The process came to ${signal} instead of ${point}: ${server.output()}`)
    },
    /** Runs the product in this process, as a world of the stages. */
    async inside<Result>(work: (world: World, services: Services) => Promise<Result>): Promise<Result> {
      const config = readConfig({ ...serverSettings(place, await freePort()), ...settings })
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
        const result = await work(world, services)
        await endDeliveries(services)
        // The next process goes on from this time, rather than pass the same days again hour by hour.
        const passedMs = aheadMs
        if (passedMs > 0) await db.transaction().execute(async (tx) => services.clock?.advance(tx, passedMs))
        aheadMs = 0
        return result
      } finally {
        await services.close()
      }
    },
    /** Looks at the database while no job of this process runs. An embedded one belongs to a server process until that ends. */
    async watch<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
      const connection = databaseUrl ? openPostgres(databaseUrl, () => {}) : await openPglite(folder)
      try {
        return await work(connection.db)
      } finally {
        await connection.close()
      }
    },
    close(): void {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type CrashStage = Awaited<ReturnType<typeof openCrashStage>>
