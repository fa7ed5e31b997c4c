import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import type { RegisterProblem } from '../registrations/register-rules.ts'
import { cursorMicros, cursorOf, isOlder, likePart } from './list-queries.server.ts'
import { listNamedEmails } from './named-admin-queries.server.ts'
import { type AccountFilter, NEW_MS, PAGE_SIZE } from './rules.ts'

export type OperatorAccount = {
  id: string
  /** Its position in a list. */
  cursor: string
  /** The oldest listing, and the name of the registration; null without one. */
  businessId: string | null
  registeredName: string | null
  /** The Australian Business Register's problem with its registration. */
  registerProblem: RegisterProblem | null
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
 * Lists accounts, newest first.
 * @param input.words part of a name or an email, or an id; '' for all
 * @param input.userId limits the list to this account
 * @param input.disabled limits the list to disabled accounts
 * @param input.before the cursor of the last row before; null for the first page
 */
export async function listAccounts(
  db: Database,
  input: {
    words: string
    userId?: string
    disabled: boolean
    filter?: AccountFilter
    now: Date
    adminEmails: ReadonlySet<string>
    before?: string | null
    limit?: number
  },
): Promise<OperatorAccount[]> {
  const before = readPageKey(input.before)
  const newAfter = new Date(input.now.getTime() - NEW_MS)
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
    eb
      .selectFrom('businesses')
      .select('businesses.id')
      .whereRef('businesses.user_id', '=', 'users.id')
      .where('businesses.deleted_at', 'is', null)
      .orderBy('businesses.created_at')
      .orderBy('businesses.id')
      .limit(1)
      .as('business_id'),
    eb
      .selectFrom('business_registrations')
      .select('business_registrations.business_name')
      .whereRef('business_registrations.user_id', '=', 'users.id')
      .as('registered_name'),
    eb
      .selectFrom('business_registrations')
      .select('business_registrations.register_problem')
      .whereRef('business_registrations.user_id', '=', 'users.id')
      .as('register_problem'),
    cursorMicros('users'),
  ])
  if (input.words !== '') query = query.where(matchesAccount(input.words))
  if (input.userId !== undefined) query = query.where('users.id', '=', input.userId)
  if (input.disabled) query = query.where('disabled_at', 'is not', null)
  if (input.filter === 'new') query = query.where('users.created_at', '>', newAfter)
  if (input.filter === 'registered')
    query = query.where('users.id', 'in', (eb) =>
      eb.selectFrom('business_registrations').select('user_id').where('created_at', '>', newAfter),
    )
  if (input.filter === 'register')
    query = query.where('users.id', 'in', (eb) =>
      eb.selectFrom('business_registrations').select('user_id').where('register_problem', 'is not', null),
    )
  if (before) query = query.where(isOlder('users', before))
  const rows = await query
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(input.limit ?? PAGE_SIZE)
    .execute()
  const namedEmails = await listNamedEmails(db, input.adminEmails)
  return rows.map((row) => ({
    id: row.id,
    cursor: cursorOf(row),
    businessId: row.business_id,
    registeredName: row.registered_name,
    registerProblem: row.register_problem,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    createdAt: row.created_at.toISOString(),
    businesses: Number(row.businesses ?? 0),
    disabledReason: row.disabled_reason,
    isDisabled: row.disabled_at !== null,
    isDeactivated: row.deactivated_at !== null,
    isOperator: row.operator_role !== null || namedEmails.has(row.email.toLowerCase()),
  }))
}

/** The condition that an account matches the words of a search: part of a name or an email, or its id. */
export function matchesAccount(words: string): RawBuilder<boolean> {
  const part = likePart(words)
  return sql<boolean>`(users.id = ${words} or users.name ilike ${part} or users.email::text ilike ${part})`
}
