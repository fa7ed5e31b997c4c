/**
 * `npm run lighthouse` prints the Lighthouse scores of the main landing pages, on the phone that it emulates, for the
 * built product with its demo data, the audits that cost points, and how long the page takes to show that it was pressed.
 * `npm run lighthouse -- /events` measures other pages. The first run on a machine downloads Lighthouse.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../server/build.ts'
import { openBrowser } from '../tests/e2e/browser.ts'
import { freePort } from '../tests/free-port.ts'
import { measureFlows } from './lighthouse-flows.ts'
import { type Lhr, loadLighthouse } from './lighthouse-package.ts'
import { median, RUN_SERVER, startChild } from './measure.ts'

const PAGES = ['/', '/venues', '/business/harbour-light-pavilion', '/book/harbour-light-pavilion', '/login']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Performance varies between runs: the median counts. */
const ROUNDS = 3

await ensureBuilt()
const lighthouse = await loadLighthouse()
const asked = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'jubilee-lighthouse-'))
const port = await freePort()
const origin = `http://localhost:${port}`
const server = await startChild(RUN_SERVER, {
  env: { PORT: String(port), PUBLIC_URL: origin, DATA_DIR: folder },
  isReady: / is at /,
})
const debuggingPort = await freePort()
const browser = await openBrowser([`--remote-debugging-port=${debuggingPort}`])
try {
  const rows: string[][] = [['Page', 'Performance', 'Accessibility', 'Best practices', 'SEO']]
  const lost = new Set<string>()
  for (const path of asked.length > 0 ? asked : PAGES) {
    process.stderr.write(`${path} …\n`)
    const rounds: Lhr[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await look(path))
    rows.push([
      path,
      ...CATEGORIES.map((category) => median(rounds.map((lhr) => scoreOf(lhr, category))).toFixed(0)),
    ])
    for (const lhr of rounds) for (const line of listLostPoints(lhr)) lost.add(`${path}: ${line}`)
  }
  const flows = await measureFlows(lighthouse, origin, `http://127.0.0.1:${debuggingPort}`)
  const paints = flows.map(({ what, milliseconds }) => `${what}: ${Math.round(milliseconds)} ms`)
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  process.stdout.write(
    `${lines.join('\n')}\n\n${[...lost].join('\n')}\n\nInteraction to next paint, four times slower:\n${paints.join('\n')}\n\n${cpus()[0]?.model}, ${browser.version()}, load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}.\n`,
  )
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

/** One visit with an empty browser cache. */
async function look(path: string): Promise<Lhr> {
  const lhr = await lighthouse.visit(`${origin}${path}`, {
    port: debuggingPort,
    onlyCategories: [...CATEGORIES],
    logLevel: 'error',
  })
  if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`)
  return lhr
}

function scoreOf({ categories }: Lhr, category: string): number {
  return (categories[category]?.score ?? 0) * 100
}

/** Every weighted audit with a score below 0.9, with its first findings. */
function listLostPoints({ categories, audits }: Lhr): string[] {
  return CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id]
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) return []
      const items = audit.details?.items ? JSON.stringify(audit.details.items) : ''
      return [`${category}, ${id}: ${audit.displayValue ?? audit.title} ${items.slice(0, 300)}`]
    }),
  )
}
