/**
 * How long 200 customers wait who all press 'Proceed to Payment' for one time at the same moment, from the first press to
 * the last answer: two server processes on PostgreSQL, one on PGlite. The aim is less than two seconds.
 * Run it after a build: `node bench/slot-race.ts`.
 */
import { aBusiness, setsAvailability } from '../tests/builders.ts'
import { openRaceTrack, race, sameWish } from '../tests/race.ts'

const RACERS = 200
const ROUNDS = 5

for (const kind of ['PGlite', 'PostgreSQL'] as const) {
  const track = await openRaceTrack(kind)
  if (!track) {
    process.stdout.write(`${kind}: there is none on this machine\n`)
    continue
  }
  try {
    const businesses = await track.withDatabase(async ({ db }) => {
      const made = Array.from({ length: ROUNDS + 1 }, async () => {
        const business = await aBusiness(db)
        await setsAvailability(db, business.id, { capacity: 1 })
        return business
      })
      return Promise.all(made)
    })
    await track.withServers(async (origins) => {
      for (const [round, business] of businesses.entries()) {
        const started = performance.now()
        const racers = await race(origins, business.id, sameWish(RACERS), Number(business.price_cents))
        const ms = Math.round(performance.now() - started)
        const won = racers.filter(({ status }) => status === 200).length
        const refused = racers.filter(({ code }) => code === 'time_gone').length
        const name = round === 0 ? 'first, cold' : `round ${round}`
        process.stdout.write(
          `${kind}, ${origins.length} × server, ${name}: ${ms} ms, ${won} won, ${refused} refused\n`,
        )
      }
    })
  } finally {
    track.close()
  }
}
