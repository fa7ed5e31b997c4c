import { readCookie } from '../../../shared/cookies.ts'
import { newId } from '../../../shared/ids.ts'
import { hashText } from '../../../shared/signed.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { type AccountAnswer, type AccountCode, type Accounts, CLIENT_ADDRESS_HEADER } from '../port.ts'
import type { SecurityLog } from '../security-log.ts'
import {
  isOutlived,
  type SessionRules,
  type SharedSessions,
  type StoredSession,
  sessionsOf,
} from '../sessions.server.ts'
import type { TakeFromLimit } from './limits.server.ts'
import { isSomebodyElses, type LinkedUser, type LinkedUsers } from './linked-users.server.ts'
import { noteRefusedToken } from './refused-tokens.server.ts'
import type { Identity, Tokens } from './tokens.server.ts'

/** A session ends with its ID token, after an hour at most. */
const SESSION_LIFE_MS = 3_600_000
const TOKEN_LENGTH = 32

/** Sessions that end with the browser's ID token and are renewed by its next one. */
export type RenewableSessions = {
  /**
   * Extends the browser's session to the end of its new ID token. Refuses with 'user-token-expired' a session that was
   * ended or belongs to another person, and with 'user-disabled'.
   */
  renewSession(request: Request, input: { idToken: string }): Promise<AccountAnswer>
  /** Whether the browser's session has merely expired, so that its next ID token can renew it. */
  canRenewSession(request: Request): Promise<boolean>
}

export type HostedSessions = SharedSessions &
  RenewableSessions &
  Pick<Accounts, 'findSessionEnd' | 'renewCookies'> & {
    /** Opens a session for a checked sign-in. @returns its Set-Cookie values */
    open(request: Request, user: LinkedUser, identity: Identity): Promise<string[]>
  }

type Deps = {
  db: Database
  publicUrl: URL
  tokens: Tokens
  linkedUsers: LinkedUsers
  knownBrowsers: KnownBrowsers
  take: TakeFromLimit
  sessionRules: SessionRules
  securityLog: SecurityLog
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  now: () => Date
}

/**
 * Sessions in our own table, each opened with a checked ID token.
 * @param deps.publicUrl decides whether cookies are Secure
 */
export function createSessions(deps: Deps): HostedSessions {
  const { db, now } = deps
  // An expired session can be renewed for as long as its browser keeps the cookie.
  const renewableMs = deps.sessionRules.all.lifeMs
  const cookie = cookieOf(deps.publicUrl, renewableMs)
  async function readSession(request: Request): Promise<StoredSession | null> {
    const read = await readStoredSession({ db, now, cookieName: cookie.name, renewableMs }, request)
    if (!read) return null
    const { createdAt, lastUsedAt, session } = read
    const times = { user: session.user, createdAt, lastUsedAt }
    return (await isOutlived(deps.sessionRules, times, now())) ? null : read
  }
  const sessions = sessionsOf({
    ...deps,
    // Expired sessions count, because their browsers can renew them.
    keptAfterEndMs: renewableMs,
    forgottenCookie: cookie.forgotten,
    readSession,
  })

  return {
    ...sessions,

    async open(request, user, identity) {
      const token = newId(TOKEN_LENGTH)
      await sessions.endBroughtSession(request)
      await db.transaction().execute(async (tx) => {
        // Sessions this old can't be renewed any more.
        await tx
          .deleteFrom('sessions')
          .where('user_id', '=', user.id)
          .where('expires_at', '<', new Date(now().getTime() - renewableMs))
          .execute()
        await tx
          .insertInto('sessions')
          .values({
            id: newId(),
            user_id: user.id,
            token: await hashText(token),
            expires_at: expiryOf(identity, now()),
            ip_address: request.headers.get(CLIENT_ADDRESS_HEADER),
            user_agent: request.headers.get('user-agent'),
            created_at: now(),
            updated_at: now(),
          })
          .execute()
      })
      return [cookie.of(token)]
    },

    async findSessionEnd(request) {
      if (!readCookie(request.headers.get('cookie'), cookie.name)) return null
      const read = await readSession(request)
      if (!read) return 'user-token-expired'
      // An expired session is not reported: the browser's next ID token renews it.
      return read.disabled ? 'user-disabled' : null
    },

    renewCookies: async () => [],

    renewSession: (request, { idToken }) => renewSession({ ...deps, cookie, readSession }, request, idToken),

    async canRenewSession(request) {
      const read = await readSession(request)
      return Boolean(read?.ranOut && !read.disabled && !read.deactivated)
    },
  }
}

