import { formatDate, formatDay } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { BRAND, beginPdf, INK, LINE, PAGE_WIDTH, QUIET } from '../../shared/pdf-document.server.ts'
import { embedPdfText, type PdfStyle, type PdfText } from '../../shared/pdf-text.server.ts'
import { abnText } from '../receipts/rules.ts'
import {
  adjustsText,
  commissionOfText,
  documentTitle,
  GST_IN_TOTAL,
  issuedByText,
  NO_GST,
  SAMPLE_DOCUMENT,
  TAXED_IN_FULL,
  TOTAL,
} from './messages.ts'
import { type DocumentLine, type Party, quantityPriceText, type TaxDocument } from './rules.ts'

const MARGIN = 64
const WIDTH = PAGE_WIDTH - 2 * MARGIN
const RIGHT = MARGIN + WIDTH
const LABEL_WIDTH = 90
const AMOUNT_WIDTH = 92
const QUANTITY_WIDTH = 112
const DESCRIPTION_WIDTH = WIDTH - AMOUNT_WIDTH * 2 - QUANTITY_WIDTH

/**
 * Draws a tax document from what it says alone, on one A4 page unless it has more lines than fit. Its parts are tagged, so that a
 * screen reader reads headings, paragraphs and a table.
 * @param sha256 of its content, printed so that a copy can be compared with what was issued
 */
export async function drawTaxDocument(document: TaxDocument, sha256: string): Promise<Uint8Array> {
  const { pdf, finish } = await beginPdf({
    title: `${documentTitle(document)} ${document.number}`,
    author: document.issuer.brand,
    createdAt: new Date(`${document.issuedOn}T00:00:00Z`),
    margin: MARGIN,
    options: { pdfVersion: '1.7' },
  })
  const page = createPage(pdf, await embedPdfText(pdf, textsOf(document)))
  drawHead(page, document)
  drawFacts(page, document)
  drawLines(page, document)
  drawNotes(page, document, sha256)
  page.end()
  return finish()
}

/** Everything that people have typed, in whatever script. */
function textsOf({ issuer, supplier, buyer, event, lines, adjusts }: TaxDocument): string[] {
  return [
    ...[issuer.brand, issuer.name, supplier.name, buyer?.name ?? '', adjusts?.title ?? ''],
    ...(event ? [event.business, event.place] : []),
    ...lines.map(({ description }) => description),
  ]
}

type Page = ReturnType<typeof createPage>

