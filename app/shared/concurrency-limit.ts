/** So many wait already that another one would wait for nothing. */
export class QueueFull extends Error {
  constructor(count: number) {
    super(`${count} wait for their turn already.`)
    this.name = 'QueueFull'
  }
}

/**
 * Lets at most so many pieces of work run at once within this process; the others wait in the order in which they came.
 * @param maxWaiting beyond it the next one is refused with QueueFull
 */
export function limitConcurrency(max: number, maxWaiting = Number.POSITIVE_INFINITY) {
  let running = 0
  const waiting: (() => void)[] = []
  /** @returns the work's own result; a failure is its caller's alone */
  return async function atOnce<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < max) running++
    else {
      if (waiting.length >= maxWaiting) throw new QueueFull(waiting.length)
      // Whoever ends hands its place on.
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
