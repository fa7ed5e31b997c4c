import { sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../../adapters/database/port.ts'
import { factsOnBooking } from '../../businesses/fact-rules.ts'
import { nextDue, takenOffCentsOf } from '../../sales/amount-rules.ts'
import { deadlineOf } from '../../sales/plan-queries.server.ts'
import { canExtend, isClosed, overdueAt } from '../../sales/plan-rules.ts'
import { spanText } from '../../sales/rules.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import { vendorStatusOf } from '../decisions/decline-rules.ts'
import { canWithdraw, hasEventEnded, needsPhone, offeredDecisions } from '../decisions/rules.ts'
import { timeLeft } from '../insights/rules.ts'
import { type BookingRow, findRowByLink, selectBookings } from '../row-queries.server.ts'
import {
  bankOf,
  cancellationOf,
  changeViewOf,
  declineReasonOf,
  leftOf,
  offPriceOf,
  refundAccountOf,
  refundsOf,
  refusalOf,
  termsOf,
  toStoredBooking,
} from '../row-rules.ts'
import {
  bookingLinkToken,
  type CustomerBooking,
  type CustomerDue,
  partPaymentOf,
  toListedBooking,
  type VendorBooking,
  type VendorDue,
  type VendorReader,
} from '../rules.ts'
import type { BookingPlace } from './my-bookings-rules.ts'

// The most bookings of a list that is read without ids.
const LIST_LIMIT = 500

/**
 * Lists the bookings of a vendor's own businesses, newest first (Specification, section 7).
 * @param input.businessId one business, or 'all'. Another owner's business gives an empty list
 * @param input.ids only these, in this order
 */
export async function listBookingsOfBusinesses(
  db: Database,
  input: { userId: string; businessId: string | 'all'; now: Date; ids?: readonly string[] },
): Promise<VendorBooking[]> {
  const { ids } = input
  if (ids?.length === 0) return []
  let query = selectBookings(db).where('sales.owner_user_id', '=', input.userId)
  if (input.businessId !== 'all') query = query.where('bookings.vendor_id', '=', input.businessId)
  if (ids) query = query.where('bookings.id', 'in', ids)
  const rows = await query
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .limit(ids?.length ?? LIST_LIMIT)
    .execute()
  const places = new Map(ids?.map((id, index) => [id, index]))
  if (ids) rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  return rows.map((row) => {
    const status = vendorStatusOf(row)
    const stored = toStoredBooking({ ...row, status })
    const isReachable = needsPhone({ status, event: row.sale.event }, input.now)
    const { refund, otherRefunds } = refundsOf(row)
    const isWaiting = row.tells_at !== null
    return {
      id: row.id,
      listed: toListedBooking(stored),
      stored: isReachable ? stored : { ...stored, phone: '' },
      span: spanText(row.sale),
      refund,
      otherRefunds,
      declineReason: declineReasonOf(row),
      waiting: row.tells_at && { tellsAt: row.tells_at.toISOString(), code: row.decline_code },
      cancellation: cancellationOf(row),
      off: offPriceOf(row),
      payments: termsOf(row)?.payments ?? null,
      leftCents: leftOf(row),
      bank: bankOf(row),
      due: isWaiting ? null : vendorDueOf(row, input.now),
      change: isWaiting ? null : changeViewOf(row, input.now),
      canChange: !isWaiting && refusalOf(row, input.now) === null,
      left: status === 'pending' ? timeLeft(row.decide_by, input.now) : null,
      timeZone: row.sale.timeZone,
      decisions: offeredDecisions({
        status,
        refund,
        isEventOver: hasEventEnded(row.sale.event, input.now),
      }),
    }
  })
}

/** Returns the unpaid rest of a booking with the vendor's one extension; null once nothing is due. */
function vendorDueOf(row: BookingRow, now: Date): VendorDue | null {
  const terms = termsOf(row)
  const due = terms && partPaymentOf(terms)
  const next = row.instalments.find((instalment) => !isClosed(instalment))
  if (!due || !next) return null
  const { timeZone } = row.sale
  const extendedAt = next.extended_at
  const instalment = { ...deadlineOf(next, row), state: next.state }
  const endsAt = overdueAt(instalment, timeZone)?.toISOString() ?? null
  return {
    ...due,
    canExtend: canExtend(instalment, { now, timeZone }),
    extendedUntil: extendedAt && endsAt,
    endsAt,
  }
}

/** The next payment of a booking, and when leaving it unpaid ends the booking; null once nothing is due. */
function customerDueOf(row: BookingRow): CustomerDue | null {
  const terms = termsOf(row)
  const due = terms && nextDue(terms)
  const next = row.instalments.find((instalment) => !isClosed(instalment))
  if (!due || !next) return null
  const endsAt = overdueAt(deadlineOf(next, row), row.sale.timeZone)
  return { ...due, endsAt: endsAt?.toISOString() ?? null }
}

/**
 * Finds the first payment of a booking for its vendor.
 * @returns its id; null for an unknown booking or another vendor's
 */
export async function findPurchaseOfVendor(
  db: Database,
  { userId, bookingId }: { userId: string; bookingId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select('sales.id')
    .where('bookings.id', '=', bookingId)
    .where('sales.owner_user_id', '=', userId)
    .executeTakeFirst()
  return row?.id ?? null
}

type Customer = { userId: string; verifiedEmail: string | null }

/** The condition that a booking is this customer's. `bookings` and `sales` are in the query. */
function isOfCustomer({ userId, verifiedEmail }: Customer) {
  return sql<boolean>`(sales.customer_user_id = ${userId}
    or (${verifiedEmail}::text is not null and bookings.email = ${verifiedEmail}))`
}

/**
 * Lists where each of a customer's bookings stands in My Bookings. A page reads in full only the bookings that it shows.
 */
export async function listBookingPlaces(db: Database, customer: Customer): Promise<BookingPlace[]> {
  return db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.status',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      'sales.time_zone as timeZone',
    ])
    .where(isOfCustomer(customer))
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .execute()
}

