import { hashText } from '../../shared/signed.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import type { Limit, RateLimits } from '../rate-limits/port.ts'

/** Wrong passwords for one account from one place: a network address, a browser known to the account, or a session. */
export const TRIES_FROM_ONE_PLACE: Limit = { max: 10, windowMs: 15 * MINUTE_MS }
/** Wrong passwords for one account from all unknown browsers together, or from one known place. */
export const SLOW_TRIES: Limit = { max: 100, windowMs: DAY_MS }
/** Wrong passwords from one network address, for all accounts together. */
export const TRIES_FROM_ONE_ADDRESS: Limit = { max: 10, windowMs: MINUTE_MS }

/**
 * The place that a password comes from. Strangers share the account's slow limit, so guessing from many addresses stays
 * slow. A known place has a slow limit of its own, which strangers can't use up.
 */
export type TriesFrom = { stranger: string } | { known: string }

export type PasswordTry = {
  /** Called after the right password: returns this try to the limits and forgives earlier typos. */
  wasRight(): Promise<void>
}

/**
 * Counts a try before the password is checked, so that concurrent guesses count too.
 * @param account an email address whether or not it has an account, or a user's id; stored as a hash
 * @param from the stranger's network address, or the id of a known browser or session
 * @returns null past a limit
 */
export async function takePasswordTry(
  rateLimits: RateLimits,
  account: string,
  from: TriesFrom,
): Promise<PasswordTry | null> {
  const hash = await hashText(account.trim().toLowerCase())
  const isStranger = 'stranger' in from
  const place = isStranger ? `address:${from.stranger}` : `known:${from.known}`
  const quick = `password:${hash}:${place}`
  const shared: [key: string, limit: Limit][] = [
    ...(isStranger
      ? ([[`password-address:${from.stranger}`, TRIES_FROM_ONE_ADDRESS]] satisfies [string, Limit][])
      : []),
    [isStranger ? `password-slow:${hash}` : `password-slow:${hash}:${place}`, SLOW_TRIES],
  ]
  // The quick limit comes first: a try that it refuses must not use up the slow limit that others share.
  if (!(await rateLimits.take(quick, TRIES_FROM_ONE_PLACE))) return null
  for (const [key, limit] of shared) if (!(await rateLimits.take(key, limit))) return null
  return {
    async wasRight() {
      await rateLimits.forget(quick)
      for (const [key, limit] of shared) await rateLimits.giveBack(key, limit)
    },
  }
}
