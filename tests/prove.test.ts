import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openPglite } from '../app/adapters/database/pglite.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { aPaymentOf } from './builders.ts'
import { createServerDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { findPostgres } from './postgres.ts'
import { COMPILE_CACHE, prepareDatabase, SHORT_LIVED, serverSettings } from './server-process.ts'

/** `npm run prove` as an operator runs it. */

const folder = mkdtempSync(join(tmpdir(), 'jubilee-prove-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const kinds = ['the embedded database', ...(findPostgres() ? ['PostgreSQL'] : [])]

describe.each(kinds)('npm run prove on %s', (kind) => {
  it('exits with 0 while nothing differs, and with 1 and a list when a payment does', async () => {
    let databaseUrl: string | null = null
    if (kind === 'PostgreSQL') databaseUrl = await createServerDatabase()
    else await prepareDatabase(folder)
    const place = { folder, databaseUrl }
    const inDatabase = async (work: (db: Database) => Promise<unknown>) => {
      const connection = databaseUrl
        ? openPostgres(databaseUrl, (error) => {
            throw error
          })
        : await openPglite(folder)
      await work(connection.db)
      await connection.close()
    }
    const prove = async () => {
      const env = {
        PATH: process.env.PATH ?? '',
        ...serverSettings(place, await freePort()),
        PAYOUTS: 'sandbox',
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
      }
      return spawnSync(process.execPath, [...SHORT_LIVED, 'server/prove.ts'], { env, encoding: 'utf8' })
    }
    const good = await prove()
    expect(good.stderr).toBe('')
    expect(good.stdout).toContain('Proved: nothing differs.')
    expect(good.status).toBe(0)
    await inDatabase((db) => aPaymentOf(db, { id: 'unposted', priceCents: 12_345 }, { state: 'paid' }))
    const bad = await prove()
    expect(bad.stdout).toContain('1  payments are posted\n           unposted: $123.45')
    expect(bad.stdout).toContain(
      '1  purchases are booked\n           unposted: $123.45, paid, and neither booked nor refunded',
    )
    expect(bad.stdout).toContain('3 differ.')
    expect(bad.status).toBe(1)
  }, 120_000)
})
