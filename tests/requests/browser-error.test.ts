import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase })
})
afterAll(() => server.close())

const { send } = requestsTo(() => server)

/** Collects the log's warnings while something runs. */
async function warningsOf(run: () => Promise<unknown>): Promise<object[]> {
  const { log } = server.services
  const warnings: object[] = []
  const { warn } = log
  log.warn = (fields, message) => void warnings.push({ ...fields, message })
  try {
    await run()
  } finally {
    log.warn = warn
  }
  return warnings
}

describe('POST /api/browser-error', () => {
  it('logs the part, the release and where the error was thrown', async () => {
    const warnings = await warningsOf(() =>
      send('/api/browser-error', { body: 'free-days a83c2363 RangeError /assets/x-1234567.js:1:20' }),
    )
    expect(warnings).toEqual([
      {
        part: 'free-days',
        release: 'a83c2363',
        name: 'RangeError',
        at: ['/assets/x-1234567.js:1:20'],
        message: 'browser error',
      },
    ])
  })

  it('logs nothing that has another format, and answers the same', async () => {
    const warnings = await warningsOf(async () => {
      for (const body of ['', 'free-days a83c2363 Error call 0400 000 000', 'x'.repeat(5_000)])
        expect((await send('/api/browser-error', { body: body })).status).toBe(204)
    })
    expect(warnings).toEqual([])
  })

  it('logs at most ten errors a minute for an address', async () => {
    const warnings = await warningsOf(() =>
      Promise.all(
        Array.from({ length: 25 }, () =>
          send('/api/browser-error', { body: 'free-days a83c2363 RangeError' }),
        ),
      ),
    )
    expect(warnings.length).toBeLessThanOrEqual(10)
  })
})
