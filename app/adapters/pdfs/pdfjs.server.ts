import { createLimitedThreads, type ThreadLimits, threadFile } from '../../shared/limited-thread.server.ts'
import type { CleanPdf, PdfReader } from './port.ts'

/** A document of 10 MB takes a second, and 60 MB, on a machine that does nothing else. */
const LIMITS: ThreadLimits = { ms: 15_000, heapMb: 256, bufferMb: 256 }
/** The library takes half a second to load, so the other files of a message use the same thread. */
const IDLE_MS = 10_000

/**
 * Reads PDFs by pdf.js, the reader of Firefox, in a thread with limits of time and memory. A thread that reached one is never
 * used again (docs/decisions/0063-documents-written-again.md).
 */
export function createPdfReader(limits: Partial<ThreadLimits> = {}): PdfReader {
  const clean = createLimitedThreads<Uint8Array, CleanPdf>(threadFile(import.meta.url, 'pdf-worker'), {
    idleMs: IDLE_MS,
  })
  return {
    async clean(bytes) {
      const ended = await clean(bytes, { ...LIMITS, ...limits })
      return ended.ok ? ended.answer : { ok: false, reason: 'unreadable' }
    },
  }
}
