import type { Limit, LocalLimits } from './port.ts'

/** Beyond this many at once the next ones are not counted: a flood from that many addresses is no one's to stop here. */
const MAX_KEYS = 100_000

/** @param limit of fixed windows, as in the database */
export function createLocalLimits({ max, windowMs }: Limit, now: () => Date): LocalLimits {
  let window = 0
  let uses = new Map<string, number>()

  function secondsToWait(key: string): number {
    const at = now().getTime()
    const present = Math.floor(at / windowMs)
    if (present !== window) {
      window = present
      uses = new Map()
    }
    return (uses.get(key) ?? 0) < max ? 0 : Math.ceil(((window + 1) * windowMs - at) / 1_000)
  }

  return {
    secondsToWait,
    take(key) {
      const seconds = secondsToWait(key)
      const count = uses.get(key) ?? 0
      if (seconds === 0 && (count > 0 || uses.size < MAX_KEYS)) uses.set(key, count + 1)
      return seconds
    },
  }
}
