import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'

type Reader = Database | DatabaseTransaction

/**
 * Binds addresses that the settings name to the accounts that have proved them, for good (Decision 53). Addresses
 * without such an account stay open for the first one. Each start calls it: an address that was proved before the
 * settings named it, or before claims existed, may change before its account sends a request.
 */
export async function claimAdminEmails(db: Reader, emails: Iterable<string>): Promise<void> {
  const named = [...emails]
  if (named.length === 0) return
  await db
    .insertInto('admin_claims')
    .columns(['email', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((row) => [row.fn<string>('lower', ['email']).as('email'), 'id as user_id'])
        .where('email_verified', '=', true)
        .where((row) => row(row.fn<string>('lower', ['email']), 'in', named)),
    )
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
}

/**
 * Whether the settings name this account: it was the first to prove one of their addresses, whatever its address is now.
 * @param adminEmails the addresses that the settings name, in lower case
 */
export async function isNamedAdmin(
  db: Reader,
  user: { uid: string; email: string },
  adminEmails: ReadonlySet<string>,
): Promise<boolean> {
  if (adminEmails.size === 0) return false
  const claim = () =>
    db
      .selectFrom('admin_claims')
      .select('email')
      .where('user_id', '=', user.uid)
      .where('email', 'in', [...adminEmails])
      .limit(1)
      .executeTakeFirst()
  if (await claim()) return true
  const email = user.email.toLowerCase()
  if (!adminEmails.has(email)) return false
  await claimAdminEmails(db, [email])
  return (await claim()) !== undefined
}

/**
 * The present addresses of the admins whom the settings name. An address that no account has proved yet stands for
 * itself; one whose account is deleted is left out.
 * @param adminEmails the addresses that the settings name, in lower case
 */
export async function listNamedEmails(
  db: Reader,
  adminEmails: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (adminEmails.size === 0) return adminEmails
  const read = () =>
    db
      .selectFrom('admin_claims')
      .leftJoin('users', 'users.id', 'admin_claims.user_id')
      .select(['admin_claims.email as named', 'users.email as present'])
      .where('admin_claims.email', 'in', [...adminEmails])
      .execute()
  let claims = await read()
  if (claims.length < adminEmails.size) {
    await claimAdminEmails(db, adminEmails)
    claims = await read()
  }
  const claimed = new Set(claims.map(({ named }) => named))
  const present = claims.flatMap(({ present }) => (present === null ? [] : [present.toLowerCase()]))
  return new Set([...[...adminEmails].filter((email) => !claimed.has(email)), ...present])
}

/** Returns the addresses of the settings that belong to an account, for its export. */
export async function exportAdminClaims(db: Database, userId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('admin_claims')
    .select(['email', 'claimed_at'])
    .where('user_id', '=', userId)
    .orderBy('email')
    .execute()
  return rows.map((row) => ({ email: row.email, claimedAt: row.claimed_at }))
}

/** Deletes addresses of deleted accounts that the settings no longer name: nobody can become an admin by them. */
export async function forgetAdminClaims(db: Database, adminEmails: ReadonlySet<string>): Promise<void> {
  await db
    .deleteFrom('admin_claims')
    .where('user_id', 'is', null)
    .$if(adminEmails.size > 0, (query) => query.where('email', 'not in', [...adminEmails]))
    .execute()
}
