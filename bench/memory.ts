import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { freePort } from '../tests/free-port.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { serverSettings } from '../tests/server-process.ts'
import { fillMarket } from './load/market.ts'
import { memoryMb, processTree, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- memory`: the memory that a server holds at rest, five minutes after 2,000 pages were rendered for it, and the
 * most while pictures are drawn. The demo on PGlite tells where it goes; two processes on PostgreSQL hold a generated market.
 * `MEMORY_REST_SECONDS` shortens the rest.
 */

const REST_MS = Number(process.env.MEMORY_REST_SECONDS ?? 300) * 1_000
/** The demo's history takes so long on two cores. */
const HISTORY_MS = 30_000
const RENDERED = 2_000
const AT_ONCE = 4
const DRAWN_AT_ONCE = 8
const DEMO_PAGES = ['/', '/business/harbour-light-pavilion', '/venues', '/venues-vendors?q=garden', '/login']
const LISTINGS = 5_000

export async function run(): Promise<Row[]> {
  return [...(await ofDemo()), ...(await ofPostgres())]
}

async function ofDemo(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-memory-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  const child = await startChild(RUN_SERVER, {
    env: {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: origin,
      DATA_DIR: folder,
      TRUSTED_PROXY: '1',
    },
    isReady: / is at /,
  })
  try {
    const atStart = memoryMb(child.pid)
    await pause(HISTORY_MS)
    const withHistory = memoryMb(child.pid)
    await render(origin, DEMO_PAGES)
    const rendered = memoryMb(child.pid).now
    await pause(REST_MS)
    const atRest = memoryMb(child.pid)
    const parts = await partsOf(child.pid, metricsPort)
    forgetPeak(child.pid)
    const pictures = await drawPictures(origin)
    return [
      {
        what: 'demo on PGlite: MB at the first page, with its history, most until then',
        result: [atStart.now, withHistory.now, withHistory.peak].map(whole).join(', '),
      },
      {
        what: `demo on PGlite: MB after ${RENDERED} rendered pages, ${REST_MS / 1_000} s later`,
        result: [rendered, atRest.now].map(whole).join(', '),
        aim: 'at most 350 at rest',
      },
      { what: 'demo on PGlite: where it is at rest, in MB', result: parts },
      {
        what: `demo on PGlite: most MB while ${pictures} pictures are drawn`,
        result: whole(memoryMb(child.pid).peak),
        aim: 'at most 800',
      },
    ]
  } finally {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ofPostgres(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs) return [{ what: 'memory on PostgreSQL', result: 'left out: there is none on this machine' }]
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-memory-'))
  const cluster = await startPostgres(programs)
  try {
    const filled = openPostgres(cluster.url, () => {})
    const { pages } = await fillMarket(filled, { listings: LISTINGS, customers: 1, vendors: 1 })
    await filled.close()
    const port = await freePort()
    const child = await startChild(RUN_SERVER, {
      env: {
        ...serverSettings({ folder, databaseUrl: cluster.url }, port),
        NODE_ENV: 'production',
        TRUSTED_PROXY: '1',
        WEB_CONCURRENCY: '2',
      },
      isReady: / is at /,
    })
    try {
      const processes = () => processTree(child.pid).map((pid) => memoryMb(pid))
      const atStart = processes()
      const paths = ['/', ...pages.businesses.slice(0, 20), ...pages.lists.slice(0, 5), '/login']
      await render(`http://localhost:${port}`, paths)
      await pause(REST_MS)
      return [
        {
          what: `PostgreSQL, supervisor and two processes: MB of each at the start, ${REST_MS / 1_000} s after ${RENDERED} rendered pages`,
          result: [atStart, processes()].map((all) => all.map(({ now }) => whole(now)).join(' ')).join(', '),
          aim: 'at most 250 each',
        },
      ]
    } finally {
      await child.stop()
    }
  } finally {
    cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Requests pages that no cache holds, each from an address of its own, which no limit refuses. */
async function render(origin: string, paths: readonly string[]): Promise<void> {
  let next = 0
  const visit = async () => {
    while (next < RENDERED) {
      const nth = next++
      const path = paths[nth % paths.length] ?? '/'
      const answer = await fetch(`${origin}${path}${path.includes('?') ? '&' : '?'}bench=${nth}`, {
        headers: { 'x-forwarded-for': `198.51.${nth >> 8}.${nth & 255}`, 'accept-encoding': 'br' },
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
}

/** Requests the pictures of the first list in all their sizes. @returns how many there are */
async function drawPictures(origin: string): Promise<number> {
  const html = await (await fetch(`${origin}/venues-vendors`)).text()
  const urls = [...html.matchAll(/srcset="([^"]+)"/gi)].flatMap(([, set = '']) =>
    set.split(', ').map((one) => one.split(' ')[0]?.replaceAll('&amp;', '&') ?? ''),
  )
  const pictures = [...new Set(urls)].filter((url) => url.startsWith('/'))
  const waiting = [...pictures]
  const draw = async () => {
    for (let url = waiting.shift(); url; url = waiting.shift())
      await (await fetch(origin + url)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: DRAWN_AT_ONCE }, draw))
  return pictures.length
}

/** The main thread's heap and buffers, what files map, and the rest: the database's thread, and what libraries allocate. */
async function partsOf(pid: number, metricsPort: number): Promise<string> {
  const metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  const metricMb = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]) / 1024 / 1024
  const smaps = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mapped = Number(/^Rss:\s+(\d+)/m.exec(smaps)?.[1]) - Number(/^Anonymous:\s+(\d+)/m.exec(smaps)?.[1])
  const heap = metricMb('nodejs_heap_size_used_bytes')
  const external = metricMb('nodejs_external_memory_bytes')
  const rest = memoryMb(pid).now - heap - external - mapped / 1024
  return `heap of the main thread in use ${whole(heap)}, its buffers ${whole(external)}, mapped files ${whole(mapped / 1024)}, the database and libraries ${whole(rest)}`
}

/** The kernel counts a process's most memory from now on. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

const whole = (mb: number) => mb.toFixed(0)
