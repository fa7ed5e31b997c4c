import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import type { FaultPointName } from '../app/adapters/payments/fault-points.ts'

/** A new seed each time. CRASH_SEED repeats the points of another run. */
const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))

/**
 * Picks the points at which this run kills a server: each costs seconds, and the random histories crash at every point within the
 * process. `npm test -- night` kills at all of them.
 */
export function pointsOfThisRun<Point extends FaultPointName>(
  points: readonly Point[],
  count: number,
): Point[] {
  if (process.env.NIGHT) return [...points]
  const some = fc.subarray([...points], { minLength: count, maxLength: count })
  const [picked = []] = fc.sample(some, { seed: SEED, numRuns: 1 })
  process.stdout.write(`Kills at ${picked.join(', ')}: CRASH_SEED=${SEED}\n`)
  return picked
}
