import { toNumericString } from '../../shared/money.ts'
import type { OperatorAccount } from './account-queries.server.ts'
import type { ListedBooking } from './booking-queries.server.ts'
import type { OperatorListing } from './listing-queries.server.ts'
import type { OperatorPayment } from './payment-queries.server.ts'
import { EXPORT_LIMIT } from './rules.ts'

/** The columns of a downloaded list. Times are ISO 8601, UTC. */
type Columns<Row> = readonly (readonly [head: string, cell: (row: Row) => string | null])[]

export const PAYMENT_COLUMNS: Columns<OperatorPayment> = [
  ['Payment', (row) => row.id],
  ['Reference', (row) => row.reference],
  ['Provider', (row) => row.provider],
  ['Started at (UTC)', (row) => row.createdAt],
  ['State', (row) => row.state],
  ['Amount (AUD)', (row) => toNumericString(row.amountCents)],
  ['Refund', (row) => row.refund?.state ?? null],
  ['Dispute', (row) => row.dispute],
  ['Business', (row) => row.businessName],
  ['Listing', (row) => row.businessId],
  ['Name', (row) => row.customerName],
  ['Email', (row) => row.email],
  ['Booking status', (row) => row.bookingStatus],
]

export const BOOKING_COLUMNS: Columns<ListedBooking> = [
  ['Booking', (row) => row.id],
  ['Payment', (row) => row.paymentId],
  ['Booked at (UTC)', (row) => row.createdAt],
  ['Event', (row) => row.date],
  ['Status', (row) => row.status],
  ['Payment status', (row) => row.paymentStatus],
  ['Answer by (UTC)', (row) => row.decideBy],
  ['Price (AUD)', (row) => toNumericString(row.amountCents)],
  ['Business', (row) => row.businessName],
  ['Listing', (row) => row.businessId],
  ['Name', (row) => row.customerName],
  ['Email', (row) => row.email],
]

export const ACCOUNT_COLUMNS: Columns<OperatorAccount> = [
  ['Account', (row) => row.id],
  ['Name', (row) => row.name],
  ['Email', (row) => row.email],
  ['Email confirmed', (row) => (row.emailVerified ? 'yes' : 'no')],
  ['Signed up at (UTC)', (row) => row.createdAt],
  ['Listings', (row) => String(row.businesses)],
  ['Registered as', (row) => row.registeredName],
  ['State', (row) => (row.isDisabled ? 'disabled' : row.isDeactivated ? 'deactivated' : 'active')],
  ['Reason', (row) => row.disabledReason],
]

export const LISTING_COLUMNS: Columns<OperatorListing> = [
  ['Listing', (row) => row.id],
  ['Name', (row) => row.name],
  ['Category', (row) => row.category],
  ['Listed at (UTC)', (row) => row.createdAt],
  ['Owner', (row) => row.ownerName],
  ['Owner’s email', (row) => row.ownerEmail],
  ['Hidden by', (row) => row.hidden?.by ?? null],
  ['Reason', (row) => row.hidden?.reason ?? null],
]

/** The first row of a list's file. */
export function headOf<Row>(columns: Columns<Row>): string[] {
  return columns.map(([head]) => head)
}

/** One row of a list's file. */
export function cellsOf<Row>(columns: Columns<Row>, row: Row): string[] {
  return columns.map(([, cell]) => cell(row) ?? '')
}

/** The last row of a file that is cut off. */
export const CUT_OFF = `Only the newest ${EXPORT_LIMIT.toLocaleString('en-AU')} rows. Narrow the filter for the others.`
