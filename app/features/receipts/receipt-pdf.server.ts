import { formatEventTime, formatInstant } from '../../shared/dates.ts'
import { type Cents, formatMoney, gstIncluded } from '../../shared/money.ts'
import { BRAND, beginPdf, INK, LINE, PAGE_WIDTH, QUIET } from '../../shared/pdf-document.server.ts'
import { embedPdfText, type PdfStyle, type PdfText } from '../../shared/pdf-text.server.ts'
import { RETURNED_BY_BANK } from '../bookings/bank-messages.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { dayText, STILL_DUE, TAKEN_OFF } from '../terms/timeline-messages.ts'
import {
  CANCELLED_NOTES,
  GST_INCLUDED,
  RECEIPT_TITLE,
  REFUND_NOTES,
  REFUND_WAITS,
  TOTAL,
  TOTAL_PAID,
  UNIT_WORDS,
} from './messages.ts'
import { abnText, type Receipt, receiptNumberText } from './rules.ts'

const MARGIN = 64
const WIDTH = PAGE_WIDTH - 2 * MARGIN
const RIGHT = MARGIN + WIDTH

/**
 * Draws a receipt: one A4 page, unless it has more amounts than fit on it.
 * @param site the marketplace that took the payment for the seller
 */
export async function drawReceipt(
  receipt: Receipt,
  site: { brand: string; host: string },
): Promise<Uint8Array> {
  const number = receiptNumberText(receipt.number)
  const { pdf, finish } = await beginPdf({
    title: `${RECEIPT_TITLE} ${number}`,
    author: receipt.seller.name,
    createdAt: receipt.issuedAt,
    margin: MARGIN,
  })

  const { seller, customer, event } = receipt
  const page = createPage(
    pdf,
    await embedPdfText(pdf, [
      site.brand,
      seller.name,
      customer.name,
      customer.email,
      event.place,
      ...saleLines(receipt).map(([label]) => label),
    ]),
  )
  drawHead(page, receipt, number)
  drawFacts(page, receipt)
  drawAmounts(page, receipt)
  page.write(
    `Booked and paid through ${site.brand}, ${site.host}`,
    { size: 9, colour: QUIET },
    pdf.page.height - 48,
  )
  return finish()
}

type Page = ReturnType<typeof createPage>

/** The drawing functions of a receipt: each part begins where the one before has ended. */
function createPage(pdf: PDFKit.PDFDocument, text: PdfText) {
  const style = (own: Partial<PdfStyle>): PdfStyle => ({
    face: 'text',
    size: 10.5,
    colour: INK,
    width: WIDTH,
    ...own,
  })
  return {
    pdf,
    write: (words: string, own: Partial<PdfStyle> = {}, y = pdf.y, x = MARGIN) =>
      text.write(words, x, y, style(own)),
    fact(label: string, value: string): void {
      const top = pdf.y
      text.write(label, MARGIN, top, style({ colour: QUIET, width: 90 }))
      text.write(value, MARGIN + 90, top, style({ width: WIDTH - 90, lineGap: 2 }))
      pdf.y += 6
    },
    amount(label: string, value: string, own: Partial<PdfStyle> = {}): void {
      if (pdf.y > pdf.page.height - 2 * MARGIN) pdf.addPage()
      const top = pdf.y + 8
      const bottom = text.write(label, MARGIN, top, style({ ...own, width: WIDTH - 130 }))
      text.write(value, RIGHT - 130, top, style({ ...own, width: 130, align: 'right' }))
      pdf.y = Math.max(bottom, pdf.y) + 6
    },
    rule(colour: string): void {
      pdf.moveTo(MARGIN, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
    },
  }
}

function drawHead({ pdf, write }: Page, { seller }: Receipt, number: string): void {
  write(seller.name, { face: 'heading', size: 24, width: WIDTH - 150 }, MARGIN)
  if (seller.abn) write(`ABN ${abnText(seller.abn)}`, { colour: QUIET }, pdf.y + 4)
  const underSeller = pdf.y
  const right = { width: 140, align: 'right' } as const
  write(RECEIPT_TITLE, { ...right, face: 'heading', size: 15, colour: BRAND }, MARGIN + 6, RIGHT - 140)
  write(`No. ${number}`, right, pdf.y + 2, RIGHT - 140)
  pdf.y = Math.max(underSeller, pdf.y) + 28
}

function drawFacts({ fact }: Page, receipt: Receipt): void {
  const { customer, event, cancellation, timeZone } = receipt
  fact('Date', formatInstant(receipt.issuedAt, timeZone))
  fact('Customer', `${customer.name}\n${customer.email}`)
  fact('Event', `${formatEventTime(event.date, event.time)}\n${event.place}`)
  fact('Payment', `Card, ${receipt.paymentId}`)
  if (cancellation)
    fact('Cancelled', `${CANCELLED_NOTES[cancellation.by]}, ${formatInstant(cancellation.at, timeZone)}`)
}

function drawAmounts({ pdf, amount, rule }: Page, receipt: Receipt): void {
  const { totalCents, reducedCents, timeZone } = receipt
  pdf.y += 20
  rule(INK)
  for (const [label, cents] of saleLines(receipt)) amount(label, formatMoney(cents))
  rule(LINE)
  const isPaid = receipt.payments.length === 0
  const leftCents = totalCents - reducedCents
  const sum = { face: 'bold', size: 12.5 } as const
  if (reducedCents > 0 || !isPaid) amount(TOTAL, formatMoney(totalCents), sum)
  if (reducedCents > 0) amount(TAKEN_OFF, `-${formatMoney(reducedCents)}`, sum)
  if (isPaid) amount(TOTAL_PAID, formatMoney(leftCents), sum)
  if (receipt.seller.gstRegistered) amount(GST_INCLUDED, formatMoney(gstIncluded(leftCents)))
  if (!isPaid) rule(LINE)
  for (const { cents, at, state } of receipt.payments) {
    // Never charged.
    if (state === 'ended') continue
    const label = state === 'paid' ? 'Paid' : STILL_DUE
    amount(`${label} ${dayText(at, timeZone)}`, formatMoney(cents))
  }
  if (receipt.refunds.length + receipt.returns.length > 0) rule(LINE)
  for (const refund of receipt.refunds)
    amount(refundNote(refund, timeZone), `-${formatMoney(refund.amountCents)}`)
  for (const { at, amountCents } of receipt.returns)
    amount(`${RETURNED_BY_BANK} ${formatInstant(at, timeZone)}`, `-${formatMoney(amountCents)}`)
  rule(INK)
}

/** How far a refund is, with the date of that where it has one. */
export function refundNote(
  { state, resolution, at, isWaiting }: Receipt['refunds'][number],
  timeZone: string,
): string {
  if (isWaiting) return REFUND_WAITS
  const when = state === 'claimed' || state === 'sent' ? '' : ` ${formatInstant(at, timeZone)}`
  return `${REFUND_NOTES[resolution ?? state]}${when}`
}

/** The lines of the sale, each with its price. */
function saleLines({ lines, quantity, bookingType, unitPriceCents, totalCents }: Receipt): [string, Cents][] {
  if (lines)
    return lines.map((line) => [
      line.quantity === 1
        ? line.label
        : `${line.quantity.toLocaleString('en-AU')} × ${line.label} at ${formatMoney(line.unitPriceCents)}`,
      lineCents(line),
    ])
  const [one, many] = UNIT_WORDS[bookingType]
  const count = `${quantity.toLocaleString('en-AU')} ${quantity === 1 ? one : many}`
  return [[`${count} at ${formatMoney(unitPriceCents)}`, totalCents]]
}
