import { formatEventTime, formatInstant } from '../../shared/dates.ts'
import { type Cents, formatMoney, gstIncluded } from '../../shared/money.ts'
import { RETURNED_BY_BANK } from '../bookings/bank-messages.ts'
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

const INK = '#1F2A2E'
const QUIET = '#5A6468'
const BRAND = '#2F5D50'
const LINE = '#E9DFCF'
const MARGIN = 64
const WIDTH = 595.28 - 2 * MARGIN
const RIGHT = MARGIN + WIDTH

/**
 * Draws a receipt on one A4 page.
 * @param site the marketplace that took the payment for the seller
 */
export async function drawReceipt(
  receipt: Receipt,
  site: { brand: string; host: string },
): Promise<Uint8Array> {
  const number = receiptNumberText(receipt.number)
  // Large, and most processes never draw a document.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en-AU',
    tagged: true,
    displayTitle: true,
    info: {
      Title: `${RECEIPT_TITLE} ${number}`,
      Author: printable(receipt.seller.name),
      CreationDate: receipt.issuedAt,
    },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })

  pdf.font('Times-Bold').fontSize(24).fillColor(INK)
  pdf.text(printable(receipt.seller.name), MARGIN, MARGIN, { width: WIDTH - 150 })
  if (receipt.seller.abn)
    pdf
      .moveDown(0.2)
      .font('Helvetica')
      .fontSize(10.5)
      .fillColor(QUIET)
      .text(`ABN ${abnText(receipt.seller.abn)}`)
  const underSeller = pdf.y
  pdf.font('Times-Bold').fontSize(15).fillColor(BRAND)
  pdf.text(RECEIPT_TITLE, RIGHT - 140, MARGIN + 6, { width: 140, align: 'right' })
  pdf.font('Helvetica').fontSize(10.5).fillColor(INK)
  pdf.text(`No. ${number}`, RIGHT - 140, pdf.y + 2, { width: 140, align: 'right' })
  pdf.y = Math.max(underSeller, pdf.y) + 28

  fact(pdf, 'Date', formatInstant(receipt.issuedAt, receipt.timeZone))
  fact(pdf, 'Customer', `${receipt.customer.name}\n${receipt.customer.email}`)
  fact(pdf, 'Event', `${formatEventTime(receipt.event.date, receipt.event.time)}\n${receipt.event.place}`)
  fact(pdf, 'Payment', `Card, ${receipt.paymentId}`)

  const { cancellation } = receipt
  if (cancellation)
    fact(
      pdf,
      'Cancelled',
      `${CANCELLED_NOTES[cancellation.by]}, ${formatInstant(cancellation.at, receipt.timeZone)}`,
    )

  pdf.y += 20
  rule(pdf, INK)
  for (const [label, cents] of soldLines(receipt)) amount(pdf, printable(label), formatMoney(cents))
  rule(pdf, LINE)
  pdf.font('Helvetica-Bold').fontSize(12.5)
  const { totalCents, reducedCents } = receipt
  const isPaid = receipt.payments.length === 0
  const leftCents = totalCents - reducedCents
  if (reducedCents > 0 || !isPaid) amount(pdf, TOTAL, formatMoney(totalCents))
  if (reducedCents > 0) amount(pdf, TAKEN_OFF, `-${formatMoney(reducedCents)}`)
  if (isPaid) amount(pdf, TOTAL_PAID, formatMoney(leftCents))
  pdf.font('Helvetica').fontSize(10.5)
  if (receipt.seller.gstRegistered) amount(pdf, GST_INCLUDED, formatMoney(gstIncluded(leftCents)))
  if (!isPaid) rule(pdf, LINE)
  for (const { cents, at, state } of receipt.payments) {
    // Never charged.
    if (state === 'ended') continue
    const label = state === 'paid' ? 'Paid' : STILL_DUE
    amount(pdf, `${label} ${dayText(at, receipt.timeZone)}`, formatMoney(cents))
  }
  if (receipt.refunds.length + receipt.returns.length > 0) rule(pdf, LINE)
  for (const refund of receipt.refunds)
    amount(pdf, refundNote(refund, receipt.timeZone), `-${formatMoney(refund.amountCents)}`)
  for (const { at, amountCents } of receipt.returns)
    amount(pdf, `${RETURNED_BY_BANK} ${formatInstant(at, receipt.timeZone)}`, `-${formatMoney(amountCents)}`)
  rule(pdf, INK)

  pdf.page.margins.bottom = 0
  pdf.font('Helvetica').fontSize(9).fillColor(QUIET)
  pdf.text(`Booked and paid through ${printable(site.brand)}, ${site.host}`, MARGIN, pdf.page.height - 48, {
    width: WIDTH,
  })
  pdf.end()
  await ended
  return Buffer.concat(chunks)
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
function soldLines({ lines, quantity, bookingType, unitPriceCents, totalCents }: Receipt): [string, Cents][] {
  if (lines)
    return lines.map((line) => [
      line.quantity === 1
        ? line.label
        : `${line.quantity.toLocaleString('en-AU')} × ${line.label} at ${formatMoney(line.unitPriceCents)}`,
      line.quantity * line.unitPriceCents,
    ])
  const [one, many] = UNIT_WORDS[bookingType]
  const count = `${quantity.toLocaleString('en-AU')} ${quantity === 1 ? one : many}`
  return [[`${count} at ${formatMoney(unitPriceCents)}`, totalCents]]
}

function fact(pdf: PDFKit.PDFDocument, label: string, value: string): void {
  const top = pdf.y
  pdf.font('Helvetica').fontSize(10.5).fillColor(QUIET).text(label, MARGIN, top, { width: 90 })
  pdf.fillColor(INK).text(printable(value), MARGIN + 90, top, { width: WIDTH - 90, lineGap: 2 })
  pdf.y += 6
}

function amount(pdf: PDFKit.PDFDocument, label: string, value: string): void {
  const top = pdf.y + 8
  pdf.fillColor(INK).text(label, MARGIN, top, { width: WIDTH - 130 })
  const bottom = pdf.y
  pdf.text(value, RIGHT - 130, top, { width: 130, align: 'right' })
  pdf.y = Math.max(bottom, pdf.y) + 6
}

function rule(pdf: PDFKit.PDFDocument, colour: string): void {
  pdf.moveTo(MARGIN, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.75).strokeColor(colour).stroke()
}

// The built-in fonts of PDF readers have glyphs for these characters and no others.
const WINDOWS_1252 = /[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

/** Replaces letters that the fonts don't have: 'ā' loses its mark and becomes 'a', '李' becomes '?'. */
export function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (WINDOWS_1252.test(letter)) return letter
      const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '')
      return bare !== '' && [...bare].every((part) => WINDOWS_1252.test(part)) ? bare : '?'
    })
    .join('')
}
