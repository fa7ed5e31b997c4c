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

/** A database for a race. Only one process at a time can open PGlite's, so its uses run one after the other. */
export type RaceTrack = {
  /** Works on the database while no server runs. */
  withDatabase<Result>(
    work: (connection: PgliteConnection | PostgresConnection) => Promise<Result>,
  ): Promise<Result>
  /** Runs `work` beside real server processes: two on PostgreSQL, one on PGlite. */
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
  // A connection that closes while the cluster stops is not an error.
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
      // Each racer sends its own address, so that no limit counts them together.
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

/** One press of 'Proceed to Payment' and its result. */
export type Racer = {
  submitKey: string
  booking: BookingForm
  status: number
  /** The refusal's code, the reason if a time is refused, and the free times offered instead. */
  code: string | null
  why: string | null
  alternatives: { date: string; time: string }[]
}

/**
 * Lets every customer press 'Proceed to Payment' at the same moment, each in their own browser.
 * @param origins the servers, used in turn
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

/** Booking forms for one and the same slot. The day is far off, since these servers use the real clock. */
export function sameSlot(count: number, overrides: Partial<BookingForm> = {}): BookingForm[] {
  return Array.from({ length: count }, (_, index) =>
    aBookingForm({ date: '2037-03-14', email: `racer-${index}@example.com`, ...overrides }),
  )
}
