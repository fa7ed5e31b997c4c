/** Examines PDFs in its own worker thread, one after the other, so that a hostile file can't block requests. */
import { parentPort } from 'node:worker_threads'

/**
 * The library loads a native canvas to draw with, and could read files and fonts of this machine. It needs none of them to read
 * a document, so this thread doesn't give it Node's modules.
 */
process.getBuiltinModule = (() => undefined) as typeof process.getBuiltinModule
class Unused {}
Object.assign(globalThis, { DOMMatrix: Unused, Path2D: Unused })
// The library says what it misses.
console.log = console.warn = () => {}

// After that, since it looks for them when it is loaded.
const { cleanPdf } = await import('./cleaning.ts')
parentPort?.on('message', async (bytes: Uint8Array<ArrayBuffer>) => {
  const answer = await cleanPdf(bytes)
  parentPort?.postMessage(answer, answer.ok ? [answer.bytes.buffer] : [])
})
