import { newPlaceholderEmail } from '../../shared/placeholder-email.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'

/** The column values of an account whose owner has confirmed the address. */
export const CONFIRMED_EMAIL = {
  email_verified: true,
  detached_email: null,
  email_detached_at: null,
} as const

/**
 * Detaches an unconfirmed address from its account. The account's sessions stay open and lead to the screen that asks
 * for another address.
 * @returns false when the account no longer has this address, or has confirmed it
 */
export async function detachEmailIn(
  tx: DatabaseTransaction,
  input: { userId: string; email: string; now: Date },
): Promise<boolean> {
  const detached = await tx
    .updateTable('users')
    .set({
      email: newPlaceholderEmail(),
      detached_email: input.email,
      email_detached_at: input.now,
      updated_at: input.now,
    })
    .where('id', '=', input.userId)
    .where('email', '=', input.email)
    .where('email_verified', '=', false)
    .returning('id')
    .executeTakeFirst()
  return detached !== undefined
}

/**
 * Frees an address for an account that has proved it.
 * @returns false when another account has confirmed it
 */
export async function freeEmailIn(
  tx: DatabaseTransaction,
  input: { userId: string; email: string; now: Date },
): Promise<boolean> {
  const holder = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', input.email)
    .where('id', '<>', input.userId)
    .forUpdate()
    .executeTakeFirst()
  return !holder || detachEmailIn(tx, { userId: holder.id, email: input.email, now: input.now })
}

/**
 * Finds the account that an address signs in to: the account with that address or, if there is none, the account that
 * lost it last.
 * @returns the account with its current address, which may be a placeholder
 */
export async function findSignInUser(
  db: Database,
  typed: string,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) => eb.or([eb('email', '=', typed), eb('detached_email', '=', typed)]))
    .orderBy('email_detached_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}
