import type { DatabaseTransaction } from '../database/port.ts'

/**
 * Locks accounts' rows until the transaction ends, in the order of their ids. Every change of how an account signs in takes
 * this lock before any other and checks again what it relies on: two changes would otherwise see the same state, or wait
 * for each other for ever.
 */
export async function lockAccounts(tx: DatabaseTransaction, userIds: readonly string[]): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...userIds])
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Locks an account and the present holder of an address, before the address goes from one to the other: the other account may
 * be taking this one's at the same moment.
 */
export async function lockWithHolder(
  tx: DatabaseTransaction,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const holder = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  await lockAccounts(tx, [userId, ...(holder ? [holder.id] : [])])
}

/**
 * Locks the account of a session, and tells whether the session is still open: another request may have ended it since it
 * was read.
 */
export async function holdSession(
  tx: DatabaseTransaction,
  session: { id: string; user: { uid: string } },
): Promise<boolean> {
  await lockAccounts(tx, [session.user.uid])
  const row = await tx.selectFrom('sessions').select('id').where('id', '=', session.id).executeTakeFirst()
  return row !== undefined
}

/**
 * The stored hash of an account's password, which a change of the password replaces; null without one.
 */
export async function findPasswordHash(
  db: Pick<DatabaseTransaction, 'selectFrom'>,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('account_credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? null
}
