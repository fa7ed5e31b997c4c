import { sql } from 'kysely'
import type { Database } from './port.ts'
import './tables.server.ts'

/** More than one file of the embedded database takes, and less than a page's pictures. */
const ROWS = 10_000

/**
 * Writes what a small change of the product would: a row, and half a megabyte of a temporary file. A full disk often still
 * takes a row, since the log reuses its files, but no file that grows.
 * @throws the database's error when it can't write: its disk is full, or it is read-only
 */
export async function checkWrites(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx)
    await sql`select count(*) from generate_series(1, ${sql.lit(ROWS)})`.execute(tx)
    await sql`insert into write_checks (written_at) values (now())
      on conflict (id) do update set written_at = excluded.written_at`.execute(tx)
  })
}
