/** At most `max` uses in each window. */
export type Limit = { max: number; windowMs: number }

export interface RateLimits {
  /**
   * Counts one use against a limit that every process shares.
   * @param key what is limited and for whom: 'newsletter:203.0.113.7'
   * @returns false when the limit of the present window is used up
   */
  take(key: string, limit: Limit): Promise<boolean>
  /** Takes one use of the present window back. */
  giveBack(key: string, limit: Limit): Promise<void>
  /** Takes all uses of a key back. */
  forget(key: string): Promise<void>
  /** Forgets windows that are long over. */
  forgetOld(): Promise<void>
}

/** One limit of this process alone, for what must not wait for the database to count it. */
export interface LocalLimits {
  /**
   * Counts one use.
   * @param key for whom it is counted
   * @returns 0, or how many seconds are left of the window whose limit was used up
   */
  take(key: string): number
  /** What `take` would answer, without counting. */
  secondsToWait(key: string): number
}
