import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'

/**
 * Runs a command that refuses, and expects every table to have the same rows as before: what its transaction wrote before the
 * refusal is rolled back.
 * @param command its name, by which tests/refused-writes.test.ts finds this test
 * @param run is given a function that takes the rows of now, or of another transaction, as those before. Where that one makes the
 *   command refuse, it calls the function last
 * @returns its result
 */
export async function leavesAsIs<Result extends { ok: boolean }>(
  db: Database,
  command: string,
  run: (isBefore: (reader: Database | DatabaseTransaction) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let before = await hashesOf(db)
  const result = await run(async (reader) => {
    before = await hashesOf(reader)
  })
  expect(result, `${command} refuses`).toMatchObject({ ok: false })
  expect(await hashesOf(db), `${command} writes nothing`).toEqual(before)
  return result
}

/** Tables of counters, which count what was refused as well. */
const COUNTERS: readonly string[] = ['rate_limits']

/** The number of rows of each table, and a hash of them all. */
async function hashesOf(db: Database | DatabaseTransaction): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const parts = tables
    .filter(({ name }) => !COUNTERS.includes(name))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as hash from ${sql.table(name)} t`,
    )
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