/** The drawing functions of a document: each part begins where the one before has ended, and is tagged with its kind. */
function createPage(pdf: PDFKit.PDFDocument, text: PdfText) {
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const style = (own: Partial<PdfStyle>): PdfStyle => ({
    ...{ face: 'text', size: 10.5, colour: INK, width: WIDTH },
    ...own,
  })
  /** A structure element with its text, also as it is read aloud: a line break alone would join two words. */
  const element = (
    tag: string,
    words: string,
    own: Partial<PdfStyle> = {},
    { x = MARGIN, y = pdf.y }: { x?: number; y?: number } = {},
  ) =>
    pdf.struct(tag, { actual: words.replaceAll('\n', ', ') }, () => void text.write(words, x, y, style(own)))
  return {
    pdf,
    root,
    element,
    /** Writes a heading or a paragraph. */
    write(
      tag: string,
      words: string,
      own: Partial<PdfStyle> = {},
      at: { x?: number; y?: number } = {},
    ): void {
      root.add(element(tag, words, own, at))
    },
    /** Draws a line that a screen reader skips. */
    rule(colour: string): void {
      pdf.markContent('Artifact', { type: 'Layout' })
      pdf.moveTo(MARGIN, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
      pdf.endMarkedContent()
    },
    end: () => root.end(),
  }
}

function drawHead({ pdf, write }: Page, document: TaxDocument): void {
  const { supplier, isSample, number } = document
  if (isSample) {
    write('P', SAMPLE_DOCUMENT, { face: 'bold', size: 9.5 }, { y: MARGIN - 24 })
    pdf.y = MARGIN + 4
  }
  const top = pdf.y
  write(
    'H1',
    documentTitle(document),
    { face: 'heading', size: 15, colour: BRAND, width: WIDTH - 150 },
    { y: top },
  )
  const underTitle = pdf.y
  const right = { width: 140, align: 'right' } as const
  write('P', `No. ${number}`, right, { x: RIGHT - 140, y: top + 4 })
  write('P', supplier.name, { face: 'heading', size: 22 }, { y: underTitle + 6 })
  if (supplier.abn) write('P', `ABN ${abnText(supplier.abn)}`, { colour: QUIET }, { y: pdf.y + 3 })
  write('P', issuedByText(document), { size: 9.5, colour: QUIET }, { y: pdf.y + 6 })
  pdf.y += 22
}

function drawFacts(page: Page, document: TaxDocument): void {
  const { pdf, write } = page
  const { buyer, event, month, adjusts, issuedOn, suppliedOn, kind } = document
  const fact = (label: string, value: string): void => {
    const top = pdf.y
    write('P', label, { colour: QUIET, width: LABEL_WIDTH }, { y: top })
    write('P', value, { width: WIDTH - LABEL_WIDTH, lineGap: 2 }, { x: MARGIN + LABEL_WIDTH, y: top })
    pdf.y += 5
  }
  fact('Date of issue', formatDate(issuedOn))
  if (suppliedOn !== issuedOn) fact(kind === 'invoice' ? 'Supplied on' : 'Changed on', formatDate(suppliedOn))
  if (buyer) fact('Buyer', partyText(buyer))
  if (event) fact('For', `${event.business}\n${formatDay(event.date)}, ${event.place}`)
  if (month) fact('For', commissionOfText(month))
  if (adjusts) fact('Adjusts', adjustsText(adjusts))
}

const partyText = ({ name, abn }: Party) => (abn ? `${name}\nABN ${abnText(abn)}` : name)

/** A column of the lines, with its left edge and its cell of a line. */
type Column = {
  title: string
  x: number
  width: number
  total: string
  cellOf: (line: DocumentLine) => string
}

/** The columns of a document's lines. Without a quantity, descriptions have its place: a month's commission fits on a page. */
function columnsOf({ lines, isTaxed, cents, gstCents }: TaxDocument): Column[] {
  const hasQuantities = lines.some(({ quantity }) => quantity !== 1)
  const gst = (own: number) => (isTaxed ? signed(own) : '')
  return [
    {
      title: 'Description',
      x: MARGIN,
      width: DESCRIPTION_WIDTH + (hasQuantities ? 0 : QUANTITY_WIDTH),
      total: TOTAL,
      cellOf: (line) => line.description,
    },
    ...(hasQuantities
      ? [
          {
            title: 'Quantity and price',
            x: MARGIN + DESCRIPTION_WIDTH,
            width: QUANTITY_WIDTH,
            total: '',
            cellOf: (line: DocumentLine) => (line.quantity === 1 ? '' : quantityPriceText(line)),
          },
        ]
      : []),
    {
      title: 'GST',
      x: RIGHT - 2 * AMOUNT_WIDTH,
      width: AMOUNT_WIDTH,
      total: gst(gstCents),
      cellOf: (line) => gst(line.gstCents),
    },
    {
      title: 'Amount',
      x: RIGHT - AMOUNT_WIDTH,
      width: AMOUNT_WIDTH,
      total: signed(cents),
      cellOf: (line) => signed(line.cents),
    },
  ]
}

function drawLines(page: Page, document: TaxDocument): void {
  const { pdf, root, rule } = page
  const columns = columnsOf(document)
  pdf.y += 16
  const table = pdf.struct('Table')
  root.add(table)
  rule(INK)
  const head = { size: 9, colour: QUIET }
  drawRow(page, table, 'TH', { columns, cellOf: ({ title }) => title }, head)
  for (const line of document.lines) drawRow(page, table, 'TD', { columns, cellOf: (of) => of.cellOf(line) })
  drawRow(page, table, 'TD', { columns, cellOf: ({ total }) => total }, { face: 'bold', size: 12 })
  table.end()
  rule(INK)
}

function drawRow(
  { pdf, element, rule }: Page,
  table: PDFKit.PDFStructureElement,
  tag: 'TH' | 'TD',
  { columns, cellOf }: { columns: readonly Column[]; cellOf: (column: Column) => string },
  own: Partial<PdfStyle> = {},
): void {
  if (pdf.y > pdf.page.height - 2 * MARGIN) pdf.addPage()
  const row = pdf.struct('TR')
  table.add(row)
  const top = pdf.y + 7
  let bottom = top
  for (const [index, column] of columns.entries()) {
    const words = cellOf(column)
    const align = index === 0 ? 'left' : 'right'
    row.add(
      element(
        tag,
        words === '' ? ' ' : words,
        { align, width: column.width - 6, ...own },
        { x: column.x + (index === 0 ? 0 : 6), y: top },
      ),
    )
    bottom = Math.max(bottom, pdf.y)
  }
  row.end()
  pdf.y = bottom + 6
  rule(LINE)
}

/** With a dash as its minus, which is as wide as a digit. */
const signed = (cents: number) => (cents < 0 ? `–${formatMoney(-cents)}` : formatMoney(cents))

function drawNotes({ pdf, write }: Page, document: TaxDocument, sha256: string): void {
  const { isTaxed, gstCents } = document
  const gstText = `${GST_IN_TOTAL}: ${signed(gstCents)}. ${TAXED_IN_FULL}`
  write('P', isTaxed ? gstText : NO_GST, {}, { y: pdf.y + 12 })
  write('P', `SHA-256 of its data: ${sha256}`, { size: 7.5, colour: QUIET }, { y: pdf.y + 18 })
}
