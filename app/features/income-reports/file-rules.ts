import { csvText } from '../../shared/csv.ts'
import { addDays, type LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { LEFT_OUT_WORDS, missingText } from './operator-messages.ts'
import {
  grossOf,
  type IncomeReport,
  isReportable,
  lastDayOf,
  type SellerChange,
  type Sums,
  type VendorTrade,
} from './rules.ts'

/** The name of a report's file: 'income-report-2026-07-01-v1.xml'. */
export const reportFile = (half: string, version: number) => `income-report-${half}-v${version}.xml`

/** A file of the reports. Without a version it is a preview, made now. */
export type ReportFile = { half: string; version: number | null; format: 'csv' | 'xml' }

/** Reads the name of a file: a preview of a half-year, or a report that was made. @returns null for any other text */
export function readReportFile(name: string): ReportFile | null {
  const [, previewed, format] = PREVIEW_FILE.exec(name) ?? []
  if (previewed) return { half: previewed, version: null, format: format === 'csv' ? 'csv' : 'xml' }
  const [, half, version] = REPORT_FILE.exec(name) ?? []
  return half ? { half, version: Number(version), format: 'xml' } : null
}
const PREVIEW_FILE = /^preview-(2\d{3}-0[17]-01)\.(csv|xml)$/
const REPORT_FILE = /^income-report-(2\d{3}-0[17]-01)-v([1-9]\d{0,3})\.xml$/

/**
 * A report as XML. The names are ours and stand in one place, since the Tax Office's package has its own (docs/tax.md). The same
 * report is always the same text, so its hash proves what was lodged.
 * @param isSample while the operator has no name or ABN: such a file is only to be looked at
 */
export function reportXml(report: IncomeReport, isSample: boolean): string {
  const { half, version, reporter, sellers } = report
  const type = version > 1 ? 'Amend' : sellers.length === 0 ? 'Nil' : 'New'
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...(isSample ? ['<!-- Sample: not for lodging. -->'] : []),
    tag('IncomeReport', [
      tag('MessageType', type),
      tag('Version', String(version)),
      tag('ReportingPeriod', [tag('StartDate', half), tag('EndDate', lastDayOf(half))]),
      tag('ReporterPlatform', [tag('Name', reporter.name), tag('ABN', reporter.abn)]),
      ...sellers.map(sellerXml),
    ]),
    '',
  ].join('\n')
}

const CHANGES = { new: 'New', amend: 'Amend', cancel: 'Cancel' } as const

function sellerXml(seller: SellerChange): string {
  const { givenName, familyName, businessName, abn, birthDate, account } = seller
  return tag('Seller', [
    tag('DocumentType', CHANGES[seller.change]),
    tag('Reference', seller.reference),
    optional('Replaces', seller.replaces),
    seller.kind === 'individual'
      ? tag('Individual', [
          optional('GivenName', givenName),
          optional('FamilyName', familyName),
          optional('BirthDate', birthDate),
          optional('TradingName', businessName),
        ])
      : tag('Organisation', [optional('Name', businessName)]),
    optional('ABN', abn),
    tag('Address', seller.address),
    tag('Email', seller.email),
    tag('Phone', seller.phone),
    account
      ? tag('FinancialAccount', [
          tag('OnlineAccountIdentifier', account.id),
          optional('BankAccountLastDigits', account.bankLast4),
        ])
      : '',
    ...seller.activities.map(({ activity, property, quarters }) =>
      tag('Activity', [
        tag('Code', activity),
        optional('PropertyAddress', property),
        ...quarters.map((quarter) =>
          tag('Quarter', [
            tag('StartDate', quarter.quarter),
            tag('EndDate', quarterEnd(quarter.quarter)),
            tag('GrossIncome', decimal(grossOf(quarter))),
            tag('PaidByBuyers', decimal(quarter.paidCents)),
            tag('Refunds', decimal(quarter.refundedCents)),
            tag('GST', decimal(quarter.gstCents)),
            tag('FeesAndCommission', decimal(quarter.commissionCents)),
          ]),
        ),
      ]),
    ),
  ])
}

/** The last day of the quarter that begins on a day. */
function quarterEnd(from: LocalDate): LocalDate {
  const next = addDays(from, 100)
  return addDays(`${next.slice(0, 7)}-01`, -1)
}

const optional = (name: string, text: string | null) => (text === null ? '' : tag(name, text))

function tag(name: string, content: string | readonly string[]): string {
  if (typeof content === 'string') return `<${name}>${escaped(content)}</${name}>`
  const inner = content.filter(Boolean).join('\n').replaceAll('\n', '\n  ')
  return inner ? `<${name}>\n  ${inner}\n</${name}>` : `<${name}/>`
}

/** Characters that XML 1.0 can't have at all, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out.
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu

function escaped(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}

/** '-1234.50' */
function decimal(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const COLUMNS = [
  'Vendor',
  'Report',
  'ABN',
  'Activity',
  'Listing',
  'Quarter from',
  'Gross income',
  'Paid by customers',
  'Refunds',
  'GST',
  'Commission',
] as const

/** All trade of a half-year as CSV, also that of vendors who aren't reported, so that its sums are the ledger's. */
export function previewCsv(vendors: readonly VendorTrade[]): string {
  return csvText([
    COLUMNS,
    ...vendors.flatMap((vendor) =>
      vendor.trades.map((trade) => [
        vendorName(vendor),
        standingText(vendor),
        trade.formerAbn ?? vendor.identity.abn ?? '',
        trade.activity,
        trade.businessName,
        trade.quarter,
        ...amountsOf(trade),
      ]),
    ),
  ])
}

/** The name that operators know a vendor by: as registered, else as they gave it, else of a listing. */
export function vendorName({ identity, trades }: VendorTrade): string {
  return (
    identity.businessName ??
    identity.fullName ??
    trades.find((trade) => trade.businessName)?.businessName ??
    'Vendor'
  )
}

/** Whether a vendor is in the report, in words. */
export function standingText(vendor: VendorTrade): string {
  if (vendor.leftOut) return `Left out: ${LEFT_OUT_WORDS[vendor.leftOut]}`
  return isReportable(vendor) ? 'Reported' : `Missing: ${missingText(vendor)}`
}

const amountsOf = (sums: Sums) =>
  [grossOf(sums), sums.paidCents, sums.refundedCents, sums.gstCents, sums.commissionCents].map(
    (cents) => cents / 100,
  )
