import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context, Hono } from 'hono'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import { measurePayments } from '../app/features/operators/payment-queries.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import { isFromThisMachine } from '../app/shared/this-machine.ts'
import type { App } from './app.ts'
import { createHealth } from './health.ts'
import { createCounter, createHistogram, writeMetric } from './metrics.ts'

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
  const requests = createCounter()
  const durations = createHistogram()
  /** What counts the answers of a route, by the first digit of their status, and how long they took. */
  const seen = new Map<string, { classes: Map<number, () => void>; took: (seconds: number) => void }>()
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  const startedAt = Date.now() / 1_000 - process.uptime()
  const findHealth = createHealth(services)
  let counted: { at: number; text: Promise<string> } | null = null

  async function readMetrics(): Promise<string> {
    const at = performance.now()
    if (!counted || at - counted.at > COUNTED_FRESH_MS) counted = { at, text: readCounted(services) }
    // The numbers of this process are most wanted while the database is away.
    const fromDatabase = await counted.text.catch((error: unknown) => {
      counted = null
      services.log.warn({ err: error }, 'metrics of the database')
      return ''
    })
    return readProcess() + fromDatabase
  }

  function readProcess(): string {
    const { user, system } = process.cpuUsage()
    const memory = process.memoryUsage()
    const delay = delays.percentile(99) / NANOSECONDS
    delays.reset()
    const pool = services.databasePool()
    return [
      writeMetric(
        'jubilee_http_requests_total',
        'counter',
        'Answers by route and status class.',
        requests.samples(),
      ),
      durations.write('jubilee_http_request_duration_seconds', 'Time until an answer begins, by route.'),
      writeMetric('jubilee_live_connections', 'gauge', 'Pages that hear of changes.', [
        { value: services.liveUpdates.subscribers() },
      ]),
      pool
        ? writeMetric(
            'jubilee_database_pool_connections',
            'gauge',
            'Connections of the pool; waiting are requests without one.',
            Object.entries(pool).map(([state, value]) => ({ labels: { state }, value })),
          )
        : '',
      writeMetric('jubilee_stopping', 'gauge', '1 while the process finishes before it ends.', [
        { value: services.stopping.signal.aborted ? 1 : 0 },
      ]),
      writeMetric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [
        { value: memory.rss },
      ]),
      writeMetric('nodejs_heap_size_used_bytes', 'gauge', 'Memory of objects of this process’s own thread.', [
        { value: memory.heapUsed },
      ]),
      writeMetric('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers of that thread.', [
        { value: memory.external },
      ]),
      writeMetric('process_cpu_seconds_total', 'counter', 'Processor time used.', [
        { value: (user + system) / 1e6 },
      ]),
      writeMetric('process_start_time_seconds', 'gauge', 'When the process started, in Unix time.', [
        { value: startedAt },
      ]),
      writeMetric(
        'nodejs_eventloop_delay_p99_seconds',
        'gauge',
        'How late the event loop was since the last scrape.',
        [{ value: Number.isFinite(delay) ? delay : 0 }],
      ),
    ].join('')
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
        c.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
        return c.body(await readMetrics())
      })
    },
    saw(route, status, ms) {
      const counts = seen.get(route) ?? { classes: new Map(), took: durations.of({ route }) }
      seen.set(route, counts)
      const first = Math.floor(status / 100)
      const count = counts.classes.get(first) ?? requests.of({ route, status: `${first}xx` })
      counts.classes.set(first, count)
      count()
      counts.took(ms / 1_000)
    },
  }
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

/** The numbers that all processes share. */
async function readCounted({ db, jobs, now }: Services): Promise<string> {
  const [payments, queue] = await Promise.all([measurePayments(db, now()), jobs.count()])
  return [
    writeMetric(
      'jubilee_payments',
      'gauge',
      'Payments by state.',
      payments.states.map(({ state, count }) => ({ labels: { state }, value: count })),
    ),
    writeMetric('jubilee_payments_stuck', 'gauge', 'Payments long past their end that are still open.', [
      { value: payments.stuck },
    ]),
    writeMetric('jubilee_refunds_overdue', 'gauge', 'Refunds and cancels that should have been made.', [
      { value: payments.overdue },
    ]),
    writeMetric(
      'jubilee_jobs',
      'gauge',
      'Jobs of the queue by name and state.',
      queue.map(({ name, state, count }) => ({ labels: { name, state }, value: count })),
    ),
  ].join('')
}

/** With a token whoever has it; without one this machine alone. */
function mayRead(request: Request, token: string | null): boolean {
  const { headers } = request
  if (!token) return isFromThisMachine(request, headers.get(CLIENT_ADDRESS_HEADER) ?? '')
  const given = headers.get('authorization') ?? ''
  return timingSafeEqual(hashOf(given), hashOf(`Bearer ${token}`))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
