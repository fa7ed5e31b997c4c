import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { findSale } from '../app/features/sales/queries.server.ts'
import { createServerDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
import { untilOneWaits } from './until-one-waits.ts'

const FILL = '0075_sales_of_before.sql'
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: filling sales under a change is skipped.\n')

const event = (day: string) => ({ from: `${day}T05:00:00.000Z`, until: `${day}T12:00:00.000Z` })

it.skipIf(!hasPostgres)(
  'sales of older payments have what an older process changes while they are filled',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
    cpSync('database/migrations', folder, { recursive: true })
    for (const name of readdirSync(folder)) if (name >= '0074_sales.sql') rmSync(join(folder, name))
    const databaseUrl = await createServerDatabase('nothing')
    const [migrating, older] = [openPostgres(databaseUrl, () => {}), openPostgres(databaseUrl, () => {})]
    try {
      await migrate(migrating, folder)
      const sold = {
        businessId: 'b',
        businessName: 'The Hall',
        timeZone: 'Australia/Melbourne',
        event: event('2027-03-13'),
      }
      for (const id of ['during', 'after'])
        await sql`insert into payments (id, submit_key, provider, amount_cents, draft, sold, owner_user_id, link_hash,
          terms_version, expires_at)
        values (${id}, ${id}, 'sandbox', 45500, '{"quantity": 10}', ${JSON.stringify(sold)}, 'v', ${id}, '1', now())`.execute(
          older.db,
        )
      cpSync('database/migrations/0074_sales.sql', join(folder, '0074_sales.sql'))
      await migrate(migrating, folder)
      cpSync(join('database/migrations', FILL), join(folder, FILL))

      let filling: Promise<string[]> | undefined
      await older.db.transaction().execute(async (tx) => {
        await sql`update payments set sold = sold || ${JSON.stringify({ event: event('2027-03-20') })} where id = 'during'`.execute(
          tx,
        )
        filling = migrate(migrating, folder)
        await untilOneWaits(older.db)
      })
      expect(await filling).toEqual([FILL])
      await sql`update payments set sold = sold || ${JSON.stringify({ event: event('2027-03-27') })} where id = 'after'`.execute(
        older.db,
      )
      expect((await findSale(older.db, 'during'))?.event).toEqual(event('2027-03-20'))
      expect((await findSale(older.db, 'after'))?.event).toEqual(event('2027-03-27'))
    } finally {
      await migrating.close()
      await older.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
