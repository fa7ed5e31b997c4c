import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context, Hono } from 'hono'
import { Registry } from 'prom-client'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import { measurePayments } from '../app/features/operators/payment-queries.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import { isFromThisMachine } from '../app/shared/this-machine.ts'
import type { App } from './app.ts'
import { createHealth } from './health.ts'
import { addCounter, addGauge, createRequestMetrics, type Sample, writeMetrics } from './metrics.ts'

/** What is counted in the database is the same for every process, and need not be counted at each scrape of each. */
const COUNTED_FRESH_MS = 15_000
const NANOSECONDS = 1e9

export type Observation = {
  /** Adds /health/live, /health/ready and /metrics. */
  // biome-ignore lint/suspicious/noExplicitAny: it needs nothing of what the app's contexts hold.
  mount(app: Hono<any>): void
  /** Counts an answer. */
  saw(route: string, status: number, ms: number): void
}

/**
 * What an operator sees of this process from outside: whether it lives, whether it can serve, and its numbers.
 * docs/operate.md says what they mean.
 */
export function createObservation(services: Services): Observation {
  const ofProcess = new Registry()
  const saw = createRequestMetrics(ofProcess)
  addProcessMetrics(ofProcess, services)
  const ofDatabase = createDatabaseMetrics(services)
  const findHealth = createHealth(services)
  let counted: { at: number; text: Promise<string> } | null = null

  async function readMetrics(): Promise<string> {
    const at = performance.now()
    if (!counted || at - counted.at > COUNTED_FRESH_MS) counted = { at, text: ofDatabase.read() }
    // The numbers of this process are most wanted while the database is away.
    const fromDatabase = await counted.text.catch((error: unknown) => {
      counted = null
      services.log.warn({ err: error }, 'metrics of the database')
      return ''
    })
    return (await writeMetrics(ofProcess)) + fromDatabase
  }

  return {
    mount(app) {
      const answer = (path: string, handle: (c: Context) => Promise<Response> | Response) =>
        app.get(path, (c) => {
          const about = requestLog.getStore()
          if (about) about.route = path
          c.header('cache-control', 'no-store')
          return handle(c)
        })
      answer('/health/live', (c) => c.text('ok'))
      answer('/health/ready', async (c) => {
        const health = await findHealth()
        return c.json(health, health.ready ? 200 : 503)
      })
      answer('/metrics', async (c) => {
        if (!mayRead(c.req.raw, services.config.metricsToken)) return c.text('Not found', 404)
        c.header('content-type', ofProcess.contentType)
        return c.body(await readMetrics())
      })
    },
    saw,
  }
}

/** Adds the numbers of this process alone. */
function addProcessMetrics(registry: Registry, services: Services): void {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  const startedAt = Date.now() / 1_000 - process.uptime()
  addGauge(registry, 'jubilee_live_connections', 'Pages that hear of changes.', () =>
    services.liveUpdates.subscribers(),
  )
  if (services.databasePool())
    addGauge(
      registry,
      'jubilee_database_pool_connections',
      'Connections of the pool; waiting are requests without one.',
      () =>
        Object.entries(services.databasePool() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
      ['state'],
    )
  addGauge(registry, 'jubilee_stopping', '1 while the process finishes before it ends.', () =>
    services.stopping.signal.aborted ? 1 : 0,
  )
  addGauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  addGauge(
    registry,
    'nodejs_heap_size_used_bytes',
    'Memory of objects of this process’s own thread.',
    () => process.memoryUsage().heapUsed,
  )
  addGauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory of buffers of that thread.',
    () => process.memoryUsage().external,
  )
  addCounter(registry, 'process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  addGauge(registry, 'process_start_time_seconds', 'When the process started, in Unix time.', () => startedAt)
  addGauge(
    registry,
    'nodejs_eventloop_delay_p99_seconds',
    'How late the event loop was since the last scrape.',
    () => {
      const delay = delays.percentile(99) / NANOSECONDS
      delays.reset()
      return Number.isFinite(delay) ? delay : 0
    },
  )
}

/** What a port of this process alone answers, where several share the other one. */
export function onlyObservation(app: App): App {
  const isAsked = (target: string) => /^\/(health|metrics)(\/|$)/.test(target)
  return {
    findReady: () => null,
    fetch: (request, env) =>
      isAsked(new URL(request.url).pathname)
        ? app.fetch(request, env)
        : new Response('Not found', { status: 404, headers: { 'cache-control': 'no-store' } }),
  }
}

/** The numbers that all processes share, counted in the database. */
function createDatabaseMetrics({ db, jobs, now }: Services) {
  const registry = new Registry()
  let payments: Awaited<ReturnType<typeof measurePayments>> | null = null
  let queue: Sample[] = []
  addGauge(
    registry,
    'jubilee_payments',
    'Payments by state.',
    () => payments?.states.map(({ state, count }) => ({ labels: { state }, value: count })) ?? [],
    ['state'],
  )
  addGauge(
    registry,
    'jubilee_payments_stuck',
    'Payments long past their end that are still open.',
    () => payments?.stuck ?? 0,
  )
  addGauge(
    registry,
    'jubilee_refunds_overdue',
    'Refunds and cancels that should have been made.',
    () => payments?.overdue ?? 0,
  )
  addGauge(registry, 'jubilee_jobs', 'Jobs of the queue by name and state.', () => queue, ['name', 'state'])
  return {
    async read(): Promise<string> {
      const [measured, counts] = await Promise.all([measurePayments(db, now()), jobs.count()])
      payments = measured
      queue = counts.map(({ name, state, count }) => ({ labels: { name, state }, value: count }))
      return writeMetrics(registry)
    },
  }
}

/** With a token whoever has it; without one this machine alone. */
function mayRead(request: Request, token: string | null): boolean {
  const { headers } = request
  if (!token) return isFromThisMachine(request, headers.get(CLIENT_ADDRESS_HEADER) ?? '')
  const given = headers.get('authorization') ?? ''
  return timingSafeEqual(hashOf(given), hashOf(`Bearer ${token}`))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
