import { readCookie } from '../../../shared/cookies.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import type { Accounts } from '../port.ts'
import type { SecurityLog } from '../security-log.ts'
import {
  isOutlived,
  type SessionRules,
  type SharedSessions,
  type StoredSession,
  sessionsOf,
} from '../sessions.server.ts'
import { type BetterAuthLibrary, sessionCookieName } from './library.server.ts'

/**
 * Better Auth's sessions, stored in our table.
 * @param deps.publicUrl decides whether cookies are Secure
 */
export function createSessions(deps: {
  db: Database
  publicUrl: URL
  library: BetterAuthLibrary
  knownBrowsers: KnownBrowsers
  sessionRules: SessionRules
  securityLog: SecurityLog
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  now: () => Date
}): SharedSessions & Pick<Accounts, 'findSessionEnd' | 'renewCookies'> {
  const { db, knownBrowsers, now } = deps
  const secure = deps.publicUrl.protocol === 'https:'
  const cookieName = sessionCookieName(deps.publicUrl)
  /** The Set-Cookie value that removes the session cookie. */
  const forgottenCookie = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  async function readSession(request: Request): Promise<StoredSession | null> {
    const read = await readStoredSession({ ...deps, cookieName }, request)
    if (!read) return null
    const { createdAt, lastUsedAt, session } = read
    const times = { user: session.user, createdAt, lastUsedAt }
    return (await isOutlived(deps.sessionRules, times, now())) ? null : read
  }
  const sessions = sessionsOf({ ...deps, keptAfterEndMs: 0, forgottenCookie, readSession })
  return {
    ...sessions,

    async findSessionEnd(request) {
      const cookie = readCookie(request.headers.get('cookie'), cookieName)
      if (!cookie) return null
      // The cookie is '{token}.{signature}'. The signature doesn't matter here, because this opens nothing.
      // Only a well-formed token reaches the database, which refuses NULs. Decoding a broken escape would throw.
      const token = /^[A-Za-z0-9]+/.exec(cookie)?.[0]
      if (!token) return null
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['users.disabled_at', 'sessions.expires_at'])
        .where('sessions.token', '=', token)
        .executeTakeFirst()
      if (row?.disabled_at) return 'user-disabled'
      return row && row.expires_at > now() && (await readSession(request)) ? null : 'user-token-expired'
    },

    // The library has nothing to renew: a session ends so long after its sign-in, however much it is used.
    async renewCookies(request) {
      const session = await sessions.knownSession(request)
      if (!session) return []
      const { uid } = session.user
      const browser = await knownBrowsers.find(request)
      // A session can be older than the known-browser cookie, so any response can set it.
      return browser?.userIds.includes(uid) ? [] : [await knownBrowsers.cookieFor(request, uid)]
    },
  }
}

/** Reads the session, including those of disabled and deactivated accounts, which findSession hides. */
async function readStoredSession(
  { db, library, cookieName }: { db: Database; library: BetterAuthLibrary; cookieName: string },
  request: Request,
): Promise<StoredSession | null> {
  const cookie = request.headers.get('cookie')
  if (!cookie?.includes(cookieName)) return null
  const found = await library.auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true },
  })
  if (!found) return null
  const row = await db
    .selectFrom('users')
    .select(['phone', 'disabled_at', 'deactivated_at', 'detached_email'])
    .where('id', '=', found.user.id)
    .executeTakeFirst()
  if (!row) return null
  return {
    session: {
      id: found.session.id,
      isStrong: found.session.isStrong === true,
      user: {
        uid: found.user.id,
        displayName: found.user.name || null,
        email: found.user.email,
        emailVerified: found.user.emailVerified,
        phoneNumber: row.phone,
        photoUrl: found.user.image ?? null,
        needsEmail: row.detached_email !== null,
      },
    },
    createdAt: found.session.createdAt,
    lastUsedAt: found.session.updatedAt,
    // The library never returns an expired session.
    ranOut: false,
    disabled: !!row.disabled_at,
    deactivated: !!row.deactivated_at,
  }
}
