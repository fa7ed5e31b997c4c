import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { hasOtherAdmin, isClosed, listAdmins } from './people-queries.server.ts'
import { isRaise } from './role-rules.ts'
import { NEW_OPERATOR_MS, type SecondPersonRefusal, secondPersonRefusal } from './rules.ts'

type Reader = Database | DatabaseTransaction

/**
 * Whether an operator may be the second person for what another has asked for.
 * @returns why not; null if they may
 */
export async function refuseAsSecond(
  db: Reader,
  { operatorId, askerId, now }: { operatorId: string; askerId: string; now: Date },
): Promise<SecondPersonRefusal | null> {
  const rows = await db
    .selectFrom('operator_namings')
    .select(['former_role', 'role', 'placed_by', 'settled_at'])
    .where('user_id', '=', operatorId)
    .where('outcome', '=', 'done')
    .orderBy('settled_at', 'desc')
    .execute()
  const last = rows.find((row) => isRaise(row.former_role, row.role))
  const raised = last?.settled_at ? { at: last.settled_at, by: last.placed_by } : null
  return secondPersonRefusal({ userId: operatorId, raised }, askerId, now)
}

/**
 * Whether a role that moves money needs another admin than this one.
 * @returns 'second' where there is another admin; 'admin_left' where one lost their role or account lately, or this admin could
 *   first remove the other; null where this admin is the only one
 */
export async function needsSecondAdmin(
  db: Reader,
  { operatorId, now }: { operatorId: string; now: Date },
  adminEmails: ReadonlySet<string>,
): Promise<'second' | 'admin_left' | null> {
  if (await hasOtherAdmin(db, operatorId, adminEmails)) return 'second'
  const since = new Date(now.getTime() - NEW_OPERATOR_MS)
  const admins = await listAdmins(db, adminEmails)
  const closed = admins.some(
    (row) =>
      row.id !== operatorId &&
      isClosed(row) &&
      [row.disabled_at, row.deactivated_at].every((at) => at === null || at > since),
  )
  if (closed) return 'admin_left'
  const lowered = await db
    .selectFrom('operator_namings')
    .select('id')
    .where('outcome', '=', 'done')
    .where('former_role', '=', 'admin')
    .where('settled_at', '>', since)
    .where('user_id', '<>', operatorId)
    .where((eb) => eb.or([eb('role', 'is', null), eb('role', '<>', 'admin')]))
    .limit(1)
    .executeTakeFirst()
  return lowered ? 'admin_left' : null
}
