import { formatDay, formatMonth } from '../../shared/dates.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { BRAND, beginPdf, INK, LINE, PAGE_WIDTH, QUIET } from '../../shared/pdf-document.server.ts'
import { embedPdfText, type PdfStyle, type PdfText } from '../../shared/pdf-text.server.ts'
import { abnText } from '../receipts/rules.ts'
import { commissionText, STATEMENT_KINDS } from './earning-messages.ts'
import { type Statement, type StatementLine, statementSums } from './statement-rules.ts'

const MARGIN = 56
const WIDTH = PAGE_WIDTH - 2 * MARGIN
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
  const { pdf, finish } = await beginPdf({
    title: `Statement, ${formatMonth(statement.month)}`,
    author: site.brand,
    createdAt: new Date(`${statement.month}-01T00:00:00Z`),
    margin: MARGIN,
    options: { bufferPages: true },
  })
  const page = createPage(
    pdf,
    await embedPdfText(pdf, [site.brand, vendor.name, ...statement.lines.map((line) => aboutText(line))]),
  )
  drawHead(page, statement, vendor, site)
  drawSums(page, statement)
  drawLines(page, statement)
  drawFeet(page, `${site.brand}, ${site.host}`)
  return finish()
}

type Page = ReturnType<typeof createPage>

/** The drawing functions of a statement: each part begins where the one before has ended. */
function createPage(pdf: PDFKit.PDFDocument, text: PdfText) {
  return {
    pdf,
    write: (words: string, own: Partial<PdfStyle> = {}, y = pdf.y, x = MARGIN) =>
      text.write(words, x, y, { face: 'text', size: 10.5, colour: INK, width: WIDTH, ...own }),
    rule(colour: string): void {
      pdf.moveTo(MARGIN, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
    },
  }
}

function drawHead(
  { pdf, write }: Page,
  statement: Statement,
  vendor: { name: string; abn: string | null },
  site: { brand: string; abn: string | null },
): void {
  const title = `Statement, ${formatMonth(statement.month)}`
  write(title, { face: 'heading', size: 15, colour: BRAND }, MARGIN)
  write(vendor.name, { face: 'heading', size: 24 }, pdf.y + 6)
  if (vendor.abn) write(`ABN ${abnText(vendor.abn)}`, { colour: QUIET }, pdf.y + 4)
  write(
    `Your money with ${site.brand}${site.abn ? ` (ABN ${abnText(site.abn)})` : ''}, in Australian dollars. It isn’t a tax invoice.`,
    { colour: QUIET },
    pdf.y + 7,
  )
  pdf.y += 18
}

function drawSums(page: Page, statement: Statement): void {
  const { pdf, write, rule } = page
  const sums = statementSums(statement)
  rule(INK)
  sum(page, 'Owed to you at the beginning', statement.openingCents)
  rule(LINE)
  sum(page, 'Earned by your events', sums.earnedCents)
  sum(page, commissionText(sums.commissionCents, sums.gstCents), -sums.commissionCents)
  if (sums.otherCents !== 0) sum(page, 'Refunds, disputes and corrections', sums.otherCents)
  sum(page, 'Sent to your account', -sums.sentCents)
  rule(LINE)
  const { closingCents } = statement
  sum(page, closingCents < 0 ? 'You owe at the end' : 'Owed to you at the end', closingCents, 'bold')
  rule(INK)
  if (statement.heldCents > 0)
    write(
      `Customers have also paid ${formatMoney(statement.heldCents)}, before commission, for bookings that weren’t earned at the end of the month.`,
      { size: 9.5, colour: QUIET },
      pdf.y + 8,
    )
  pdf.y += 22
}

function drawLines(page: Page, { lines }: Statement): void {
  const { pdf, write, rule } = page
  write('Each movement', { face: 'heading', size: 13 })
  pdf.y += 6
  rule(INK)
  if (lines.length === 0) write('No movements in this month.', { size: 10, colour: QUIET }, pdf.y + 8)
  for (const line of lines) {
    if (pdf.y + LINE_HEIGHT > pdf.page.height - MARGIN - 12) {
      pdf.addPage()
      rule(INK)
    }
    drawLine(page, line)
    rule(LINE)
  }
}

function drawLine({ pdf, write }: Page, line: StatementLine): void {
  const { date, kind, cents, gstCents } = line
  const top = pdf.y + 5
  const [, day, month] = formatDay(date).split(' ')
  const oneLine = { width: WIDTH - DATE_WIDTH - AMOUNT_WIDTH - 12, oneLine: true }
  write(`${day} ${month?.slice(0, 3)}`, { size: 9.5, colour: QUIET, width: DATE_WIDTH }, top)
  const isCommission = kind === 'commission' || kind === 'commission_back'
  const words = isCommission ? commissionText(-cents, gstCents) : STATEMENT_KINDS[kind]
  write(words, { ...oneLine, size: 9.5 }, top, MARGIN + DATE_WIDTH)
  write(signed(cents), { size: 9.5, width: AMOUNT_WIDTH, align: 'right' }, top, RIGHT - AMOUNT_WIDTH)
  write(aboutText(line), { ...oneLine, size: 8.5, colour: QUIET }, top + 12, MARGIN + DATE_WIDTH)
  pdf.y = top + LINE_HEIGHT - 7
}

/** The customer, the event's day and the business of a movement. */
function aboutText({ booking }: StatementLine): string {
  if (!booking) return ''
  const day = formatDay(booking.event).split(' ').slice(1).join(' ')
  return `${booking.customerName}, ${day}, ${booking.businessName}`
}

function drawFeet({ pdf, write }: Page, site: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    const y = pdf.page.height - 40
    const foot = { size: 8.5, colour: QUIET, oneLine: true }
    write(site, { ...foot, width: WIDTH / 2 }, y)
    write(`Page ${page - start + 1} of ${count}`, { ...foot, width: 120, align: 'right' }, y, RIGHT - 120)
  }
}

/** With a dash as its minus, which is as wide as a digit. */
const signed = (cents: Cents) => (cents < 0 ? `–${formatMoney(-cents)}` : formatMoney(cents))

function sum({ pdf, write }: Page, label: string, cents: Cents, face: PdfStyle['face'] = 'text'): void {
  const top = pdf.y + 7
  const bottom = write(label, { face, width: WIDTH - AMOUNT_WIDTH - 12 }, top)
  const amount = { face, width: AMOUNT_WIDTH + 20, align: 'right' } as const
  write(signed(cents), amount, top, RIGHT - AMOUNT_WIDTH - 20)
  pdf.y = Math.max(bottom, pdf.y) + 5
}
