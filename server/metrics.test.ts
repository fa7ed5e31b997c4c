import { expect, it } from 'vitest'
import { createCounter, createHistogram, writeMetric } from './metrics.ts'

it('counts by labels', () => {
  const counter = createCounter()
  counter.of({ route: '/', status: '2xx' })()
  counter.of({ route: '/', status: '2xx' })()
  counter.of({ route: '/cart', status: '5xx' })()
  expect(writeMetric('requests_total', 'counter', 'Answers.', counter.samples())).toBe(
    [
      '# HELP requests_total Answers.',
      '# TYPE requests_total counter',
      'requests_total{route="/",status="2xx"} 2',
      'requests_total{route="/cart",status="5xx"} 1',
      '',
    ].join('\n'),
  )
})

it('escapes what a label may hold', () => {
  expect(writeMetric('jobs', 'gauge', 'Jobs.', [{ labels: { name: 'a"b\\c\nd' }, value: 1 }])).toContain(
    'jobs{name="a\\"b\\\\c\\nd"} 1\n',
  )
  expect(writeMetric('memory', 'gauge', 'Memory.', [{ value: 12.5 }])).toContain('\nmemory 12.5\n')
})

it('puts times into buckets that hold those below them', () => {
  const histogram = createHistogram()
  for (const seconds of [0.005, 0.0051, 0.4, 10, 10.5]) histogram.of({ route: '/' })(seconds)
  const text = histogram.write('took_seconds', 'Time.')
  expect(text).toContain('# TYPE took_seconds histogram\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="0.005"} 1\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="0.01"} 2\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="0.25"} 2\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="0.5"} 3\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="10"} 4\n')
  expect(text).toContain('took_seconds_bucket{route="/",le="+Inf"} 5\n')
  expect(text).toContain('took_seconds_count{route="/"} 5\n')
  expect(Number(/_sum\{route="\/"\} (\S+)/.exec(text)?.[1])).toBeCloseTo(20.9101, 6)
})
