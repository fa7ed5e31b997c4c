/** The queue of waiting tasks is full. */
export class QueueFull extends Error {
  constructor(count: number) {
    super(`Queue full: ${count} tasks are already waiting.`)
    this.name = 'QueueFull'
  }
}

/**
 * Limits how many tasks run concurrently in this process. The rest wait in queues, each in FIFO order, and the queues take
 * turns: a long one doesn't hold up a short one.
 * @param maxWaiting the length of each queue, beyond which a task is refused with QueueFull
 */
export function limitConcurrency(max: number, maxWaiting = Number.POSITIVE_INFINITY) {
  let running = 0
  /** Only those where a task waits, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>()

  function wait(name: string): Promise<void> {
    const queue = queues.get(name) ?? []
    if (queue.length >= maxWaiting) throw new QueueFull(queue.length)
    queues.set(name, queue)
    return new Promise((resolve) => void queue.push(resolve))
  }

  /** Takes the first task of the queue whose turn it is. */
  function takeNext(): (() => void) | undefined {
    for (const [name, queue] of queues) {
      const next = queue.shift()
      queues.delete(name)
      if (queue.length > 0) queues.set(name, queue)
      return next
    }
    return undefined
  }

  /**
   * @param queue the name of the queue where the task waits
   * @returns the task's result; its failure rejects this call alone
   */
  return async function limited<Result>(work: () => Promise<Result>, queue = ''): Promise<Result> {
    if (running < max) running++
    // The finished task hands its slot to the next one.
    else await wait(queue)
    try {
      return await work()
    } finally {
      const next = takeNext()
      if (next) next()
      else running--
    }
  }
}
