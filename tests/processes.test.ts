import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseConnection } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { readConfig } from '../app/config.server.ts'
import { countViews } from '../app/features/businesses/commands.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { aBusiness } from './builders.ts'
import { createServerDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { findPostgres } from './postgres.ts'
import { PROCESS_KEY_HEADER, serverSettings, startServerProcess } from './server-process.ts'

/** Several processes behind one port: docs/decisions/0014-several-processes.md. */

it('the configuration refuses several processes on the embedded database', () => {
  const settings = serverSettings({ folder: 'data', databaseUrl: null }, 3000)
  expect(() => readConfig({ ...settings, WEB_CONCURRENCY: '2' })).toThrow(
    /WEB_CONCURRENCY: the embedded database serves only one process/,
  )
  const onPostgres = { ...settings, DATABASE_URL: 'postgres://localhost/jubilee' }
  expect(readConfig({ ...onPostgres, WEB_CONCURRENCY: '2' }).processes).toBe(2)
})

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: several processes are not tested.\n')

/** The time-out of a request, as in a proxy. */
const GIVE_UP_MS = 20_000

/** A response and the process that sent it: each process has its own prefix of request ids. */
type Answer = { status: number; text: string; process: string; cacheStatus: string }

describe.skipIf(!hasPostgres)('two processes behind one port', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-processes-'))
  let connection: DatabaseConnection
  let server: Awaited<ReturnType<typeof startServerProcess>>
  let businessId = ''
  let databaseUrl = ''
  let metricsPort = 0

  beforeAll(async () => {
    databaseUrl = await createServerDatabase()
    connection = openPostgres(databaseUrl, () => {})
    businessId = (await aBusiness(connection.db)).id
    metricsPort = await freePort()
    server = await startServerProcess(
      { folder, databaseUrl },
      { WEB_CONCURRENCY: '2', METRICS_PORT: String(metricsPort) },
    )
  }, 120_000)
  afterAll(async () => {
    server?.child.kill('SIGKILL')
    await server?.ended
    await connection?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * Sends a request. Without an `agent` it has its own connection, so that either process may get it. `isLast` closes
   * the agent's connection afterwards.
   */
  function ask(
    path: string,
    options: { agent?: Agent; isLast?: boolean; method?: string; body?: string; origin?: string } = {},
  ): Promise<Answer> {
    const { agent = new Agent(), method = 'GET', body } = options
    const origin = options.origin ?? server.origin
    return new Promise((resolve, reject) => {
      const asked = request(
        origin + path,
        {
          agent,
          method,
          headers: {
            origin,
            ...PROCESS_KEY_HEADER,
            ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
            ...(options.agent && !options.isLast ? {} : { connection: 'close' }),
          },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.once('error', reject)
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              text,
              process: String(answer.headers['x-request-id']).split('-')[0] ?? '',
              cacheStatus: String(answer.headers['cache-status']),
            }),
          )
        },
      )
      asked.once('error', reject)
      asked.setTimeout(GIVE_UP_MS, () => asked.destroy(new Error('no answer')))
      asked.end(body)
    })
  }

  const askTwelve = (path: string) => Promise.all(Array.from({ length: 12 }, () => ask(path)))
  const processesOf = (answers: Answer[]) => new Set(answers.map((answer) => answer.process))
  /** The ids of the serving processes. */
  const processIds = () =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)

  /**
   * Sends requests continuously over keep-alive connections until `end`, and records the results. Each connection is
   * renewed after some requests: one process may have accepted all of the first.
   * @param onFailure what a connection waits for after a failure
   */
  function load(onFailure = async () => {}) {
    let isOver = false
    const answers: Answer[] = []
    const failures: string[] = []
    const seen = new Set<string>()
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const paths = ['/', `/business/${businessId}`, '/venues-vendors?q=hall', '/login', '/api/session']
    const users = Array.from({ length: 16 }, async (_, user) => {
      for (let round = 0; !isOver; round++) {
        try {
          const isLast = round % 10 === 9
          const answer = await ask(paths[(user + round) % paths.length] ?? '/', { agent, isLast })
          answers.push(answer)
          seen.add(answer.process)
          if (answer.status !== 200) failures.push(`status ${answer.status}`)
        } catch (error) {
          failures.push((error as Error).message)
          await onFailure()
        }
      }
    })
    return {
      seen,
      answers,
      failures,
      async end() {
        isOver = true
        await Promise.all(users)
        agent.destroy()
      },
    }
  }

  it('both answer, and both show an edit', async () => {
    const path = `/business/${businessId}`
    await expect.poll(async () => processesOf(await askTwelve(path)).size, { timeout: 20_000 }).toBe(2)
    await connection.db
      .updateTable('businesses')
      .set({ name: 'The Renamed Hall' })
      .where('id', '=', businessId)
      .execute()
    await expect
      .poll(
        async () => {
          const answers = await askTwelve(path)
          return answers.every(({ text }) => text.includes('The Renamed Hall')) && processesOf(answers).size
        },
        { timeout: 10_000 },
      )
      .toBe(2)
  })

  it('share the pages that either renders', async () => {
    const cachedPages = () =>
      Promise.all(
        [0, 1].map(async (slot) => {
          const { text } = await ask('/metrics', { origin: `http://localhost:${metricsPort + slot}` })
          return Number(/^jubilee_page_cache_pages (\d+)$/m.exec(text)?.[1])
        }),
      )
    const before = await cachedPages()
    // No other test has opened this page.
    const path = '/events'
    const first = await ask(path)
    expect(first.cacheStatus).toBe('pages; fwd=miss')
    await expect.poll(cachedPages, { timeout: 10_000 }).toEqual(before.map((count) => count + 1))
    const answers: Answer[] = []
    const askAgain = async () => {
      answers.push(...(await askTwelve(path)))
      return processesOf(answers).size
    }
    // One process may accept all connections of a moment.
    await expect.poll(askAgain, { timeout: 20_000 }).toBe(2)
    expect(new Set(answers.map(({ cacheStatus }) => cacheStatus))).toEqual(new Set(['pages; hit']))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([first.text]))
  })

  it('count views of the same businesses at the same time, each in an order of its own', async () => {
    const other = openPostgres(databaseUrl, () => {})
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push((await aBusiness(connection.db)).id)
    const count = (db: DatabaseConnection['db'], businessIds: readonly string[]) =>
      countViews(
        { db, now: () => new Date() },
        businessIds.map((id) => ({ businessId: id, viewerUserId: null })),
      )
    try {
      await Promise.all(
        Array.from({ length: 40 }, () => [
          count(connection.db, ids),
          count(other.db, ids.toReversed()),
        ]).flat(),
      )
    } finally {
      await other.close()
    }
    const { total } = await connection.db
      .selectFrom('business_views')
      .select((eb) => eb.fn.sum<string>('views').as('total'))
      .where('business_id', 'in', ids)
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(2 * 40 * ids.length)
  })

  it('count their limits together', async () => {
    const seen = new Set<string>()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 60 && !statuses.includes(429); attempt++) {
      const body = new URLSearchParams({ email: 'kim@example.com', password: 'not the one' }).toString()
      const answer = await ask('/login', { method: 'POST', body })
      statuses.push(answer.status)
      seen.add(answer.process)
    }
    expect(seen.size).toBe(2)
    const { counts } = await connection.db
      .selectFrom('rate_limits')
      .select((eb) => eb.fn.max('count').as('counts'))
      .executeTakeFirstOrThrow()
    expect(Number(counts)).toBe(statuses.length)
  })

  it('move the sandbox’s clock together', async () => {
    const moved = await ask('/api/sandbox/clock', { method: 'POST', body: '{"days": 3}' })
    expect([moved.status, JSON.parse(moved.text).aheadMs]).toEqual([200, 3 * DAY_MS])
    await expect
      .poll(
        async () => {
          const answers = await askTwelve('/api/sandbox/clock')
          const times = new Set(answers.map(({ text }) => JSON.parse(text).aheadMs as number))
          return { times: [...times], processes: processesOf(answers).size }
        },
        { timeout: 10_000 },
      )
      .toEqual({ times: [3 * DAY_MS], processes: 2 })
  })

  it('have separate metrics', async () => {
    const counts = [0, 1].map((slot) => ask('/metrics', { origin: `http://localhost:${metricsPort + slot}` }))
    const [first, second] = await Promise.all(counts)
    expect(first?.text).toContain('jubilee_http_requests_total')
    expect(first?.process).not.toBe(second?.process)
    const page = await ask('/', { origin: `http://localhost:${metricsPort}` })
    expect(page.status).toBe(404)
  })

  it('give way to new ones, one by one under load, without losing a request', async () => {
    const under = load()
    await expect.poll(() => under.seen.size, { timeout: 20_000 }).toBe(2)
    const before = processIds()
    server.child.kill('SIGHUP')
    await expect
      .poll(() => processIds().filter((id) => before.includes(id)), { timeout: 90_000, interval: 100 })
      .toEqual([])
    await expect.poll(() => under.seen.size, { timeout: 20_000 }).toBe(4)
    await under.end()
    expect(under.failures).toEqual([])
    expect(under.answers.length).toBeGreaterThan(100)
    expect(processIds()).toHaveLength(2)
  }, 180_000)

  it('lose only running requests when one is killed, and that one is replaced', async () => {
    const [victim = 0, other = 0] = processIds()
    // A dying process takes new connections until the kernel has closed its port.
    const under = load(() => expect.poll(processIds, { timeout: 60_000, interval: 20 }).not.toContain(victim))
    await expect.poll(() => under.seen.size, { timeout: 20_000 }).toBe(2)
    process.kill(victim, 'SIGKILL')
    await expect
      .poll(() => processIds().filter((id) => id !== victim).length, { timeout: 60_000, interval: 100 })
      .toBe(2)
    await expect.poll(async () => processesOf(await askTwelve('/login')).size, { timeout: 60_000 }).toBe(2)
    await under.end()
    expect(processIds()).toContain(other)
    // At most one request per connection of the dead process, and each failed at once.
    expect(under.failures.length).toBeLessThanOrEqual(16)
    expect(under.failures.join()).toMatch(/^((socket hang up|read ECONNRESET|aborted),?)*$/)
  }, 180_000)

  it('stop together', async () => {
    const children = processIds()
    expect(children).toHaveLength(2)
    const exit = new Promise((resolve) => server.child.once('exit', resolve))
    server.child.kill('SIGTERM')
    expect(await exit).toBe(0)
    for (const id of children) expect(() => process.kill(id, 0)).toThrow(/ESRCH/)
  }, 60_000)
})
