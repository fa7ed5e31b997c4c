import fc from 'fast-check'
import type { FaultPoint, FaultPointName } from '../app/adapters/payments/fault-points.ts'

/** The faults of random histories. A lost answer follows a call that was made, silence a call that never arrived. */
export type Fault = { kind: 'none' | 'lost-answer' | 'silence' } | { kind: 'crash'; at: FaultPointName }

/** The simulated death of a process. */
export class Crash extends Error {}

export const NO_ANSWER = { ok: false, reason: 'unreachable', message: 'No answer.' } as const

/** A process that dies at this point: each later point throws too. */
export function crashAt(at: FaultPointName): FaultPoint {
  let crashed = false
  return (point) => {
    if (point === at) crashed = true
    if (crashed) throw new Crash(point)
  }
}

/** A call to the provider that gets no answer. */
export function loseAnswer(kind: 'lost-answer' | 'silence') {
  return <Input, Answer>(call: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer | typeof NO_ANSWER> => {
      if (kind === 'lost-answer') await call(input)
      return NO_ANSWER
    }
}

/** Waits for work whose process may die. @throws any other error */
export async function survive(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error]
    if (!errors.every((one) => one instanceof Crash)) throw error
  }
}

/** Histories of one seed. The next ones have the next seed, so that a run ends between two. */
const HISTORIES_PER_SEED = 10
/** After that, half of the histories are enough, unless HISTORIES names their number. */
const BUDGET_MS = 20_000

/**
 * Lives random histories. The shortest failing one is reported with its entry for the list of kept ones.
 * @param keptOf what that entry names; the history itself by default
 * @returns how many were lived
 * @throws when one fails
 */
export async function holdHistories<History>(
  histories: fc.IAsyncProperty<History>,
  { numRuns, seed, ...parameters }: fc.Parameters<History> & { numRuns: number; seed: number },
  keptOf = ({ counterexample }: fc.RunDetails<History>) => `history: ${JSON.stringify(counterexample)}`,
): Promise<number> {
  const began = performance.now()
  const isOver = (lived: number) =>
    lived >= numRuns ||
    (!process.env.HISTORIES && lived >= numRuns / 2 && performance.now() - began > BUDGET_MS)
  let lived = 0
  while (!isOver(lived)) {
    const some = Math.min(HISTORIES_PER_SEED, numRuns - lived)
    const run = await fc.check(histories, {
      endOnFailure: Boolean(process.env.HISTORIES_NO_SHRINK),
      ...parameters,
      numRuns: some,
      seed: seed + lived,
    })
    if (run.failed) {
      const kept = `{ was: '…', ${keptOf(run)} },`
      throw new Error(`${fc.defaultReportMessage(run)}\n\nTo keep this history, add to KEPT:\n${kept}`, {
        cause: run.errorInstance,
      })
    }
    lived += some
  }
  return lived
}
