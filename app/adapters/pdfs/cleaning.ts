import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { readWrittenPdf } from './objects.ts'
import type { CleanPdf, PdfRefusal } from './port.ts'
import { hasProgram } from './programs.ts'

// The library's other half, which it loads into this same thread.
GlobalWorkerOptions.workerSrc = import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.mjs')

/**
 * Writes a PDF again from what its pages need, unless it has a program.
 *
 * The file determines how long this runs and how much memory it takes, so call it in a worker thread (pdf-worker.ts).
 * @param bytes taken over by the library
 */
export async function cleanPdf(bytes: Uint8Array<ArrayBuffer>): Promise<CleanPdf> {
  try {
    const found = await readDocument(bytes)
    if ('reason' in found) return { ok: false, reason: found.reason }
    if (hasProgram(readWrittenPdf(found.written))) return { ok: false, reason: 'active' }
    // Nobody should have to open a file that the library itself can't read again.
    const again = await readDocument(found.written.slice())
    return 'pages' in again && again.pages === found.pages
      ? { ok: true, bytes: found.written }
      : { ok: false, reason: 'unreadable' }
  } catch (error) {
    // Every error of the library, and of ours on its text, comes from the file.
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    return { ok: false, reason: isLocked ? 'locked' : 'unreadable' }
  }
}

async function readDocument(
  data: Uint8Array<ArrayBuffer>,
): Promise<{ written: Uint8Array<ArrayBuffer>; pages: number } | { reason: PdfRefusal }> {
  // The library takes the bytes, and decodes neither pictures nor fonts for this.
  const task = getDocument({ data, verbosity: 0, stopAtErrors: true, useWasm: false, useSystemFonts: false })
  try {
    const document = await task.promise
    const { info } = (await document.getMetadata()) as { info: Record<string, unknown> }
    if (info.EncryptFilterName) return { reason: 'locked' }
    if (info.IsSignaturesPresent) return { reason: 'signed' }
    // These would be left out, and hidden layers be shown. A person should know that before they send another document than theirs.
    const scripts = [await document.getJSActions(), await document.getAttachments()]
    if (
      info.IsXFAPresent ||
      info.IsCollectionPresent ||
      (await hasHiddenLayer(document)) ||
      scripts.some((each) => each !== null)
    )
      return { reason: 'active' }
    const written = await document.extractPages([{ document: null }])
    return written
      ? { written: Uint8Array.from(written), pages: document.numPages }
      : { reason: 'unreadable' }
  } finally {
    await task.destroy()
  }
}

async function hasHiddenLayer(document: PDFDocumentProxy): Promise<boolean> {
  const layers: Iterable<[string, { visible: boolean }]> = await document.getOptionalContentConfig()
  return [...layers].some(([, { visible }]) => !visible)
}
