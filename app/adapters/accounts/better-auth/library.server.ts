import { APIError, type BetterAuthOptions, betterAuth } from 'better-auth'
import type { Database } from '../../database/port.ts'
import type { Passwords } from '../passwords.server.ts'
import { type AccountCode, type AccountRefusal, CLIENT_ADDRESS_HEADER } from '../port.ts'

const BASE_PATH = '/api/auth'
const COOKIE_PREFIX = 'jubilee'
/** The session cookie's name where cookies are not Secure. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`

const SESSION_LIFE_S = 30 * 24 * 3_600
// A session in use gets its full life again once a day.
const SESSION_RENEWAL_S = 24 * 3_600
// No policy asks for so much; scrypt's cost hardly depends on it.
const MAX_PASSWORD_UNITS = 8_192

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

/** Our tables in the place of the library's own. */
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

export type Called =
  | { ok: true; cookies: string[]; body: { user?: { id?: string } } }
  | (AccountRefusal & { code: string })

export type BetterAuthLibrary = ReturnType<typeof createLibrary>

type LibrarySettings = { db: Database; publicUrl: URL; secret: string; passwords: Passwords }

/**
 * Better Auth, set up for our database and cookies, with the one way into it.
 * @param options.onUnknown told of codes that the mapping lacks
 */
export function createLibrary(options: LibrarySettings & { onUnknown: (code: string) => void }) {
  const { publicUrl } = options
  const auth = setUp(options)

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

  return { auth, call, refusalOf }
}

function setUp({ db, publicUrl, secret, passwords }: LibrarySettings) {
  return betterAuth({
    appName: 'Jubilee',
    baseURL: publicUrl.origin,
    basePath: BASE_PATH,
    secret,
    // No transaction around its calls: the hooks below read through the outer handle, which would wait for ever.
    database: { db, type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    ...tables,
    session: { ...tables.session, expiresIn: SESSION_LIFE_S, updateAge: SESSION_RENEWAL_S },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // The policy is ours and checked before; this only must never refuse what the policy lets through.
      minPasswordLength: 1,
      maxPasswordLength: MAX_PASSWORD_UNITS,
      password: passwords,
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
      useSecureCookies: publicUrl.protocol === 'https:',
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
}
