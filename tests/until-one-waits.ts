import { sql } from 'kysely'
import type { Database } from '../app/adapters/database/port.ts'

/**
 * Waits until a transaction on PostgreSQL waits for the lock of another.
 * @param isOver whether nothing will wait any more
 */
export async function untilOneWaits(db: Database, isOver = () => false): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
