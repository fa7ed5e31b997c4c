import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** The heap memory that an answered request leaves behind. */

const WARM_UP = 150
const REQUESTS = 600
/** A leaked document with its data would take 12 kB or more, and a leaked render far more. */
const MOST_BYTES_EACH = 4_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, listen: true })
})
afterAll(() => server.close())

/** Requests pages that are rendered each time, and a missing page. */
async function ask(times: number): Promise<void> {
  const paths = ['/login', '/?bench=1', '/no/such/page']
  for (let nth = 0; nth < times; nth++) {
    const answer = await fetch(`${server.origin}${paths[nth % paths.length]}`)
    await answer.arrayBuffer()
  }
}

async function bytesInUse(): Promise<number> {
  // Objects of this turn of the event loop can be collected in the next.
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

it('an answered request leaks less than 4 kB', async () => {
  await ask(WARM_UP)
  const before = await bytesInUse()
  await ask(REQUESTS)
  expect(((await bytesInUse()) - before) / REQUESTS).toBeLessThan(MOST_BYTES_EACH)
}, 120_000)
