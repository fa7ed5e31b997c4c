import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { Limit, RateLimits } from '../../rate-limits/port.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'

const QUARTER_HOUR_MS = 15 * 60_000
const limits = {
  /** Sign-ins of one browser or network address. The service stops guessing: a wrong password never gets here. */
  'hosted-sign-in': { max: 60, windowMs: QUARTER_HOUR_MS },
  /** Renewals of one browser or network address: one an hour for each browser behind it. */
  'hosted-renewal': { max: 600, windowMs: QUARTER_HOUR_MS },
  'hosted-new-password': { max: 10, windowMs: QUARTER_HOUR_MS },
  /** Links of mails, of one browser or network address. The service stops guessing the password beside one. */
  'hosted-links': { max: 30, windowMs: QUARTER_HOUR_MS },
} satisfies Record<string, Limit>

/** Counts a request against a limit. Resolves to false past it. */
export type TakeFromLimit = (name: keyof typeof limits, request: Request) => Promise<boolean>

/** A browser that signed in before counts for itself, so that others at its network address can't stop it. */
export function limitsOf(deps: { rateLimits: RateLimits; knownBrowsers: KnownBrowsers }): TakeFromLimit {
  return async (name, request) => {
    const known = await deps.knownBrowsers.find(request)
    const key = `${name}:${known ? `known:${known.id}` : limitedAddress(request)}`
    return deps.rateLimits.take(key, limits[name])
  }
}
