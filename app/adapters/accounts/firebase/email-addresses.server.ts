import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { issueLink } from '../account-links.server.ts'
import { lockWithHolder } from '../account-lock.server.ts'
import { CONFIRMED_EMAIL, detachEmailIn, freeEmailIn } from '../detached-emails.server.ts'
import type { AccountRefusal, MailedAccount } from '../port.ts'
import { originOf, type RequestOrigin, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { EmailAddressCalls } from '../topics.ts'
import type { TakeFromLimit } from './limits.server.ts'
import type { LinkedUser, LinkedUsers } from './linked-users.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import type { ActionCode, FirebaseService } from './service.server.ts'
import type { Identity } from './tokens.server.ts'

type Deps = {
  db: Database
  service: FirebaseService
  linkedUsers: LinkedUsers
  sessions: Pick<SharedSessions, 'findSession' | 'forgetCookies' | 'endSessionsIn'>
  checks: Pick<PasswordChecks, 'checkOwnPassword' | 'checkLinkPassword'>
  take: TakeFromLimit
  securityLog: SecurityLog
  emailChangeUndone: (tx: DatabaseTransaction, to: MailedAccount) => Promise<void>
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}

/** Calls that prove, change or detach an account's address, or undo a change. */
export function emailAddressCalls(deps: Deps): EmailAddressCalls {
  const { sessions, checks, securityLog } = deps
  return {
    async resendVerification(request) {
      return (await sessions.findSession(request))
        ? { ok: true, cookies: [] }
        : { ok: false, reason: 'user-token-expired' }
    },

    async requestEmailChange(request, { password }) {
      if (password === null) return { ok: false, reason: 'requires-recent-login' }
      const checked = await checks.checkOwnPassword(request, password)
      if (!checked.ok) return checked
      const { uid } = checked.session.user
      await securityLog.noteAfter({ kind: 'email-change-asked', userId: uid, origin: originOf(request) })
      return { ok: true, cookies: [] }
    },

    async findEmailLink(request, { token }) {
      const found = await findCode(deps, request, token)
      if (!found.ok) return found
      const { code, user } = found
      if (code.kind === 'verify' && user.emailVerified) return { ok: false, reason: 'invalid-action-code' }
      const session = await sessions.findSession(request)
      const kind = code.kind === 'verify' ? 'verify' : 'change'
      return { ok: true, kind, email: code.email, isOwn: session?.user.uid === user.id }
    },

    confirmEmail: (request, input) => confirmEmail(deps, request, input),
    detachEmail: (request, input) => detachEmail(deps, request, input),
    findUndoLink: (request, { token }) => findUndo(deps, request, token),
    undoEmailChange: (request, { token }) => undoEmailChange(deps, request, token),
  }
}

/**
 * Confirms an address by its mailed code, at the service and then here. Needs the password unless the account is signed
 * in here.
 */
async function confirmEmail(
  deps: Deps,
  request: Request,
  { token, password }: Parameters<EmailAddressCalls['confirmEmail']>[1],
): ReturnType<EmailAddressCalls['confirmEmail']> {
  const { db, sessions, checks, securityLog } = deps
  const found = await findCode(deps, request, token)
  if (!found.ok) return found
  const { code, user } = found
  const { email } = code
  const session = await sessions.findSession(request)
  if (session?.user.uid !== user.id) {
    const checked = await checks.checkLinkPassword(request, user, password)
    if (!checked.ok) return checked
  }
  const changed = code.kind === 'change'
  // Checked before the code is used up.
  const holder = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (holder && holder.id !== user.id) return { ok: false, reason: 'email-already-in-use' }
  const applied = await applyCode(deps, token, user)
  if (!applied.ok) return applied
  try {
    await db.transaction().execute(async (tx) => {
      await setEmailIn(deps, tx, user, email)
      // The service also revokes every token when the address changes.
      if (changed) await sessions.endSessionsIn(tx, user.id)
      const kind = changed ? 'email-changed' : 'email-confirmed'
      await securityLog.note(tx, { kind, userId: user.id, origin: originOf(request) })
    })
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: 'email-already-in-use' }
    throw error
  }
  return { ok: true, changed, email, cookies: changed && session ? sessions.forgetCookies() : [] }
}

