import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import type { BookingForm } from '../app/features/bookings/form-rules.ts'
import { newId } from '../app/shared/ids.ts'
import type { PriceUnit } from '../app/shared/money.ts'
import { aBookingForm } from './builders.ts'
import { createServerDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
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
  if (kind === 'PostgreSQL' && !findPostgres()) return null
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-race-'))
  const databaseUrl = kind === 'PostgreSQL' ? await createServerDatabase() : null
  const place = { folder, databaseUrl }
  const track: RaceTrack = {
    async withDatabase(work) {
      const connection = databaseUrl ? openPostgres(databaseUrl, failed) : await openPglite(folder)
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    },
    async withServers(work) {
      // Each racer sends its own address, so that no limit counts them together.
      const start = () => startServerProcess(place, { TRUSTED_PROXY: '1' })
      const servers = databaseUrl ? await Promise.all([start(), start()]) : [await start()]
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
      rmSync(folder, { recursive: true, force: true })
    },
  }
  if (!databaseUrl) await prepareDatabase(folder)
  return track
}

const failed = (error: Error) => {
  throw error
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
          // A server that stops waits for connections that may be used again.
          connection: 'close',
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
