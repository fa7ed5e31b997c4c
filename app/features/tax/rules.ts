import { isLocalDate, type LocalDate } from '../../shared/dates.ts'
import { type Cents, formatMoney, gstIncluded, type PriceUnit } from '../../shared/money.ts'
import { financialYearStart } from '../payouts/earning-rules.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { UNIT_WORDS } from '../receipts/messages.ts'
import type { GstAnswer } from '../registrations/register-rules.ts'
import type { SaleQuote } from '../sales/rules.ts'

/** A vendor's sale, which we invoice as their agent, or our commission. */
export type DocumentSubject = 'sale' | 'commission'
export type DocumentKind = 'invoice' | 'adjustment'

/** A party of a document as it prints it. */
export type Party = { name: string; abn: string | null }

/** One line of a document, with what it charges in cents. */
export type DocumentLine = {
  description: string
  quantity: number
  unitPriceCents: Cents
  cents: Cents
  gstCents: Cents
}

/**
 * All that a tax document says. It is stored as JSON and never changes, so its PDF stays the same whatever settings, listing and
 * accounts become.
 */
export type TaxDocument = {
  subject: DocumentSubject
  kind: DocumentKind
  /** Whether GST is charged. Only then is an invoice a tax invoice. */
  isTaxed: boolean
  /** Whether the operator hadn't set their own name and ABN. */
  isSample: boolean
  number: string
  issuedOn: LocalDate
  /** The day on which it counts: see `supplied_on`. */
  suppliedOn: LocalDate
  /** The operator, who writes it for the supplier of a sale or for themselves. */
  issuer: Party & { brand: string }
  supplier: Party
  /** Null on a sale under $1,000.00, which needs no name. */
  buyer: Party | null
  /** The event that was sold; null for commission. */
  event: { business: string; date: LocalDate; place: string } | null
  /** 'YYYY-MM', of commission. */
  month: string | null
  /** The invoice that a note adjusts, with the whole price before and after. Null on an invoice. */
  adjusts: {
    title: string
    number: string
    issuedOn: LocalDate
    beforeCents: Cents
    afterCents: Cents
  } | null
  lines: readonly DocumentLine[]
  /** With GST. A note that lowers the price is below 0, and so is its GST. */
  cents: Cents
  gstCents: Cents
}

/** From this price on, with GST, a tax invoice names the buyer or their ABN (GST Act, section 29-70). */
export const BUYER_NAMED_FROM: Cents = 100_000

/** The text of a number. Each vendor's sales and our commission have series of their own. */
export function documentNumberText(subject: DocumentSubject, number: number): string {
  return `${subject === 'sale' ? 'S' : 'C'}-${String(number).padStart(6, '0')}`
}

/** Reads the number of a document's address: 'S-000012.pdf'. @returns null for any other text */
export function readDocumentFile(
  file: string,
): { subject: DocumentSubject; number: number; format: 'pdf' | 'json' } | null {
  const [, letter, digits, format] = FILE.exec(file) ?? []
  if (!digits || !format) return null
  const subject = letter === 'S' ? 'sale' : 'commission'
  const number = Number(digits)
  // One address for each document.
  if (documentNumberText(subject, number) !== `${letter}-${digits}`) return null
  return { subject, number, format: format === 'pdf' ? 'pdf' : 'json' }
}
const FILE = /^([SC])-(\d{6,9})\.(pdf|json)$/

/** Reads the name of a file for Xero: 'xero-sales-2026-07-01.csv', with the first day of its quarter. @returns null for any other text */
export function readXeroFile(file: string): { subject: DocumentSubject; from: LocalDate } | null {
  const [, kind, from] = XERO_FILE.exec(file) ?? []
  if (!from || !isLocalDate(from)) return null
  return { subject: kind === 'sales' ? 'sale' : 'commission', from }
}
const XERO_FILE = /^xero-(sales|bills)-(\d{4}-(?:01|04|07|10)-01)\.csv$/

/** The series that a document is numbered in. */
export function issuerOf(of: { subject: 'sale'; vendorUserId: string } | { subject: 'commission' }): string {
  return of.subject === 'sale' ? `sales:${of.vendorUserId}` : 'commission'
}

/** How a sale is invoiced: with GST, without, or not before the business register has answered. */
export type Treatment = 'taxed' | 'untaxed' | 'waits'

/**
 * Decides whether a sale charges GST. Only the register's yes for the day of the supply makes a tax invoice.
 * @param sale.abn null for a vendor without one, who can't be registered for GST
 * @param sale.claimsGst what the vendor said when the sale began
 * @param register.hasAnswered whether it has ever answered about this ABN: an answer that came after the day, and doesn't prove GST on
 *   it, is taken as that day's
 * @param register.isAsked whether this deployment asks one. Without it, a vendor who claims no GST is believed
 */
export function treatmentOf(
  sale: { abn: string | null; claimsGst: boolean },
  register: { answer: GstAnswer; hasAnswered: boolean; isAsked: boolean },
): Treatment {
  if (sale.abn === null) return 'untaxed'
  if (register.answer === 'registered') return 'taxed'
  if (register.answer === 'not_registered' || register.hasAnswered) return 'untaxed'
  return register.isAsked || sale.claimsGst ? 'waits' : 'untaxed'
}

