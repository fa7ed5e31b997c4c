import { APIError, betterAuth } from 'better-auth'
import { readCookie } from '../../shared/cookies.ts'
import { hashText } from '../../shared/signed.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import { limitedAddress } from '../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../rate-limits/port.ts'
import {
  deleteLinks,
  findLink,
  issueLink,
  LINK_LIFE_MS,
  type LinkKind,
  type RedeemedLink,
  redeemLink,
} from './account-links.server.ts'
import { CONFIRMED_EMAIL, detachEmailIn, findSignInUser, freeEmailIn } from './detached-emails.server.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import { type TriesFrom, takePasswordTry } from './password-tries.server.ts'
import { hashPassword, verifyPassword } from './passwords.server.ts'
import {
  type AccountCode,
  type AccountRefusal,
  type AccountSession,
  type Accounts,
  CLIENT_ADDRESS_HEADER,
  type MailedAccount,
  type SignInAnswer,
} from './port.ts'
import { sessionsOf } from './sessions.server.ts'

const BASE_PATH = '/api/auth'
const COOKIE_PREFIX = 'jubilee'
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`
// What Better Auth puts before the name where cookies are Secure.
const SECURE_PREFIX = '__Secure-'

const SESSION_LIFE_S = 30 * 24 * 3_600
// A session in use gets its full life again once a day.
const SESSION_RENEWAL_S = 24 * 3_600
// 'Last used' is right to this, so that not every page writes.
const LAST_USE_STEP_MS = 5 * 60_000
// No policy asks for so much; scrypt's cost hardly depends on it.
const MAX_PASSWORD_UNITS = 8_192

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Limits per account, or per typed address whether or not it has one. Wrong passwords: password-tries. */
const limits = {
  /** No longer than a link lives, so that either a new link can be asked for or an earlier one still works. */
  reset: { max: 3, windowMs: LINK_LIFE_MS },
  resetFromAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  links: { max: 30, windowMs: 15 * MINUTE_MS },
  verification: { max: 5, windowMs: HOUR_MS },
  emailChange: { max: 5, windowMs: HOUR_MS },
} satisfies Record<string, Limit>

// Codes seen from Better Auth 1.7; a code that is not here is answered as 'internal-error' and logged.
const codes: Record<string, AccountCode> = {
  USER_ALREADY_EXISTS: 'email-already-in-use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email-already-in-use',
  INVALID_EMAIL_OR_PASSWORD: 'invalid-credential',
  INVALID_EMAIL: 'invalid-email',
  INVALID_PASSWORD: 'wrong-password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'wrong-password',
  PASSWORD_TOO_SHORT: 'password-does-not-meet-requirements',
  PASSWORD_TOO_LONG: 'password-does-not-meet-requirements',
  ACCOUNT_DISABLED: 'user-disabled',
  UNAUTHORIZED: 'user-token-expired',
  SESSION_EXPIRED: 'user-token-expired',
  FAILED_TO_GET_SESSION: 'user-token-expired',
}

/** What the accounts ask for in the background, so that an answer neither waits for mail nor tells by its time. */
export type AccountMailQueue = {
  /** The address may have no account: whoever works the queue finds out. */
  passwordReset(email: string): Promise<void>
  verification(userId: string): Promise<void>
  emailChange(userId: string, email: string): Promise<void>
  /** Tells the address that its account has a new password. */
  passwordChanged(to: MailedAccount): Promise<void>
  /** Tells the old address, which the account had proved, with a link that undoes the change. */
  emailChanged(tx: DatabaseTransaction, change: EmailChange): Promise<void>
  /** Tells an old address that was never proved. Its reader may be a stranger, so the mail keeps the new one secret. */
  emailLeft(tx: DatabaseTransaction, to: MailedAccount): Promise<void>
  /** Tells the address that an undone change takes off the account. */
  emailChangeUndone(tx: DatabaseTransaction, to: MailedAccount): Promise<void>
}

/** @param email the old address. @param changedAt ISO 8601, UTC */
export type EmailChange = { userId: string; email: string; changedAt: string }

export type LinkRequest =
  | { kind: 'reset-password'; email: string }
  | { kind: 'verify-email'; userId: string }
  | { kind: 'change-email'; userId: string; email: string }
  | ({ kind: 'undo-email-change' } & EmailChange)

/** A link that is about to be mailed. The token stands nowhere else. */
export type IssuedLink = { to: MailedAccount; token: string }

export type BetterAuthAccounts = Accounts & {
  /**
   * Makes the link of a queued mail.
   * @returns null when there is nobody to send it to: no account, a disabled one, or nothing left to prove
   */
  issueLink(request: LinkRequest): Promise<IssuedLink | null>
}

/**
 * Accounts by Better Auth on the product's own database: sessions in the database, httpOnly cookies, scrypt. The
 * links in mails are ours (account-links): hashed, used once, all in one transaction with what they change.
 * @param options.publicUrl decides whether cookies are Secure
 * @param options.meetsPolicy whether a new password may be chosen
 * @param options.onSessionsEnded told inside the transaction when sessions of a user end elsewhere
 * @param options.onUnknown told of codes that the mapping lacks
 */
export function createBetterAuthAccounts(options: {
  db: Database
  publicUrl: URL
  secret: string
  meetsPolicy: (password: string) => boolean
  queue: AccountMailQueue
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  rateLimits: RateLimits
  onUnknown: (code: string) => void
  now: () => Date
}): BetterAuthAccounts {
  const { db, publicUrl, queue, now } = options
  const secure = publicUrl.protocol === 'https:'
  const cookieName = `${secure ? SECURE_PREFIX : ''}${SESSION_COOKIE}`
  const auth = betterAuth({
    appName: 'Jubilee',
    baseURL: publicUrl.origin,
    basePath: BASE_PATH,
    secret: options.secret,
    // No transaction around its calls: the hooks below read through the outer handle, which would wait for ever.
    database: { db, type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: { phone: { type: 'string', required: false, input: false } },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_LIFE_S,
      updateAge: SESSION_RENEWAL_S,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'account_credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // The policy is ours and checked before; this only must never refuse what the policy lets through.
      minPasswordLength: 1,
      maxPasswordLength: MAX_PASSWORD_UNITS,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    rateLimit: {
      // Off outside production unless told; the limits must be the same wherever the product runs.
      enabled: true,
      storage: 'database',
      modelName: 'sign_in_limits',
      fields: { lastRequest: 'last_request' },
      customRules: {
        // Wrong passwords are counted by password-tries, which knows the owner's browsers.
        '/sign-in/email': false,
        '/change-password': false,
        // Sign-up tells that an address has an account (Decision 21), so it is not to be asked often.
        '/sign-up/email': { window: 600, max: 10 },
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: secure,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            const user = await db
              .selectFrom('users')
              .select('disabled_at')
              .where('id', '=', session.userId)
              .executeTakeFirst()
            if (user?.disabled_at) throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' })
          },
        },
      },
    },
  })

  type Called =
    | { ok: true; cookies: string[]; body: { user?: { id?: string } } }
    | (AccountRefusal & { code: string })

  /** Goes through the handler, not `auth.api`: only the handler applies the limits per network address. */
  async function call(request: Request, path: string, body: object): Promise<Called> {
    const headers = new Headers({ origin: publicUrl.origin, 'content-type': 'application/json' })
    for (const name of ['cookie', 'user-agent', CLIENT_ADDRESS_HEADER]) {
      const value = request.headers.get(name)
      if (value) headers.set(name, value)
    }
    const response = await auth.handler(
      new Request(`${publicUrl.origin}${BASE_PATH}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }),
    )
    const answer = (await response.json().catch(() => null)) as {
      code?: string
      user?: { id?: string }
    } | null
    if (response.ok) return { ok: true, cookies: response.headers.getSetCookie(), body: answer ?? {} }
    if (response.status === 429) return { ok: false, reason: 'too-many-requests', code: 'HTTP_429' }
    const code = answer?.code ?? `HTTP_${response.status}`
    return { ok: false, reason: codes[code] ?? 'internal-error', code }
  }

  function refusalOf(called: AccountRefusal & { code: string }): AccountRefusal {
    if (called.reason === 'internal-error') options.onUnknown(called.code)
    return { ok: false, reason: called.reason }
  }

  const take = (key: string, limit: Limit) => options.rateLimits.take(key, limit)
  const knownBrowsers = createKnownBrowsers(options)
  /** Counters hold no address of a person in the clear. */
  const emailKey = async (name: string, email: string) =>
    `${name}:${await hashText(email.trim().toLowerCase())}`

  /** The session with what findSession hides: accounts that are disabled or deactivated. */
  async function readSession(request: Request) {
    const cookie = request.headers.get('cookie')
    if (!cookie?.includes(SESSION_COOKIE)) return null
    const found = await auth.api.getSession({
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
    const session: AccountSession = {
      id: found.session.id,
      user: {
        uid: found.user.id,
        displayName: found.user.name || null,
        email: found.user.email,
        emailVerified: found.user.emailVerified,
        phoneNumber: row.phone,
        photoUrl: found.user.image ?? null,
        needsEmail: row.detached_email !== null,
      },
    }
    return {
      session,
      lastUsedAt: found.session.updatedAt,
      disabled: !!row.disabled_at,
      deactivated: !!row.deactivated_at,
    }
  }

  async function findSession(request: Request): Promise<AccountSession | null> {
    const read = await readSession(request)
    if (!read || read.disabled || read.deactivated) return null
    if (now().getTime() - read.lastUsedAt.getTime() > LAST_USE_STEP_MS) {
      await db.updateTable('sessions').set({ updated_at: now() }).where('id', '=', read.session.id).execute()
    }
    return read.session
  }

  /** The Set-Cookie value of a session that is no more. */
  const forgottenCookie = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

  async function isRightPassword(userId: string, password: string): Promise<boolean> {
    const row = await db
      .selectFrom('account_credentials')
      .select('password')
      .where('user_id', '=', userId)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst()
    // An account without a password costs the same time.
    if (!row?.password) {
      await hashPassword(password)
      return false
    }
    return verifyPassword({ hash: row.password, password })
  }

  /** Counted for the session: a stranger who found one open browser must not stop the owner at another. */
  const takeOwnPasswordTry = ({ id, user }: AccountSession) =>
    takePasswordTry(options.rateLimits, user.uid, { known: id })

  /** The password of somebody who is signed in. */
  async function checkOwnPassword(
    request: Request,
    password: string,
  ): Promise<{ ok: true; session: AccountSession } | AccountRefusal> {
    const session = await findSession(request)
    if (!session) return { ok: false, reason: 'user-token-expired' }
    const tried = await takeOwnPasswordTry(session)
    if (!tried) return { ok: false, reason: 'too-many-requests' }
    if (!(await isRightPassword(session.user.uid, password))) return { ok: false, reason: 'wrong-password' }
    await tried.wasRight()
    return { ok: true, session }
  }

  /** From where a password comes: a browser that the account knows, or a stranger's network address. */
  async function triesFrom(request: Request, userId: string | undefined): Promise<TriesFrom> {
    const browser = await knownBrowsers.find(request)
    const isKnown = browser !== null && userId !== undefined && browser.userIds.includes(userId)
    return isKnown ? { known: browser.id } : { stranger: limitedAddress(request) }
  }

  async function hasAccount(email: string): Promise<boolean> {
    return !!(await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())
  }

  async function completeSignIn(
    request: Request,
    called: Extract<Called, { ok: true }>,
  ): Promise<SignInAnswer> {
    const userId = called.body.user?.id
    if (!userId) throw new Error('a sign-in succeeded without a user')
    // The session that this browser had before is nobody's any more.
    await sessions.endBroughtSession(request)
    const user = await db
      .selectFrom('users')
      .select(['deactivated_at', 'detached_email'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return {
      ok: true,
      cookies: [...called.cookies, await knownBrowsers.cookieFor(request, userId)],
      userId,
      deactivated: user.deactivated_at !== null,
      needsEmail: user.detached_email !== null,
    }
  }

  const sessions = sessionsOf(db, {
    now,
    keptAfterEndMs: 0,
    forgottenCookie,
    findSession,
    readSession,
    onSessionsEnded: options.onSessionsEnded,
  })

  return {
    findSession,

    async findDeactivatedSession(request) {
      const read = await readSession(request)
      return read?.deactivated && !read.disabled ? read.session : null
    },

    async findSessionEnd(request) {
      const cookie = readCookie(request.headers.get('cookie'), cookieName)
      if (!cookie) return null
      // The cookie is '{token}.{signature}'. Nothing is opened with it here, so the signature does not matter.
      // Only what we could have made reaches the database: it refuses NULs, and decoding broken escapes throws.
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

    async renewCookies(request) {
      const cookie = request.headers.get('cookie')
      if (!cookie?.includes(SESSION_COOKIE)) return []
      const { headers, response } = await auth.api.getSession({
        headers: new Headers({ cookie }),
        returnHeaders: true,
      })
      const userId = response?.user.id
      const browser = userId ? await knownBrowsers.find(request) : null
      // Sessions can be older than this cookie, so it comes with any of their answers.
      return userId && !browser?.userIds.includes(userId)
        ? [...headers.getSetCookie(), await knownBrowsers.cookieFor(request, userId)]
        : headers.getSetCookie()
    },

    forgetCookies: () => [forgottenCookie],

    async signUp(request, { displayName, email, password }) {
      if (!options.meetsPolicy(password)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      const called = await call(request, '/sign-up/email', { name: displayName, email, password })
      if (!called.ok) {
        // Two sign-ups of one address at the same moment: the unique index let the other one through.
        if (called.code === 'FAILED_TO_CREATE_USER' && (await hasAccount(email)))
          return { ok: false, reason: 'email-already-in-use' }
        return refusalOf(called)
      }
      const answer = await completeSignIn(request, called)
      if (answer.ok) await queue.verification(answer.userId)
      return answer
    },

    async signIn(request, { email, password }) {
      const user = await findSignInUser(db, email)
      const tried = await takePasswordTry(options.rateLimits, email, await triesFrom(request, user?.id))
      if (!tried) return { ok: false, reason: 'too-many-requests' }
      const called = await call(request, '/sign-in/email', {
        email: user?.email ?? email,
        password,
        rememberMe: true,
      })
      if (!called.ok) return refusalOf(called)
      await tried.wasRight()
      return completeSignIn(request, called)
    },

    async requestPasswordReset(request, { email }) {
      // Anybody can use up this limit, so the answer hides it: links from earlier mails still work.
      if (!(await take(await emailKey('reset', email), limits.reset))) return { ok: true, cookies: [] }
      // Comes second, so that asking again for the same address never ends in a different answer.
      if (!(await take(`reset-from:${limitedAddress(request)}`, limits.resetFromAddress)))
        return { ok: false, reason: 'too-many-requests' }
      // Looked up in the background: here everything is the same for an address without an account.
      await queue.passwordReset(email)
      return { ok: true, cookies: [] }
    },

    async resetPassword(request, { token, password }) {
      if (!(await take(`links:${limitedAddress(request)}`, limits.links)))
        return { ok: false, reason: 'too-many-requests' }
      if (!options.meetsPolicy(password)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      // Looked at first, so that a wrong link does not cost a hash.
      const found = await findLink(db, token, ['reset-password'], now())
      if (!found.ok) return found
      const hash = await hashPassword(password)
      const answer = await db.transaction().execute(async (tx) => {
        const link = await redeemLink(tx, token, ['reset-password'], now())
        if (!link.ok) return link
        // The address was taken off the account since the mail was sent: its reader is not the owner.
        const { email } = await tx
          .selectFrom('users')
          .select('email')
          .where('id', '=', link.userId)
          .forUpdate()
          .executeTakeFirstOrThrow()
        if (!isSameEmail(email, link.email)) return { ok: false, reason: 'invalid-action-code' } as const
        const changed = await tx
          .updateTable('account_credentials')
          .set({ password: hash, updated_at: now() })
          .where('user_id', '=', link.userId)
          .where('provider_id', '=', 'credential')
          .returning('id')
          .executeTakeFirst()
        // A sign-up that was cut off between its two rows: the account gets its password here.
        if (!changed) {
          await tx
            .insertInto('account_credentials')
            .values({
              id: crypto.randomUUID(),
              user_id: link.userId,
              account_id: link.userId,
              provider_id: 'credential',
              password: hash,
              created_at: now(),
              updated_at: now(),
            })
            .execute()
        }
        await sessions.endSessionsIn(tx, link.userId)
        await deleteLinks(tx, { userId: link.userId, kinds: ['reset-password', 'change-email'] })
        // Who reads the mail of this address has proved it.
        return tx
          .updateTable('users')
          .set({ email_verified: true, updated_at: now() })
          .where('id', '=', link.userId)
          .returning(['id', 'email', 'name', 'email_verified as emailVerified'])
          .executeTakeFirstOrThrow()
      })
      if ('reason' in answer) return answer
      await queue.passwordChanged(answer)
      // This browser has proved the account's address, so the new password works here while others guess.
      return { ok: true, cookies: [forgottenCookie, await knownBrowsers.cookieFor(request, answer.id)] }
    },

    async changePassword(request, { currentPassword, newPassword }) {
      const session = await findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      if (!options.meetsPolicy(newPassword))
        return { ok: false, reason: 'password-does-not-meet-requirements' }
      const { uid } = session.user
      const tried = await takeOwnPasswordTry(session)
      if (!tried) return { ok: false, reason: 'too-many-requests' }
      const called = await call(request, '/change-password', {
        currentPassword,
        newPassword,
        revokeOtherSessions: true,
      })
      if (!called.ok) return refusalOf(called)
      await tried.wasRight()
      await db.transaction().execute(async (tx) => {
        await deleteLinks(tx, { userId: uid, kinds: ['reset-password', 'change-email'] })
        await options.onSessionsEnded(tx, uid)
      })
      const { email, displayName, emailVerified } = session.user
      await queue.passwordChanged({ email, name: displayName ?? '', emailVerified })
      return { ok: true, cookies: called.cookies }
    },

    async confirmPassword(request, { password }) {
      const checked = await checkOwnPassword(request, password)
      return checked.ok ? { ok: true, cookies: [] } : checked
    },

    async resendVerification(request) {
      const session = await findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      if (session.user.emailVerified) return { ok: true, cookies: [] }
      const { uid } = session.user
      if (!(await take(`verification:${uid}`, limits.verification)))
        return { ok: false, reason: 'too-many-requests' }
      await queue.verification(uid)
      return { ok: true, cookies: [] }
    },

    async requestEmailChange(request, { email, password }) {
      const checked = await checkOwnPassword(request, password)
      if (!checked.ok) return checked
      const { uid } = checked.session.user
      // Tells that an address has an account, as sign-up does, so it is not to be asked often.
      if (!(await take(`email-change:${uid}`, limits.emailChange)))
        return { ok: false, reason: 'too-many-requests' }
      if (await hasAccount(email)) return { ok: false, reason: 'email-already-in-use' }
      await queue.emailChange(uid, email)
      return { ok: true, cookies: [] }
    },

    async findEmailLink(request, { token }) {
      const link = await findEmailLink(token)
      if (!link.ok) return link
      const session = await findSession(request)
      return {
        ok: true,
        kind: link.kind === 'verify-email' ? 'verify' : 'change',
        email: link.email,
        isOwn: session?.user.uid === link.userId,
      }
    },

    async confirmEmail(request, { token, password }) {
      if (!(await take(`links:${limitedAddress(request)}`, limits.links)))
        return { ok: false, reason: 'too-many-requests' }
      const link = await findEmailLink(token)
      if (!link.ok) return link
      const session = await findSession(request)
      if (session?.user.uid !== link.userId) {
        const checked = await checkLinkPassword(request, link.userId, password)
        if (!checked.ok) return checked
      }
      try {
        return await db.transaction().execute((tx) => confirmEmailIn(tx, token))
      } catch (error) {
        // Somebody else's account got the address since the link was sent.
        if ((error as { code?: string }).code === UNIQUE_VIOLATION)
          return { ok: false, reason: 'email-already-in-use' }
        throw error
      }
    },

    signOut: sessions.signOut,

    async detachEmail(request, { token }) {
      if (!(await take(`links:${limitedAddress(request)}`, limits.links)))
        return { ok: false, reason: 'too-many-requests' }
      const found = await findEmailLink(token)
      if (!found.ok) return found
      return db.transaction().execute(async (tx) => {
        const link = await redeemLink(tx, token, EMAIL_LINKS, now())
        if (!link.ok) return link
        const { userId, email } = link
        if (link.kind === 'verify-email' && !(await detachEmailIn(tx, { userId, email, now: now() })))
          return { ok: false, reason: 'invalid-action-code' } as const
        // Other mails to this address must not open the account or bring the address back.
        await deleteLinks(tx, { userId, email })
        return { ok: true, email, beginsBy: 'sign-up' } as const
      })
    },

    async findUndoLink(_request, { token }) {
      const link = await findLink(db, token, ['undo-email-change'], now())
      return link.ok ? { ok: true, email: link.email } : link
    },

    async undoEmailChange(request, { token }) {
      if (!(await take(`links:${limitedAddress(request)}`, limits.links)))
        return { ok: false, reason: 'too-many-requests' }
      return db.transaction().execute((tx) => undoEmailChangeIn(tx, token))
    },

    listSessions: sessions.listSessions,
    endSession: sessions.endSession,
    endAllSessions: sessions.endAllSessions,

    async issueLink(request) {
      let query = db
        .selectFrom('users')
        .select(['id', 'email', 'name', 'email_verified', 'detached_email'])
        .where('disabled_at', 'is', null)
      query =
        request.kind === 'reset-password'
          ? query.where('email', '=', request.email)
          : query.where('id', '=', request.userId)
      const user = await query.executeTakeFirst()
      if (!user || (request.kind === 'verify-email' && (user.email_verified || user.detached_email)))
        return null
      const email = 'email' in request ? request.email : user.email
      const since = request.kind === 'undo-email-change' ? new Date(request.changedAt) : now()
      const token = await issueLink(db, { kind: request.kind, userId: user.id, email, now: since })
      // A new address is nobody's yet.
      const emailVerified = user.email_verified && request.kind !== 'change-email'
      return { to: { email, name: user.name, emailVerified }, token }
    },
  }

  /** Finds the link of a verification mail or an e-mail change. Refuses one that has nothing left to do. */
  async function findEmailLink(token: string): Promise<RedeemedLink> {
    const link = await findLink(db, token, EMAIL_LINKS, now())
    if (!link.ok || link.kind === 'change-email') return link
    const user = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', link.userId)
      .where('email', '=', link.email)
      .where('email_verified', '=', false)
      .executeTakeFirst()
    return user ? link : { ok: false, reason: 'invalid-action-code' }
  }

  /** Checks the password of a link's account, typed in a browser that is not signed in to it; limited as a sign-in is. */
  async function checkLinkPassword(
    request: Request,
    userId: string,
    password: string | null,
  ): Promise<{ ok: true } | AccountRefusal> {
    if (!password) return { ok: false, reason: 'missing-password' }
    const user = await db
      .selectFrom('users')
      .select(['email', 'disabled_at'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) return { ok: false, reason: 'invalid-action-code' }
    const tried = await takePasswordTry(options.rateLimits, user.email, await triesFrom(request, userId))
    if (!tried) return { ok: false, reason: 'too-many-requests' }
    if (!(await isRightPassword(userId, password))) return { ok: false, reason: 'wrong-password' }
    await tried.wasRight()
    return user.disabled_at ? { ok: false, reason: 'user-disabled' } : { ok: true }
  }

  async function confirmEmailIn(
    tx: DatabaseTransaction,
    token: string,
  ): Promise<{ ok: true; changed: boolean; email: string; cookies: string[] } | AccountRefusal> {
    const link = await redeemLink(tx, token, EMAIL_LINKS, now())
    if (!link.ok) return link
    const user = await tx
      .selectFrom('users')
      .select(['email', 'name', 'email_verified as emailVerified', 'detached_email'])
      .where('id', '=', link.userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const isChange = link.kind === 'change-email'
    // The account has another address by now: this link proves nothing about it.
    if (!isChange && !isSameEmail(user.email, link.email)) return { ok: false, reason: 'invalid-action-code' }
    await tx
      .updateTable('users')
      .set({ ...CONFIRMED_EMAIL, email: link.email, updated_at: now() })
      .where('id', '=', link.userId)
      .execute()
    if (isChange) {
      // Links that lie in the old mailbox must not open the account any more.
      await deleteLinks(tx, { userId: link.userId })
      if (user.emailVerified) {
        const change = { userId: link.userId, email: user.email, changedAt: now().toISOString() }
        await queue.emailChanged(tx, change)
      } else if (!user.detached_email) await queue.emailLeft(tx, user)
    } else await deleteLinks(tx, { userId: link.userId, kinds: ['verify-email'] })
    return { ok: true, changed: isChange, email: link.email, cookies: [] }
  }

  async function undoEmailChangeIn(
    tx: DatabaseTransaction,
    token: string,
  ): Promise<{ ok: true; email: string; resetToken: string; cookies: string[] } | AccountRefusal> {
    const found = await findLink(tx, token, ['undo-email-change'], now())
    if (!found.ok) return found
    const { userId, email } = found
    if (!(await freeEmailIn(tx, { userId, email, now: now() })))
      return { ok: false, reason: 'email-already-in-use' }
    const link = await redeemLink(tx, token, ['undo-email-change'], now())
    if (!link.ok) return link
    const user = await tx
      .selectFrom('users')
      .select(['email', 'name', 'email_verified as emailVerified'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('users')
      .set({ ...CONFIRMED_EMAIL, email, updated_at: now() })
      .where('id', '=', userId)
      .execute()
    // The change took the password, so a thief knows it.
    await tx
      .updateTable('account_credentials')
      .set({ password: null, updated_at: now() })
      .where('user_id', '=', userId)
      .where('provider_id', '=', 'credential')
      .execute()
    await sessions.endSessionsIn(tx, userId)
    await deleteLinks(tx, { userId })
    // Later changes are undone with this one; an earlier one can still be undone by the address before it.
    await tx
      .deleteFrom('account_links')
      .where('user_id', '=', userId)
      .where('created_at', '>=', link.createdAt)
      .execute()
    if (!isSameEmail(user.email, email)) await queue.emailChangeUndone(tx, user)
    const resetToken = await issueLink(tx, { kind: 'reset-password', userId, email, now: now() })
    return { ok: true, email, resetToken, cookies: [forgottenCookie] }
  }
}

const EMAIL_LINKS = ['verify-email', 'change-email'] as const satisfies LinkKind[]
const isSameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const UNIQUE_VIOLATION = '23505'
