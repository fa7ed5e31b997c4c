/** Random choices that a seed repeats. */
export type Random = {
  /** From 0 to 1, without 1. */
  next(): number
  whole(from: number, to: number): number
  chance(share: number): boolean
  pick<One>(list: readonly One[]): One | undefined
  /** Picks one as often as its weight is a part of all. */
  weighted<One>(list: readonly One[], weightOf: (one: One) => number): One | undefined
  /** Another source, whose choices don't depend on how many this one makes later. */
  branch(): Random
}

/** Creates a source of random choices (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
    weighted(list, weightOf) {
      let left = next() * list.reduce((sum, one) => sum + weightOf(one), 0)
      for (const one of list) {
        left -= weightOf(one)
        if (left < 0) return one
      }
      return list.at(-1)
    },
    branch: () => createRandom(Math.floor(next() * 2 ** 32)),
  }
}