/** Takes an address off the account that never confirmed it, for the address’s holder. Refuses a confirmed one. */
async function detachEmail(
  deps: Deps,
  request: Request,
  { token, forNewAccount }: Parameters<EmailAddressCalls['detachEmail']>[1],
): ReturnType<EmailAddressCalls['detachEmail']> {
  const { db, service, securityLog, now } = deps
  const found = await findCode(deps, request, token)
  if (!found.ok) return found
  const { code, user } = found
  const { email } = code
  // The service drops an unconfirmed change by itself, and has no account with the new address.
  if (code.kind === 'change') return { ok: true, email, beginsBy: 'sign-up' }
  if (user.emailVerified) return { ok: false, reason: 'invalid-action-code' }
  // At the service the address still belongs to the old account, so its holder needs a new password to sign in.
  if (forNewAccount) {
    const sent = await service.mailPasswordReset(email)
    if (!sent.ok) return sent
  }
  const detached = await db.transaction().execute(async (tx) => {
    const isDone = await detachEmailIn(tx, { userId: user.id, email, now: now() })
    const origin = originOf(request)
    if (isDone) await securityLog.note(tx, { kind: 'email-detached', userId: user.id, origin })
    return isDone
  })
  // On a second press the address is already detached, which counts as success.
  if (!detached && user.detachedEmail === null) return { ok: false, reason: 'invalid-action-code' }
  return { ok: true, email, beginsBy: 'password-mail' }
}

/** Restores the old address of an account, ends its sessions, and has the service mail a password reset. */
async function undoEmailChange(
  deps: Deps,
  request: Request,
  token: string,
): ReturnType<EmailAddressCalls['undoEmailChange']> {
  const { db, service, linkedUsers, sessions } = deps
  const found = await findUndo(deps, request, token)
  if (!found.ok) return found
  const { email } = found
  const applied = await service.applyCode(token)
  if (!applied.ok) return applied
  const user = await linkedUsers.find(db, applied.subject)
  const undone =
    user && (await db.transaction().execute((tx) => undoIn(deps, tx, user, email, originOf(request))))
  if (!undone) return { ok: false, reason: 'email-already-in-use' }
  const sent = await service.mailPasswordReset(email)
  // The change is undone anyway, and the screen explains how to request the mail again.
  if (!sent.ok) deps.onProblem('the account service refused to send a password reset mail')
  return { ok: true, email, resetToken: null, cookies: sessions.forgetCookies() }
}

/**
 * Copies an address that the service has proved to our user. Called at sign-ins alone, because they need the password.
 * Ends the earlier sessions, which may belong to a person who waited for the owner to prove the address.
 */
export async function takeOverEmail(
  deps: Pick<Deps, 'db' | 'securityLog' | 'onProblem' | 'now'> & {
    sessions: Pick<SharedSessions, 'endSessionsIn'>
  },
  user: LinkedUser,
  identity: Identity,
  origin: RequestOrigin,
): Promise<LinkedUser> {
  const { email } = identity
  if (!email || !identity.emailVerified) return user
  if (user.emailVerified && email === user.email.toLowerCase()) return user
  try {
    await deps.db.transaction().execute(async (tx) => {
      await setEmailIn(deps, tx, user, email)
      await deps.sessions.endSessionsIn(tx, user.id)
      const kind = email === user.email.toLowerCase() ? 'email-confirmed' : 'email-changed'
      await deps.securityLog.note(tx, { kind, userId: user.id, origin })
    })
    return { ...user, email, emailVerified: true, detachedEmail: null }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Another account has the new address, so this one keeps its own.
    deps.onProblem('a new address from the account service belongs to another account')
    return user
  }
}

async function setEmailIn(
  { now }: Pick<Deps, 'now'>,
  tx: DatabaseTransaction,
  user: LinkedUser,
  email: string,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...CONFIRMED_EMAIL, email, updated_at: now() })
    .where('id', '=', user.id)
    .execute()
  // The service mails the notice to the old address. This row limits how long its link works. The token is unused.
  if (user.emailVerified && email !== user.email.toLowerCase())
    await issueLink(tx, { kind: 'undo-email-change', userId: user.id, email: user.email, now: now() })
}

