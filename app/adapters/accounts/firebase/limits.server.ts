import { MINUTE_MS } from '../../../shared/time-units.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../../rate-limits/port.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'

const QUARTER_HOUR_MS = 15 * MINUTE_MS
const limits = {
  /** Sign-ins per browser or network address. The service itself stops guessing: wrong passwords never get here. */
  'hosted-sign-in': { max: 60, windowMs: QUARTER_HOUR_MS },
  /** Renewals per browser or network address. Each browser behind an address renews once an hour. */
  'hosted-renewal': { max: 600, windowMs: QUARTER_HOUR_MS },
  /** Requests for a new password that are recorded with their address. The answer doesn't depend on it. */
  'hosted-reset-asked': { max: 10, windowMs: QUARTER_HOUR_MS },
  'hosted-new-password': { max: 10, windowMs: QUARTER_HOUR_MS },
  /** Mailed links per browser or network address. The service itself stops guesses of the password for a link. */
  'hosted-links': { max: 30, windowMs: QUARTER_HOUR_MS },
} satisfies Record<string, Limit>

/** Counts a request against a limit. Resolves to false past the limit. */
export type TakeFromLimit = (name: keyof typeof limits, request: Request) => Promise<boolean>

/** Counts a known browser separately, so that others at its network address can't use up its limit. */
export function limitsOf(deps: { rateLimits: RateLimits; knownBrowsers: KnownBrowsers }): TakeFromLimit {
  return async (name, request) => {
    const known = await deps.knownBrowsers.find(request)
    const key = `${name}:${known ? `known:${known.id}` : limitedAddress(request)}`
    return deps.rateLimits.take(key, limits[name])
  }
}
