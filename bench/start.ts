import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/free-port.ts'
import { median, memoryMb, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/** Measures the built product from the command to its first response, and its memory then. */

const TRIES = 5
/** After a start V8 still compiles and collects garbage. */
const SETTLED_AFTER_MS = 5_000

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  try {
    const first = await start(folder)
    const again: Awaited<ReturnType<typeof start>>[] = []
    for (let time = 0; time < TRIES; time++) again.push(await start(folder))
    const of = (name: keyof (typeof again)[0]) => median(again.map((one) => one[name])).toFixed(0)
    return [
      {
        what: 'first start of the demo, with a new database and its data: seconds, most memory in MB',
        result: `${(first.ms / 1_000).toFixed(1)}, ${first.peakMb.toFixed(0)}`,
      },
      {
        what: 'every other start: ms to the first answer; MB after 5 s, most',
        result: `${of('ms')}; ${of('settledMb')}, ${of('peakMb')}`,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder: string): Promise<{ ms: number; settledMb: number; peakMb: number }> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const begun = performance.now()
  const child = await startChild(RUN_SERVER, {
    env: { PORT: String(port), PUBLIC_URL: origin, DATA_DIR: folder },
    isReady: / is at /,
  })
  await (await fetch(`${origin}/`)).arrayBuffer()
  const ms = performance.now() - begun
  await new Promise((done) => setTimeout(done, SETTLED_AFTER_MS))
  const { now, peak } = memoryMb(child.pid)
  await child.stop()
  return { ms, settledMb: now, peakMb: peak }
}
