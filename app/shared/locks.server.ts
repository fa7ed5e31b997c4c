import { type QueryExecutorProvider, sql } from 'kysely'
import type { NamedLock } from './lock-order.ts'

/**
 * Takes a lock that no row stands for, until the transaction ends.
 * @param name its place in the order of locks
 * @param subject tells locks of one name apart, such as a business's id. Left out where there is only one
 */
export async function lockByName(
  tx: QueryExecutorProvider & { readonly isTransaction: true },
  name: NamedLock,
  subject?: string,
): Promise<void> {
  const key = subject === undefined ? name : `${name}:${subject}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}
