import type { Database, DatabaseTransaction } from '../database/port.ts'
import { deleteLinks, findLink, type RedeemedLink, redeemLink } from './account-links.server.ts'

/** Checks the link of a mail about a new device. Refuses it once the account has another address. */
export async function findDeviceLink(
  db: Database | DatabaseTransaction,
  token: string,
  now: Date,
): Promise<RedeemedLink> {
  const link = await findLink(db, token, ['new-device'], now)
  if (!link.ok) return link
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', link.userId)
    .where('email', '=', link.email)
    .executeTakeFirst()
  return user ? link : { ok: false, reason: 'invalid-action-code' }
}

/** Uses such a link up, with every link that others could have asked for to enter or move the account. */
export async function redeemDeviceLink(
  tx: DatabaseTransaction,
  token: string,
  now: Date,
): Promise<RedeemedLink> {
  const found = await findDeviceLink(tx, token, now)
  if (!found.ok) return found
  const link = await redeemLink(tx, token, ['new-device'], now)
  if (link.ok) await deleteLinks(tx, { userId: link.userId })
  return link
}
