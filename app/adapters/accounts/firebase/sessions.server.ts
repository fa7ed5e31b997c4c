import { readCookie } from '../../../shared/cookies.ts'
import { newId } from '../../../shared/ids.ts'
import { hashText } from '../../../shared/signed.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { type AccountAnswer, type Accounts, CLIENT_ADDRESS_HEADER } from '../port.ts'
import { type SharedSessions, type StoredSession, sessionsOf } from '../sessions.server.ts'
import type { TakeFromLimit } from './limits.server.ts'
import { isSomebodyElses, type LinkedUser, type LinkedUsers } from './linked-users.server.ts'
import type { Identity, Tokens } from './tokens.server.ts'

/** A session ends with its ID token, and after an hour at the latest. */
const SESSION_LIFE_MS = 3_600_000
/** A session that ran out can be renewed for as long as its browser keeps the cookie. */
const RENEWABLE_MS = 30 * 24 * 3_600_000

const TOKEN_LENGTH = 32

/** These sessions end with the browser's ID token, and its next one renews them. */
export type RenewableSessions = {
  /**
   * Gives the browser's session as long as its new ID token lives. Refuses with 'user-token-expired' when the session
   * was ended, or is another person's, and with 'user-disabled'.
   */
  renewSession(request: Request, input: { idToken: string }): Promise<AccountAnswer>
  /** Whether the browser's session only ran out, so that its next ID token can renew it. */
  canRenewSession(request: Request): Promise<boolean>
}

export type HostedSessions = SharedSessions &
  RenewableSessions &
  Pick<Accounts, 'findSessionEnd' | 'renewCookies'> & {
    /** Opens a session for a checked sign-in. @returns its Set-Cookie values */
    open(request: Request, user: LinkedUser, identity: Identity): Promise<string[]>
  }

/**
 * Sessions in our own table, each for a checked ID token.
 * @param deps.publicUrl decides whether cookies are Secure
 */
export function createSessions(deps: {
  db: Database
  publicUrl: URL
  tokens: Tokens
  linkedUsers: LinkedUsers
  knownBrowsers: KnownBrowsers
  take: TakeFromLimit
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  now: () => Date
}): HostedSessions {
  const { db, tokens, linkedUsers, knownBrowsers, take, now } = deps
  const cookie = cookieOf(deps.publicUrl)
  const readSession = (request: Request) => readStoredSession({ db, now, cookieName: cookie.name }, request)
  const sessions = sessionsOf({
    ...deps,
    // Those that ran out count: their browsers come back to them.
    keptAfterEndMs: RENEWABLE_MS,
    forgottenCookie: cookie.forgotten,
    readSession,
  })

  const expiryOf = (identity: Identity) =>
    new Date(Math.min(now().getTime() + SESSION_LIFE_MS, identity.expiresAt.getTime()))

  return {
    ...sessions,

    async open(request, user, identity) {
      const token = newId(TOKEN_LENGTH)
      await sessions.endBroughtSession(request)
      await db.transaction().execute(async (tx) => {
        // Old ones can't be renewed.
        await tx
          .deleteFrom('sessions')
          .where('user_id', '=', user.id)
          .where('expires_at', '<', new Date(now().getTime() - RENEWABLE_MS))
          .execute()
        await tx
          .insertInto('sessions')
          .values({
            id: newId(),
            user_id: user.id,
            token: await hashText(token),
            expires_at: expiryOf(identity),
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
      // One that only ran out is renewed by the browser's next ID token.
      return read.disabled ? 'user-disabled' : null
    },

    renewCookies: async () => [],

    async renewSession(request, { idToken }) {
      if (!(await take('hosted-renewal', request))) return { ok: false, reason: 'too-many-requests' }
      const session = await readSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const read = await tokens.readToken(idToken)
      if (!read.ok) return read
      const user = await linkedUsers.find(db, read.identity.subject)
      if (user?.id !== session.session.user.uid || isSomebodyElses(user, read.identity))
        return { ok: false, reason: 'user-token-expired' }
      if (user.disabled) return { ok: false, reason: 'user-disabled' }
      if (user.deactivated) return { ok: false, reason: 'user-token-expired' }
      // A renewal takes no password, so it brings no address.
      // A session that was ended meanwhile stays ended: nothing is made here.
      const renewed = await db
        .updateTable('sessions')
        .set({ expires_at: expiryOf(read.identity), updated_at: now() })
        .where('id', '=', session.session.id)
        .returning('id')
        .executeTakeFirst()
      const token = readCookie(request.headers.get('cookie'), cookie.name)
      if (!renewed || !token) return { ok: false, reason: 'user-token-expired' }
      const known = await knownBrowsers.cookieFor(request, user.id)
      return { ok: true, cookies: [cookie.of(token), known] }
    },

    async canRenewSession(request) {
      const read = await readSession(request)
      return Boolean(read?.ranOut && !read.disabled && !read.deactivated)
    },
  }
}

/** The session's cookie, by its name and its Set-Cookie values. */
function cookieOf(publicUrl: URL) {
  const secure = publicUrl.protocol === 'https:'
  const name = secure ? '__Host-jubilee.hosted_session' : 'jubilee.hosted_session'
  const end = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    name,
    forgotten: `${name}=; Max-Age=0${end}`,
    of: (token: string) => `${name}=${token}; Max-Age=${RENEWABLE_MS / 1_000}${end}`,
  }
}

/** The browser's session with what findSession hides: one that ran out, an account that is disabled or deactivated. */
async function readStoredSession(
  { db, now, cookieName }: { db: Database; now: () => Date; cookieName: string },
  request: Request,
): Promise<StoredSession | null> {
  const hash = await hashInCookie(request, cookieName)
  if (!hash) return null
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.expires_at', 'sessions.updated_at as last_used_at'])
    .where('sessions.token', '=', hash)
    .where('sessions.expires_at', '>', new Date(now().getTime() - RENEWABLE_MS))
    .executeTakeFirst()
  if (!row) return null
  return {
    session: {
      id: row.session_id,
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
    lastUsedAt: row.last_used_at,
    ranOut: row.expires_at <= now(),
    disabled: row.disabled_at !== null,
    deactivated: row.deactivated_at !== null,
  }
}

/** What is stored of the browser's session: reading the table opens nothing. */
async function hashInCookie(request: Request, cookieName: string): Promise<string | null> {
  const token = readCookie(request.headers.get('cookie'), cookieName)
  return token && token.length === TOKEN_LENGTH ? hashText(token) : null
}
