import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PgliteConnection } from '../../app/adapters/database/pglite.server.ts'
import { sendTo } from '../client.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/**
 * The most round trips to the database of each public page. Statements that are sent together are one. Lists and searches
 * have one more step for each that depends on the one before: words, matches, rarer words, cards.
 */
const MOST: readonly (readonly [path: string, most: number])[] = [
  ['/?uncached=1', 3],
  ['/venues-vendors?uncached=1', 2],
  ['/venues?uncached=1', 2],
  ['/venues-vendors?q=garden', 4],
  ['/venues-vendors?q=xqzzyx', 3],
  ['/venues/in/geelong?uncached=1', 1],
  ['/business/harbour-light-pavilion?uncached=1', 3],
  ['/business/none?uncached=1', 1],
  ['/vendors?uncached=1', 3],
  ['/events?uncached=1', 1],
  ['/advice-support?uncached=1', 1],
  ['/list-your-business?uncached=1', 1],
  ['/login', 0],
  ['/signup', 0],
  ['/newsletter', 0],
]
/** Jobs ask the database in between, and a slow statement makes the answers of one round trip arrive in two. */
const MAX_TRIES = 20

let connection: PgliteConnection
let server: TestServer

beforeAll(async () => {
  server = await startServer({
    async openDatabase(content) {
      connection = await openEmbeddedDatabase(content)
      return connection
    },
    demo: true,
  })
})
afterAll(() => server.close())

describe('a public page', () => {
  it.each(MOST)('%s asks the database at most %i times', async (path, most) => {
    const tripsOf = async () => {
      const before = connection.pglite.roundTrips
      await (await sendTo(server, path)).text()
      return connection.pglite.roundTrips - before
    }
    // The first request loads what the process keeps.
    await tripsOf()
    let fewest = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < MAX_TRIES && fewest > most; tries++)
      fewest = Math.min(fewest, await tripsOf())
    expect(fewest, `round trips of ${path}`).toBeLessThanOrEqual(most)
  })
})
