import { csvText } from '../../shared/csv.ts'
import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { commissionOfText, documentTitle } from './messages.ts'
import type { DocumentSubject, TaxDocument } from './rules.ts'

/**
 * The columns of Xero's template for sales invoices and for bills, in its order. Those with an asterisk are needed. It takes an amount
 * below 0 as a credit note, and adds the GST itself from the tax type, so amounts are imported as tax inclusive.
 */
const COLUMNS = [
  '*ContactName',
  'EmailAddress',
  'POAddressLine1',
  'POAddressLine2',
  'POAddressLine3',
  'POAddressLine4',
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
  '*InvoiceNumber',
  'Reference',
  '*InvoiceDate',
  '*DueDate',
  'InventoryItemCode',
  '*Description',
  '*Quantity',
  '*UnitAmount',
  'Discount',
  '*AccountCode',
  '*TaxType',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
  'Currency',
  'BrandingTheme',
] as const

/** Accounts and tax types of Xero's Australian chart: sales, and general expenses. */
const CODES = {
  sale: { account: '200', taxed: 'GST on Income' },
  commission: { account: '429', taxed: 'GST on Expenses' },
} as const satisfies Record<DocumentSubject, object>
/** The tax type of a supply without GST. */
const UNTAXED = 'BAS Excluded'

/** Documents as a CSV file for Xero: sales as its invoices, commission as its bills. They are all of one subject. */
export function xeroCsv(documents: readonly TaxDocument[]): string {
  return csvText([
    COLUMNS,
    ...documents.map((document) => COLUMNS.map((column) => cellsOf(document)[column] ?? '')),
  ])
}

function cellsOf(document: TaxDocument): Partial<Record<(typeof COLUMNS)[number], string | number>> {
  const { subject, number, issuer, buyer, issuedOn, isTaxed, cents, adjusts } = document
  const { account, taxed } = CODES[subject]
  const date = slashedDate(issuedOn)
  return {
    '*ContactName': subject === 'commission' ? issuer.name : buyer?.name || `${issuer.brand} customer`,
    '*InvoiceNumber': number,
    Reference: adjusts?.number ?? '',
    '*InvoiceDate': date,
    // Paid before it was issued.
    '*DueDate': date,
    '*Description': describe(document),
    '*Quantity': 1,
    '*UnitAmount': dollarsOf(cents),
    '*AccountCode': account,
    '*TaxType': isTaxed ? taxed : UNTAXED,
    Currency: 'AUD',
  }
}

function describe(document: TaxDocument): string {
  const { event, month, adjusts } = document
  const about = event
    ? `${event.business}, event on ${slashedDate(event.date)}`
    : month
      ? commissionOfText(month)
      : ''
  return adjusts ? `${documentTitle(document)} to ${adjusts.number}: ${about}` : about
}

/** '28/11/2026', as Xero's Australian edition reads dates. */
function slashedDate(date: LocalDate): string {
  return date.split('-').reverse().join('/')
}

const dollarsOf = (cents: Cents) => cents / 100
