import type { Database } from '../../database/port.ts'
import { redeemDeviceLink } from '../device-links.server.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { DeviceCalls } from '../topics.ts'
import type { TakeFromLimit } from './limits.server.ts'
import type { FirebaseService } from './service.server.ts'

/** Calls by which the owner answers the mail about a sign-in on a new device. */
export function deviceCalls(deps: {
  db: Database
  service: FirebaseService
  sessions: Pick<SharedSessions, 'forgetCookies' | 'endSessionsIn'>
  take: TakeFromLimit
  securityLog: SecurityLog
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}): Pick<DeviceCalls, 'refuseDevice'> {
  const { db, service, sessions, take, now } = deps
  return {
    async refuseDevice(request, { token }) {
      if (!(await take('hosted-links', request))) return { ok: false, reason: 'too-many-requests' }
      const refused = await db.transaction().execute(async (tx) => {
        const link = await redeemDeviceLink(tx, token, now())
        if (!link.ok) return link
        // The service keeps the password, but only a later one signs in here.
        await tx
          .updateTable('users')
          .set({ password_due_at: now(), updated_at: now() })
          .where('id', '=', link.userId)
          .execute()
        await sessions.endSessionsIn(tx, link.userId)
        const origin = originOf(request)
        await deps.securityLog.note(tx, { kind: 'not-me', userId: link.userId, origin })
        return link
      })
      if (!refused.ok) return refused
      const { email } = refused
      const sent = await service.mailPasswordReset(email)
      // The sessions have ended anyway, and the screen explains how to request the mail again.
      if (!sent.ok) deps.onProblem('the account service refused to send a password reset mail')
      return { ok: true, email, resetToken: null, cookies: sessions.forgetCookies() }
    },
  }
}
