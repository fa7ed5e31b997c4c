/**
 * Groups calls, so that many of them cost one. A call that arrives while a group is being handled joins the next group.
 * @param handle handles a group at once
 * @returns handles one item, and resolves once its group has been handled; a failure rejects every call of the group
 */
export function groupCalls<Item>(
  handle: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: { item: Item; done: PromiseWithResolvers<void> }[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        await handle(group.map(({ item }) => item))
        for (const { done } of group) done.resolve()
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
    }
    isRunning = false
  }

  return (item) => {
    const done = Promise.withResolvers<void>()
    waiting.push({ item, done })
    if (!isRunning) void run()
    return done.promise
  }
}
