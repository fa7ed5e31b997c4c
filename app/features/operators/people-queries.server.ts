import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { isNamedAdmin, listNamedEmails } from './named-admin-queries.server.ts'
import { type Permission, type Role, rolesWith } from './role-rules.ts'

/**
 * Returns the role of a signed-in person, or null. Read anew for each request, so that a change counts at once.
 * @param adminEmails the addresses that the settings name
 */
export async function findRole(
  db: Database | DatabaseTransaction,
  user: { uid: string; email: string; emailVerified: boolean },
  adminEmails: ReadonlySet<string>,
): Promise<Role | null> {
  const { uid, email, emailVerified } = user
  if (!emailVerified) return null
  if (await isNamedAdmin(db, { uid, email }, adminEmails)) return 'admin'
  const row = await db.selectFrom('users').select('operator_role').where('id', '=', uid).executeTakeFirst()
  return row?.operator_role ?? null
}

export type OperatorPerson = {
  id: string
  name: string
  email: string
  role: Role
  /** The settings name them, so only the settings can change that. */
  isFromSettings: boolean
  hasSecondFactor: boolean
  isClosed: boolean
}

/** Lists the operators, admins first. People whom the settings name appear once they have an account with that address. */
export async function listOperators(
  db: Database,
  adminEmails: ReadonlySet<string>,
): Promise<OperatorPerson[]> {
  const namedEmails = await listNamedEmails(db, adminEmails)
  const rows = await selectOperators(db, namedEmails)
    .select((eb) => [
      'users.name',
      eb
        .or([
          eb.exists(
            eb
              .selectFrom('second_factors')
              .select('second_factors.id')
              .whereRef('second_factors.user_id', '=', 'users.id')
              .where('second_factors.verified', '=', true),
          ),
          eb.exists(
            eb.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'),
          ),
        ])
        .as('has_factor'),
    ])
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
  const people = rows.flatMap((row) => {
    const isFromSettings = namedEmails.has(row.email.toLowerCase())
    const role = isFromSettings ? 'admin' : row.operator_role
    if (!role) return []
    const { id, name, email, has_factor: hasSecondFactor } = row
    return [
      {
        id,
        name,
        email,
        role,
        isFromSettings,
        hasSecondFactor: Boolean(hasSecondFactor),
        isClosed: isClosed(row),
      },
    ]
  })
  const order: readonly Role[] = ['admin', 'finance', 'support']
  return people.sort((one, other) => order.indexOf(one.role) - order.indexOf(other.role))
}

/**
 * The addresses of the operators who have a permission. Addresses of the settings count even without an account: the
 * settings are where somebody answers.
 */
export async function listEmailsWith(
  db: Database | DatabaseTransaction,
  permission: Permission,
  adminEmails: ReadonlySet<string>,
): Promise<string[]> {
  const roles = rolesWith(permission)
  const namedEmails = await listNamedEmails(db, adminEmails)
  const named = roles.includes('admin') ? [...namedEmails] : []
  const rows = await selectOperators(db, namedEmails).execute()
  const others = rows
    .filter((row) => !isClosed(row) && row.operator_role !== null && roles.includes(row.operator_role))
    .map(({ email }) => email.toLowerCase())
  return [...new Set([...named, ...others])]
}

/** Whether an account other than this one could act as an admin now. */
export async function hasOtherAdmin(
  db: Database | DatabaseTransaction,
  userId: string,
  adminEmails: ReadonlySet<string>,
): Promise<boolean> {
  const namedEmails = await listNamedEmails(db, adminEmails)
  const rows = await selectOperators(db, namedEmails).where('users.id', '<>', userId).execute()
  return rows.some((row) => !isClosed(row) && isAdmin(row, namedEmails))
}

/** Whether this account is an admin's, and no other could act as one now. */
export async function isLastAdmin(
  db: Database | DatabaseTransaction,
  userId: string,
  adminEmails: ReadonlySet<string>,
): Promise<boolean> {
  const namedEmails = await listNamedEmails(db, adminEmails)
  const own = await selectOperators(db, namedEmails).where('users.id', '=', userId).executeTakeFirst()
  return own !== undefined && isAdmin(own, namedEmails) && !(await hasOtherAdmin(db, userId, adminEmails))
}

const isAdmin = (
  row: { email: string; operator_role: Role | null },
  namedEmails: ReadonlySet<string>,
): boolean => namedEmails.has(row.email.toLowerCase()) || row.operator_role === 'admin'

/** Lists the accounts of admins, closed ones too. */
export async function listAdmins(db: Database | DatabaseTransaction, adminEmails: ReadonlySet<string>) {
  const namedEmails = await listNamedEmails(db, adminEmails)
  const rows = await selectOperators(db, namedEmails).execute()
  return rows.filter((row) => isAdmin(row, namedEmails))
}

export const isClosed = (row: { disabled_at: Date | null; deactivated_at: Date | null }) =>
  row.disabled_at !== null || row.deactivated_at !== null

function selectOperators(db: Database | DatabaseTransaction, namedEmails: ReadonlySet<string>) {
  return db
    .selectFrom('users')
    .select(['users.id', 'users.email', 'users.operator_role', 'users.disabled_at', 'users.deactivated_at'])
    .where('users.email_verified', '=', true)
    .where((eb) =>
      eb.or([
        eb('users.operator_role', 'is not', null),
        ...(namedEmails.size > 0
          ? [eb(eb.fn<string>('lower', ['users.email']), 'in', [...namedEmails])]
          : []),
      ]),
    )
}
