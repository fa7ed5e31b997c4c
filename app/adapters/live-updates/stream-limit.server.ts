/** Streams per account, or per network address without one: enough for a few devices with several tabs each. */
export const MAX_LIVE_STREAMS = 20

/** Limits how many live streams one visitor has open in this process. A new one closes the oldest. */
export type StreamLimit = {
  /**
   * Counts a stream.
   * @param visitor the account or network address that opened it
   * @param close ends the stream, which must then be released
   * @returns releases the stream
   */
  take(visitor: string, close: () => void): () => void
}

export function createStreamLimit(max: number): StreamLimit {
  // A Set iterates in insertion order, oldest first.
  const streams = new Map<string, Set<() => void>>()
  return {
    take(visitor, close) {
      const own = streams.get(visitor) ?? new Set()
      streams.set(visitor, own)
      own.add(close)
      if (own.size > max) {
        const [oldest] = own
        oldest?.()
      }
      return () => {
        own.delete(close)
        if (own.size === 0 && streams.get(visitor) === own) streams.delete(visitor)
      }
    },
  }
}
