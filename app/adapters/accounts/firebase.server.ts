import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { readCookie } from '../../shared/cookies.ts'
import { newId } from '../../shared/ids.ts'
import { isPersonName } from '../../shared/one-line.ts'
import { hashText } from '../../shared/signed.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import { limitedAddress } from '../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../rate-limits/port.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import {
  type AccountAnswer,
  type AccountRefusal,
  type AccountSession,
  type Accounts,
  CLIENT_ADDRESS_HEADER,
  type MailedAccount,
  type SignInAnswer,
} from './port.ts'
import { sessionsOf } from './sessions.server.ts'

/** Where Google publishes the keys of every project's ID tokens. */
const KEY_SET_PATH = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
const KEY_SET_ORIGIN = 'https://www.googleapis.com'
const KEY_SET_AGE_MS = 3_600_000

// An ID token is good for an hour; the service's clock and ours may differ by a little.
const TOKEN_LIFE_S = 3_600
const CLOCK_TOLERANCE_S = 5
const MAX_TOKEN_LENGTH = 4_096
// The longest subject that the service gives out.
const MAX_SUBJECT_LENGTH = 128

/** How fresh a sign-in must be to open a session or to do what can't be undone; the SDK's own check is as strict. */
const FRESH_SIGN_IN_MS = 5 * 60_000
/** A session ends with its ID token, and after an hour at the latest. */
const SESSION_LIFE_MS = 3_600_000
/** A session that ran out can be renewed for as long as its browser keeps the cookie. */
const RENEWABLE_MS = 30 * 24 * 3_600_000
// 'Last used' is right to this, so that not every page writes.
const LAST_USE_STEP_MS = 5 * 60_000

const UNIQUE_VIOLATION = '23505'
const TOKEN_LENGTH = 32

const QUARTER_HOUR_MS = 15 * 60_000
const limits = {
  /** Sign-ins of one browser or network address. The service stops guessing: a wrong password never gets here. */
  signIn: { max: 60, windowMs: QUARTER_HOUR_MS },
  /** Renewals of one browser or network address: one an hour for each browser behind it. */
  renewal: { max: 600, windowMs: QUARTER_HOUR_MS },
  newPassword: { max: 10, windowMs: QUARTER_HOUR_MS },
} satisfies Record<string, Limit>

/** What an ID token says, after it was checked. */
type Identity = {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  signedInAt: Date
  expiresAt: Date
}

type LinkedUser = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  disabled: boolean
  deactivated: boolean
}

/** The hosted service as an adapter of the accounts port: every password in its input is an ID token instead. */
export type HostedAccounts = Accounts & {
  /**
   * Gives the browser's session as long as its new ID token lives. Refuses with 'user-token-expired' when the session
   * was ended, or is another person's, and with 'user-disabled'.
   */
  renewSession(request: Request, input: { idToken: string }): Promise<AccountAnswer>
  /** Whether the browser's session only ran out, so that its next ID token can renew it. */
  canRenewSession(request: Request): Promise<boolean>
}

/**
 * Accounts by Firebase Auth. The browser talks to the service through its SDK; here its ID tokens are checked, linked
 * to our users by issuer and subject, and exchanged for sessions in our own table, so that loaders know the user the
 * same way as under the other adapter. A password never comes here: wherever the port has one, the browser has put the
 * ID token that it got for it (docs/decisions/0006-hosted-sign-in.md).
 * @param options.publicUrl decides whether cookies are Secure
 * @param options.secret signs the cookie of browsers that signed in before
 * @param options.projectId whose tokens are taken
 * @param options.emulatorUrl a local server that speaks the service's calls and publishes its keys; null for the service
 * @param options.fetchKeys in the place of fetch, for the keys of the service
 * @param options.onSessionsEnded told inside the transaction when sessions of a user end elsewhere
 * @param options.passwordChanged mails the owner of the account
 * @param options.onProblem told of what an operator should know: keys that can't be fetched, an address that is taken
 */
