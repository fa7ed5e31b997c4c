import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../../tests/database.ts'
import { migrate } from './migrate.server.ts'

it('a migration waits ten seconds for a lock at most, and later statements wait as before', async () => {
  const connection = await openEmbeddedDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  const lockTimeout = async () =>
    (await sql<{ lock_timeout: string }>`show lock_timeout`.execute(connection.db)).rows[0]?.lock_timeout
  try {
    const before = await lockTimeout()
    writeFileSync(
      join(folder, '9998_waits.sql'),
      `create table waits as select current_setting('lock_timeout') as within;`,
    )
    expect(await migrate(connection, folder)).toEqual(['9998_waits.sql'])
    const { rows } = await sql`select within from waits`.execute(connection.db)
    expect(rows).toEqual([{ within: '10s' }])
    expect(await lockTimeout()).toBe(before)
  } finally {
    await connection.close()
    rmSync(folder, { recursive: true })
  }
})
