import { runInThread, type ThreadLimits, threadFile } from '../../shared/limited-thread.server.ts'
import type { CleanPdf, PdfReader } from './port.ts'

/** A document of 10 MB takes a second, and 60 MB, on a machine that does nothing else. */
const LIMITS: ThreadLimits = { ms: 15_000, heapMb: 256, bufferMb: 256 }

const workerFile = threadFile(import.meta.url, 'pdf-worker')

/**
 * Reads PDFs by pdf.js, the reader of Firefox, each in a thread of its own with limits of time and memory
 * (docs/decisions/0063-documents-written-again.md).
 */
export function createPdfReader(limits: Partial<ThreadLimits> = {}): PdfReader {
  return {
    async clean(bytes) {
      const ended = await runInThread<CleanPdf>(workerFile, bytes, { ...LIMITS, ...limits })
      return ended.ok ? ended.answer : { ok: false, reason: 'unreadable' }
    },
  }
}
