import { DAY_MS } from '../../../shared/time-units.ts'
import type { Database } from '../../database/port.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { issueLink } from '../account-links.server.ts'
import { redeemDeviceLink } from '../device-links.server.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { DeviceCalls } from '../topics.ts'
import { forgetFactorsSince } from './email-addresses.server.ts'
import { takeLinkUse } from './limits.server.ts'

/** The mail about a new device leaves right after the sign-in, or later if mails wait. */
const MAIL_DELAY_MS = DAY_MS

/** Calls by which the owner answers the mail about a sign-in on a new device. */
export function deviceCalls(deps: {
  db: Database
  sessions: Pick<SharedSessions, 'forgetCookies' | 'endSessionsIn'>
  rateLimits: RateLimits
  securityLog: SecurityLog
  now: () => Date
}): Pick<DeviceCalls, 'refuseDevice'> {
  const { db, sessions, rateLimits, now } = deps
  return {
    async refuseDevice(request, { token }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      return db.transaction().execute(async (tx) => {
        const link = await redeemDeviceLink(tx, token, now())
        if (!link.ok) return link
        const { userId, email, createdAt } = link
        // The stranger who signed in there knows the password.
        await tx
          .updateTable('account_credentials')
          .set({ password: null, updated_at: now() })
          .where('user_id', '=', userId)
          .where('provider_id', '=', 'credential')
          .execute()
        await forgetFactorsSince(tx, userId, new Date(createdAt.getTime() - MAIL_DELAY_MS))
        await sessions.endSessionsIn(tx, userId)
        const resetToken = await issueLink(tx, { kind: 'reset-password', userId, email, now: now() })
        await deps.securityLog.note(tx, { kind: 'not-me', userId, origin: originOf(request) })
        return { ok: true, email, resetToken, cookies: sessions.forgetCookies() }
      })
    },
  }
}
