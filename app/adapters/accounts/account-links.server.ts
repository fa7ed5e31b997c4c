import { newId } from '../../shared/ids.ts'
import { hashText } from '../../shared/signed.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import { lockAccounts } from './account-lock.server.ts'

export type LinkKind = 'reset-password' | 'verify-email' | 'change-email' | 'undo-email-change' | 'new-device'

/** How long a mailed link works. */
export const LINK_LIFE_MS = 3_600_000
/** How long an email change can be undone from the old address, and a new device refused. */
export const UNDO_LIFE_MS = 7 * DAY_MS
const LONG_LINKS: readonly LinkKind[] = ['undo-email-change', 'new-device']

// Expired rows stay for a day, so that an expired link isn't mistaken for a link that never existed.
const KEPT_AFTER_END_MS = DAY_MS
const TOKEN_LENGTH = 32

/**
 * Makes a link for a mail. Only its hash is stored.
 * @param input.email the address that the link is sent to, and proves
 * @param input.now the start of the link's lifetime
 * @returns the link's token: 160 random bits
 */
export async function issueLink(
  db: Database | DatabaseTransaction,
  input: { kind: LinkKind; userId: string; email: string; now: Date },
): Promise<string> {
  const token = newId(TOKEN_LENGTH)
  const lifeMs = LONG_LINKS.includes(input.kind) ? UNDO_LIFE_MS : LINK_LIFE_MS
  await db
    .insertInto('account_links')
    .values({
      hash: await hashText(token),
      kind: input.kind,
      user_id: input.userId,
      email: input.email,
      expires_at: new Date(input.now.getTime() + lifeMs),
      created_at: input.now,
    })
    .execute()
  // Skips what another request deletes at the same moment: neither may wait for the other.
  await db
    .deleteFrom('account_links')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('account_links')
        .select('hash')
        .where('expires_at', '<', new Date(input.now.getTime() - KEPT_AFTER_END_MS))
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  return token
}

export type RedeemedLink =
  | { ok: true; kind: LinkKind; userId: string; email: string; createdAt: Date }
  | { ok: false; reason: 'expired-action-code' | 'invalid-action-code' }

/** Checks a link without using it up. */
export async function findLink(
  db: Database | DatabaseTransaction,
  token: string,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<RedeemedLink> {
  const row = await db
    .selectFrom('account_links')
    .selectAll()
    .where('hash', '=', await hashText(token))
    .where('kind', 'in', kinds)
    .executeTakeFirst()
  return toRedeemed(row, now)
}

/**
 * Uses a link up, and locks its account. If two requests race for it, only one succeeds. The account's row comes first: two
 * links of one account would otherwise each hold their own row and wait for the other's.
 */
export async function redeemLink(
  tx: DatabaseTransaction,
  token: string,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<RedeemedLink> {
  const found = await findLink(tx, token, kinds, now)
  if (!found.ok) return found
  await lockAccounts(tx, [found.userId])
  const row = await tx
    .deleteFrom('account_links')
    .where('hash', '=', await hashText(token))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  return toRedeemed(row, now)
}

function toRedeemed(
  row: { kind: LinkKind; user_id: string; email: string; expires_at: Date; created_at: Date } | undefined,
  now: Date,
): RedeemedLink {
  if (!row) return { ok: false, reason: 'invalid-action-code' }
  if (row.expires_at <= now) return { ok: false, reason: 'expired-action-code' }
  return { ok: true, kind: row.kind, userId: row.user_id, email: row.email, createdAt: row.created_at }
}

/**
 * Deletes an account's open links. Links that undo an email change or refuse a new device stay, because a thief could
 * otherwise remove them with another change or a new password.
 * @param of.email limits the deletion to links sent to this address
 */
export async function deleteLinks(
  tx: DatabaseTransaction,
  of: { userId: string; email?: string; kinds?: readonly LinkKind[] },
): Promise<void> {
  let query = tx
    .deleteFrom('account_links')
    .where('user_id', '=', of.userId)
    .where('kind', 'not in', LONG_LINKS)
  if (of.email) query = query.where('email', '=', of.email)
  if (of.kinds) query = query.where('kind', 'in', of.kinds)
  await query.execute()
}
