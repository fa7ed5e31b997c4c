import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { isPersonName } from '../../../shared/one-line.ts'
import type { AccountRefusal } from '../port.ts'

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

/** What an ID token says, after it was checked. */
export type Identity = {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  signedInAt: Date
  expiresAt: Date
}

type ReadToken = { ok: true; identity: Identity } | AccountRefusal

export type Tokens = {
  /** Whose tokens are taken: with the subject it names an account at the service. */
  issuer: string
  /** Checks an ID token: RS256 with a key of the service, issuer, audience, subject and times. */
  readToken(idToken: string): Promise<ReadToken>
  /** The same, of somebody who has typed the password just now. */
  readFreshToken(idToken: string): Promise<ReadToken>
}

/** The ID tokens that the service gives to browsers. */
export function createTokens(options: {
  projectId: string
  emulatorUrl: string | null
  fetchKeys?: FetchImplementation
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}): Tokens {
  const { now } = options
  const issuer = `https://securetoken.google.com/${options.projectId}`
  const keys = createRemoteJWKSet(new URL(KEY_SET_PATH, options.emulatorUrl ?? KEY_SET_ORIGIN), {
    cacheMaxAge: KEY_SET_AGE_MS,
    ...(options.fetchKeys ? { [customFetch]: options.fetchKeys } : {}),
  })

  async function readToken(idToken: string): Promise<ReadToken> {
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

  async function readFreshToken(idToken: string): Promise<ReadToken> {
    const read = await readToken(idToken)
    if (read.ok && now().getTime() - read.identity.signedInAt.getTime() > FRESH_SIGN_IN_MS)
      return { ok: false, reason: 'requires-recent-login' }
    return read
  }

  return { issuer, readToken, readFreshToken }
}
