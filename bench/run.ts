/**
 * `npm run bench` runs the benchmarks and prints one table. `npm run bench -- pages` runs only those named.
 * docs/performance.md explains the figures and lists what was tried.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { ensureBuilt } from '../server/build.ts'

/** One row of the table. */
export type Row = { what: string; result: string; aim?: string }

/** The slow ones only run by name: load, fuzz, hostile, chaos, instalments, memory. */
const ALL = [
  'pages',
  'rendered',
  'start',
  'weight',
  'slot-race',
  'settle',
  'payouts',
  'desk',
  'prices',
  'search',
]

await ensureBuilt()
const names = process.argv.slice(2)
const rows: (Row & { bench: string })[] = []
const loadBefore = loadavg()[0] ?? 0
for (const bench of names.length > 0 ? names : ALL) {
  process.stderr.write(`${bench} …\n`)
  const { run } = (await import(`./${bench}.ts`)) as { run(): Promise<Row[]> }
  for (const row of await run()) rows.push({ bench, ...row })
}

const cells = rows.map(({ bench, what, result, aim }) => [bench, what, result, aim ?? ''])
cells.unshift(['Bench', 'What', 'Result', 'Aim'])
const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
const lines = cells.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
process.stdout.write(
  `${lines.join('\n')}\n\n${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. Load of the machine before: ${loadBefore.toFixed(1)}, now: ${(loadavg()[0] ?? 0).toFixed(1)}.\n`,
)
// Exits with the code that a bench has set on a violation.
process.exit()
