import type { ColumnType } from 'kysely'
import { refuse } from '../../shared/result.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { LiveUpdates } from '../live-updates/port.ts'

type SandboxClockTable = { id: number; ahead_ms: ColumnType<string | number, number, number> }

declare module '../database/port.ts' {
  interface Tables {
    sandbox_clock: SandboxClockTable
  }
}

const TOPIC = 'clock:sandbox'
const ONLY_ROW = 1
/** Far enough for an event at the end of every calendar, and for what follows it. */
export const MAX_AHEAD_MS = 4 * 365 * DAY_MS

/** A clock that testers can move forward, in every process at once. */
export type SandboxClock = {
  now(): Date
  /** How far it is ahead of the real clock. */
  aheadMs(): number
  /**
   * Moves the clock forward and tells every process, once the transaction commits. It never goes back: what has happened
   * would lie in the future.
   * @param byMs more than 0 and at most MAX_AHEAD_MS
   * @returns the time from the commit on; refuses with 'too_far' when the clock would be more than MAX_AHEAD_MS ahead
   */
  advance(
    tx: DatabaseTransaction,
    byMs: number,
  ): Promise<{ ok: true; now: Date } | { ok: false; reason: 'too_far' }>
  /** Reads the stored time again. Processes do so by themselves when it moves. */
  reread(): Promise<void>
}

/** Creates the movable clock, whose offset is a row of the database and survives a restart. */
export async function createSandboxClock(deps: {
  db: Database
  liveUpdates: Pick<LiveUpdates, 'publish' | 'follow'>
  realNow: () => Date
  onError: (error: unknown) => void
}): Promise<SandboxClock> {
  const { db, liveUpdates, realNow } = deps
  let ahead = 0
  const reread = async () => {
    const row = await db.selectFrom('sandbox_clock').select('ahead_ms').executeTakeFirst()
    // Two readings may end in any order.
    ahead = Math.max(ahead, Number(row?.ahead_ms ?? 0))
  }
  const rereadSoon = () => void reread().catch(deps.onError)
  await reread()
  liveUpdates.follow({
    onChange(topic) {
      if (topic === TOPIC) rereadSoon()
    },
    onLost() {},
    onReconnect: rereadSoon,
  })
  return {
    now: () => new Date(realNow().getTime() + ahead),
    aheadMs: () => ahead,
    async advance(tx, byMs) {
      const moved = await tx
        .insertInto('sandbox_clock')
        .values({ id: ONLY_ROW, ahead_ms: byMs })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ ahead_ms: eb('sandbox_clock.ahead_ms', '+', byMs) }))
            .where('sandbox_clock.ahead_ms', '<=', MAX_AHEAD_MS - byMs),
        )
        .returning('ahead_ms')
        .executeTakeFirst()
      if (!moved) return refuse('too_far')
      await liveUpdates.publish(tx, TOPIC)
      return { ok: true, now: new Date(realNow().getTime() + Number(moved.ahead_ms)) }
    },
    reread,
  }
}
