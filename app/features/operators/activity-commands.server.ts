import type { Database } from '../../adapters/database/port.ts'
import { type Activity, listActivity } from '../accounts/security-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'

/**
 * Opens one account's security log for an operator, and logs that. The account's owner sees it in their activity, too.
 * @param input.before the cursor of a page
 * @returns null when there is no such account
 */
export async function openActivity(
  deps: { db: Database; now: () => Date },
  input: { operator: Operator; userId: string; before: string | null },
): Promise<(Activity & { name: string; email: string }) | null> {
  const user = await deps.db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', input.userId)
    .executeTakeFirst()
  if (!user) return null
  const activity = await listActivity(deps.db, input)
  await logAction(deps.db, {
    operator: input.operator,
    action: 'open-activity',
    subject: { kind: 'account', id: input.userId, label: user.email },
    at: deps.now(),
  })
  return { ...activity, ...user }
}
