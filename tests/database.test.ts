import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from './database.ts'

// On the embedded database the same mistake never ends, so no test could report it there.
describe.runIf(process.env.TEST_DATABASE_URL)('a database of a test', () => {
  it('refuses its outer handle inside a transaction', async () => {
    const { db, close } = await openTestDatabase()
    const wrong = db.transaction().execute(() => sql`select 1`.execute(db))
    await expect(wrong).rejects.toThrow('only its own handle')
    const nested = db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(() => db.transaction().execute(async () => {}))
    await expect(nested).rejects.toThrow('only its own handle')
    const right = await db.transaction().execute((tx) => sql<{ one: number }>`select 1 as one`.execute(tx))
    expect(right.rows).toEqual([{ one: 1 }])
    await close()
  })
})
