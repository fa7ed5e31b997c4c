import type { Detail, LeftOut, VendorTrade } from './rules.ts'

/** Why a vendor isn't reported, after 'Left out:'. */
export const LEFT_OUT_WORDS = {
  listed: 'a listed entity',
  government: 'a government body',
  goods: 'sells goods only',
  substantial: '$1,000,000 or more',
} as const satisfies Record<LeftOut | 'substantial', string>

const DETAIL_WORDS = {
  fullName: 'name',
  businessName: 'business name',
  abn: 'ABN',
  birthDate: 'date of birth',
  address: 'address',
  email: 'email',
  phone: 'phone',
} as const satisfies Record<Detail, string>

/** After a detail that is there, and that the report can't have as it is written. */
const NOT_ACCEPTED = ' as the Tax Office accepts it'
const REGISTER_ANSWER = 'the business register’s answer about GST'

/** Lists what is missing of a vendor: 'date of birth, street address of Harbour Light, the business register’s answer about GST'. */
export function missingText({ identity, missing, missingProperties, isWaiting }: VendorTrade): string {
  return [
    ...missing.map((detail) => `${DETAIL_WORDS[detail]}${identity[detail] === null ? '' : NOT_ACCEPTED}`),
    ...missingProperties.map(({ businessName }) => `street address of ${businessName}`),
    ...(isWaiting ? [REGISTER_ANSWER] : []),
  ].join(', ')
}

export const TAX_SCREEN_TITLE = 'Tax'
export const TAX_SCREEN_NOTE =
  'The Sharing Economy Reporting Regime (SERR): twice a year we report to the Tax Office what each vendor took here, by quarter. All amounts are the ledger’s, by Melbourne’s clock.'
/** The file isn't the Tax Office's own format. */
export const FORMAT_NOTE =
  'The XML has every field that the Tax Office’s guide names, but under our own names. Before the first report is lodged, it has to be matched with the package SHRNGECONTXBLPMT 1.3, which only the Tax Office gives out.'
export const SAMPLE_TITLE = 'Only a sample for now'
export const SAMPLE_TEXT =
  'Set PLATFORM_NAME and PLATFORM_ABN to make a report. Until then, the files here are samples.'
export const NO_TRADE = 'No vendor had income in this half-year. A nil report is due all the same.'
export const NOTHING_MADE = 'No report has been made yet.'
export const CORRECTION_NOTE =
  'Lodged. If something changes, the next report is a correction, with only the vendors that differ.'
export const NO_ACCOUNT_TEXT = 'No payout account yet: reported without an account identifier.'

/** @param due the last day, as people read it */
export const dueText = (due: string) => `To be lodged by ${due}.`

/** '12 vendors reported, 1 left out, 2 with missing details.' */
export function countsText(counts: { reported: number; leftOut: number; incomplete: number }): string {
  const vendors = counts.reported === 1 ? '1 vendor' : `${counts.reported} vendors`
  return `${vendors} reported, ${counts.leftOut} left out, ${counts.incomplete} with missing details.`
}

/** 'Version 2, a correction of 1 vendor' */
export function reportTitle(version: number, sellers: number): string {
  const vendors = sellers === 1 ? '1 vendor' : `${sellers} vendors`
  return version === 1 ? `Version 1, ${vendors}` : `Version ${version}, a correction of ${vendors}`
}
