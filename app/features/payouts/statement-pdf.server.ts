import { formatDay, formatMonth } from '../../shared/dates.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { printable } from '../receipts/receipt-pdf.server.ts'
import { abnText } from '../receipts/rules.ts'
import { commissionText, STATEMENT_KINDS } from './earning-messages.ts'
import { type Statement, type StatementLine, statementSums } from './statement-rules.ts'

const INK = '#1F2A2E'
const QUIET = '#5A6468'
const BRAND = '#2F5D50'
const LINE = '#E9DFCF'
const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const RIGHT = MARGIN + WIDTH
const AMOUNT_WIDTH = 92
const DATE_WIDTH = 62
const LINE_HEIGHT = 32

/**
 * Draws a vendor's statement of a month on A4 pages.
 * @param site the marketplace that pays the vendor
 */
export async function drawStatement(
  statement: Statement,
  vendor: { name: string; abn: string | null },
  site: { brand: string; host: string; abn: string | null },
): Promise<Uint8Array> {
  // Large, and most processes never draw a document.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en-AU',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `Statement, ${formatMonth(statement.month)}`,
      Author: printable(site.brand),
      CreationDate: new Date(`${statement.month}-01T00:00:00Z`),
    },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  drawHead(pdf, statement, vendor, site)
  drawSums(pdf, statement)
  drawLines(pdf, statement)
  drawFeet(pdf, `${printable(site.brand)}, ${site.host}`)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

function drawHead(
  pdf: PDFKit.PDFDocument,
  statement: Statement,
  vendor: { name: string; abn: string | null },
  site: { brand: string; abn: string | null },
): void {
  pdf.font('Times-Bold').fontSize(15).fillColor(BRAND)
  pdf.text(`Statement, ${formatMonth(statement.month)}`, MARGIN, MARGIN, { width: WIDTH })
  pdf.moveDown(0.4).font('Times-Bold').fontSize(24).fillColor(INK)
  pdf.text(printable(vendor.name), { width: WIDTH })
  pdf.font('Helvetica').fontSize(10.5).fillColor(QUIET)
  if (vendor.abn) pdf.moveDown(0.2).text(`ABN ${abnText(vendor.abn)}`)
  pdf
    .moveDown(0.6)
    .text(
      `Your money with ${printable(site.brand)}${site.abn ? ` (ABN ${abnText(site.abn)})` : ''}, in Australian dollars. It isn’t a tax invoice.`,
      { width: WIDTH },
    )
  pdf.y += 18
}

function drawSums(pdf: PDFKit.PDFDocument, statement: Statement): void {
  const sums = statementSums(statement)
  rule(pdf, INK)
  sum(pdf, 'Owed to you at the beginning', statement.openingCents)
  rule(pdf, LINE)
  sum(pdf, 'Earned by your events', sums.earnedCents)
  sum(pdf, commissionText(sums.commissionCents, sums.gstCents), -sums.commissionCents)
  if (sums.otherCents !== 0) sum(pdf, 'Refunds, disputes and corrections', sums.otherCents)
  sum(pdf, 'Sent to your account', -sums.sentCents)
  rule(pdf, LINE)
  pdf.font('Helvetica-Bold')
  sum(
    pdf,
    statement.closingCents < 0 ? 'You owe at the end' : 'Owed to you at the end',
    statement.closingCents,
  )
  pdf.font('Helvetica')
  rule(pdf, INK)
  if (statement.heldCents > 0) {
    pdf.fontSize(9.5).fillColor(QUIET)
    pdf.text(
      `Customers have also paid ${formatMoney(statement.heldCents)}, before commission, for bookings that weren’t earned at the end of the month.`,
      MARGIN,
      pdf.y + 8,
      { width: WIDTH },
    )
  }
  pdf.y += 22
}

function drawLines(pdf: PDFKit.PDFDocument, { lines }: Statement): void {
  pdf.font('Times-Bold').fontSize(13).fillColor(INK).text('Each movement', MARGIN, pdf.y, { width: WIDTH })
  pdf.y += 6
  rule(pdf, INK)
  if (lines.length === 0) {
    pdf.font('Helvetica').fontSize(10).fillColor(QUIET)
    pdf.text('No movements in this month.', MARGIN, pdf.y + 8, { width: WIDTH })
  }
  for (const line of lines) {
    if (pdf.y + LINE_HEIGHT > pdf.page.height - MARGIN - 12) {
      pdf.addPage()
      rule(pdf, INK)
    }
    drawLine(pdf, line)
    rule(pdf, LINE)
  }
}

function drawLine(pdf: PDFKit.PDFDocument, { date, kind, booking, cents, gstCents }: StatementLine): void {
  const top = pdf.y + 5
  const [, day, month] = formatDay(date).split(' ')
  const oneLine = {
    width: WIDTH - DATE_WIDTH - AMOUNT_WIDTH - 12,
    height: 12,
    ellipsis: true,
    lineBreak: false,
  }
  pdf
    .font('Helvetica')
    .fontSize(9.5)
    .fillColor(QUIET)
    .text(`${day} ${month?.slice(0, 3)}`, MARGIN, top, { width: DATE_WIDTH })
  const isCommission = kind === 'commission' || kind === 'commission_back'
  const words = isCommission ? commissionText(-cents, gstCents) : STATEMENT_KINDS[kind]
  pdf.fillColor(INK).text(words, MARGIN + DATE_WIDTH, top, oneLine)
  pdf.text(signed(cents), RIGHT - AMOUNT_WIDTH, top, {
    width: AMOUNT_WIDTH,
    align: 'right',
    lineBreak: false,
  })
  const about = booking
    ? `${booking.customerName}, ${formatDay(booking.event).split(' ').slice(1).join(' ')}, ${booking.businessName}`
    : ''
  pdf
    .fontSize(8.5)
    .fillColor(QUIET)
    .text(printable(about), MARGIN + DATE_WIDTH, top + 12, oneLine)
  pdf.y = top + LINE_HEIGHT - 7
}

function drawFeet(pdf: PDFKit.PDFDocument, site: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    pdf.font('Helvetica').fontSize(8.5).fillColor(QUIET)
    pdf.text(site, MARGIN, pdf.page.height - 40, { width: WIDTH / 2, lineBreak: false })
    pdf.text(`Page ${page - start + 1} of ${count}`, RIGHT - 120, pdf.page.height - 40, {
      width: 120,
      align: 'right',
      lineBreak: false,
    })
  }
}

/** A minus that the built-in fonts have. */
const signed = (cents: Cents) => (cents < 0 ? `–${formatMoney(-cents)}` : formatMoney(cents))

function sum(pdf: PDFKit.PDFDocument, label: string, cents: Cents): void {
  const top = pdf.y + 7
  pdf
    .fontSize(10.5)
    .fillColor(INK)
    .text(label, MARGIN, top, { width: WIDTH - AMOUNT_WIDTH - 12 })
  const bottom = pdf.y
  pdf.text(signed(cents), RIGHT - AMOUNT_WIDTH - 20, top, { width: AMOUNT_WIDTH + 20, align: 'right' })
  pdf.y = Math.max(bottom, pdf.y) + 5
}

function rule(pdf: PDFKit.PDFDocument, colour: string): void {
  pdf.moveTo(MARGIN, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
}
