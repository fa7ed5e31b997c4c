import { toNumericString } from '../../shared/money.ts'
import { paymentWords } from '../bookings/list/vendor-list-rules.ts'
import { paidAndDueOf } from '../sales/amount-rules.ts'
import type { OperatorAccount } from './account-queries.server.ts'
import type { ListedBooking } from './booking-queries.server.ts'
import type { AgedDispute } from './dispute-queries.server.ts'
import type { JournalLine } from './ledger-queries.server.ts'
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

const moneyOf = ({ payments, amountCents: totalCents }: ListedBooking) =>
  paidAndDueOf({ payments, totalCents })

export const BOOKING_COLUMNS: Columns<ListedBooking> = [
  ['Booking', (row) => row.id],
  ['Payment', (row) => row.paymentId],
  ['Booked at (UTC)', (row) => row.createdAt],
  ['Event', (row) => row.date],
  ['Status', (row) => row.status],
  ['Payment status', paymentWords],
  ['Answer by (UTC)', (row) => row.decideBy],
  ['Price (AUD)', (row) => toNumericString(row.amountCents)],
  ['Business', (row) => row.businessName],
  ['Listing', (row) => row.businessId],
  ['Name', (row) => row.customerName],
  ['Email', (row) => row.email],
  ['Paid (AUD)', (row) => toNumericString(moneyOf(row).paidCents)],
  ['Still due (AUD)', (row) => toNumericString(moneyOf(row).dueCents)],
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

export const DISPUTE_COLUMNS: Columns<AgedDispute> = [
  ['Dispute', (row) => row.id],
  ['Reference', (row) => row.reference],
  ['Provider', (row) => row.provider],
  ['Payment', (row) => row.paymentId],
  ['Opened at (UTC)', (row) => row.openedAt],
  ['Evidence due (UTC)', (row) => row.evidenceDueAt],
  ['Closed at (UTC)', (row) => row.closedAt],
  ['State', (row) => row.status],
  ['Reason', (row) => row.reason],
  ['Amount (AUD)', (row) => toNumericString(row.amountCents)],
  ['Funds', (row) => row.funds],
  ['Business', (row) => row.businessName],
  ['Name', (row) => row.customerName],
  ['Email', (row) => row.email],
  ['Booking status', (row) => row.bookingStatus],
]

/** As bookkeeping programs import a journal: each posting is a row, its amount under debit or credit. */
export const JOURNAL_COLUMNS: Columns<JournalLine> = [
  ['Transaction', (row) => row.transactionId],
  ['Posted at (UTC)', (row) => row.postedAt],
  ['Kind', (row) => row.kind],
  ['Event', (row) => row.key],
  ['Account', (row) => row.account],
  ['Debit (AUD)', (row) => (row.cents > 0 ? toNumericString(row.cents) : null)],
  ['Credit (AUD)', (row) => (row.cents < 0 ? toNumericString(-row.cents) : null)],
  ['Vendor', (row) => row.vendorUserId],
  ['Booking', (row) => row.bookingId],
  ['Payment', (row) => row.paymentId],
  ['Reference', (row) => row.reference],
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
