import { sql } from 'kysely'
import type { SecurityEvent, SecurityLog } from '../../adapters/accounts/security-log.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { hashText, signText } from '../../shared/signed.ts'
import { deviceName } from './rules.ts'
import { isTallied, SECURITY_LOG_MS, TALLY_MS } from './security-rules.ts'

/** How long a sign-in or a refusal waits for its record. */
const NOTE_LIMIT_MS = 1_000
const LIMITED = 'too-many-requests'

/**
 * Records one event of the security log. Acts with a transaction pass theirs, as its last statement: the stream skips
 * rows that are committed a minute after they were written.
 * @param event.at the machine's own time, now unless said otherwise. Never the sandbox's clock, which people move
 */
export async function noteSecurityEvent(
  db: Database | DatabaseTransaction,
  event: Omit<SecurityEvent, 'email'> & { addressHash?: string | null; at?: Date },
): Promise<void> {
  const at = event.at ?? new Date()
  const row = {
    kind: event.kind,
    user_id: event.userId,
    address_hash: event.addressHash ?? null,
    actor_user_id: event.actorUserId ?? null,
    detail: event.detail ?? null,
    device: deviceName(event.origin.userAgent),
    network: event.origin.network,
  }
  const window = Math.floor(at.getTime() / TALLY_MS)
  const tally = isTallied(event.kind) ? await hashText(JSON.stringify([window, row])) : null
  await db
    .insertInto('security_events')
    .values({ ...row, id: newId(), tally, first_at: at, at })
    .onConflict((conflict) =>
      conflict.column('tally').doUpdateSet((eb) => ({
        times: eb('security_events.times', '+', 1),
        at: sql<Date>`greatest(security_events.at, excluded.at)`,
        recorded_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
}

/**
 * Creates the security log that adapters and routes write to.
 * @param deps.secret the key of the hashes of addresses
 * @param deps.onLost called with the error when an event could not be recorded
 */
export function createSecurityLog(deps: {
  db: Database
  secret: string
  onLost: (error: unknown) => void
  now: () => Date
}): SecurityLog {
  let lost = 0
  async function record(tx: Database | DatabaseTransaction, { email, ...event }: SecurityEvent) {
    // Past a limit, a guesser may type any number of addresses. Their refusals share a row by network.
    const isKept = email !== undefined && event.userId === null && event.detail !== LIMITED
    const addressHash = isKept ? await hashAddress(deps.secret, email) : null
    await noteSecurityEvent(tx, { ...event, addressHash, at: deps.now() })
  }
  return {
    note: record,
    async noteAfter(event) {
      const recorded = record(deps.db, event).catch((error: unknown) => {
        lost++
        deps.onLost(error)
      })
      const { promise: isLate, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, NOTE_LIMIT_MS)
      await Promise.race([recorded, isLate])
      clearTimeout(timer)
    },
    lost: () => lost,
  }
}

/** Without the key, a hash can't be compared with those of guessed addresses. */
export function hashAddress(secret: string, email: string): Promise<string> {
  return signText(secret, `security-log:${email.trim().toLowerCase()}`)
}

/** Deletes the events that are older than 180 days. */
export async function forgetSecurityEvents(deps: { db: Database; realNow: () => Date }): Promise<void> {
  const before = new Date(deps.realNow().getTime() - SECURITY_LOG_MS)
  await deps.db.deleteFrom('security_events').where('at', '<', before).execute()
}
