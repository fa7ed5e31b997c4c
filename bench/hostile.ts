import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServerProcess } from '../tests/server-process.ts'
import { BODY_CASES } from './hostile/bodies.ts'
import { FORM_CASES } from './hostile/forms.ts'
import type { HostileCase, Target } from './hostile/target.ts'
import { MAIL_LOGIN, openTarget } from './hostile/target.ts'
import { memoryMb } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- hostile`: sends hostile bodies, forms and files to the built product, one kind after another, and asks
 * for /health/live meanwhile. Fails if one of those requests waits for over a second. `HOSTILE=headers` runs the cases whose
 * names contain it. A new case is an entry of a list in `bench/hostile/`.
 */

const MAX_WAIT_MS = 1_000
const ASK_EVERY_MS = 20
/** The work of a case may go on after its response. */
const SETTLE_MS = 300

const CASES: readonly HostileCase[] = [...BODY_CASES, ...FORM_CASES]

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-hostile-'))
  const server = await startServerProcess(
    { folder, databaseUrl: null },
    { MAIL_INBOUND: 'reply.example.com', MAIL_INBOUND_LOGIN: MAIL_LOGIN },
  )
  try {
    const target = await openTarget(server.origin)
    const rows: Row[] = []
    for (const one of CASES.filter(({ name }) => name.includes(process.env.HOSTILE ?? '')))
      rows.push(await measure(one, target, server.child.pid ?? 0))
    return rows
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(one: HostileCase, target: Target, pid: number): Promise<Row> {
  let isOver = false
  let longestMs = 0
  const watched = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await fetch(`${target.origin}/health/live`).then((answer) => answer.text())
      longestMs = Math.max(longestMs, performance.now() - asked)
      await pause(ASK_EVERY_MS)
    }
  })()
  const before = performance.now()
  const status = await one.send(target).catch((error: Error) => `failed: ${error.message}`)
  const ms = performance.now() - before
  await pause(SETTLE_MS)
  isOver = true
  await watched
  if (longestMs > MAX_WAIT_MS) process.exitCode = 1
  return {
    what: one.name,
    result: `${status}, ${Math.round(ms)} ms, /health/live ${Math.round(longestMs)} ms, ${Math.round(memoryMb(pid).now)} MB`,
    aim: `/health/live under ${MAX_WAIT_MS} ms`,
  }
}