/** The price of a booking with all that has changed it, in cents. */
export type BookingPrice = {
  isApproved: boolean
  /** The agreed price, with all changes. */
  priceCents: Cents
  /** The charged part, or the whole price if one payment paid it. */
  paidCents: Cents
  /** Taken off the balance before it was paid. */
  takenOffCents: Cents
  /** Refunds at the vendor's cost, without those of changes, which have lowered the price itself. */
  refundedCents: Cents
  /** Kept by the customer's bank for good, beyond what the changes gave back. */
  lostCents: Cents
  /** The most that a cancellation left the vendor; null without one. */
  agreedKeptCents: Cents | null
}

/**
 * What the customer gives for a booking, GST included: the invoices less the notes come to this. While it stands that is the whole
 * price, also of a part payment; once it was called off, what the vendor keeps. Nothing for a request that was never approved.
 */
export function considerationOf(price: BookingPrice): Cents {
  const offCents = price.refundedCents + price.lostCents
  if (price.isApproved) return Math.max(0, price.priceCents - price.takenOffCents - offCents)
  return Math.min(Math.max(0, price.paidCents - offCents), price.agreedKeptCents ?? 0)
}

/**
 * The amounts of the next document: the difference between the documents before and the new price. The GST is a difference too, so
 * that the cents of all documents add up to the GST of what is left.
 * @param before the sums of all documents so far
 */
export function differenceOf(
  afterCents: Cents,
  isTaxed: boolean,
  before: { cents: Cents; gstCents: Cents },
): { cents: Cents; gstCents: Cents } {
  return {
    cents: afterCents - before.cents,
    gstCents: (isTaxed ? gstIncluded(afterCents) : 0) - before.gstCents,
  }
}

/** The lines of a sale: those of its quote, or the number at its price. `cents` of all is the agreed price. */
export function saleLines(sale: {
  quote: SaleQuote | null
  businessName: string
  quantity: number
  bookingType: PriceUnit
  unitPriceCents: Cents
}): Omit<DocumentLine, 'gstCents'>[] {
  if (sale.quote)
    return sale.quote.lines.map(({ label, ...line }) => ({
      description: label,
      ...line,
      cents: lineCents(line),
    }))
  const { quantity, unitPriceCents } = sale
  const [one] = UNIT_WORDS[sale.bookingType]
  return [
    {
      description: `${sale.businessName}, per ${one}`,
      quantity,
      unitPriceCents,
      cents: lineCents(sale),
    },
  ]
}

/** Splits the GST of a document over its lines, so that the lines add up to it: each takes what is due up to it, less the lines before. */
export function withGst(lines: readonly Omit<DocumentLine, 'gstCents'>[], isTaxed: boolean): DocumentLine[] {
  let cents = 0
  return lines.map((line) => {
    const before = gstIncluded(cents)
    cents += line.cents
    return { ...line, gstCents: isTaxed ? gstIncluded(cents) - before : 0 }
  })
}

/** 'July to September 2026', the quarter that begins on a day. */
export function quarterLabel(from: LocalDate): string {
  const [year = '', month = ''] = from.split('-')
  return `${QUARTERS[month] ?? ''} ${year}`
}
const QUARTERS: Record<string, string> = {
  '01': 'January to March',
  '04': 'April to June',
  '07': 'July to September',
  '10': 'October to December',
}

/** The sums of a period, in cents: notes are taken off. */
export type TaxSums = {
  salesCents: Cents
  gstCents: Cents
  commissionCents: Cents
  commissionGstCents: Cents
}

/** The sums of one quarter. @param from its first day */
export type QuarterSums = TaxSums & { from: LocalDate }

/** Adds up quarters into financial years, newest first. @returns the year is the one in which it ends: 2027 for July 2026 to June 2027 */
export function yearsOf(quarters: readonly QuarterSums[]): (TaxSums & { year: number })[] {
  const years = new Map<number, TaxSums>()
  for (const quarter of quarters) {
    const year = financialYearOf(quarter.from)
    const sums = years.get(year) ?? { salesCents: 0, gstCents: 0, commissionCents: 0, commissionGstCents: 0 }
    years.set(year, {
      salesCents: sums.salesCents + quarter.salesCents,
      gstCents: sums.gstCents + quarter.gstCents,
      commissionCents: sums.commissionCents + quarter.commissionCents,
      commissionGstCents: sums.commissionGstCents + quarter.commissionGstCents,
    })
  }
  return [...years].map(([year, sums]) => ({ year, ...sums })).toSorted((one, other) => other.year - one.year)
}

/** The financial year of a day, by the calendar year in which it ends. */
export function financialYearOf(day: LocalDate): number {
  return Number(financialYearStart(day).slice(0, 4)) + 1
}

/** Whether documents are samples: until the operator has set their own name and ABN. */
export function isSampleOf(platform: { name: string | null; abn: string | null }): boolean {
  return platform.name === null || platform.abn === null
}

/** How a line prints its quantity: '60 × $145.00'. */
export function quantityPriceText({ quantity, unitPriceCents }: DocumentLine): string {
  return `${quantity.toLocaleString('en-AU')} × ${formatMoney(unitPriceCents)}`
}
