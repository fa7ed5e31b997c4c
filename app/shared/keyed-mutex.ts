/**
 * Lets work on one thing wait for the work on it that was begun before, within this process; work on different things
 * runs side by side. It saves effort where many want the same; what must hold is the database's to keep.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  /** @returns the work's own result; a failure is its caller's alone */
  return async function inTurn<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(thing) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(thing, mine)
    try {
      return await mine
    } finally {
      if (last.get(thing) === mine) last.delete(thing)
    }
  }
}
