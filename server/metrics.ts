/** Numbers for Prometheus, in its text format (prometheus.io/docs/instrumenting/exposition_formats). */

type Labels = Readonly<Record<string, string>>

export type Sample = { labels?: Labels; value: number }

/** Upper ends, in seconds: from a page that lies ready to one that nobody waits for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts what happens, by labels. */
export function createCounter() {
  const counts = new Map<string, { labels: Labels; value: number }>()
  return {
    /** @returns what counts one more: kept by whoever counts often, it costs next to nothing */
    of(labels: Labels): () => void {
      const key = labelText(labels)
      const counted = counts.get(key) ?? { labels, value: 0 }
      counts.set(key, counted)
      return () => {
        counted.value++
      }
    },
    samples: (): Sample[] => [...counts.values()],
  }
}

/** Counts how long things take, by labels. */
export function createHistogram() {
  const series = new Map<string, { labels: Labels; buckets: number[]; sum: number; count: number }>()
  return {
    /** @returns what counts one more, which took so many seconds */
    of(labels: Labels): (seconds: number) => void {
      const key = labelText(labels)
      const one = series.get(key) ?? { labels, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
      return (seconds) => {
        const index = BUCKETS.findIndex((end) => seconds <= end)
        if (index >= 0) one.buckets[index] = (one.buckets[index] ?? 0) + 1
        one.sum += seconds
        one.count++
      }
    },
    write(name: string, help: string): string {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
      for (const { labels, buckets, sum, count } of series.values()) {
        let upTo = 0
        for (const [index, end] of BUCKETS.entries()) {
          upTo += buckets[index] ?? 0
          lines.push(`${name}_bucket${labelText({ ...labels, le: String(end) })} ${upTo}`)
        }
        lines.push(`${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`)
        lines.push(`${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${count}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

/** One metric with its samples, as Prometheus reads it. */
export function writeMetric(
  name: string,
  kind: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.map((line) => `${line}\n`).join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
