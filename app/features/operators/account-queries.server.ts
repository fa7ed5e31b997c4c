import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { PAGE_SIZE } from './rules.ts'

export type OperatorAccount = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  createdAt: string
  businesses: number
  disabledReason: string | null
  isDisabled: boolean
  isDeactivated: boolean
  /** Has a role, or an address that the settings name. */
  isOperator: boolean
}

/**
 * Lists accounts by part of a name or email, or the newest when `words` is empty. `disabled` limits the list to
 * disabled accounts.
 */
export async function listAccounts(
  db: Database,
  input: { words: string; disabled: boolean; adminEmails: ReadonlySet<string> },
): Promise<OperatorAccount[]> {
  const part = `%${input.words.replace(/[\\%_]/g, '\\$&')}%`
  let query = db.selectFrom('users').select((eb) => [
    'id',
    'name',
    'email',
    'email_verified',
    'created_at',
    'disabled_at',
    'disabled_reason',
    'deactivated_at',
    'operator_role',
    eb
      .selectFrom('businesses')
      .select((owned) => owned.fn.countAll().as('count'))
      .whereRef('businesses.user_id', '=', 'users.id')
      .where('businesses.deleted_at', 'is', null)
      .as('businesses'),
  ])
  if (input.words !== '')
    query = query.where((eb) =>
      eb.or([
        eb('name', 'ilike', part),
        eb(sql<string>`email::text`, 'ilike', part),
        eb('id', '=', input.words),
      ]),
    )
  if (input.disabled) query = query.where('disabled_at', 'is not', null)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(PAGE_SIZE).execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    createdAt: row.created_at.toISOString(),
    businesses: Number(row.businesses ?? 0),
    disabledReason: row.disabled_reason,
    isDisabled: row.disabled_at !== null,
    isDeactivated: row.deactivated_at !== null,
    isOperator: row.operator_role !== null || input.adminEmails.has(row.email.toLowerCase()),
  }))
}
