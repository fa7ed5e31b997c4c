/** The queue of waiting tasks is full. */
export class QueueFull extends Error {
  constructor(count: number) {
    super(`Queue full: ${count} tasks are already waiting.`)
    this.name = 'QueueFull'
  }
}

/**
 * Limits how many tasks run concurrently in this process. The rest wait in FIFO order.
 * @param maxWaiting the length of the queue, beyond which a task is refused with QueueFull
 */
export function limitConcurrency(max: number, maxWaiting = Number.POSITIVE_INFINITY) {
  let running = 0
  const waiting: (() => void)[] = []
  /** @returns the task's result; its failure rejects this call alone */
  return async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < max) running++
    else {
      if (waiting.length >= maxWaiting) throw new QueueFull(waiting.length)
      // The finished task hands its slot to the next in the queue.
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
