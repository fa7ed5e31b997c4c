import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { type RoleChange, roleChangedMail } from './mails.ts'
import { listNamedEmails } from './named-admin-queries.server.ts'
import { hasOtherAdmin, isLastAdmin, listEmailsWith } from './people-queries.server.ts'
import type { Role } from './role-rules.ts'

export type PeopleDeps = {
  db: Database
  jobs: Jobs
  liveUpdates: LiveUpdates
  now: () => Date
  brand: string
  publicUrl: URL
  /** The addresses that the settings name. */
  adminEmails: ReadonlySet<string>
}

type Person = {
  id: string
  email: string
  email_verified: boolean
  operator_role: Role | null
  disabled_at: Date | null
  deactivated_at: Date | null
}

/**
 * Makes the account with this address an operator. Its address is proved, or an account that somebody else made with it would
 * get the role.
 * @returns refuses with 'no_account', 'unproved', 'closed' (disabled or deactivated) and 'is_operator'
 */
export async function nameOperator(
  deps: PeopleDeps,
  input: { operator: Operator; email: string; role: Role },
): Promise<{ ok: true } | { ok: false; reason: 'no_account' | 'unproved' | 'closed' | 'is_operator' }> {
  const { operator, email, role } = input
  return deps.db.transaction().execute(async (tx) => {
    await lockRoles(tx)
    const person = await lockPerson(tx, { email })
    if (!person) return refuse('no_account')
    if (!person.email_verified) return refuse('unproved')
    if (person.disabled_at || person.deactivated_at) return refuse('closed')
    if (person.operator_role || (await isFromSettings(deps, tx, person))) return refuse('is_operator')
    await setRole(deps, tx, { operator, person, change: { kind: 'named', role } })
    return { ok: true }
  })
}

type RoleRefused = { ok: false; reason: 'not_operator' | 'from_settings' | 'changed' | 'last_admin' }

/**
 * Gives an operator another role.
 * @param input.seen the role that the admin saw
 * @returns refuses with 'not_operator', 'from_settings' (only the settings can change it), 'changed' (since it was seen) and
 *   'last_admin' (nobody would be left who names operators)
 */
export async function changeRole(
  deps: PeopleDeps,
  input: { operator: Operator; userId: string; role: Role; seen: Role },
): Promise<{ ok: true } | RoleRefused> {
  const { operator, userId, role, seen } = input
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockOperator(deps, tx, { userId, seen, isKeptAdmin: role === 'admin' })
    if (!found.ok) return found
    if (role !== seen)
      await setRole(deps, tx, { operator, person: found.person, change: { kind: 'changed', role } })
    return { ok: true }
  })
}

/** Takes an operator's role away. @returns refuses as `changeRole` does */
export async function removeOperator(
  deps: PeopleDeps,
  input: { operator: Operator; userId: string; seen: Role },
): Promise<{ ok: true } | RoleRefused> {
  const { operator, userId, seen } = input
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockOperator(deps, tx, { userId, seen, isKeptAdmin: false })
    if (!found.ok) return found
    await setRole(deps, tx, { operator, person: found.person, change: { kind: 'removed', role: seen } })
    return { ok: true }
  })
}

async function lockOperator(
  deps: PeopleDeps,
  tx: DatabaseTransaction,
  { userId, seen, isKeptAdmin }: { userId: string; seen: Role; isKeptAdmin: boolean },
): Promise<{ ok: true; person: Person } | RoleRefused> {
  await lockRoles(tx)
  const person = await lockPerson(tx, { userId })
  if (!person) return refuse('not_operator')
  if (await isFromSettings(deps, tx, person)) return refuse('from_settings')
  if (!person.operator_role) return refuse('not_operator')
  if (person.operator_role !== seen) return refuse('changed')
  if (seen === 'admin' && !isKeptAdmin && !(await hasOtherAdmin(tx, person.id, deps.adminEmails)))
    return refuse('last_admin')
  return { ok: true, person }
}

/** Stores a role, logs it, and tells the person and every admin. */
async function setRole(
  deps: PeopleDeps,
  tx: DatabaseTransaction,
  { operator, person, change }: { operator: Operator; person: Person; change: RoleChange },
): Promise<void> {
  const at = deps.now()
  // Those who are admins before the change hear of it, too, such as the admin who is removed.
  const admins = await listEmailsWith(tx, 'name-operators', deps.adminEmails)
  await tx
    .updateTable('users')
    .set({ operator_role: change.kind === 'removed' ? null : change.role })
    .where('id', '=', person.id)
    .execute()
  await logAction(tx, {
    operator,
    action: ({ named: 'name-operator', changed: 'change-role', removed: 'remove-operator' } as const)[
      change.kind
    ],
    subject: { kind: 'account', id: person.id, label: person.email },
    reason: change.kind === 'changed' ? `${person.operator_role} to ${change.role}` : change.role,
    at,
  })
  const key = newId()
  const about = { ...change, email: person.email.toLowerCase(), by: operator.email, key }
  for (const to of new Set([about.email, ...admins]))
    await deps.jobs.enqueue(tx, 'send-mail', roleChangedMail(about, to, deps))
  await deps.liveUpdates.publish(tx, `session:${person.id}`)
}

/**
 * Whether somebody else could act as an admin once this account is gone. Role changes and other admins who leave wait until
 * the transaction ends, so it takes no other lock before this one.
 */
export async function leavesAnAdmin(
  tx: DatabaseTransaction,
  userId: string,
  adminEmails: ReadonlySet<string>,
): Promise<boolean> {
  await lockRoles(tx)
  return !(await isLastAdmin(tx, userId, adminEmails))
}

const isFromSettings = async (deps: PeopleDeps, tx: DatabaseTransaction, { email }: Person) =>
  (await listNamedEmails(tx, deps.adminEmails)).has(email.toLowerCase())

/** Two admins who remove each other, or leave, at the same moment would leave none. */
async function lockRoles(tx: DatabaseTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator-roles', 0))`.execute(tx)
}

function lockPerson(
  tx: DatabaseTransaction,
  by: { userId: string } | { email: string },
): Promise<Person | undefined> {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'email_verified', 'operator_role', 'disabled_at', 'deactivated_at'])
    .where((eb) =>
      'userId' in by
        ? eb('id', '=', by.userId)
        : eb(eb.fn<string>('lower', ['email']), '=', by.email.toLowerCase()),
    )
    .forUpdate()
    .executeTakeFirst()
}
