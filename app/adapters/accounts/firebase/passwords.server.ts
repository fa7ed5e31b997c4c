import type { Database } from '../../database/port.ts'
import { findHolder } from '../holders.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import type { AccountCode, MailedAccount } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { PasswordCalls } from '../topics.ts'
import type { TakeFromLimit } from './limits.server.ts'
import { isSomebodyElses, type LinkedUsers } from './linked-users.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import type { Tokens } from './tokens.server.ts'

/** Calls that reset, change and confirm passwords. The service stores them, so a new one only ends sessions here. */
export function passwordCalls(deps: {
  db: Database
  tokens: Tokens
  linkedUsers: LinkedUsers
  sessions: Pick<SharedSessions, 'forgetCookies' | 'endSessionsIn'>
  checks: Pick<PasswordChecks, 'checkOwnPassword'>
  knownBrowsers: KnownBrowsers
  take: TakeFromLimit
  securityLog: SecurityLog
  passwordChanged: (to: MailedAccount) => Promise<void>
}): PasswordCalls {
  const { db, tokens, linkedUsers, sessions, checks, knownBrowsers, take, securityLog } = deps
  return {
    // The browser has requested the mail from the service, which has its own limits. The answer doesn't reveal them.
    async requestPasswordReset(request, { email }) {
      const origin = originOf(request)
      // Past our limit the address isn't recorded, since each would be a row.
      await securityLog.noteAfter(
        (await take('hosted-reset-asked', request))
          ? { kind: 'password-reset-asked', userId: await findHolder(db, email), email, origin }
          : { kind: 'password-reset-refused', userId: null, detail: 'too-many-requests', origin },
      )
      return { ok: true, cookies: [] }
    },

    // The service's own client checks its code in the browser.
    findResetEmail: async () => null,

    async resetPassword(request, { password }) {
      const refuse = async (reason: AccountCode) => {
        const kind = 'password-reset-refused'
        if (reason !== 'network-request-failed')
          await securityLog.noteAfter({ kind, userId: null, detail: reason, origin: originOf(request) })
        return { ok: false, reason } as const
      }
      if (!(await take('hosted-new-password', request))) return refuse('too-many-requests')
      const read = await tokens.readFreshToken(password)
      if (!read.ok) return refuse(read.reason)
      const user = await linkedUsers.find(db, read.identity.subject)
      if (!user) return { ok: true, cookies: sessions.forgetCookies() }
      if (isSomebodyElses(user, read.identity)) {
        await linkedUsers.unlink(user, read.identity)
        return { ok: true, cookies: sessions.forgetCookies() }
      }
      await db.transaction().execute(async (tx) => {
        await sessions.endSessionsIn(tx, user.id)
        await securityLog.note(tx, { kind: 'password-reset', userId: user.id, origin: originOf(request) })
      })
      await deps.passwordChanged(user)
      const known = await knownBrowsers.cookieFor(request, user.id)
      return { ok: true, cookies: [...sessions.forgetCookies(), known] }
    },

    async changePassword(request, { newPassword }) {
      const checked = await checks.checkOwnPassword(request, newPassword)
      if (!checked.ok) return checked
      const { id, user } = checked.session
      await db.transaction().execute(async (tx) => {
        await sessions.endSessionsIn(tx, user.uid, id)
        await securityLog.note(tx, { kind: 'password-changed', userId: user.uid, origin: originOf(request) })
      })
      const { email, displayName, emailVerified } = user
      await deps.passwordChanged({ email, name: displayName ?? '', emailVerified })
      return { ok: true, cookies: [] }
    },

    async confirmPassword(request, { password }) {
      const checked = await checks.checkOwnPassword(request, password)
      return checked.ok ? { ok: true, cookies: [] } : checked
    },
  }
}
