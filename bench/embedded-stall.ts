import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PgliteThread } from '../app/adapters/database/pglite-thread.server.ts'
import { freePort } from '../tests/free-port.ts'
import { latencies, median, memoryMb, percentile, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * Measures how a slow query of the embedded database delays requests that don't need it, and the cost of a message to
 * the database's thread. Each is compared with the database on the thread that answers requests.
 */

const MEASURED_MS = 2_000
const ROUNDS = 3
const EVERY_MS = 5
const QUERIES = 300
const QUERY_ROUNDS = 9

const WHERE = ['same-thread', 'own-thread'] as const
type Where = (typeof WHERE)[number]

export async function run(): Promise<Row[]> {
  return [...(await stalls()), ...(await throughput())]
}

async function stalls(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  const servers = []
  for (const how of [...WHERE, 'no-queries']) {
    const port = await freePort()
    const child = await startChild(['bench/embedded-server.ts', how], {
      env: {
        PORT: String(port),
        PUBLIC_URL: `http://localhost:${port}`,
        DATA_DIR: join(folder, how),
        NODE_ENV: 'production',
      },
      isReady: /serving/,
    })
    await (await fetch(`http://127.0.0.1:${port}/events`)).arrayBuffer()
    child.process.kill('SIGSTOP')
    servers.push({ how, port, child, taken: { '/favicon.svg': [] as number[], '/events': [] as number[] } })
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { port, child, taken } of servers) {
      // The other servers are stopped, and their queries with them.
      child.process.kill('SIGCONT')
      for (const [path, values] of Object.entries(taken))
        values.push(...(await latencies({ port, path, everyMs: EVERY_MS, ms: MEASURED_MS })))
      child.process.kill('SIGSTOP')
    }
  }
  const rows: Row[] = servers.flatMap(({ how, taken, child }) => [
    ...Object.entries(taken).map(([path, values]) => ({
      what: `${path} during queries of 150 ms, ${how}: ms at 50, 95, 99 %, most`,
      result: [50, 95, 99, 100].map((percent) => percentile(values, percent).toFixed(1)).join(', '),
    })),
    { what: `memory of that server, ${how}: MB`, result: memoryMb(child.pid).now.toFixed(0) },
  ])
  for (const { child } of servers) {
    child.process.kill('SIGCONT')
    await child.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  return rows
}

async function throughput(): Promise<Row[]> {
  const databases: Record<Where, Pick<PgliteThread, 'exec' | 'query' | 'close'>> = {
    'same-thread': await PGlite.create(),
    'own-thread': await PgliteThread.open(null),
  }
  const kinds = {
    'reads of twenty rows': 'select n, md5(n::text) as text from generate_series(1, 20) as n where n <> $1',
    inserts: 'insert into numbers (n) values ($1)',
  }
  const rows: Row[] = []
  for (const database of Object.values(databases)) await database.exec('create table numbers (n int)')
  for (const [kind, query] of Object.entries(kinds)) {
    const perSecond: Record<Where, number[]> = { 'same-thread': [], 'own-thread': [] }
    for (let round = -1; round < QUERY_ROUNDS; round++) {
      for (const where of round % 2 ? WHERE : WHERE.toReversed()) {
        const started = performance.now()
        for (let n = 0; n < QUERIES; n++) await databases[where].query(query, [n])
        if (round >= 0) perSecond[where].push((QUERIES / (performance.now() - started)) * 1_000)
      }
    }
    const ratio = median(
      perSecond['own-thread'].map((value, round) => value / (perSecond['same-thread'][round] ?? Number.NaN)),
    )
    rows.push({
      what: `${kind} per second, one after the other: same thread, own thread, ratio`,
      result: `${WHERE.map((where) => median(perSecond[where]).toFixed(0)).join(', ')}, ${ratio.toFixed(2)}`,
    })
  }
  for (const database of Object.values(databases)) await database.close()
  return rows
}
