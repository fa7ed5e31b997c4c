import type { Database } from '../../database/port.ts'
import type { AccountCode, AccountRefusal, AccountSession, Accounts } from '../port.ts'
import type { SecurityLog } from '../security-log.ts'
import type { LinkedUser, LinkedUsers } from './linked-users.server.ts'
import { noteRefusedToken } from './refused-tokens.server.ts'
import type { FirebaseService } from './service.server.ts'
import type { Tokens } from './tokens.server.ts'

export type PasswordChecks = ReturnType<typeof createPasswordChecks>

/** Checks passwords by the ID token that the service gave for each. */
export function createPasswordChecks(deps: {
  db: Database
  tokens: Tokens
  linkedUsers: LinkedUsers
  service: Pick<FirebaseService, 'findPasswordChange'>
  sessions: Pick<Accounts, 'findSession'>
  securityLog: SecurityLog
}) {
  const { db, tokens, linkedUsers, service } = deps

  /** Checks that the signed-in user has just typed their password into the service's SDK. */
  async function checkOwnPassword(
    request: Request,
    idToken: string,
  ): Promise<{ ok: true; session: AccountSession } | AccountRefusal> {
    const session = await deps.sessions.findSession(request)
    if (!session) return { ok: false, reason: 'user-token-expired' }
    const proved = await checkOwner(session.user.uid, idToken, 'requires-recent-login')
    if (proved.ok) return { ok: true, session }
    await noteRefusedToken(deps.securityLog, request, { userId: session.user.uid, reason: proved.reason })
    return proved
  }

  /** Checks the password of a link's account, typed in a browser that isn't signed in to it. */
  async function checkLinkPassword(
    request: Request,
    user: LinkedUser,
    idToken: string | null,
  ): Promise<{ ok: true } | AccountRefusal> {
    if (!idToken) return { ok: false, reason: 'missing-password' }
    const proved = await checkOwner(user.id, idToken, 'wrong-password')
    if (!proved.ok) {
      await noteRefusedToken(deps.securityLog, request, { userId: user.id, reason: proved.reason })
      return proved
    }
    return user.disabled ? { ok: false, reason: 'user-disabled' } : { ok: true }
  }

  /** Checks that a token is of a recent sign-in to this user's account. @param ifOther the refusal of another's token */
  async function checkOwner(
    userId: string,
    idToken: string,
    ifOther: AccountCode,
  ): Promise<{ ok: true } | AccountRefusal> {
    const read = await tokens.readFreshToken(idToken)
    if (!read.ok) return read
    const owner = await linkedUsers.find(db, read.identity.subject)
    return owner?.id === userId ? { ok: true } : { ok: false, reason: ifOther }
  }

  /** Refuses a sign-in with a password that was set before an email change was undone. */
  async function checkPasswordDue(user: LinkedUser, idToken: string): Promise<{ ok: true } | AccountRefusal> {
    if (!user.passwordDueAt) return { ok: true }
    const found = await service.findPasswordChange(idToken)
    if (!found.ok) return found
    if (!found.changedAt || found.changedAt <= user.passwordDueAt)
      return { ok: false, reason: 'invalid-credential' }
    await db.updateTable('users').set({ password_due_at: null }).where('id', '=', user.id).execute()
    return { ok: true }
  }

  return { checkOwnPassword, checkLinkPassword, checkPasswordDue }
}
