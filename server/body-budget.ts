type Size = { process: number; address: number }

/** A budget of bytes. `claim` returns the function that gives the bytes back, or which of the two is used up. */
type BodyBudget = { claim(address: string, bytes: number): (() => void) | 'process' | 'address' }

/**
 * Limits the bytes of the bodies in flight, in this process and from each address. A body claims its announced length at
 * once, so that an attacker can't open many and fill them later.
 */
export function createBodyBudget(max: Size): BodyBudget {
  const claimed = new Map<string, number>()
  let total = 0
  return {
    claim(address, bytes) {
      const before = claimed.get(address) ?? 0
      if (before + bytes > max.address) return 'address'
      if (total + bytes > max.process) return 'process'
      total += bytes
      claimed.set(address, before + bytes)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        total -= bytes
        const left = (claimed.get(address) ?? 0) - bytes
        if (left > 0) claimed.set(address, left)
        else claimed.delete(address)
      }
    },
  }
}
