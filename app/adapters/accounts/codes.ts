/** Every code of an account service (Specification, section 8). Each has its message in `accountWording`. */
export const ACCOUNT_CODES = [
  'email-already-in-use',
  'wrong-password',
  'invalid-credential',
  'user-not-found',
  'too-many-requests',
  'expired-action-code',
  'invalid-action-code',
  'user-token-expired',
  'user-disabled',
  'password-does-not-meet-requirements',
  'network-request-failed',
  'invalid-email',
  'missing-password',
  'weak-password',
  'requires-recent-login',
  'operation-not-allowed',
  'unsupported-password-policy-schema-version',
  // Captcha
  'captcha-check-failed',
  'recaptcha-not-enabled',
  'missing-recaptcha-token',
  'invalid-recaptcha-token',
  'invalid-recaptcha-action',
  'missing-recaptcha-version',
  'invalid-recaptcha-version',
  'missing-client-type',
  'invalid-req-type',
  // Multi-factor
  'multi-factor-auth-required',
  'multi-factor-info-not-found',
  'missing-multi-factor-info',
  'missing-multi-factor-session',
  'second-factor-already-in-use',
  'maximum-second-factor-count-exceeded',
  'unsupported-first-factor',
  'unverified-email',
  'missing-verification-code',
  'invalid-verification-code',
  'code-expired',
  // Any other code
  'internal-error',
] as const

export type AccountCode = (typeof ACCOUNT_CODES)[number]

/** The hosted service's error strings and their codes (Specification, section 8). */
export const SERVICE_STRINGS: Readonly<Record<string, AccountCode>> = {
  EMAIL_EXISTS: 'email-already-in-use',
  INVALID_PASSWORD: 'wrong-password',
  INVALID_LOGIN_CREDENTIALS: 'invalid-credential',
  EMAIL_NOT_FOUND: 'user-not-found',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'too-many-requests',
  RESET_PASSWORD_EXCEED_LIMIT: 'too-many-requests',
  EXPIRED_OOB_CODE: 'expired-action-code',
  INVALID_OOB_CODE: 'invalid-action-code',
  TOKEN_EXPIRED: 'user-token-expired',
  USER_NOT_FOUND: 'user-token-expired',
  INVALID_ID_TOKEN: 'user-token-expired',
  USER_DISABLED: 'user-disabled',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'password-does-not-meet-requirements',
  INVALID_EMAIL: 'invalid-email',
  INVALID_IDENTIFIER: 'invalid-email',
  MISSING_PASSWORD: 'missing-password',
  WEAK_PASSWORD: 'weak-password',
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: 'requires-recent-login',
  OPERATION_NOT_ALLOWED: 'operation-not-allowed',
  PASSWORD_LOGIN_DISABLED: 'operation-not-allowed',
  CAPTCHA_CHECK_FAILED: 'captcha-check-failed',
  RECAPTCHA_NOT_ENABLED: 'recaptcha-not-enabled',
  MISSING_RECAPTCHA_TOKEN: 'missing-recaptcha-token',
  INVALID_RECAPTCHA_TOKEN: 'invalid-recaptcha-token',
  INVALID_RECAPTCHA_ACTION: 'invalid-recaptcha-action',
  MISSING_RECAPTCHA_VERSION: 'missing-recaptcha-version',
  INVALID_RECAPTCHA_VERSION: 'invalid-recaptcha-version',
  MISSING_CLIENT_TYPE: 'missing-client-type',
  INVALID_REQ_TYPE: 'invalid-req-type',
  MISSING_REQ_TYPE: 'invalid-req-type',
  INVALID_CODE: 'invalid-verification-code',
  MISSING_CODE: 'missing-verification-code',
  SESSION_EXPIRED: 'code-expired',
  MFA_ENROLLMENT_NOT_FOUND: 'multi-factor-info-not-found',
  MISSING_MFA_ENROLLMENT_ID: 'missing-multi-factor-info',
  MISSING_MFA_PENDING_CREDENTIAL: 'missing-multi-factor-session',
  INVALID_MFA_PENDING_CREDENTIAL: 'missing-multi-factor-session',
  SECOND_FACTOR_EXISTS: 'second-factor-already-in-use',
  SECOND_FACTOR_LIMIT_EXCEEDED: 'maximum-second-factor-count-exceeded',
  UNSUPPORTED_FIRST_FACTOR: 'unsupported-first-factor',
  UNVERIFIED_EMAIL: 'unverified-email',
}

const known: ReadonlySet<string> = new Set(ACCOUNT_CODES)

/**
 * Reads a code in any form that the hosted service uses: 'EMAIL_EXISTS', 'TOO_MANY_ATTEMPTS_TRY_LATER : Access …',
 * 'auth/email-already-in-use', 'email-already-in-use'.
 * @returns 'internal-error' for an unknown text
 */
export function accountCodeOf(text: string): AccountCode {
  const plain =
    text
      .split(' : ')[0]
      ?.trim()
      .replace(/^auth\//, '') ?? ''
  if (known.has(plain)) return plain as AccountCode
  return Object.hasOwn(SERVICE_STRINGS, plain)
    ? (SERVICE_STRINGS[plain] ?? 'internal-error')
    : 'internal-error'
}
