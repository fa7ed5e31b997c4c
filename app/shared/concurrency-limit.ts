/** The queue of waiting tasks is full. */
export class QueueFull extends Error {
  constructor(count: number) {
    super(`Queue full: ${count} tasks are already waiting.`)
    this.name = 'QueueFull'
  }
}

type Waiting = { begin(): void; refuse(why: QueueFull): void }

/**
 * Limits how many tasks run concurrently in this process. The rest wait in queues, each in FIFO order, and the queues take
 * turns: a long one doesn't hold up a short one.
 * @param maxWaiting the length of each queue, beyond which a task is refused with QueueFull
 * @param maxWaitingInAll the length of all queues together. Beyond it a task takes the place of the last one in the longest
 *   queue, which is then refused, unless its own queue is as long
 */
export function limitConcurrency(
  max: number,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingInAll = Number.POSITIVE_INFINITY,
) {
  let running = 0
  let waiting = 0
  /** Only those where a task waits, in the order of their turns. */
  const queues = new Map<string, Waiting[]>()

  function wait(name: string): Promise<void> {
    const queue = queues.get(name) ?? []
    if (queue.length >= maxWaiting) throw new QueueFull(queue.length)
    if (waiting >= maxWaitingInAll && !makeRoom(queue.length)) throw new QueueFull(waiting)
    queues.set(name, queue)
    waiting++
    return new Promise((begin, refuse) => void queue.push({ begin, refuse }))
  }

  /** Refuses the last task of the longest queue. @param own the length of the queue that needs the place */
  function makeRoom(own: number): boolean {
    const [longest = []] = [...queues.values()].sort((a, b) => b.length - a.length)
    if (longest.length <= own + 1) return false
    longest.pop()?.refuse(new QueueFull(waiting))
    waiting--
    return true
  }

  /** Takes the first task of the queue whose turn it is. */
  function takeNext(): Waiting | undefined {
    for (const [name, queue] of queues) {
      const next = queue.shift()
      waiting--
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
      if (next) next.begin()
      else running--
    }
  }
}
