/** The colours of every document. */
export const INK = '#1F2A2E'
export const QUIET = '#5A6468'
export const BRAND = '#2F5D50'
export const LINE = '#E9DFCF'

/** The width of an A4 page, in points. */
export const PAGE_WIDTH = 595.28

/**
 * Begins a tagged A4 document, whose title is the name of its window.
 * @param about `margin` in points, `createdAt` as its time, so that the same contents give the same bytes
 * @returns the document, and `finish`, which ends it and returns its bytes
 */
export async function beginPdf(about: {
  title: string
  author: string
  createdAt: Date
  margin: number
  options?: PDFKit.PDFDocumentOptions
}): Promise<{ pdf: PDFKit.PDFDocument; finish(): Promise<Uint8Array> }> {
  // Large, and most processes never draw a document.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: 'A4',
    margin: about.margin,
    lang: 'en-AU',
    tagged: true,
    displayTitle: true,
    ...about.options,
    info: { Title: about.title, Author: about.author, CreationDate: about.createdAt },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  return {
    pdf,
    async finish() {
      pdf.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}
