import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** What a request that was answered leaves in memory. */

const WARM_UP = 150
const REQUESTS = 600
/** A document with its data is 12 kB and more, and a render holds far more than that. */
const MOST_BYTES_EACH = 4_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, listen: true })
})
afterAll(() => server.close())

/** Pages that are rendered for each request, and one that nobody has. */
async function ask(times: number): Promise<void> {
  const paths = ['/login', '/?bench=1', '/no/such/page']
  for (let nth = 0; nth < times; nth++) {
    const answer = await fetch(`${server.origin}${paths[nth % paths.length]}`)
    await answer.arrayBuffer()
  }
}

async function bytesInUse(): Promise<number> {
  // What ended in this turn of the event loop is let go in the next.
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

it('is nothing', async () => {
  await ask(WARM_UP)
  const before = await bytesInUse()
  await ask(REQUESTS)
  expect(((await bytesInUse()) - before) / REQUESTS).toBeLessThan(MOST_BYTES_EACH)
}, 120_000)
