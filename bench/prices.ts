import { type Ask, askFor, type PricePlan, priceOf } from '../app/features/pricing/rules.ts'
import { median } from './measure.ts'
import type { Row } from './run.ts'

/** Measures how many asks are priced each second on one core. A list by price prices each of its candidates. */

const MS = 2_000
const ROUNDS = 5
const BATCH = 10_000

export async function run(): Promise<Row[]> {
  const plan: PricePlan = { base: { perPerson: 14_500, perHour: 21_000 } }
  const asks = Array.from({ length: 1_000 }, (_, nth) =>
    nth % 2 === 0 ? askFor('perPerson', 1 + (nth % 300)) : askFor('perHour', 1 + (nth % 24)),
  )
  return [
    {
      what: 'prices by the person or the hour',
      result: perSecondText(plan, asks),
      aim: '1 million a second',
    },
  ]
}

/** '28.1 million a second': the median of some rounds, after one to warm up. */
function perSecondText(plan: PricePlan, asks: readonly Ask[]): string {
  pricesPerSecond(plan, asks, MS / ROUNDS)
  const rounds = Array.from({ length: ROUNDS }, () => pricesPerSecond(plan, asks, MS / ROUNDS))
  return `${(median(rounds) / 1e6).toFixed(1)} million a second and core`
}

function pricesPerSecond(plan: PricePlan, asks: readonly Ask[], ms: number): number {
  const started = performance.now()
  let priced = 0
  let cents = 0
  while (performance.now() - started < ms) {
    for (let nth = 0; nth < BATCH; nth++) {
      const price = priceOf(plan, asks[nth % asks.length] as Ask)
      // Used, so that no call is optimised away.
      if (price.ok) cents += price.totalCents
    }
    priced += BATCH
  }
  if (cents === 0) throw new Error('nothing was priced')
  return (priced / (performance.now() - started)) * 1_000
}
