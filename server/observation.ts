import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context, Hono } from 'hono'
import { Registry } from 'prom-client'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import type { ReplicaStatus } from '../app/adapters/database/replica.server.ts'
import { measureRefusals, streamSecurityEvents } from '../app/features/accounts/security-queries.server.ts'
import { findLastProof } from '../app/features/ledger/proof-queries.server.ts'
import { measureDisputes } from '../app/features/operators/dispute-queries.server.ts'
import { measurePayments } from '../app/features/operators/payment-queries.server.ts'
import { countWaitingReports } from '../app/features/operators/report-queries.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import { isFromThisMachine } from '../app/shared/this-machine.ts'
import type { App, ObservedBindings } from './app-contract.ts'
import { createHealth } from './health.ts'
import { addCounter, addGauge, createRequestMetrics, type Sample, writeMetrics } from './metrics.ts'
import type { PageCache } from './page-cache.ts'

/** Database metrics are reused for this long, because they are the same for every process. */
const COUNTED_FRESH_MS = 15_000
const NANOSECONDS = 1e9
const DELAY_RESOLUTION_MS = 20
/** Lines of one response of the security log's stream. */
const STREAM_LIMIT = 1_000
/** The stream of the security log, for other systems. */
const STREAM_PATH = '/operations/security-events.ndjson'

export type Observation = {
  /** Adds /health/live, /health/ready, /metrics and the stream of the security log. */
  // biome-ignore lint/suspicious/noExplicitAny: it uses no variables of the app's contexts.
  mount(app: Hono<any>): void
  /** Counts a response and its duration in milliseconds. */
  saw(route: string, status: number, ms: number): void
  /** Counts a cached page. */
  sawCached(status: number): void
}

/**
 * This process's endpoints for operators: liveness, readiness, metrics and the security log's stream. docs/operate.md
 * explains them.
 * @param pageCache null in development, which caches nothing
 */
export function createObservation(services: Services, pageCache: PageCache | null): Observation {
  const ofProcess = new Registry()
  const { record, recordCached } = createRequestMetrics(ofProcess)
  addProcessMetrics(ofProcess, services)
  if (pageCache) addCacheMetrics(ofProcess, pageCache)
  const ofDatabase = createDatabaseMetrics(services)
  const findHealth = createHealth(services)
  let counted: { at: number; text: Promise<string> } | null = null

  async function readMetrics(): Promise<string> {
    const at = performance.now()
    if (!counted || at - counted.at > COUNTED_FRESH_MS) counted = { at, text: ofDatabase.read() }
    // Without the database, still return this process's metrics: they are needed most in an outage.
    const fromDatabase = await counted.text.catch((error: unknown) => {
      counted = null
      services.log.warn({ err: error }, 'database metrics failed')
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
        const isOwnPort = (c.env as ObservedBindings | undefined)?.isOwnPort === true
        if (!mayRead(c.req.raw, services.config, isOwnPort)) return c.text('Not found', 404)
        c.header('content-type', ofProcess.contentType)
        return c.body(await readMetrics())
      })
      answer(STREAM_PATH, async (c) => {
        const { securityEventsToken: token } = services.config
        if (!token || !hasToken(c.req.raw, token)) return c.text('Not found', 404)
        const after = c.req.query('after') || null
        const events = await streamSecurityEvents(services.db, { after, limit: STREAM_LIMIT })
        if (!events) return c.text('after must be the cursor of an event', 400)
        c.header('content-type', 'application/x-ndjson')
        return c.body(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      })
    },
    saw: record,
    sawCached: recordCached,
  }
}

