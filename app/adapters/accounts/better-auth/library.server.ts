import { passkey } from '@better-auth/passkey'
import { APIError, type BetterAuthOptions, betterAuth } from 'better-auth'
import { generateRandomString, makeSignature } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../../database/port.ts'
import type { Passwords } from '../passwords.server.ts'
import { type AccountCode, type AccountRefusal, CLIENT_ADDRESS_HEADER } from '../port.ts'
import type { SessionRules } from '../sessions.server.ts'

const BASE_PATH = '/api/auth'

/** Browsers accept a cookie with this prefix only from this very host, by https, for all of its paths. */
const cookiePrefix = (publicUrl: URL) => `${publicUrl.protocol === 'https:' ? '__Host-' : ''}jubilee`

export const sessionCookieName = (publicUrl: URL) => `${cookiePrefix(publicUrl)}.session_token`

/** As long as the library's. */
export const newSessionToken = () => generateRandomString(32)

// More than any policy requires. scrypt's cost hardly depends on the length.
const MAX_PASSWORD_UNITS = 8_192

// Codes seen from Better Auth 1.7. A code that is missing here becomes 'internal-error' and is logged.
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
  TOTP_ALREADY_ENABLED: 'second-factor-already-in-use',
  INVALID_BACKUP_CODE: 'invalid-verification-code',
  INVALID_TWO_FACTOR_COOKIE: 'missing-multi-factor-session',
  PASSKEY_NOT_FOUND: 'invalid-credential',
  AUTHENTICATION_FAILED: 'invalid-credential',
  PASSKEY_NOT_VERIFIED: 'invalid-credential',
  FAILED_TO_VERIFY_REGISTRATION: 'invalid-verification-code',
  CHALLENGE_NOT_FOUND: 'code-expired',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'code-expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'missing-multi-factor-session',
}

/** Maps the library's models to our tables. */
const tables = {
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: { phone: { type: 'string', required: false, input: false } },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    additionalFields: {
      isStrong: {
        type: 'boolean',
        required: false,
        input: false,
        defaultValue: false,
        fieldName: 'is_strong',
      },
      factorProvedAt: { type: 'date', required: false, input: false, fieldName: 'factor_proved_at' },
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
} satisfies Pick<BetterAuthOptions, 'user' | 'session' | 'account' | 'verification'>

type Body = {
  user?: { id?: string }
  token?: string
  twoFactorRedirect?: boolean
  totpURI?: string
  [name: string]: unknown
}

const secondFactorColumns = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
}

const passkeyColumns = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      publicKey: 'public_key',
      userId: 'user_id',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
}

function requireVerified(isVerified: boolean | undefined): void {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'PASSKEY_NOT_VERIFIED' })
}

/** The calls that open a session after two factors. */
const STRONG_PATHS = new Set([
  '/passkey/verify-authentication',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
])

export type Called = { ok: true; cookies: string[]; body: Body } | (AccountRefusal & { code: string })

export type BetterAuthLibrary = ReturnType<typeof createLibrary>

type LibrarySettings = {
  db: Database
  publicUrl: URL
  secret: string
  passwords: Passwords
  sessionRules: SessionRules
  now: () => Date
}

/**
 * Better Auth, set up for our database and cookies, and `call`, the only way to use it.
 * @param options.onUnknown called with each code that the mapping lacks
 */
