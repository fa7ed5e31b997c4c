import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { lockByName } from '../../shared/locks.server.ts'
import { refuse } from '../../shared/result.ts'
import { APPROVAL_ACTS, type ApprovalAct } from './act-rules.ts'
import {
  type ApprovalFlow,
  askSecondPerson,
  expireApprovalsOfAccount,
  type SettleRefused,
  settleApproval,
} from './approval-commands.server.ts'
import type { Approval } from './approval-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { type RoleChange, roleChangedMail } from './mails.ts'
import { listNamedEmails } from './named-admin-queries.server.ts'
import { needsSecondAdmin } from './naming-queries.server.ts'
import { hasOtherAdmin, isClosed, isLastAdmin, listAdmins, listEmailsWith } from './people-queries.server.ts'
import { isRaise, type Role } from './role-rules.ts'

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
 * A role that moves money waits for a second admin where there is one.
 * @returns `waits` for a second admin; refuses with 'no_account', 'unproved', 'closed' (disabled or deactivated), 'is_operator'
 *   and those of `giveRole`
 */
export async function nameOperator(
  deps: PeopleDeps,
  input: { operator: Operator; email: string; role: Role },
): Promise<Changed | { ok: false; reason: 'no_account' | 'unproved' | 'closed' | 'is_operator' } | NotYet> {
  const { operator, email, role } = input
  return deps.db.transaction().execute(async (tx) => {
    await lockRoles(tx)
    const person = await lockPerson(tx, { email })
    if (!person) return refuse('no_account')
    if (!person.email_verified) return refuse('unproved')
    if (person.disabled_at || person.deactivated_at) return refuse('closed')
    if (person.operator_role || (await isFromSettings(deps, tx, person))) return refuse('is_operator')
    return giveRole(deps, tx, { operator, person, change: { kind: 'named', role } })
  })
}

/** Whether the role waits for a second admin, or one admin alone has given it. */
type Changed = { ok: true; waits: boolean; isAlone: boolean }
type NotYet = { ok: false; reason: 'waiting' | 'admin_left' }

const BY_ONE: Changed = { ok: true, waits: false, isAlone: false }

type RoleRefused = { ok: false; reason: 'not_operator' | 'from_settings' | 'changed' | 'last_admin' }

/**
 * Gives an operator another role. A role that moves money waits for a second admin where there is one.
 * @param input.expectedRole the role that the admin saw
 * @returns refuses with 'not_operator', 'from_settings' (only the settings can change it), 'changed' (since it was seen) and
 *   'last_admin' (nobody would be left who names operators)
 */
export async function changeRole(
  deps: PeopleDeps,
  input: { operator: Operator; userId: string; role: Role; expectedRole: Role },
): Promise<Changed | RoleRefused | NotYet> {
  const { operator, userId, role, expectedRole } = input
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockOperator(deps, tx, { userId, expectedRole, isKeptAdmin: role === 'admin' })
    if (!found.ok) return found
    if (role === expectedRole) return BY_ONE
    return giveRole(deps, tx, { operator, person: found.person, change: { kind: 'changed', role } })
  })
}

/** Takes an operator's role away. @returns refuses as `changeRole` does */
export async function removeOperator(
  deps: PeopleDeps,
  input: { operator: Operator; userId: string; expectedRole: Role },
): Promise<{ ok: true } | RoleRefused> {
  const { operator, userId, expectedRole } = input
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockOperator(deps, tx, { userId, expectedRole, isKeptAdmin: false })
    if (!found.ok) return found
    await setRole(deps, tx, {
      operator,
      person: found.person,
      change: { kind: 'removed', role: expectedRole },
    })
    return { ok: true }
  })
}

async function lockOperator(
  deps: PeopleDeps,
  tx: DatabaseTransaction,
  { userId, expectedRole, isKeptAdmin }: { userId: string; expectedRole: Role; isKeptAdmin: boolean },
): Promise<{ ok: true; person: Person } | RoleRefused> {
  await lockRoles(tx)
  const person = await lockPerson(tx, { userId })
  if (!person) return refuse('not_operator')
  if (await isFromSettings(deps, tx, person)) return refuse('from_settings')
  if (!person.operator_role) return refuse('not_operator')
  if (person.operator_role !== expectedRole) return refuse('changed')
  if (expectedRole === 'admin' && !isKeptAdmin && !(await hasOtherAdmin(tx, person.id, deps.adminEmails)))
    return refuse('last_admin')
  return { ok: true, person }
}

type RoleGiven = { operator: Operator; person: Person; change: RoleChange }

/**
 * Gives a role, or proposes it where it needs a second admin.
 * @returns refuses with 'waiting' (another role of theirs waits already) and 'admin_left' (an admin lost their role or account
 *   lately, so no admin may take the place of two)
 */
