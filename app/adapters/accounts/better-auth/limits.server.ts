import { HOUR_MS, MINUTE_MS } from '../../../shared/time-units.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../../rate-limits/port.ts'
import { LINK_LIFE_MS } from '../account-links.server.ts'

/** Limits per account, or per typed address whether or not it has an account. Wrong passwords: see password-tries. */
export const limits = {
  /** The window is a link's lifetime: whenever a new link is refused, an earlier one still works. */
  reset: { max: 3, windowMs: LINK_LIFE_MS },
  resetFromAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  /** Each new password may ask the service that knows leaked ones. */
  newPasswords: { max: 30, windowMs: 15 * MINUTE_MS },
  links: { max: 30, windowMs: 15 * MINUTE_MS },
  verification: { max: 5, windowMs: HOUR_MS },
  emailChange: { max: 5, windowMs: HOUR_MS },
  // Every opened sign-in screen begins once, so that the email field can offer passkeys.
  passkeyBegin: { max: 120, windowMs: 10 * MINUTE_MS },
  passkey: { max: 30, windowMs: 15 * MINUTE_MS },
  /** Of one session, begun and finished ones together. */
  passkeyProof: { max: 60, windowMs: 15 * MINUTE_MS },
} satisfies Record<string, Limit>

/** Counts one use of a mailed link. @returns false past the limit */
export function takeLinkUse(rateLimits: RateLimits, request: Request): Promise<boolean> {
  return rateLimits.take(`links:${limitedAddress(request)}`, limits.links)
}

/**
 * Counts one attempt to set a password.
 * @param by a network address or a user's id
 * @returns false past the limit
 */
export function takeNewPassword(rateLimits: RateLimits, by: string): Promise<boolean> {
  return rateLimits.take(`new-password:${by}`, limits.newPasswords)
}
