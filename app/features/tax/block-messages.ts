export const TAX_TITLE = 'Tax'
/** For a vendor who has never heard of a BAS. */
export const TAX_NOTE =
  'The figures for your tax return. If you’re registered for GST, they’re also for your BAS: the business activity statement that you send to the Tax Office, mostly each quarter. Sales are what customers pay for your bookings, from the day you approve them. Commission is what we charge you. If a booking is cancelled or refunded, we take that off again.'
export const SALES_LABEL = 'Sales'
export const SALES_GST_LABEL = 'GST in sales'
export const COMMISSION_LABEL = 'Commission'
export const COMMISSION_GST_LABEL = 'GST in commission'
export const COMMISSION_NOTE = 'We invoice commission once its month is over.'
export const XERO_SALES = 'Sales for Xero (CSV)'
export const XERO_BILLS = 'Commission for Xero (CSV)'
/** For the import of both files. */
export const XERO_NOTE =
  'In Xero choose ‘Tax inclusive’ when you import them: sales as invoices, commission as bills.'
export const SAMPLE_NOTE =
  'These documents are samples: the operator of this website hasn’t set their own name and ABN yet.'

/** '2026–27', the financial year that ends in a year. */
const yearLabel = (year: number) => `${year - 1}–${String(year).slice(2)}`

/** 'Financial year 2026–27, July to June'. */
export const yearTitle = (year: number) => `Financial year ${yearLabel(year)}, July to June`

/** @param count bookings without a document yet */
export function waitingText(count: number): string {
  const which = count === 1 ? 'One booking has' : `${count} bookings have`
  return `${which} no invoice yet: we issue it once the Australian Business Register has answered about your ABN.`
}

/** The heading of a quarter's documents. */
export const documentsOfText = (quarter: string) => `Documents of ${quarter}`
/** @param shown how many of them are listed */
export const moreText = (shown: number) =>
  `Only the newest ${shown} are listed. The files for Xero have all of them.`
