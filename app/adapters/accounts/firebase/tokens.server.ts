import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type FetchImplementation,
  type JWTClaimVerificationOptions,
  type JWTPayload,
  jwtVerify,
  UnsecuredJWT,
} from 'jose'
import { isPersonName } from '../../../shared/one-line.ts'
import { MINUTE_MS } from '../../../shared/time-units.ts'
import type { AccountRefusal } from '../port.ts'

/** The path where Google publishes the signing keys of all projects' ID tokens. */
const KEY_SET_PATH = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
const KEY_SET_ORIGIN = 'https://www.googleapis.com'
const KEY_SET_AGE_MS = 3_600_000

// An ID token is valid for an hour. The service's clock and ours may differ slightly.
const TOKEN_LIFE_S = 3_600
const CLOCK_TOLERANCE_S = 5
const MAX_TOKEN_LENGTH = 4_096
// The service's limit on the length of a subject.
const MAX_SUBJECT_LENGTH = 128

/** The maximum age of a sign-in that opens a session or allows an irreversible step. The SDK's check is as strict. */
const FRESH_SIGN_IN_MS = 5 * MINUTE_MS

/** The claims of a checked ID token. */
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
  /** The issuer whose tokens are accepted. Issuer and subject identify an account at the service. */
  issuer: string
  /** Checks an ID token: an RS256 signature by one of the service's keys, issuer, audience, subject and times. */
  readToken(idToken: string): Promise<ReadToken>
  /** Checks an ID token, and that its owner has typed the password within the last five minutes. */
  readFreshToken(idToken: string): Promise<ReadToken>
}

/**
 * Checks the ID tokens that the service gives to browsers.
 * @param options.emulatorUrl the service's emulator. Its tokens have no signature, so anyone can make one. The settings
 *   allow it only while this server is reached from this machine alone
 */
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
      const expected: JWTClaimVerificationOptions = {
        issuer,
        audience: options.projectId,
        requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
        // This option also makes jose refuse tokens issued in the future.
        maxTokenAge: TOKEN_LIFE_S,
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: now(),
      }
      const checked =
        options.emulatorUrl && isUnsigned(idToken)
          ? UnsecuredJWT.decode(idToken, expected)
          : await jwtVerify(idToken, keys, { ...expected, algorithms: ['RS256'] })
      claims = checked.payload
    } catch (error) {
      // The keys couldn't be fetched, so nobody can sign in. The token may be fine.
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

function isUnsigned(idToken: string): boolean {
  try {
    return decodeProtectedHeader(idToken).alg === 'none'
  } catch {
    return false
  }
}
