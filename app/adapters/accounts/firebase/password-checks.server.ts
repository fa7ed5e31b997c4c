import type { Database } from '../../database/port.ts'
import type { AccountRefusal, AccountSession, Accounts } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { LinkedUser, LinkedUsers } from './linked-users.server.ts'
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
    const read = await tokens.readFreshToken(idToken)
    if (!read.ok) return read
    const owner = await linkedUsers.find(db, read.identity.subject)
    if (owner?.id !== session.user.uid) {
      await deps.securityLog.noteAfter({
        kind: 'proof-refused',
        userId: session.user.uid,
        detail: 'requires-recent-login',
        origin: originOf(request),
      })
      return { ok: false, reason: 'requires-recent-login' }
    }
    return { ok: true, session }
  }

  /** Checks the password of a link's account, typed in a browser that isn't signed in to it. */
  async function checkLinkPassword(
    user: LinkedUser,
    idToken: string | null,
  ): Promise<{ ok: true } | AccountRefusal> {
    if (!idToken) return { ok: false, reason: 'missing-password' }
    const read = await tokens.readFreshToken(idToken)
    if (!read.ok) return read
    const owner = await linkedUsers.find(db, read.identity.subject)
    if (owner?.id !== user.id) return { ok: false, reason: 'wrong-password' }
    return user.disabled ? { ok: false, reason: 'user-disabled' } : { ok: true }
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
