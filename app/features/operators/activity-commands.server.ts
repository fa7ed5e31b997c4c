import type { Database } from '../../adapters/database/port.ts'
import { type Activity, listActivity } from '../accounts/security-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { DELETED_ACCOUNT } from './messages.ts'

/**
 * Opens one account's security log for an operator, and logs that. The account's owner sees it in their activity, too.
 * @param input.before the cursor of a page
 * A deleted account's is kept for its 180 days.
 * @returns null when there is no such account, nor events of a deleted one
 */
export async function openActivity(
  deps: { db: Database; now: () => Date },
  input: { operator: Operator; userId: string; before: string | null },
): Promise<(Activity & { name: string; email: string | null }) | null> {
  const user = await deps.db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', input.userId)
    .executeTakeFirst()
  const activity = await listActivity(deps.db, input)
  if (!user && activity.events.length === 0) return null
  const holder = user ?? { name: DELETED_ACCOUNT, email: null }
  await logAction(deps.db, {
    operator: input.operator,
    action: 'open-activity',
    subject: { kind: 'account', id: input.userId, label: holder.email ?? DELETED_ACCOUNT.toLowerCase() },
    at: deps.now(),
  })
  return { ...activity, ...holder }
}
