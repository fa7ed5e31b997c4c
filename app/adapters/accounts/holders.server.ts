import type { Database } from '../database/port.ts'

/** The account that a reset mail goes to. Looked up for the log alone, in the same time with and without an account. */
export async function findHolder(db: Database, email: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id ?? null
}
