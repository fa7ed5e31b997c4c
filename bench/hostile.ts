import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { freePort } from '../tests/free-port.ts'
import { BODY_CASES } from './hostile/bodies.ts'
import { FILE_CASES } from './hostile/files.ts'
import { FORM_CASES } from './hostile/forms.ts'
import type { HostileCase, Target } from './hostile/target.ts'
import { MAIL_LOGIN, openTarget } from './hostile/target.ts'
import { memoryMb, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- hostile`: sends hostile bodies, forms and files to the built product, one kind after another, and asks
 * for /health/live meanwhile. Fails if one of those requests waits for over a second. `HOSTILE=headers` runs the cases whose
 * names contain it. A new case is an entry of a list in `bench/hostile/`.
 */

const MAX_WAIT_MS = 1_000
/** The work of a case may go on after its response. */
const SETTLE_MS = 300

const CASES: readonly HostileCase[] = [...BODY_CASES, ...FORM_CASES, ...FILE_CASES]

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-hostile-'))
  const port = await freePort()
  const server = await startChild(RUN_SERVER, {
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      MAIL_INBOUND: 'reply.example.com',
      MAIL_INBOUND_LOGIN: MAIL_LOGIN,
    },
    isReady: / is at /,
  })
  try {
    const target = await openTarget(`http://localhost:${port}`)
    const health = new Worker(new URL('./hostile/health-worker.ts', import.meta.url), {
      workerData: target.origin,
    })
    const rows: Row[] = []
    for (const one of CASES.filter(({ name }) => name.includes(process.env.HOSTILE ?? '')))
      rows.push(await measure(one, { target, health, pid: server.pid }))
    await health.terminate()
    return rows
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  one: HostileCase,
  { target, health, pid }: { target: Target; health: Worker; pid: number },
): Promise<Row> {
  await longestWait(health)
  const before = performance.now()
  const status = await one.send(target).catch((error: Error) => `failed: ${error.message}`)
  const ms = performance.now() - before
  await pause(SETTLE_MS)
  const longestMs = await longestWait(health)
  if (longestMs > MAX_WAIT_MS) process.exitCode = 1
  return {
    what: one.name,
    result: `${status}, ${Math.round(ms)} ms, /health/live ${Math.round(longestMs)} ms, ${Math.round(memoryMb(pid).now)} MB`,
    aim: `/health/live under ${MAX_WAIT_MS} ms`,
  }
}

async function longestWait(health: Worker): Promise<number> {
  health.postMessage(null)
  const [ms] = await once(health, 'message')
  return ms as number
}
