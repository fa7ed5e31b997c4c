/**
 * Runs tasks with the same key one after another in this process. Tasks with different keys run concurrently. This only
 * saves effort when many requests want the same thing. The database must enforce any rule.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  /** @returns the task's result; its failure rejects this call alone */
  return async function withLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(key) ?? Promise.resolve()
    const current = before.then(work, work)
    last.set(key, current)
    try {
      return await current
    } finally {
      if (last.get(key) === current) last.delete(key)
    }
  }
}