/** @returns false when the account never proved the address, or another account has proved it since */
async function undoIn(
  deps: Deps,
  tx: DatabaseTransaction,
  user: LinkedUser,
  email: string,
  origin: RequestOrigin,
): Promise<boolean> {
  const { sessions, now } = deps
  const change = await findChangeFrom(deps, tx, email, user.id)
  const isHere = user.email.toLowerCase() === email
  if (!change && !(isHere && user.emailVerified)) return false
  await lockWithHolder(tx, { userId: user.id, email })
  if (!(await freeEmailIn(tx, { userId: user.id, email, now: now() }))) return false
  await tx
    .updateTable('users')
    .set({ ...CONFIRMED_EMAIL, email, password_due_at: now(), updated_at: now() })
    .where('id', '=', user.id)
    .execute()
  if (change)
    await tx
      .deleteFrom('account_links')
      .where('user_id', '=', user.id)
      .where('created_at', '>=', change.created_at)
      .execute()
  await sessions.endSessionsIn(tx, user.id)
  if (!isHere) await deps.emailChangeUndone(tx, user)
  await deps.securityLog.note(tx, { kind: 'email-change-undone', userId: user.id, origin })
  return true
}

/** Finds the code that confirms an address, and the user whose account at the service it is for. */
async function findCode(
  { service, linkedUsers, take }: Deps,
  request: Request,
  token: string,
): Promise<{ ok: true; code: ActionCode; user: LinkedUser } | AccountRefusal> {
  if (!(await take('hosted-links', request))) return { ok: false, reason: 'too-many-requests' }
  const checked = await service.checkCode(token)
  if (!checked.ok) return checked
  const { code } = checked
  const user = code.kind === 'undo' ? null : await linkedUsers.findByEmail(code.currentEmail)
  return user ? { ok: true, code, user } : { ok: false, reason: 'invalid-action-code' }
}

/** Uses a code up at the service. Refuses when the service's response names another account than the user's. */
async function applyCode(
  { db, service, linkedUsers, onProblem }: Deps,
  token: string,
  user: LinkedUser,
): Promise<{ ok: true } | AccountRefusal> {
  const applied = await service.applyCode(token)
  if (!applied.ok) return applied
  const owner = await linkedUsers.find(db, applied.subject)
  if (owner?.id === user.id) return { ok: true }
  onProblem('a code from the account service belongs to another account than its address')
  return { ok: false, reason: 'invalid-action-code' }
}

/**
 * Checks the code in the service's own notice to an old address. The service also notifies addresses that were never
 * proved, and its codes outlive our limit. So a code counts only for an address that an account here had proved.
 */
async function findUndo(
  deps: Deps,
  request: Request,
  token: string,
): Promise<{ ok: true; email: string } | AccountRefusal> {
  if (!(await deps.take('hosted-links', request))) return { ok: false, reason: 'too-many-requests' }
  const checked = await deps.service.checkCode(token)
  if (!checked.ok) return checked
  const { kind, email } = checked.code
  if (kind !== 'undo') return { ok: false, reason: 'invalid-action-code' }
  const change = await findChangeFrom(deps, deps.db, email)
  if (change || (await findProvedHolder(deps.db, email))) return { ok: true, email }
  return { ok: false, reason: 'expired-action-code' }
}

/** The newest change from a proved address that can still be undone. @param userId limits the search to one user */
async function findChangeFrom(
  { now }: Deps,
  tx: Database | DatabaseTransaction,
  email: string,
  userId?: string,
) {
  const query = tx
    .selectFrom('account_links')
    .select('created_at')
    .where('kind', '=', 'undo-email-change')
    .where('email', '=', email)
    .where('expires_at', '>', now())
    .orderBy('created_at', 'desc')
  return (userId ? query.where('user_id', '=', userId) : query).executeTakeFirst()
}

const findProvedHolder = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', true)
    .executeTakeFirst()
