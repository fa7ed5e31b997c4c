import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { addCounter, addGauge, createRequestMetrics, writeMetrics } from './metrics.ts'

it('request metrics count responses by route and status class', async () => {
  const registry = new Registry()
  const { record } = createRequestMetrics(registry)
  record('/', 200, 1)
  record('/', 204, 1)
  record('/cart', 503, 1)
  expect(await writeMetrics(registry)).toContain(
    [
      '# HELP jubilee_http_requests_total Responses by route and status class.',
      '# TYPE jubilee_http_requests_total counter',
      'jubilee_http_requests_total{route="/",status="2xx"} 2',
      'jubilee_http_requests_total{route="/cart",status="5xx"} 1',
      '',
    ].join('\n'),
  )
})

it('request metrics add cached pages at each scrape, without a duration', async () => {
  const registry = new Registry()
  const { recordCached } = createRequestMetrics(registry)
  for (const status of [200, 200, 304]) recordCached(status)
  await writeMetrics(registry)
  recordCached(200)
  const text = await writeMetrics(registry)
  expect(text).toContain('jubilee_http_requests_total{route="kept",status="2xx"} 3\n')
  expect(text).toContain('jubilee_http_requests_total{route="kept",status="3xx"} 1\n')
  expect(text).not.toContain('duration_seconds_count{')
})

it('metrics escape label values', async () => {
  const registry = new Registry()
  const jobs = [{ labels: { name: 'a"b\\c\nd' }, value: 1 }]
  addGauge(registry, 'jobs', 'Jobs.', () => jobs, ['name'])
  addGauge(registry, 'memory', 'Memory.', () => 12.5)
  const text = await writeMetrics(registry)
  expect(text).toContain('jobs{name="a\\"b\\\\c\\nd"} 1\n')
  expect(text).toContain('\nmemory 12.5\n')
})

it('gauges and totals are read at each scrape, without labels that no longer exist', async () => {
  const registry = new Registry()
  let jobs = [{ labels: { state: 'waiting' }, value: 3 }]
  let seconds = 1.5
  addGauge(registry, 'jobs', 'Jobs.', () => jobs, ['state'])
  addCounter(registry, 'cpu_seconds_total', 'Time.', () => seconds)
  expect(await writeMetrics(registry)).toContain('jobs{state="waiting"} 3\n')
  jobs = [{ labels: { state: 'failed' }, value: 1 }]
  seconds = 2.5
  const text = await writeMetrics(registry)
  expect(text).toContain('jobs{state="failed"} 1\n')
  expect(text).not.toContain('waiting')
  expect(text).toContain('# TYPE cpu_seconds_total counter\ncpu_seconds_total 2.5\n')
})

it('request metrics count durations in cumulative buckets', async () => {
  const registry = new Registry()
  const { record } = createRequestMetrics(registry)
  for (const ms of [5, 5.1, 400, 10_000, 10_500]) record('/', 200, ms)
  const text = await writeMetrics(registry)
  const name = 'jubilee_http_request_duration_seconds'
  const sample = (labels: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name}${labels} `))
        ?.split(' ')
        .at(-1),
    )
  expect(text).toContain(`# TYPE ${name} histogram\n`)
  const upTo = (bound: string) => sample(`_bucket{le="${bound}",route="/"}`)
  expect(['0.005', '0.01', '0.25', '0.5', '10', '+Inf'].map(upTo)).toEqual([1, 2, 2, 3, 4, 5])
  expect(sample('_count{route="/"}')).toBe(5)
  expect(sample('_sum{route="/"}')).toBeCloseTo(20.9101, 6)
})