export function createFirebaseAccounts(options: {
  db: Database
  publicUrl: URL
  secret: string
  projectId: string
  emulatorUrl: string | null
  rateLimits: RateLimits
  fetchKeys?: FetchImplementation
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  passwordChanged: (to: MailedAccount) => Promise<void>
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}): HostedAccounts {
  const { db, now } = options
  const issuer = `https://securetoken.google.com/${options.projectId}`
  const keys = createRemoteJWKSet(new URL(KEY_SET_PATH, options.emulatorUrl ?? KEY_SET_ORIGIN), {
    cacheMaxAge: KEY_SET_AGE_MS,
    ...(options.fetchKeys ? { [customFetch]: options.fetchKeys } : {}),
  })
  const secure = options.publicUrl.protocol === 'https:'
  const cookieName = secure ? '__Host-jubilee.hosted_session' : 'jubilee.hosted_session'
  const cookieEnd = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const forgottenCookie = `${cookieName}=; Max-Age=0${cookieEnd}`
  const sessionCookie = (token: string) =>
    `${cookieName}=${token}; Max-Age=${RENEWABLE_MS / 1_000}${cookieEnd}`

  const knownBrowsers = createKnownBrowsers(options)

  /** A browser that signed in before counts for itself, so that others at its network address can't stop it. */
  async function take(name: string, request: Request, limit: Limit): Promise<boolean> {
    const known = await knownBrowsers.find(request)
    return options.rateLimits.take(`${name}:${known ? `known:${known.id}` : limitedAddress(request)}`, limit)
  }

  /** Checks an ID token: RS256 with a key of the service, issuer, audience, subject and times. */
  async function readToken(idToken: string): Promise<{ ok: true; identity: Identity } | AccountRefusal> {
    if (idToken.length > MAX_TOKEN_LENGTH) return { ok: false, reason: 'user-token-expired' }
    let claims: JWTPayload
    try {
      const checked = await jwtVerify(idToken, keys, {
        algorithms: ['RS256'],
        issuer,
        audience: options.projectId,
        requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
        // Also what makes a token from the future refused.
        maxTokenAge: TOKEN_LIFE_S,
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: now(),
      })
      claims = checked.payload
    } catch (error) {
      // Without keys nobody can sign in, and that is not the token's fault.
      const isKeySet =
        !(error instanceof errors.JOSEError) ||
        error.code === 'ERR_JWKS_TIMEOUT' ||
        error.code === 'ERR_JOSE_GENERIC'
      if (!isKeySet) return { ok: false, reason: 'user-token-expired' }
      options.onProblem('the keys of the account service can’t be fetched', error)
      return { ok: false, reason: 'network-request-failed' }
    }
    const { sub, auth_time: authTime, exp = 0, email, name } = claims
    const latest = now().getTime() / 1_000 + CLOCK_TOLERANCE_S
    if (!sub || sub.length > MAX_SUBJECT_LENGTH || typeof authTime !== 'number' || authTime > latest)
      return { ok: false, reason: 'user-token-expired' }
    return {
      ok: true,
      identity: {
        subject: sub,
        email: typeof email === 'string' && email.includes('@') ? email.toLowerCase() : null,
        emailVerified: claims.email_verified === true,
        name: typeof name === 'string' && isPersonName(name.trim()) ? name.trim() : null,
        signedInAt: new Date(authTime * 1_000),
        expiresAt: new Date(exp * 1_000),
      },
    }
  }

  /** The same, of somebody who has typed the password just now. */
  async function readFreshToken(idToken: string): Promise<{ ok: true; identity: Identity } | AccountRefusal> {
    const read = await readToken(idToken)
    if (read.ok && now().getTime() - read.identity.signedInAt.getTime() > FRESH_SIGN_IN_MS)
      return { ok: false, reason: 'requires-recent-login' }
    return read
  }

  async function findLinked(tx: Database | DatabaseTransaction, subject: string): Promise<LinkedUser | null> {
    const row = await tx
      .selectFrom('account_credentials')
      .innerJoin('users', 'users.id', 'account_credentials.user_id')
      .select([
        'users.id',
        'users.name',
        'users.email',
        'users.email_verified',
        'users.disabled_at',
        'users.deactivated_at',
      ])
      .where('account_credentials.provider_id', '=', issuer)
      .where('account_credentials.account_id', '=', subject)
      .executeTakeFirst()
    if (!row) return null
    return {
      id: row.id,
      name: row.name,
      email: row.email,
      emailVerified: row.email_verified,
      disabled: row.disabled_at !== null,
      deactivated: row.deactivated_at !== null,
    }
  }

  /**
   * The user of a checked identity, made or linked at the first sign-in. Two first sign-ins at once: the unique index
   * over issuer and subject lets one through, and the other one finds what it made.
   */
  async function findOrLink(
    identity: Identity,
    displayName: string | null,
  ): Promise<{ ok: true; user: LinkedUser } | AccountRefusal> {
    for (const isLast of [false, true]) {
      const known = await findLinked(db, identity.subject)
      if (known) return { ok: true, user: await takeOverEmail(known, identity) }
      try {
        const answer = await db.transaction().execute((tx) => linkIn(tx, identity, displayName))
        if (!answer.ok) return answer
        const user = await findLinked(db, identity.subject)
        if (user) return { ok: true, user }
      } catch (error) {
        if ((error as { code?: string }).code !== UNIQUE_VIOLATION || isLast) throw error
      }
    }
    throw new Error('a link that was just made is not there')
  }

  async function linkIn(
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
    // Another first sign-in of the same person was quicker: this user is what it has made.
    if (other && (await findLinked(tx, identity.subject))) return { ok: true }
    // Whoever has not proved the address may not be the one who has: linking would hand one's account to the other,
    // in whichever direction the proof is missing.
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
        provider_id: issuer,
        account_id: identity.subject,
        password: null,
        created_at: now(),
        updated_at: now(),
      })
      .execute()
    return { ok: true }
  }

  /** Only a proved address changes ours: the service lets people type any. */
  async function takeOverEmail(user: LinkedUser, identity: Identity): Promise<LinkedUser> {
    const { email } = identity
    if (!email || !identity.emailVerified) return user
    if (user.emailVerified && email === user.email.toLowerCase()) return user
    try {
      await db
        .updateTable('users')
        .set({ email, email_verified: true, updated_at: now() })
        .where('id', '=', user.id)
        .execute()
      return { ...user, email, emailVerified: true }
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
      // Somebody else's account has it: this one keeps the address that it had.
      options.onProblem('a new address of the account service belongs to another account')
      return user
    }
  }

  const expiryOf = (identity: Identity) =>
    new Date(Math.min(now().getTime() + SESSION_LIFE_MS, identity.expiresAt.getTime()))

  async function openSession(request: Request, user: LinkedUser, identity: Identity): Promise<string[]> {
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
    return [sessionCookie(token)]
  }

  /** What is stored of the browser's session: reading the table opens nothing. */
  async function tokenHashOf(request: Request): Promise<string | null> {
    const token = readCookie(request.headers.get('cookie'), cookieName)
    return token && token.length === TOKEN_LENGTH ? hashText(token) : null
  }

  /** The browser's session with what findSession hides: one that ran out, an account that is disabled or deactivated. */
  async function readSession(request: Request) {
    const hash = await tokenHashOf(request)
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
    const session: AccountSession = {
      id: row.session_id,
      user: {
        uid: row.id,
        displayName: row.name || null,
        email: row.email,
        emailVerified: row.email_verified,
        phoneNumber: row.phone,
        photoUrl: row.image,
      },
    }
    return {
      session,
      lastUsedAt: row.last_used_at,
      ranOut: row.expires_at <= now(),
      disabled: row.disabled_at !== null,
      deactivated: row.deactivated_at !== null,
    }
  }

  async function findSession(request: Request): Promise<AccountSession | null> {
    const read = await readSession(request)
    if (!read || read.ranOut || read.disabled || read.deactivated) return null
    if (now().getTime() - read.lastUsedAt.getTime() > LAST_USE_STEP_MS) {
      await db.updateTable('sessions').set({ updated_at: now() }).where('id', '=', read.session.id).execute()
    }
    return read.session
  }

  /** The asking account, whose owner has just typed the password into the service's SDK. */
  async function readOwnFreshToken(
    request: Request,
    idToken: string,
  ): Promise<{ ok: true; session: AccountSession; identity: Identity } | AccountRefusal> {
    const session = await findSession(request)
    if (!session) return { ok: false, reason: 'user-token-expired' }
    const read = await readFreshToken(idToken)
    if (!read.ok) return read
    const owner = await findLinked(db, read.identity.subject)
    if (owner?.id !== session.user.uid) return { ok: false, reason: 'requires-recent-login' }
    return { ok: true, session, identity: read.identity }
  }

  async function enter(request: Request, idToken: string, displayName: string | null): Promise<SignInAnswer> {
    if (!(await take('hosted-sign-in', request, limits.signIn)))
      return { ok: false, reason: 'too-many-requests' }
    const read = await readFreshToken(idToken)
    if (!read.ok) return read
    const linked = await findOrLink(read.identity, displayName)
    if (!linked.ok) return linked
    const { user } = linked
    if (user.disabled) return { ok: false, reason: 'user-disabled' }
    const session = await openSession(request, user, read.identity)
    const cookies = [...session, await knownBrowsers.cookieFor(request, user.id)]
    return { ok: true, cookies, userId: user.id, deactivated: user.deactivated }
  }

  const sessions = sessionsOf(db, {
    now,
    // Those that ran out count: their browsers come back to them.
    keptAfterEndMs: RENEWABLE_MS,
    forgottenCookie,
    findSession,
    readSession,
    onSessionsEnded: options.onSessionsEnded,
  })

  return {
    findSession,

    async findDeactivatedSession(request) {
      const read = await readSession(request)
      return read?.deactivated && !read.disabled && !read.ranOut ? read.session : null
    },

    async findSessionEnd(request) {
      if (!readCookie(request.headers.get('cookie'), cookieName)) return null
      const read = await readSession(request)
      if (!read) return 'user-token-expired'
      // One that only ran out is renewed by the browser's next ID token.
      return read.disabled ? 'user-disabled' : null
    },

    renewCookies: async () => [],
    forgetCookies: () => [forgottenCookie],

    signUp: (request, { displayName, password }) => enter(request, password, displayName),
    signIn: (request, { password }) => enter(request, password, null),

    async renewSession(request, { idToken }) {
      if (!(await take('hosted-renewal', request, limits.renewal)))
        return { ok: false, reason: 'too-many-requests' }
      const session = await readSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const read = await readToken(idToken)
      if (!read.ok) return read
      const user = await findLinked(db, read.identity.subject)
      if (user?.id !== session.session.user.uid) return { ok: false, reason: 'user-token-expired' }
      if (user.disabled) return { ok: false, reason: 'user-disabled' }
      if (user.deactivated) return { ok: false, reason: 'user-token-expired' }
      await takeOverEmail(user, read.identity)
      // A session that was ended meanwhile stays ended: nothing is made here.
      const renewed = await db
        .updateTable('sessions')
        .set({ expires_at: expiryOf(read.identity), updated_at: now() })
        .where('id', '=', session.session.id)
        .returning('id')
        .executeTakeFirst()
      const token = readCookie(request.headers.get('cookie'), cookieName)
      if (!renewed || !token) return { ok: false, reason: 'user-token-expired' }
      const known = await knownBrowsers.cookieFor(request, user.id)
      return { ok: true, cookies: [sessionCookie(token), known] }
    },

    async canRenewSession(request) {
      const read = await readSession(request)
      return Boolean(read?.ranOut && !read.disabled && !read.deactivated)
    },

    // The browser has asked the service for the mail, which has limits of its own; the answer tells of none.
    requestPasswordReset: async () => ({ ok: true, cookies: [] }),

    async resetPassword(request, { password }) {
      if (!(await take('hosted-new-password', request, limits.newPassword)))
        return { ok: false, reason: 'too-many-requests' }
      const read = await readFreshToken(password)
      if (!read.ok) return read
      const user = await findLinked(db, read.identity.subject)
      if (user) {
        await db.transaction().execute((tx) => sessions.endSessionsIn(tx, user.id))
        await options.passwordChanged(user)
      }
      const known = user ? [await knownBrowsers.cookieFor(request, user.id)] : []
      return { ok: true, cookies: [forgottenCookie, ...known] }
    },

    async changePassword(request, { newPassword }) {
      const read = await readOwnFreshToken(request, newPassword)
      if (!read.ok) return read
      const { id, user } = read.session
      await db.transaction().execute((tx) => sessions.endSessionsIn(tx, user.uid, id))
      const { email, displayName, emailVerified } = user
      await options.passwordChanged({ email, name: displayName ?? '', emailVerified })
      return { ok: true, cookies: [] }
    },

    async confirmPassword(request, { password }) {
      const read = await readOwnFreshToken(request, password)
      return read.ok ? { ok: true, cookies: [] } : read
    },

    async resendVerification(request) {
      return (await findSession(request))
        ? { ok: true, cookies: [] }
        : { ok: false, reason: 'user-token-expired' }
    },

    async requestEmailChange(request, { password }) {
      const read = await readOwnFreshToken(request, password)
      return read.ok ? { ok: true, cookies: [] } : read
    },

    async confirmEmail(_request, { token }) {
      const read = await readToken(token)
      if (!read.ok) return read
      const { email, emailVerified, subject } = read.identity
      const user = await findLinked(db, subject)
      if (!user || !email || !emailVerified) return { ok: false, reason: 'invalid-action-code' }
      const after = await takeOverEmail(user, read.identity)
      if (after.email.toLowerCase() !== email) return { ok: false, reason: 'email-already-in-use' }
      return { ok: true, changed: user.email.toLowerCase() !== email, email }
    },

    signOut: sessions.signOut,
    listSessions: sessions.listSessions,
    endSession: sessions.endSession,
    endAllSessions: sessions.endAllSessions,
  }
}

/** A name for somebody whom the service knows none of: 'robin vale' for robin.vale@example.com, or none. */
function nameIn(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll(/[._+-]+/g, ' ').trim()
  return isPersonName(name) ? name : ''
}
