import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** A labelled value of a gauge. */
export type Sample = { labels?: Record<string, string>; value: number }

/** Upper bounds in seconds, from a cached page to one that is too slow to wait for. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Counts responses by route and status class, and records their durations.
 * @returns a recorder that expects the route's pattern, never a path, so that labels stay few
 */
export function createRequestMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'jubilee_http_requests_total',
    help: 'Responses by route and status class.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'jubilee_http_request_duration_seconds',
    help: 'Time until a response begins, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  return (route: string, status: number, ms: number): void => {
    requests.inc({ route, status: `${Math.floor(status / 100)}xx` })
    durations.observe({ route }, ms / 1_000)
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

/** Adds a counter whose total the system provides, read at each scrape. */
export function addCounter(registry: Registry, name: string, help: string, readTotal: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(readTotal())
    },
  })
}

/** Everything in the registry in Prometheus' text format, without prom-client's blank lines between metrics. */
export async function writeMetrics(registry: Registry): Promise<string> {
  return (await registry.metrics()).replaceAll('\n\n', '\n')
}
