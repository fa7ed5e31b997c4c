import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { leavesAnAdmin } from './people-commands.server.ts'

/**
 * Disables an account: its sessions end at once, it can't sign in, and its businesses are hidden (Decisions 18, 19).
 * Its bookings stay as they are. An operator loses their role first, which only admins can take.
 * @param input.protectedEmails addresses whose accounts can't be disabled
 * @returns refuses with 'not_found', 'own_account', 'is_operator' and 'last_admin'
 */
export async function disableAccount(
  deps: BookingDeps,
  input: {
    operator: Operator
    userId: string
    reason: string
    protectedEmails: ReadonlySet<string>
    /** The addresses that the settings name. */
    adminEmails: ReadonlySet<string>
  },
): Promise<
  | { ok: true; changed: boolean }
  | { ok: false; reason: 'not_found' | 'own_account' | 'is_operator' | 'last_admin' }
> {
  if (input.userId === input.operator.userId) return refuse('own_account')
  return deps.db.transaction().execute(async (tx) => {
    // Two admins whom the settings name could disable each other at the same moment.
    const isKept = await leavesAnAdmin(tx, input.userId, input.adminEmails)
    const user = await lockUser(tx, input.userId)
    if (!user) return refuse('not_found')
    if (user.operator_role || input.protectedEmails.has(user.email.toLowerCase()))
      return refuse('is_operator')
    if (!isKept) return refuse('last_admin')
    if (user.disabled_at) return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('users')
      .set({ disabled_at: at, disabled_reason: input.reason, updated_at: at })
      .where('id', '=', user.id)
      .execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: at, hidden_by: 'disabling', updated_at: at })
      .where('user_id', '=', user.id)
      .where(isVisible())
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: 'disable-account',
      subject: { kind: 'account', id: user.id, label: user.email },
      reason: input.reason,
      at,
    })
    await deps.liveUpdates.publish(tx, `session:${user.id}`)
    return { ok: true, changed: true } as const
  })
}

/**
 * Lets a disabled account sign in again and shows the businesses that were hidden with it. Refuses with 'not_found'.
 */
export async function enableAccount(
  deps: BookingDeps,
  input: { operator: Operator; userId: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, input.userId)
    if (!user) return refuse('not_found')
    if (!user.disabled_at) return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('users')
      .set({ disabled_at: null, disabled_reason: null, updated_at: at })
      .where('id', '=', user.id)
      .execute()
    // These sessions have been refused since the account was disabled. They were stored until now so that the refusal
    // could give the reason.
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null, updated_at: at })
      .where('user_id', '=', user.id)
      .where('hidden_by', '=', 'disabling')
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: 'enable-account',
      subject: { kind: 'account', id: user.id, label: user.email },
      at,
    })
    return { ok: true, changed: true } as const
  })
}

function lockUser(tx: DatabaseTransaction, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'disabled_at', 'operator_role'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}
