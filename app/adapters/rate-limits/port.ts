/** At most `max` uses in each window. */
export type Limit = { max: number; windowMs: number }

export interface RateLimits {
  /**
   * Counts uses against a limit that every process shares.
   * @param key the limit's name and subject: 'newsletter:203.0.113.7'
   * @param uses 1 unless said otherwise
   * @returns false when the limit of the current window is used up
   */
  take(key: string, limit: Limit, uses?: number): Promise<boolean>
  /** Returns uses to the current window. @param uses 1 unless said otherwise */
  giveBack(key: string, limit: Limit, uses?: number): Promise<void>
  /** Returns all uses of a key. */
  forget(key: string): Promise<void>
  /** Deletes windows that ended long ago. */
  forgetOld(): Promise<void>
}

/** A rate limit of this process alone, for requests that must not wait for the database. */
export interface LocalLimits {
  /**
   * Counts one use.
   * @param key the subject of the limit, such as a network address
   * @returns 0, or the seconds left in the window if its limit is used up
   */
  take(key: string): number
  /** Returns what `take` would return, without counting. */
  secondsToWait(key: string): number
}
