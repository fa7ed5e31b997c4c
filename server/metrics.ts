import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** A labelled value of a gauge. */
export type Sample = { labels?: Record<string, string>; value: number }

/** Upper bounds in seconds, from a cached page to a page too slow to wait for. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The route under which cached pages are counted. */
const CACHED_ROUTE = 'kept'

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`

/**
 * Counts responses by route and status class, and records the durations of those that were not cached.
 * @returns `record` expects the route's pattern, never a path, so that labels stay few; `recordCached` is for cached pages
 */
export function createRequestMetrics(registry: Registry) {
  // Finding a label's counter takes prom-client longer than all else that a cached page needs (`bench -- pages`), so
  // cached pages are added at each scrape.
  const cached = new Map<number, number>()
  const requests = new Counter({
    name: 'jubilee_http_requests_total',
    help: 'Responses by route and status class.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      for (const [status, count] of cached)
        this.inc({ route: CACHED_ROUTE, status: statusClass(status) }, count)
      cached.clear()
    },
  })
  const durations = new Histogram({
    name: 'jubilee_http_request_duration_seconds',
    help: 'Time until a response begins, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  return {
    record(route: string, status: number, ms: number): void {
      requests.inc({ route, status: statusClass(status) })
      durations.observe({ route }, ms / 1_000)
    },
    recordCached(status: number): void {
      cached.set(status, (cached.get(status) ?? 0) + 1)
    },
  }
}

/** Adds a gauge that is read at each scrape. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | readonly Sample[],
  labelNames: readonly string[] = [],
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      const found = read()
      this.reset()
      for (const { labels = {}, value } of typeof found === 'number' ? [{ value: found }] : found)
        this.set(labels, value)
    },
  })
}

/** Adds a counter whose totals the system provides, read at each scrape. */
export function addCounter(
  registry: Registry,
  name: string,
  help: string,
  readTotal: () => number | readonly Sample[],
  labelNames: readonly string[] = [],
): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      const found = readTotal()
      this.reset()
      for (const { labels = {}, value } of typeof found === 'number' ? [{ value: found }] : found)
        this.inc(labels, value)
    },
  })
}

/** Everything in the registry in Prometheus' text format, without prom-client's blank lines between metrics. */
export async function writeMetrics(registry: Registry): Promise<string> {
  return (await registry.metrics()).replaceAll('\n\n', '\n')
}