/**
 * Lists a customer's bookings, made while signed in or with the account's verified email (Decision 3), newest first.
 * @param input.verifiedEmail the account's email; null while it is not verified
 * @param input.secret the key for deriving each booking's link
 * @param input.ids only these
 */
export async function listBookingsOfCustomer(
  db: Database,
  input: Customer & { secret: string; ids?: readonly string[] },
): Promise<CustomerBooking[]> {
  const { ids } = input
  if (ids?.length === 0) return []
  const rows = await selectBookings(db)
    .where(isOfCustomer(input))
    .$if(ids !== undefined, (query) => query.where('bookings.id', 'in', ids ?? []))
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .limit(ids ? ids.length : LIST_LIMIT)
    .execute()
  const contacts = await findVendorContacts(
    db,
    rows.map((row) => row.owner_user_id),
  )
  return Promise.all(
    rows.map(async (row) =>
      toCustomerBooking(row, contacts, await bookingLinkToken(input.secret, row.payment_row_id)),
    ),
  )
}

/**
 * Finds a booking by its unguessable link (Decision 3).
 * @returns null for an unknown token, and until the payment is settled
 */
export async function findBookingByLink(db: Database, linkToken: string): Promise<CustomerBooking | null> {
  const row = await findRowByLink(db, linkToken)
  return row ? toCustomerBooking(row, await findVendorContacts(db, [row.owner_user_id]), linkToken) : null
}

function toCustomerBooking(
  row: BookingRow,
  contacts: ReadonlyMap<string, VendorReader>,
  linkToken: string,
): CustomerBooking {
  const terms = termsOf(row)
  const contact = contacts.get(row.owner_user_id)
  return {
    id: row.id,
    stored: toStoredBooking(row),
    ...refundsOf(row),
    refundAccount: refundAccountOf(row),
    declineReason: row.status === 'declined' ? declineReasonOf(row) : null,
    cancellation: cancellationOf(row),
    canWithdraw: canWithdraw(row),
    takenOffCents: takenOffCentsOf(row),
    leftCents: leftOf(row),
    bank: bankOf(row),
    terms,
    due: customerDueOf(row),
    decidedBy: row.decide_by.toISOString(),
    timeZone: row.sale.timeZone,
    span: spanText(row.sale),
    event: row.sale.event,
    place: row.sale.place,
    stated: factsOnBooking(row.sale.facts),
    contact: contact ? { name: contact.name, phone: contact.phone, email: contact.email } : null,
    change: row.change && {
      isAgreed: row.change.state === 'accepted',
      proposedBy: row.change.proposed_by,
      // Times are text inside JSON.
      expiresAt: new Date(row.change.expires_at).toISOString(),
    },
    link: href('/bookings/:linkToken', { linkToken }),
  }
}
