import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createLimitedThreads } from './limited-thread.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'jubilee-threads-'))
const file = join(folder, 'keeps.mjs')
/** Keeps this number of megabytes for good, and answers once it has been looked at. */
writeFileSync(
  file,
  `import { parentPort } from 'node:worker_threads'
  const kept = []
  parentPort.on('message', (mb) => {
    kept.push(Buffer.alloc(mb * 1048576, 'x'))
    setTimeout(() => parentPort.postMessage(kept.length), 200)
  })`,
)
afterAll(() => rmSync(folder, { recursive: true }))

it('a thread’s next input isn’t refused for what the one before it has left', async () => {
  const ask = createLimitedThreads<number, number>(file, { idleMs: 5_000 })
  const within = (bufferMb: number) => ({ ms: 20_000, heapMb: 64, bufferMb })
  expect(await ask(40, within(60))).toEqual({ ok: true, answer: 1 })
  expect(await ask(1, within(20))).toEqual({ ok: true, answer: 2 })
  expect(await ask(40, within(20))).toEqual({ ok: false, reason: 'too_large' })
  expect(await ask(1, within(20)), 'in another thread').toEqual({ ok: true, answer: 1 })
})
