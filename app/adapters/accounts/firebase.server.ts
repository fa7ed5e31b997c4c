import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import type { Selectable } from 'kysely'
import { readCookie } from '../../shared/cookies.ts'
import { newId } from '../../shared/ids.ts'
import { isPersonName } from '../../shared/one-line.ts'
import { hashText } from '../../shared/signed.ts'
import type { Database, DatabaseTransaction, Tables } from '../database/port.ts'
import { limitedAddress } from '../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../rate-limits/port.ts'
import { issueLink } from './account-links.server.ts'
import { CONFIRMED_EMAIL, detachEmailIn, freeEmailIn } from './detached-emails.server.ts'
import { type ActionCode, createFirebaseService, type FetchService } from './firebase-service.server.ts'
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
  /** Links of mails, of one browser or network address. The service stops guessing the password beside one. */
  links: { max: 30, windowMs: QUARTER_HOUR_MS },
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
  /** The address that its holder took off this account. */
  detachedEmail: string | null
  /** Only a password that was set later signs in. */
  passwordDueAt: Date | null
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
 * @param options.apiKey the project's public key, for the codes of its mails
 * @param options.emulatorUrl a local server that speaks the service's calls and publishes its keys; null for the service
 * @param options.fetchKeys in the place of fetch, for the keys of the service
 * @param options.onSessionsEnded told inside the transaction when sessions of a user end elsewhere
 * @param options.passwordChanged mails the owner of the account
 * @param options.emailChangeUndone mails the address that an undone change takes off the account
 * @param options.onProblem told of what an operator should know: keys that can't be fetched, an address that is taken
 */
