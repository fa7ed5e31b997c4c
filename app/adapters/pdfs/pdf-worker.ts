/** Examines one PDF in its own worker thread, so that a hostile file can't block requests. */
import { parentPort, workerData } from 'node:worker_threads'

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
const answer = await cleanPdf(workerData as Uint8Array<ArrayBuffer>)
parentPort?.postMessage(answer, answer.ok ? [answer.bytes.buffer] : [])
