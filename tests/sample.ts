import { randomInt } from 'node:crypto'
import fc from 'fast-check'

/** Whether this run takes everything: `npm test -- ci`, which .ci/run calls, and by night. */
const IS_WHOLE = Boolean(process.env.NIGHT) || process.env.ENGINES === 'required'
/** A new seed each time. SAMPLE_SEED repeats the choices of another run. */
const SEED = Number(process.env.SAMPLE_SEED ?? randomInt(2 ** 31))

/**
 * Picks what this run looks at, where each page or form costs a second of a browser. `.ci/run` takes all of it.
 * @param share of the items, above 0 and at most 1
 */
export function sampleOfThisRun<Item>(items: readonly Item[], share: number): Item[] {
  if (IS_WHOLE) return [...items]
  const count = Math.ceil(items.length * share)
  const some = fc.subarray([...items], { minLength: count, maxLength: count })
  const [picked = []] = fc.sample(some, { seed: SEED, numRuns: 1 })
  // A single one is in its test's name.
  if (count > 1) process.stdout.write(`${picked.length} of ${items.length}: SAMPLE_SEED=${SEED}\n`)
  return picked
}
