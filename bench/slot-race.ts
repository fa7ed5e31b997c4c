import { aBusiness, setsAvailability } from '../tests/builders.ts'
import { openRaceTrack, race, sameSlot } from '../tests/race.ts'
import type { Row } from './run.ts'

const RACERS = 200
const ROUNDS = 5

/**
 * Measures 200 customers who press 'Proceed to Payment' for one time at the same moment, from the first press to the last
 * response: two server processes on PostgreSQL, one on PGlite. In the first round the servers are cold.
 */
export async function run(): Promise<Row[]> {
  return [...(await measure('PGlite')), ...(await measure('PostgreSQL'))]
}

async function measure(kind: 'PGlite' | 'PostgreSQL'): Promise<Row[]> {
  const track = await openRaceTrack(kind)
  if (!track) return [{ what: `200 at once on ${kind}`, result: 'left out: there is none on this machine' }]
  try {
    const businesses = await track.withDatabase(async ({ db }) => {
      const made = Array.from({ length: ROUNDS + 1 }, async () => {
        const business = await aBusiness(db)
        await setsAvailability(db, business.id, { capacity: 1 })
        return business
      })
      return Promise.all(made)
    })
    return await track.withServers(async (origins) => {
      const times: number[] = []
      const outcomes = new Set<string>()
      for (const business of businesses) {
        const started = performance.now()
        const racers = await race(origins, business.id, sameSlot(RACERS), {
          perPerson: Number(business.price_cents),
          perHour: Number(business.second_price_cents),
        })
        times.push(Math.round(performance.now() - started))
        const won = racers.filter(({ status }) => status === 200).length
        const refused = racers.filter(({ code }) => code === 'time_gone').length
        outcomes.add(`${won} won, ${refused} refused`)
      }
      const [cold, ...warm] = times
      return [
        {
          what: `200 for one time on ${kind}, ${origins.length} × server: cold; the ${ROUNDS} rounds after it, ms`,
          result: `${cold}; ${warm.join(', ')} (${[...outcomes].join('; ')})`,
          aim: 'under 2,000; 1 won, 199 refused',
        },
      ]
    })
  } finally {
    track.close()
  }
}
