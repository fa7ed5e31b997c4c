import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import PDFDocument from 'pdfkit'
import { type DocumentBlock, readDocument } from '../app/features/agreements/rules.ts'

const INK = '#1F2A2E'
const BRAND = '#2F5D50'
const QUIET = '#5A6468'

/**
 * Makes the downloadable PDFs from the Markdown in legal/, which `readDocument` reads for the pages as well.
 * @param from the folder of Markdown files
 * @param to the folder for 'terms-of-service.pdf' and the others
 */
export async function makeLegalPdfs(from: string, to: string, brand: string): Promise<void> {
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(from).filter((name) => name.endsWith('.md'))) {
    await makePdf(readFileSync(join(from, file), 'utf8'), join(to, file.replace(/\.md$/, '.pdf')), brand)
  }
}

async function makePdf(markdown: string, path: string, brand: string): Promise<void> {
  const { title, blocks } = readDocument(markdown)
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 72, bottom: 72, left: 72, right: 72 },
    bufferPages: true,
    lang: 'en-AU',
    tagged: true,
    displayTitle: true,
    // A fixed date, so that the same text gives the same file.
    info: { Title: `${title} | ${brand}`, Author: brand, CreationDate: new Date('2026-11-01T00:00:00Z') },
  })
  const stream = createWriteStream(path)
  document.pipe(stream)
  document.font('Times-Bold').fontSize(13).fillColor(BRAND).text(brand).moveDown(1.5)
  document.font('Times-Bold').fontSize(26).fillColor(INK).text(title).moveDown(0.8)
  for (const block of blocks) writeBlock(document, block)
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page)
    // Without this, PDFKit would begin a new page for text inside the bottom margin.
    document.page.margins.bottom = 0
    document
      .font('Helvetica')
      .fontSize(9)
      .fillColor(QUIET)
      .text(`${title}, page ${page + 1} of ${count}`, 72, document.page.height - 48, { align: 'right' })
  }
  document.end()
  await finished(stream)
}

function writeBlock(document: PDFKit.PDFDocument, block: DocumentBlock): void {
  if (block.kind === 'heading') {
    document.moveDown(0.4).font('Times-Bold').fontSize(15).text(block.text).moveDown(0.4)
  } else if (block.kind === 'list') {
    document
      .font('Helvetica')
      .fontSize(10.5)
      .list([...block.items], { bulletRadius: 1.6, textIndent: 12, lineGap: 3 })
      .moveDown(0.7)
  } else {
    document.font('Helvetica').fontSize(10.5).text(block.text, { lineGap: 3 }).moveDown(0.7)
  }
}
