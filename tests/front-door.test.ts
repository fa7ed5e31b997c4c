import { randomInt } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { type Lived, live } from './front-door/history.ts'
import { GOALS, type Goal, NIGHTLY_GOALS, USUAL_GOALS } from './front-door/sometimes.ts'

/**
 * Histories through the front door: the built product as a process of its own, driven over HTTP by customers, guests, vendors,
 * operators, banks and time at once. Each history switches on a random subset of acts (swarm testing), loses answers, and may end
 * the process, by kill -9, at a fault point or as a deployment does. After each quiet all invariants are asked, and whether
 * anything waits for ever (front-door/invariants.ts). The histories of a run together must reach some of
 * the goals in sometimes.ts, and print the others that they miss.
 *
 * A seed repeats the plan of a history: who does what, in which round, with which choices. How the acts of a round interleave
 * follows from the machine, so a race may need some repeats.
 */

/** FRONT_DOOR_SEED repeats the history of another run. */
const GIVEN_SEED = process.env.FRONT_DOOR_SEED
/** `npm test` lives the same plans each time, so that a change is what makes it fail; nights and HISTORIES take new ones. */
const USUAL_SEED = 900
const SEED = Number(GIVEN_SEED ?? (process.env.HISTORIES ? randomInt(2 ** 31) : USUAL_SEED))
/** How long histories begin, unless HISTORIES names their number. */
const BUDGET_MS = 45_000
/** Enough for the budget in processor time, however quick the machine is. */
const MOST_HISTORIES = 3
/** By night, HISTORIES counts those within a process, which take a fiftieth of the time. */
const SMALLER = 20
const RUNS = process.env.HISTORIES ? Math.ceil(Number(process.env.HISTORIES) / SMALLER) : MOST_HISTORIES
/** Fewer than that may miss one of its goals by chance. */
const A_NIGHT = 20
/** A single one may spend its acts on something else. */
const ENOUGH_FOR_USUAL_GOALS = 3
const LIMIT_MS = 7_200_000

const reached = new Set<Goal>()
let lived = 0

describe('the product through its front door', () => {
  it('keeps its promises to everybody, and leaves nothing waiting', { timeout: LIMIT_MS }, async () => {
    const began = performance.now()
    const isOver = () =>
      lived >= (GIVEN_SEED ? 1 : RUNS) || (!process.env.HISTORIES && performance.now() - began > BUDGET_MS)
    while (!isOver()) {
      const seed = SEED + lived
      const history = await live(seed)
      expect(history.wrong, reportOf(seed, history)).toEqual([])
      for (const goal of history.reached) reached.add(goal)
      lived++
    }
    if (lived >= ENOUGH_FOR_USUAL_GOALS) expect(missedOf(USUAL_GOALS)).toEqual([])
    if (lived >= A_NIGHT) expect(missedOf(NIGHTLY_GOALS)).toEqual([])
  })
})

const missedOf = (goals: readonly Goal[]) => goals.filter((goal) => !reached.has(goal))

afterAll(() => {
  process.stdout.write(
    `${lived} histories through the front door, from the seed ${SEED}. Not reached: ${missedOf(GOALS).join(', ') || 'nothing'}\n`,
  )
})

function reportOf(seed: number, { wrong, log }: Lived): string {
  return `FRONT_DOOR_SEED=${seed}\n${log}\n\n${wrong.join('\n')}`
}
