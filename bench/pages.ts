import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/free-port.ts'
import { type Child, cpuMs, load, median, memoryMb, pinLoad, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * Compares a cached page with node:http sending the same bytes, and with rendering the page for each request. All
 * servers run at once on one core, the load on another, and take turns, so that other work on the machine affects all
 * alike.
 */

const ROUNDS = 21
const RENDERED_ROUNDS = 5
const ROUND_MS = 400
const CONNECTIONS = 50
/** Rendering is so slow that more connections would only wait. */
const RENDERED_CONNECTIONS = 4
const PAGES = ['/', '/venues', '/business/harbour-light-pavilion']
/** A parameter of no page, so the page is rendered and not cached. Rate limits rule out uncached lists. */
const UNCACHED = '?bench=1'
const LISTS = ['/venues']

type Contestant = {
  port: number
  pid: number
  path: string
  connections: number
  perSecond: number[]
  perCpuSecond: number[]
}

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  const children: Child[] = []
  const unpin = pinLoad()
  try {
    const port = await freePort()
    const product = await startChild(RUN_SERVER, {
      env: { PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, DATA_DIR: folder },
      isReady: / is at /,
      pinned: true,
    })
    children.push(product)
    const atStart = memoryMb(product.pid).now

    const rows: Row[] = []
    const contestants: {
      name: string
      plain: Contestant
      cached: Contestant
      rendered: Contestant | null
    }[] = []
    const asset = /\/assets\/entry\.client-[\w-]+\.js/.exec(
      (await fetchWhole(port, '/', 'identity')).body.toString(),
    )
    for (const path of [...PAGES, asset?.[0] ?? '']) {
      // The first request renders the page, the second gets it from the cache.
      await fetchWhole(port, path, 'br')
      const { headers, body } = await fetchWhole(port, path, 'br')
      const file = join(folder, 'plain.json')
      writeFileSync(file, JSON.stringify({ headers, body: body.toString('base64') }))
      const plain = await startChild(['bench/plain-server.ts', file], { isReady: /port \d+\n/, pinned: true })
      children.push(plain)
      const contestant = (
        port: number,
        pid: number,
        path: string,
        connections = CONNECTIONS,
      ): Contestant => ({
        port,
        pid,
        path,
        connections,
        perSecond: [],
        perCpuSecond: [],
      })
      contestants.push({
        name: path === asset?.[0] ? 'the entry script' : path,
        plain: contestant(Number(plain.ready.slice('port '.length)), plain.pid, path),
        cached: contestant(port, product.pid, path),
        rendered:
          path === asset?.[0] || LISTS.includes(path)
            ? null
            : contestant(port, product.pid, path + UNCACHED, RENDERED_CONNECTIONS),
      })
    }

    for (let round = -1; round < ROUNDS; round++) {
      for (const { plain, cached } of contestants) {
        // The order alternates, too.
        for (const one of round % 2 ? [plain, cached] : [cached, plain]) await measure(one, round >= 0)
      }
    }
    // Not between the others: the garbage of rendering would be collected at their expense.
    for (let round = -1; round < RENDERED_ROUNDS; round++) {
      for (const { rendered } of contestants) if (rendered) await measure(rendered, round >= 0)
    }

    for (const { name, plain, cached, rendered } of contestants) {
      const ratio = (of: 'perSecond' | 'perCpuSecond') =>
        median(cached[of].map((value, round) => value / (plain[of][round] ?? Number.NaN)))
      rows.push({
        what: `${name}: requests/s of node:http, cached${rendered ? ', rendered' : ''}`,
        result: [plain, cached, ...(rendered ? [rendered] : [])]
          .map(({ perSecond }) => median(perSecond).toFixed(0))
          .join(', '),
      })
      rows.push({
        what: `${name}: cached against node:http (per second, per processor second)`,
        result: `${ratio('perSecond').toFixed(2)}, ${ratio('perCpuSecond').toFixed(2)}`,
        aim: 'at least 0.9',
      })
      if (rendered)
        rows.push({
          what: `${name}: cached against rendered`,
          result: `${(median(cached.perCpuSecond) / median(rendered.perCpuSecond)).toFixed(0)} times per processor second`,
        })
    }
    rows.push({
      what: 'memory of the server in MB: at start, after this load, most',
      result: `${atStart.toFixed(0)}, ${memoryMb(product.pid).now.toFixed(0)}, ${memoryMb(product.pid).peak.toFixed(0)}`,
    })
    return rows
  } finally {
    unpin()
    for (const child of children) await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(contestant: Contestant, counts: boolean): Promise<void> {
  const { port, pid, path, connections } = contestant
  const before = cpuMs(pid)
  const { answers, perSecond } = await load({ port, path, connections, ms: ROUND_MS })
  const used = cpuMs(pid) - before
  if (!counts) return
  contestant.perSecond.push(perSecond)
  contestant.perCpuSecond.push((answers / used) * 1_000)
}

/** Leaves out the headers that Node adds itself, so that the plain server adds its own. */
function fetchWhole(
  port: number,
  path: string,
  encoding: string,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: { 'accept-encoding': encoding } }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers
        resolve({ headers: headers as Record<string, string>, body: Buffer.concat(pieces) })
      })
    }).on('error', reject)
  })
}