/** Extends an expired session that its browser still holds. Refuses as `RenewableSessions` says. */
async function renewSession(
  deps: Deps & {
    cookie: ReturnType<typeof cookieOf>
    readSession(request: Request): Promise<StoredSession | null>
  },
  request: Request,
  idToken: string,
): Promise<AccountAnswer> {
  const { db, tokens, linkedUsers, knownBrowsers, take, cookie, readSession, now } = deps
  if (!(await take('hosted-renewal', request))) return { ok: false, reason: 'too-many-requests' }
  const session = await readSession(request)
  if (!session) return { ok: false, reason: 'user-token-expired' }
  const { uid } = session.session.user
  const refuse = async (reason: AccountCode) => {
    await noteRefusedToken(deps.securityLog, request, { userId: uid, reason })
    return { ok: false, reason } as const
  }
  const read = await tokens.readToken(idToken)
  if (!read.ok) return refuse(read.reason)
  const user = await linkedUsers.find(db, read.identity.subject)
  if (user?.id !== uid || isSomebodyElses(user, read.identity)) return refuse('user-token-expired')
  if (user.disabled) return { ok: false, reason: 'user-disabled' }
  if (user.deactivated) return { ok: false, reason: 'user-token-expired' }
  // A renewal needs no password, so it doesn't copy the token's address to the user.
  // An update, never an insert: a session that was ended in the meantime stays ended.
  const renewed = await db
    .updateTable('sessions')
    .set({ expires_at: expiryOf(read.identity, now()), updated_at: now() })
    .where('id', '=', session.session.id)
    .returning('id')
    .executeTakeFirst()
  const token = readCookie(request.headers.get('cookie'), cookie.name)
  if (!renewed || !token) return { ok: false, reason: 'user-token-expired' }
  const known = await knownBrowsers.cookieFor(request, user.id)
  return { ok: true, cookies: [cookie.of(token), known] }
}

/** When a session ends: with its ID token, after an hour at most. */
const expiryOf = (identity: Identity, now: Date) =>
  new Date(Math.min(now.getTime() + SESSION_LIFE_MS, identity.expiresAt.getTime()))

/** The session cookie's name and Set-Cookie values. */
function cookieOf(publicUrl: URL, lifeMs: number) {
  const secure = publicUrl.protocol === 'https:'
  const name = secure ? '__Host-jubilee.hosted_session' : 'jubilee.hosted_session'
  const end = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    name,
    forgotten: `${name}=; Max-Age=0${end}`,
    of: (token: string) => `${name}=${token}; Max-Age=${lifeMs / 1_000}${end}`,
  }
}

/** Reads the browser's session even if findSession hides it: expired, or of a disabled or deactivated account. */
async function readStoredSession(
  {
    db,
    now,
    cookieName,
    renewableMs,
  }: { db: Database; now: () => Date; cookieName: string; renewableMs: number },
  request: Request,
): Promise<StoredSession | null> {
  const hash = await hashInCookie(request, cookieName)
  if (!hash) return null
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.expires_at', 'sessions.updated_at as last_used_at'])
    .select('sessions.created_at as opened_at')
    .where('sessions.token', '=', hash)
    .where('sessions.expires_at', '>', new Date(now().getTime() - renewableMs))
    .executeTakeFirst()
  if (!row) return null
  return {
    session: {
      id: row.session_id,
      // The service asks for second factors, and doesn't say so.
      isStrong: false,
      user: {
        uid: row.id,
        displayName: row.name || null,
        email: row.email,
        emailVerified: row.email_verified,
        phoneNumber: row.phone,
        photoUrl: row.image,
        needsEmail: row.detached_email !== null,
      },
    },
    createdAt: row.opened_at,
    lastUsedAt: row.last_used_at,
    ranOut: row.expires_at <= now(),
    disabled: row.disabled_at !== null,
    deactivated: row.deactivated_at !== null,
  }
}

/** The stored hash of the browser's session token. Only the hash is stored, so a leaked table opens no session. */
async function hashInCookie(request: Request, cookieName: string): Promise<string | null> {
  const token = readCookie(request.headers.get('cookie'), cookieName)
  return token && token.length === TOKEN_LENGTH ? hashText(token) : null
}
