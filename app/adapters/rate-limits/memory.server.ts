import type { Limit, LocalLimits } from './port.ts'

/** Beyond this many at once the next ones are not counted: a flood from that many addresses is no one's to stop here. */
const MAX_KEYS = 100_000

/** @param limit of fixed windows, as in the database */
export function createLocalLimits({ max, windowMs }: Limit, now: () => Date): LocalLimits {
  let window = 0
  let uses = new Map<string, number>()
  return {
    take(key) {
      const at = now().getTime()
      const present = Math.floor(at / windowMs)
      if (present !== window) {
        window = present
        uses = new Map()
      }
      const count = (uses.get(key) ?? 0) + 1
      if (count > max) return Math.ceil(((window + 1) * windowMs - at) / 1_000)
      if (count > 1 || uses.size < MAX_KEYS) uses.set(key, count)
      return 0
    },
  }
}