export function createFirebaseAccounts(options: {
  db: Database
  publicUrl: URL
  secret: string
  projectId: string
  apiKey: string
  emulatorUrl: string | null
  rateLimits: RateLimits
  fetchKeys?: FetchImplementation
  fetchService?: FetchService
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  passwordChanged: (to: MailedAccount) => Promise<void>
  emailChangeUndone: (tx: DatabaseTransaction, to: MailedAccount) => Promise<void>
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}): HostedAccounts {
  const { db, now } = options
  const issuer = `https://securetoken.google.com/${options.projectId}`
  const keys = createRemoteJWKSet(new URL(KEY_SET_PATH, options.emulatorUrl ?? KEY_SET_ORIGIN), {
    cacheMaxAge: KEY_SET_AGE_MS,
    ...(options.fetchKeys ? { [customFetch]: options.fetchKeys } : {}),
  })
  const service = createFirebaseService({ ...options, fetchService: options.fetchService ?? fetch })
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
      .selectAll('users')
      .where('account_credentials.provider_id', '=', issuer)
      .where('account_credentials.account_id', '=', subject)
      .executeTakeFirst()
    return row ? toLinkedUser(row) : null
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
      if (known && !isSomebodyElses(known, identity))
        return { ok: true, user: await takeOverEmail(known, identity) }
      if (known) await unlink(known, identity)
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

  /**
   * Whether an account at the service has passed to another person. The service has one account for an address, so the
   * holder of a detached address gets that account there by choosing a new password.
   */
  const isSomebodyElses = (user: LinkedUser, identity: Identity) =>
    identity.emailVerified &&
    user.detachedEmail !== null &&
    user.detachedEmail.toLowerCase() === identity.email

  /** Frees the service's account for a new user. The old user keeps their contents and sessions. */
  async function unlink(user: LinkedUser, identity: Identity): Promise<void> {
    await db
      .deleteFrom('account_credentials')
      .where('provider_id', '=', issuer)
      .where('account_id', '=', identity.subject)
      .where('user_id', '=', user.id)
      .execute()
  }

  /**
   * Takes an address that the service has proved, at a sign-in, which needs the password. Ends the earlier sessions: they
   * may belong to somebody who waited for the owner to prove the address.
   */
  async function takeOverEmail(user: LinkedUser, identity: Identity): Promise<LinkedUser> {
    const { email } = identity
    if (!email || !identity.emailVerified) return user
    if (user.emailVerified && email === user.email.toLowerCase()) return user
    try {
      await db.transaction().execute(async (tx) => {
        await setEmailIn(tx, user, email)
        await sessions.endSessionsIn(tx, user.id)
      })
      return { ...user, email, emailVerified: true, detachedEmail: null }
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
      // Somebody else's account has it: this one keeps the address that it had.
      options.onProblem('a new address of the account service belongs to another account')
      return user
    }
  }

  async function setEmailIn(tx: DatabaseTransaction, user: LinkedUser, email: string): Promise<void> {
    await tx
      .updateTable('users')
      .set({ ...CONFIRMED_EMAIL, email, updated_at: now() })
      .where('id', '=', user.id)
      .execute()
    // The service mails the notice to the old address. This row limits how long its link counts; its token is unused.
    if (user.emailVerified && email !== user.email.toLowerCase())
      await issueLink(tx, { kind: 'undo-email-change', userId: user.id, email: user.email, now: now() })
  }

  /** @returns false when the account never proved the address, or another account has proved it since */
  async function undoIn(tx: DatabaseTransaction, user: LinkedUser, email: string): Promise<boolean> {
    const change = await findChangeFrom(tx, email, user.id)
    const isHere = user.email.toLowerCase() === email
    if (!change && !(isHere && user.emailVerified)) return false
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
    if (!isHere) await options.emailChangeUndone(tx, user)
    return true
  }

  /** The code that confirms an address, and the user whose account at the service it is for. */
  async function findCode(
    request: Request,
    token: string,
  ): Promise<{ ok: true; code: ActionCode; user: LinkedUser } | AccountRefusal> {
    if (!(await take('hosted-links', request, limits.links)))
      return { ok: false, reason: 'too-many-requests' }
    const checked = await service.checkCode(token)
    if (!checked.ok) return checked
    const { code } = checked
    const user = code.kind === 'undo' ? null : await findLinkedByEmail(code.currentEmail)
    return user ? { ok: true, code, user } : { ok: false, reason: 'invalid-action-code' }
  }

  async function findLinkedByEmail(email: string): Promise<LinkedUser | null> {
    const row = await db
      .selectFrom('users')
      .innerJoin('account_credentials', 'account_credentials.user_id', 'users.id')
      .selectAll('users')
      .where('account_credentials.provider_id', '=', issuer)
      .where((eb) => eb.or([eb('users.email', '=', email), eb('users.detached_email', '=', email)]))
      .orderBy('users.email_detached_at', (order) => order.desc().nullsFirst())
      .limit(1)
      .executeTakeFirst()
    return row ? toLinkedUser(row) : null
  }

  /** Uses a code up at the service, whose answer says whose it was. */
  async function applyCode(token: string, user: LinkedUser): Promise<{ ok: true } | AccountRefusal> {
    const applied = await service.applyCode(token)
    if (!applied.ok) return applied
    const owner = await findLinked(db, applied.subject)
    if (owner?.id === user.id) return { ok: true }
    options.onProblem('a code of the account service was for another account than its address said')
    return { ok: false, reason: 'invalid-action-code' }
  }

  /** After a change was undone only a password that was set since then signs in. */
  async function checkPasswordDue(user: LinkedUser, idToken: string): Promise<{ ok: true } | AccountRefusal> {
    if (!user.passwordDueAt) return { ok: true }
    const found = await service.findPasswordChange(idToken)
    if (!found.ok) return found
    if (!found.changedAt || found.changedAt <= user.passwordDueAt)
      return { ok: false, reason: 'invalid-credential' }
    await db.updateTable('users').set({ password_due_at: null }).where('id', '=', user.id).execute()
    return { ok: true }
  }

  /**
   * The code in the service's own notice to an old address. The service sends one to addresses that were never proved,
   * too, and doesn't end it when we do: it counts only for an address that an account here had proved.
   */
  async function findUndo(
    request: Request,
    token: string,
  ): Promise<{ ok: true; email: string } | AccountRefusal> {
    if (!(await take('hosted-links', request, limits.links)))
      return { ok: false, reason: 'too-many-requests' }
    const checked = await service.checkCode(token)
    if (!checked.ok) return checked
    const { kind, email } = checked.code
    if (kind !== 'undo') return { ok: false, reason: 'invalid-action-code' }
    const change = await findChangeFrom(db, email)
    if (change || (await findProvedHolder(email))) return { ok: true, email }
    return { ok: false, reason: 'expired-action-code' }
  }

  /** The newest change from a proved address that can still be undone. @param userId whose; left out, anybody's */
  async function findChangeFrom(tx: Database | DatabaseTransaction, email: string, userId?: string) {
    const query = tx
      .selectFrom('account_links')
      .select('created_at')
      .where('kind', '=', 'undo-email-change')
      .where('email', '=', email)
      .where('expires_at', '>', now())
      .orderBy('created_at', 'desc')
    return (userId ? query.where('user_id', '=', userId) : query).executeTakeFirst()
  }

  const findProvedHolder = (email: string) =>
    db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('email_verified', '=', true)
      .executeTakeFirst()

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
        needsEmail: row.detached_email !== null,
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
    const due = await checkPasswordDue(user, idToken)
    if (!due.ok) return due
    const session = await openSession(request, user, read.identity)
    return {
      ok: true,
      cookies: [...session, await knownBrowsers.cookieFor(request, user.id)],
      userId: user.id,
      deactivated: user.deactivated,
      needsEmail: user.detachedEmail !== null,
    }
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
      if (!user) return { ok: true, cookies: [forgottenCookie] }
      if (isSomebodyElses(user, read.identity)) {
        await unlink(user, read.identity)
        return { ok: true, cookies: [forgottenCookie] }
      }
      await db.transaction().execute((tx) => sessions.endSessionsIn(tx, user.id))
      await options.passwordChanged(user)
      return { ok: true, cookies: [forgottenCookie, await knownBrowsers.cookieFor(request, user.id)] }
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

    async findEmailLink(request, { token }) {
      const found = await findCode(request, token)
      if (!found.ok) return found
      const { code, user } = found
      if (code.kind === 'verify' && user.emailVerified) return { ok: false, reason: 'invalid-action-code' }
      const session = await findSession(request)
      const kind = code.kind === 'verify' ? 'verify' : 'change'
      return { ok: true, kind, email: code.email, isOwn: session?.user.uid === user.id }
    },

    async confirmEmail(request, { token, password }) {
      const found = await findCode(request, token)
      if (!found.ok) return found
      const { code, user } = found
      const { email } = code
      const session = await findSession(request)
      if (session?.user.uid !== user.id) {
        if (!password) return { ok: false, reason: 'missing-password' }
        const read = await readFreshToken(password)
        if (!read.ok) return read
        const owner = await findLinked(db, read.identity.subject)
        if (owner?.id !== user.id) return { ok: false, reason: 'wrong-password' }
        if (user.disabled) return { ok: false, reason: 'user-disabled' }
      }
      const changed = code.kind === 'change'
      // Asked before the code is used up.
      const holder = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
      if (holder && holder.id !== user.id) return { ok: false, reason: 'email-already-in-use' }
      const applied = await applyCode(token, user)
      if (!applied.ok) return applied
      try {
        await db.transaction().execute(async (tx) => {
          await setEmailIn(tx, user, email)
          // As at the service, where an old token is worth nothing after a change.
          if (changed) await sessions.endSessionsIn(tx, user.id)
        })
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION)
          return { ok: false, reason: 'email-already-in-use' }
        throw error
      }
      return { ok: true, changed, email, cookies: changed && session ? [forgottenCookie] : [] }
    },

    async detachEmail(request, { token, forNewAccount }) {
      const found = await findCode(request, token)
      if (!found.ok) return found
      const { code, user } = found
      const { email } = code
      // The service forgets an unconfirmed change by itself, and has no account with its address.
      if (code.kind === 'change') return { ok: true, email, beginsBy: 'sign-up' }
      if (user.emailVerified) return { ok: false, reason: 'invalid-action-code' }
      // The address still belongs to the old account at the service, so only a new password lets its holder in.
      if (forNewAccount) {
        const sent = await service.mailPasswordReset(email)
        if (!sent.ok) return sent
      }
      const detached = await db
        .transaction()
        .execute((tx) => detachEmailIn(tx, { userId: user.id, email, now: now() }))
      // Pressed a second time: it is done.
      if (!detached && user.detachedEmail === null) return { ok: false, reason: 'invalid-action-code' }
      return { ok: true, email, beginsBy: 'password-mail' }
    },

    findUndoLink: (request, { token }) => findUndo(request, token),

    async undoEmailChange(request, { token }) {
      const found = await findUndo(request, token)
      if (!found.ok) return found
      const { email } = found
      const applied = await service.applyCode(token)
      if (!applied.ok) return applied
      const user = await findLinked(db, applied.subject)
      const undone = user && (await db.transaction().execute((tx) => undoIn(tx, user, email)))
      if (!undone) return { ok: false, reason: 'email-already-in-use' }
      const sent = await service.mailPasswordReset(email)
      // The change is undone all the same; the screen says how to ask for the mail again.
      if (!sent.ok) options.onProblem('the mail for a new password could not be asked for')
      return { ok: true, email, resetToken: null, cookies: [forgottenCookie] }
    },

    signOut: sessions.signOut,
    listSessions: sessions.listSessions,
    endSession: sessions.endSession,
    endAllSessions: sessions.endAllSessions,
  }
}

function toLinkedUser(row: Selectable<Tables['users']>): LinkedUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    disabled: row.disabled_at !== null,
    deactivated: row.deactivated_at !== null,
    detachedEmail: row.detached_email,
    passwordDueAt: row.password_due_at,
  }
}

/** A name for somebody whom the service knows none of: 'robin vale' for robin.vale@example.com, or none. */
function nameIn(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll(/[._+-]+/g, ' ').trim()
  return isPersonName(name) ? name : ''
}
