import { newId } from '../../../shared/ids.ts'
import { isPersonName } from '../../../shared/one-line.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import type { AccountCode, AccountRefusal, Accounts, SignedInAnswer } from '../port.ts'
import { originOf, type RequestOrigin, type SecurityLog } from '../security-log.ts'
import { takeOverEmail } from './email-addresses.server.ts'
import type { TakeFromLimit } from './limits.server.ts'
import { isSomebodyElses, type LinkedUser, type LinkedUsers } from './linked-users.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import type { HostedSessions } from './sessions.server.ts'
import type { Identity, Tokens } from './tokens.server.ts'

type Deps = {
  db: Database
  tokens: Tokens
  linkedUsers: LinkedUsers
  sessions: Pick<HostedSessions, 'open' | 'endSessionsIn'>
  checks: Pick<PasswordChecks, 'checkPasswordDue'>
  knownBrowsers: KnownBrowsers
  take: TakeFromLimit
  securityLog: SecurityLog
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}

/** Never asks for a code: the service has asked for its own factors before it issues a token. */
export type HostedSignInCalls = Pick<Accounts, 'signUp'> & {
  signIn(...given: Parameters<Accounts['signIn']>): Promise<SignedInAnswer>
}

/** Sign-ups and sign-ins. They are the same here, because the service made the account and checked the password. */
export const signInCalls = (deps: Deps): HostedSignInCalls => ({
  signUp: (request, { displayName, password }) =>
    enter(deps, request, { idToken: password, displayName, kind: 'sign-up' }),
  signIn: (request, { password }) =>
    enter(deps, request, { idToken: password, displayName: null, kind: 'sign-in' }),
})

async function enter(
  deps: Deps,
  request: Request,
  {
    idToken,
    displayName,
    kind,
  }: { idToken: string; displayName: string | null; kind: 'sign-up' | 'sign-in' },
): Promise<SignedInAnswer> {
  const { tokens, sessions, checks, knownBrowsers, take, securityLog } = deps
  const origin = originOf(request)
  const refuse = async (reason: AccountCode, about: { userId: string | null; email?: string }) => {
    // An unreachable service refuses nobody.
    if (reason !== 'network-request-failed')
      await securityLog.noteAfter({ kind: `${kind}-refused`, detail: reason, origin, ...about })
    return { ok: false, reason } as const
  }
  if (!(await take('hosted-sign-in', request))) return refuse('too-many-requests', { userId: null })
  const read = await tokens.readFreshToken(idToken)
  if (!read.ok) return refuse(read.reason, { userId: null })
  const linked = await findOrLink(deps, read.identity, displayName, origin)
  if (!linked.ok) return refuse(linked.reason, { userId: null, email: read.identity.email ?? '' })
  const { user } = linked
  if (user.disabled) return refuse('user-disabled', { userId: user.id })
  const due = await checks.checkPasswordDue(user, idToken)
  if (!due.ok) return refuse(due.reason, { userId: user.id })
  const session = await sessions.open(request, user, read.identity)
  await securityLog.noteAfter(
    kind === 'sign-up'
      ? { kind, userId: user.id, origin }
      : { kind, userId: user.id, detail: 'hosted', origin },
  )
  return {
    ok: true,
    needsCode: false,
    cookies: [...session, await knownBrowsers.cookieFor(request, user.id)],
    userId: user.id,
    deactivated: user.deactivated,
    needsEmail: user.detachedEmail !== null,
  }
}

/**
 * Finds the user of a checked identity, and creates or links one at the first sign-in. When two first sign-ins race,
 * the unique index on issuer and subject lets one through, and the other then finds the user that it made.
 */
async function findOrLink(
  deps: Deps,
  identity: Identity,
  displayName: string | null,
  origin: RequestOrigin,
): Promise<{ ok: true; user: LinkedUser } | AccountRefusal> {
  const { db, linkedUsers } = deps
  for (const isLast of [false, true]) {
    const known = await linkedUsers.find(db, identity.subject)
    if (known && !isSomebodyElses(known, identity))
      return { ok: true, user: await takeOverEmail(deps, known, identity, origin) }
    if (known) await linkedUsers.unlink(known, identity)
    try {
      const answer = await db.transaction().execute((tx) => linkIn(deps, tx, identity, displayName))
      if (!answer.ok) return answer
      const user = await linkedUsers.find(db, identity.subject)
      if (user) return { ok: true, user }
    } catch (error) {
      if (!isUniqueViolation(error) || isLast) throw error
    }
  }
  throw new Error('a link that was just made is not there')
}

async function linkIn(
  { tokens, linkedUsers, now }: Deps,
  tx: DatabaseTransaction,
  identity: Identity,
  displayName: string | null,
): Promise<{ ok: true } | AccountRefusal> {
  const { email } = identity
  if (!email) return { ok: false, reason: 'operation-not-allowed' }
  const other = await tx
    .selectFrom('users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  // A concurrent first sign-in of the same person has just made this user.
  if (other && (await linkedUsers.find(tx, identity.subject))) return { ok: true }
  // If either side lacks proof of the address, the two may be different people. Linking would then give one person
  // the other's account.
  if (other && !(other.email_verified && identity.emailVerified))
    return { ok: false, reason: 'email-already-in-use' }
  const userId = other?.id ?? newId()
  if (!other) {
    await tx
      .insertInto('users')
      .values({
        id: userId,
        name: displayName ?? identity.name ?? nameIn(email),
        email,
        email_verified: identity.emailVerified,
        created_at: now(),
        updated_at: now(),
      })
      .execute()
  }
  await tx
    .insertInto('account_credentials')
    .values({
      id: newId(),
      user_id: userId,
      provider_id: tokens.issuer,
      account_id: identity.subject,
      password: null,
      created_at: now(),
      updated_at: now(),
    })
    .execute()
  return { ok: true }
}

/** A name derived from an address: 'robin vale' for robin.vale@example.com. Empty if that can't be a person's name. */
function nameIn(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll(/[._+-]+/g, ' ').trim()
  return isPersonName(name) ? name : ''
}