/** Adds this process's own metrics. */
function addProcessMetrics(registry: Registry, services: Services): void {
  addCounter(
    registry,
    'jubilee_security_events_lost_total',
    'Events that the security log could not record.',
    () => services.securityLog.lost(),
  )
  const startedAt = Date.now() / 1_000 - process.uptime()
  addGauge(registry, 'jubilee_live_connections', 'Open pages that receive live updates.', () =>
    services.liveUpdates.subscribers(),
  )
  if (services.databasePool())
    addGauge(
      registry,
      'jubilee_database_pool_connections',
      'Connections of the pool, and requests waiting for one.',
      () =>
        Object.entries(services.databasePool() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
      ['state'],
    )
  addReplicaMetrics(registry, services)
  addGauge(registry, 'jubilee_stopping', '1 while the process is stopping.', () =>
    services.stopping.signal.aborted ? 1 : 0,
  )
  addGauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  addGauge(
    registry,
    'nodejs_heap_size_used_bytes',
    'Heap memory of the main thread.',
    () => process.memoryUsage().heapUsed,
  )
  addGauge(
    registry,
    'nodejs_external_memory_bytes',
    'Buffer memory of the main thread.',
    () => process.memoryUsage().external,
  )
  addCounter(registry, 'process_cpu_seconds_total', 'CPU time used.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  addGauge(
    registry,
    'process_start_time_seconds',
    'Start time of the process, in Unix time.',
    () => startedAt,
  )
  addDelayMetrics(registry)
}

/** Adds the delays of the event loop. Registries read their metrics in order, so the last one resets the figures. */
function addDelayMetrics(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delays.enable()
  addGauge(
    registry,
    'nodejs_eventloop_delay_max_seconds',
    'Longest pause of the event loop since the last scrape.',
    () => (delays.count > 0 ? delays.max / NANOSECONDS : 0),
  )
  addGauge(
    registry,
    'nodejs_eventloop_delay_p99_seconds',
    'Event loop delay since the last scrape, 99th percentile.',
    () => {
      const delay = delays.percentile(99) / NANOSECONDS
      delays.reset()
      return Number.isFinite(delay) ? delay : 0
    },
  )
}

/** Adds the size of the page cache. */
function addCacheMetrics(registry: Registry, pageCache: PageCache): void {
  addGauge(registry, 'jubilee_page_cache_pages', 'Cached pages.', () => pageCache.size().pages)
  addGauge(registry, 'jubilee_page_cache_bytes', 'Memory of the cached pages.', () => pageCache.size().bytes)
}

/** Adds the metrics of the replica. They have no samples without one. */
function addReplicaMetrics(registry: Registry, { replica }: Services): void {
  const sampled = (read: (status: ReplicaStatus) => Sample[]) => () => (replica ? read(replica.status()) : [])
  addGauge(
    registry,
    'jubilee_replica_used',
    '1 while searches with words read the replica.',
    sampled(({ state }) => [{ value: state === 'ok' ? 1 : 0 }]),
  )
  addGauge(
    registry,
    'jubilee_replica_lag_seconds',
    'How old the replica’s data may be.',
    sampled(({ lagMs }) => (lagMs === null ? [] : [{ value: lagMs / 1_000 }])),
  )
  addCounter(
    registry,
    'jubilee_replica_reads_total',
    'Reads that the replica answered, failed to answer, and was not asked.',
    sampled(({ reads }) => Object.entries(reads).map(([outcome, value]) => ({ labels: { outcome }, value }))),
    ['outcome'],
  )
}

/** The app for a process's own metrics port, where several processes share the main port. */
export function onlyObservation(app: App): App {
  const isObservation = (target: string) => target === STREAM_PATH || /^\/(health|metrics)(\/|$)/.test(target)
  return {
    findReady: () => null,
    fetch: (request, env) =>
      isObservation(new URL(request.url).pathname)
        ? app.fetch(request, { ...env, isOwnPort: true })
        : new Response('Not found', { status: 404, headers: { 'cache-control': 'no-store' } }),
  }
}

/** The metrics that all processes share, counted in the database. */
function createDatabaseMetrics({ db, jobs, now, realNow }: Services) {
  const registry = new Registry()
  let payments: Awaited<ReturnType<typeof measurePayments>> | null = null
  let disputesDue = 0
  let ledgerDifferences = 0
  let reportsWaiting = 0
  let refusals = { account: 0, network: 0 }
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
    'Payments still open long after they should have ended.',
    () => payments?.stuck ?? 0,
  )
  addGauge(
    registry,
    'jubilee_refunds_overdue',
    'Refunds and cancellations that are overdue.',
    () => payments?.overdue ?? 0,
  )
  addGauge(
    registry,
    'jubilee_disputes_due',
    'Unanswered disputes whose evidence is due within 72 hours.',
    () => disputesDue,
  )
  addGauge(
    registry,
    'jubilee_ledger_differences',
    'Differences that the last proof of the ledger found.',
    () => ledgerDifferences,
  )
  addGauge(
    registry,
    'jubilee_reports_waiting',
    'Reported conversations that no operator has closed within a day.',
    () => reportsWaiting,
  )
  addGauge(
    registry,
    'jubilee_refusals_max',
    'The most logins, codes and requests refused in a quarter of an hour: of one account, and from one network.',
    () => Object.entries(refusals).map(([by, value]) => ({ labels: { by }, value })),
    ['by'],
  )
  addGauge(registry, 'jubilee_jobs', 'Jobs in the queue by name and state.', () => queue, ['name', 'state'])
  return {
    async read(): Promise<string> {
      const [measured, disputes, proof, reports, refused, counts] = await Promise.all([
        measurePayments(db, now()),
        measureDisputes(db, now()),
        findLastProof(db),
        countWaitingReports(db, now()),
        measureRefusals(db, realNow()),
        jobs.count(),
      ])
      payments = measured
      disputesDue = disputes.due
      ledgerDifferences = proof?.differenceCount ?? 0
      reportsWaiting = reports
      refusals = refused
      queue = counts.map(({ name, state, count }) => ({ labels: { name, state }, value: count }))
      return writeMetrics(registry)
    },
  }
}

/**
 * Whether a request may read /metrics: with a token, any request that has it. Without one, only this machine, and not at
 * a port that a proxy passes on: a proxy on this machine looks like it.
 */
function mayRead(
  request: Request,
  { metricsToken, isLoopback }: Pick<Services['config'], 'metricsToken' | 'isLoopback'>,
  isOwnPort: boolean,
): boolean {
  if (metricsToken) return hasToken(request, metricsToken)
  const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? ''
  return (isLoopback || isOwnPort) && isFromThisMachine(request, address)
}

function hasToken({ headers }: Request, token: string): boolean {
  const given = headers.get('authorization') ?? ''
  return timingSafeEqual(hashOf(given), hashOf(`Bearer ${token}`))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