async function giveRole(
  deps: PeopleDeps,
  tx: DatabaseTransaction,
  given: RoleGiven,
): Promise<Changed | NotYet> {
  const { operator, person, change } = given
  const at = deps.now()
  if (!isRaise(person.operator_role, change.role)) {
    await setRole(deps, tx, given)
    return BY_ONE
  }
  const need = await needsSecondAdmin(tx, { operatorId: operator.userId, now: at }, deps.adminEmails)
  if (need === 'admin_left') return refuse('admin_left')
  if (need === null) {
    await setRole(deps, tx, { ...given, note: ALONE })
    return { ok: true, waits: false, isAlone: true }
  }
  await expireApprovalsOfAccount(tx, person.id, at)
  const label = person.email.toLowerCase()
  const asked = await askSecondPerson<NamingAct>(tx, {
    act: change.kind === 'named' ? 'name-operator' : 'change-role',
    payload: { formerRole: person.operator_role, role: change.role },
    subject: { kind: 'account', id: person.id },
    ...{ label, reason: '', operator, at },
    log: { subject: { kind: 'account', id: person.id, label: person.email }, text: `role ${change.role}` },
  })
  if (!asked.ok) return asked
  const about = { kind: 'asked', role: change.role, email: person.email.toLowerCase() } as const
  for (const to of await listEmailsWith(tx, 'name-operators', deps.adminEmails))
    await deps.jobs.enqueue(
      tx,
      'send-mail',
      roleChangedMail({ ...about, by: operator.email, key: asked.id }, to, deps),
    )
  return { ok: true, waits: true, isAlone: false }
}

/** Written into the log beside a role that no second admin could confirm. */
const ALONE = 'by one admin alone, as there is no other'

type NamingAct = ApprovalAct<'naming'>
type NamingRefused = { ok: false; reason: 'asker_gone' | 'changed' | 'not_found' }

/**
 * Confirms or drops a role that waits for a second admin.
 * @returns refuses as `settleApproval` does, with 'asker_gone' (no admin any more), and 'changed' or 'not_found' of the person
 */
export async function settleNaming(
  deps: PeopleDeps,
  input: { operator: Operator; namingId: string; isConfirmed: boolean },
): Promise<{ ok: true } | SettleRefused | NamingRefused> {
  const { operator, namingId: id, isConfirmed } = input
  const settled = await settleApproval(deps, namingFlow(deps), { operator, id, isConfirmed })
  return settled.ok ? { ok: true } : settled
}

const namingFlow = (
  deps: PeopleDeps,
): ApprovalFlow<NamingAct, { person: Person }, object, NamingRefused> => ({
  acts: APPROVAL_ACTS.naming,
  lock: (tx) => lockRoles(tx),
  async check(tx, { subjectId: userId, askedBy, payload: { formerRole } }) {
    const admins = await listAdmins(tx, deps.adminEmails)
    if (!admins.some((admin) => admin.id === askedBy && !isClosed(admin))) return refuse('asker_gone')
    const person = await lockPerson(tx, { userId })
    if (!person) return refuse('not_found')
    const isOpen = person.email_verified && !person.disabled_at && !person.deactivated_at
    return isOpen && person.operator_role === formerRole ? { ok: true, seen: '', person } : refuse('changed')
  },
  async carryOut(tx, proposal, { person }, operator) {
    const { formerRole, role } = proposal.payload
    const change = { kind: formerRole ? 'changed' : 'named', role } as const
    await setRole(deps, tx, { operator, person, change, proposal })
    return { ok: true }
  },
  dropped: ({ subjectId: id, label, askedByEmail, payload: { role } }) => ({
    subject: { kind: 'account', id, label },
    text: `role ${role}, proposed by ${askedByEmail}`,
  }),
})

/**
 * Stores a role, records on whose word, logs it, and tells the person and every admin.
 * @param given.proposal of another admin, which this one has confirmed
 * @param given.note added to the log
 */
async function setRole(
  deps: PeopleDeps,
  tx: DatabaseTransaction,
  given: RoleGiven & { proposal?: Approval<NamingAct>; note?: string },
): Promise<void> {
  const { operator, person, change, proposal } = given
  const at = deps.now()
  const note = proposal ? `proposed by ${proposal.askedByEmail}` : given.note
  await tx
    .insertInto('operator_namings')
    .values({
      id: proposal?.id ?? newId(),
      user_id: person.id,
      user_email: person.email.toLowerCase(),
      former_role: person.operator_role,
      role: change.kind === 'removed' ? null : change.role,
      placed_by: proposal?.askedBy ?? operator.userId,
      placed_by_email: proposal?.askedByEmail ?? operator.email,
      placed_at: proposal ? new Date(proposal.askedAt) : at,
      settled_by: operator.userId,
      settled_by_email: operator.email,
      settled_at: at,
      outcome: 'done',
    })
    .execute()
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
    reason: [change.kind === 'changed' ? `${person.operator_role} to ${change.role}` : change.role, note]
      .filter(Boolean)
      .join(', '),
    at,
  })
  const key = newId()
  const by = proposal ? `${proposal.askedByEmail} and ${operator.email}` : operator.email
  const about = { ...change, email: person.email.toLowerCase(), by, key }
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
  await lockByName(tx, 'operator-roles')
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