export function createLibrary(options: LibrarySettings & { onUnknown: (code: string) => void }) {
  const { publicUrl } = options
  const auth = setUp(options)

  /**
   * Calls the handler rather than `auth.api`, because only the handler applies the limits per network address.
   * @param body without one, the call is a GET
   */
  async function call(request: Request, path: string, body?: object): Promise<Called> {
    const headers = new Headers({ origin: publicUrl.origin, 'content-type': 'application/json' })
    for (const name of ['cookie', 'user-agent', CLIENT_ADDRESS_HEADER]) {
      const value = request.headers.get(name)
      if (value) headers.set(name, value)
    }
    const response = await auth.handler(
      new Request(`${publicUrl.origin}${BASE_PATH}${path}`, {
        headers,
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      }),
    )
    const answer = (await response.json().catch(() => null)) as (Body & { code?: string }) | null
    if (response.ok) return { ok: true, cookies: response.headers.getSetCookie(), body: answer ?? {} }
    if (response.status === 429) return { ok: false, reason: 'too-many-requests', code: 'HTTP_429' }
    const code = answer?.code ?? `HTTP_${response.status}`
    return { ok: false, reason: codes[code] ?? 'internal-error', code }
  }

  function refusalOf(called: AccountRefusal & { code: string }): AccountRefusal {
    if (called.reason === 'internal-error') options.onUnknown(called.code)
    return { ok: false, reason: called.reason }
  }

  /** The Set-Cookie value of a session with a new token, signed as the library signs its own. */
  async function sealSession(session: { token: string; expiresAt: Date }): Promise<string> {
    const signature = await makeSignature(session.token, options.secret)
    const value = encodeURIComponent(`${session.token}.${signature}`)
    const seconds = Math.max(0, Math.floor((session.expiresAt.getTime() - Date.now()) / 1_000))
    const secure = publicUrl.protocol === 'https:' ? '; Secure' : ''
    return `${sessionCookieName(publicUrl)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
  }

  return { auth, call, refusalOf, sealSession }
}

function setUp({ db, publicUrl, secret, passwords, sessionRules, now }: LibrarySettings) {
  return betterAuth({
    appName: 'Jubilee',
    baseURL: publicUrl.origin,
    basePath: BASE_PATH,
    secret,
    // No transactions: the hooks below read through the outer handle, which would wait for ever inside one.
    database: { db, type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    ...tables,
    session: {
      ...tables.session,
      expiresIn: sessionRules.all.lifeMs / 1_000,
      // A session ends so long after its sign-in, however much it is used.
      disableSessionRefresh: true,
      // Adding a passkey asks for the password instead, however young the session is.
      freshAge: 0,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // We have checked our own policy before, so the library must never refuse a password that passed it.
      minPasswordLength: 1,
      maxPasswordLength: MAX_PASSWORD_UNITS,
      password: passwords,
    },
    rateLimit: {
      // The library's default is off outside production, but the limits must be the same everywhere.
      enabled: true,
      storage: 'database',
      modelName: 'sign_in_limits',
      fields: { lastRequest: 'last_request' },
      customRules: {
        // password-tries counts wrong passwords, because it recognises the owner's browsers.
        '/sign-in/email': false,
        // The same goes for wrong codes.
        '/two-factor/*': false,
        // Sign-up reveals whether an address has an account (Decision 21), so requests are limited.
        '/sign-up/email': { window: 600, max: 10 },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(publicUrl),
      // The library would put its own prefix, `__Secure-`, before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: publicUrl.protocol === 'https:' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    plugins: pluginsOf(publicUrl),
    databaseHooks: { session: { create: { before: beforeSession(db, now) } } },
  })
}

/** Passkeys, and codes of authenticator apps. */
const pluginsOf = (publicUrl: URL) =>
  [
    passkey({
      origin: publicUrl.origin,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
      schema: passkeyColumns,
      // The library only prefers that the person proves themselves to the device. We require it: then a passkey is
      // two factors, the device and its fingerprint or PIN.
      registration: {
        afterVerification: ({ verification }) => requireVerified(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: ({ verification }) =>
          requireVerified(verification.authenticationInfo.userVerified),
      },
    }),
    twoFactor({
      twoFactorTable: 'second_factors',
      schema: secondFactorColumns,
      // password-tries limits wrong codes. A lock of the account would let strangers lock its owner out.
      accountLockout: { enabled: false },
      // The library sees only hashes of recovery codes. second-factor makes the codes.
      backupCodeOptions: { storeBackupCodes: 'plain', customBackupCodesGenerate: () => [] },
    }),
  ] satisfies BetterAuthOptions['plugins']

type BeforeSession = NonNullable<
  NonNullable<NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['session']>['create']>['before']
>

/** Marks each new session with what its person has proved. Refuses disabled accounts with 'ACCOUNT_DISABLED'. */
const beforeSession =
  (db: Database, now: () => Date): BeforeSession =>
  async (session, context) => {
    const user = await db
      .selectFrom('users')
      .select('disabled_at')
      .where('id', '=', session.userId)
      .executeTakeFirst()
    if (user?.disabled_at) throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' })
    const isStrong = STRONG_PATHS.has(context?.path ?? '')
    return { data: { ...session, isStrong, factorProvedAt: isStrong ? now() : null } }
  }
