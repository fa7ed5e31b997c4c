import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { DatabaseConnection } from './port.ts'

/**
 * The longest wait for a table's lock. A backup holds its locks for minutes, and everybody else would queue behind a migration
 * that waits for them. The start fails instead and is tried again.
 */
const LOCK_TIMEOUT = '10s'

/**
 * Applies pending SQL files in the order of their names, under a lock. Each runs in its own transaction, which also
 * records it.
 * @param folder holds files like 0001_foundation.sql
 * @param only limits the run to these names, so that a backup is restored into the tables that it was read from
 * @returns the names that were applied now
 * @throws when a file was edited after it ran, and when a table's lock isn't free within `LOCK_TIMEOUT`
 */
export async function migrate(
  connection: DatabaseConnection,
  folder: string,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  return connection.withLock(async () => {
    await connection.executeScript(`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const rows = await sql<{ name: string; hash: string }>`select name, hash from schema_migrations`.execute(
      connection.db,
    )
    const known = new Map(rows.rows.map((row) => [row.name, row.hash]))
    const applied: string[] = []
    for (const { name, script, hash } of listMigrations(folder)) {
      if (only && !only.has(name)) continue
      const before = known.get(name)
      if (before === hash) continue
      if (before) throw new Error(`The migration ${name} was edited after it ran. Add a new one instead.`)
      await connection.executeScript(
        `begin;\nset local lock_timeout = '${LOCK_TIMEOUT}';\n${script}\n;insert into schema_migrations (name, hash) values ('${name}', '${hash}');\ncommit;`,
      )
      applied.push(name)
    }
    return applied
  })
}

/** The migrations in a folder, in the order in which they are applied. */
export function listMigrations(folder: string): { name: string; script: string; hash: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const script = readFileSync(join(folder, name), 'utf8')
      return { name, script, hash: createHash('sha256').update(script).digest('hex') }
    })
}
