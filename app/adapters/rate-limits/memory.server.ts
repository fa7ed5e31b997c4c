import type { Limit, LocalLimits } from './port.ts'

/** The maximum of keys per window. Further keys aren't counted: a limit here can't stop an attack from more addresses. */
const MAX_KEYS = 100_000

/** A rate limit in this process's memory, with fixed windows like those in the database. */
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
