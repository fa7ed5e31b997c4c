import { formatDate, formatMonth } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { abnText } from '../receipts/rules.ts'
import type { TaxDocument } from './rules.ts'

/** Stands above a document of an operator who hasn't set their name and ABN. */
export const SAMPLE_DOCUMENT =
  'Sample. Not a valid document: the operator of this website hasn’t set their own name and ABN yet.'
export const NO_GST = 'No GST has been charged.'
export const TOTAL = 'Total (AUD)'
export const GST_IN_TOTAL = 'GST included'
export const TAXED_IN_FULL = 'This is a taxable supply in full: the price includes GST of one eleventh.'
/** The line of what came off a price before its first document was issued. */
export const TAKEN_OFF_BEFORE = 'Taken off or refunded before this invoice'

/** 'Tax invoice', 'Invoice' or 'Adjustment note'. */
export function documentTitle({ kind, isTaxed }: Pick<TaxDocument, 'kind' | 'isTaxed'>): string {
  if (kind === 'adjustment') return 'Adjustment note'
  return isTaxed ? 'Tax invoice' : 'Invoice'
}

/** The issuer, and the supplier whose agent they are (GST Act, section 153-15): one of the two issues, never both. */
export function issuedByText({ issuer, supplier, subject }: TaxDocument): string {
  const { brand, name, abn } = issuer
  const who = name === brand ? brand : `${brand} (${name})`
  const by = `Issued by ${who}${abn ? `, ABN ${abnText(abn)}` : ''}`
  return subject === 'sale' ? `${by}, as agent for ${supplier.name}.` : `${by}.`
}

/** The invoice and the amounts of a note: 'Adjusts tax invoice S-000012 of 28 November 2026: $8,700.00 becomes $4,350.00.' */
export function adjustsText({
  title,
  number,
  issuedOn,
  beforeCents,
  afterCents,
}: NonNullable<TaxDocument['adjusts']>): string {
  return `Adjusts ${title.toLowerCase()} ${number} of ${formatDate(issuedOn)}: ${formatMoney(beforeCents)} becomes ${formatMoney(afterCents)}.`
}

/** The line of a note. */
export const adjustmentLine = (isLower: boolean) =>
  isLower ? 'Decrease of the price' : 'Increase of the price'

/** The line of a month's commission on one booking. */
export function commissionLine(
  booking: { customerName: string; businessName: string; date: string } | null,
): string {
  if (!booking) return 'Commission'
  return `Commission: ${booking.businessName}, ${[booking.customerName, formatDate(booking.date)].filter((part) => part !== '').join(', ')}`
}

/** The subject of a commission document: 'Commission for October 2026'. */
export const commissionOfText = (month: string) => `Commission for ${formatMonth(month)}`
