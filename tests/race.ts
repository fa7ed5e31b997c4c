import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import type { BookingForm } from '../app/features/bookings/rules.ts'
import { newId } from '../app/shared/ids.ts'
import type { PriceUnit } from '../app/shared/money.ts'
import { aBookingForm } from './builders.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { prepareDatabase, startServerProcess } from './server-process.ts'

export type RaceKind = 'PostgreSQL' | 'PGlite'

/** A database for a race; only one process can have PGlite's, so what uses it comes one after the other. */
export type RaceTrack = {
  /** Works on the database while no server runs. */
  withDatabase<Result>(
    work: (connection: PgliteConnection | PostgresConnection) => Promise<Result>,
  ): Promise<Result>
  /** Runs servers in processes of their own meanwhile: two on PostgreSQL, one on PGlite. */
  withServers<Result>(work: (origins: string[]) => Promise<Result>): Promise<Result>
  close(): void
}

/** @returns null where this machine has no PostgreSQL */
export async function openRaceTrack(kind: RaceKind): Promise<RaceTrack | null> {
  const programs = kind === 'PostgreSQL' ? findPostgres() : null
  if (kind === 'PostgreSQL' && !programs) return null
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-race-'))
  const cluster = programs ? await startPostgres(programs) : null
  const place = { folder, databaseUrl: cluster?.url ?? null }
  // A connection that says goodbye while the cluster is stopped is no fault.
  const ignore = () => {}
  const track: RaceTrack = {
    async withDatabase(work) {
      const connection = cluster ? openPostgres(cluster.url, ignore) : await openPglite(folder)
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    },
    async withServers(work) {
      // Each racer says which address it comes from, so that no limit counts them together.
      const start = () => startServerProcess(place, { TRUSTED_PROXY: '1' })
      const servers = cluster ? await Promise.all([start(), start()]) : [await start()]
      try {
        return await work(servers.map(({ origin }) => origin))
      } finally {
        for (const { child } of servers) {
          child.kill('SIGTERM')
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        }
      }
    },
    close() {
      cluster?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  if (cluster) await track.withDatabase((connection) => migrate(connection, 'database/migrations'))
  else await prepareDatabase(folder)
  return track
}

/** One press of 'Proceed to Payment', and what came of it. */
export type Racer = {
  submitKey: string
  booking: BookingForm
  status: number
  /** The refusal's code, which refusal of a time it is, and the free times that are offered. */
  code: string | null
  why: string | null
  alternatives: { date: string; time: string }[]
}

/**
 * Everybody presses 'Proceed to Payment' at the same moment, each from a browser of their own.
 * @param origins the servers, taken in turns
 */
export async function race(
  origins: readonly string[],
  businessId: string,
  bookings: readonly BookingForm[],
  unitPriceCents: Readonly<Record<PriceUnit, number>>,
): Promise<Racer[]> {
  return Promise.all(
    bookings.map(async (booking, index) => {
      const origin = origins[index % origins.length] ?? ''
      const submitKey = newId(32)
      const answer = await fetch(`${origin}/create-payment-intent`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`,
          origin,
        },
        body: JSON.stringify({
          amount: unitPriceCents[booking.bookingType] * booking.quantity,
          submitKey,
          businessId,
          booking,
        }),
      })
      const { error } = (await answer.json()) as { error?: Partial<Racer> }
      return {
        submitKey,
        booking,
        status: answer.status,
        code: error?.code ?? null,
        why: error?.why ?? null,
        alternatives: error?.alternatives ?? [],
      }
    }),
  )
}

/** That many customers who all want the same. The day is far off, since these servers have the real clock. */
export function sameSlot(count: number, overrides: Partial<BookingForm> = {}): BookingForm[] {
  return Array.from({ length: count }, (_, index) =>
    aBookingForm({ date: '2037-03-14', email: `racer-${index}@example.com`, ...overrides }),
  )
}
