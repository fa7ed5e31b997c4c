import { type InferResult, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { type PriceUnit, toNumericString } from '../../shared/money.ts'
import { hashText } from '../../shared/signed.ts'
import { formatEventSpan } from '../availability/rules.ts'
import type { AgreedTime } from '../availability/slot-queries.server.ts'
import { type Replan, type ReplanRefusal, replan } from '../instalments/replan-rules.ts'
import { canExtend, overdueAt } from '../instalments/rules.ts'
import { type RefundStatus, refundStateOf } from '../payments/rules.ts'
import type { SoldSnapshot } from '../payments/tables.server.ts'
import { agreedTermsOf } from '../terms/rules.ts'
import type { CancellationView } from './cancellation-rules.ts'
import {
  type ChangeView,
  changeRefusal,
  freeUntilOf,
  OPEN_STATES,
  type Sale,
  shownText,
} from './change-rules.ts'
import { timeLeft } from './insight-rules.ts'
import type { BookingPlace } from './my-bookings-rules.ts'
import {
  type BookingStatus,
  type BookingTerms,
  bookingLinkToken,
  type CustomerBooking,
  type CustomerDue,
  canWithdraw,
  hasEventEnded,
  mergeRefunds,
  nextDue,
  offeredDecisions,
  type PaymentStatus,
  paidCentsOf,
  partPaymentOf,
  type RefundView,
  type StoredBooking,
  toListedBooking,
  toRefundView,
  type VendorBooking,
  type VendorDue,
  type VendorReader,
} from './rules.ts'

// The most bookings of a list that is read without ids.
const LIST_LIMIT = 500

/** The time of a booking as agreed when its payment began. */
export function agreedTime({ event, occupied, timeZone }: SoldSnapshot): AgreedTime {
  const span = ({ from, until }: typeof event) => ({ from: new Date(from), until: new Date(until) })
  return { event: span(event), occupied: span(occupied), timeZone }
}

/** The event from start to end, in words. */
export function spanText(sold: SoldSnapshot): string {
  return formatEventSpan(agreedTime(sold).event, sold.timeZone)
}

/** The condition that a payment is one of those of the booking's purchase. */
function isOfPurchase(paymentId: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(paymentId)} in (
    select bookings.payment_row_id union all select id from payments as more where more.follows = bookings.payment_row_id)`
}

/** Selects bookings with their payment and refunds. The one source of `BookingRow`. */
function selectBookings(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select((eb) => [
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.line',
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      'bookings.phone',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      'bookings.quantity',
      'bookings.booking_type',
      'bookings.total_price_cents',
      'bookings.payment_status',
      'bookings.payment_id',
      'bookings.status',
      'bookings.created_at',
      'bookings.decide_by',
      'bookings.remind_at',
      'payments.sold',
      'payments.paid_at',
      'payments.owner_user_id',
      'payments.customer_user_id',
      jsonArrayFrom(
        eb
          .selectFrom('payment_actions as refunds')
          .select([
            'refunds.state',
            'refunds.provider_status',
            'refunds.resolution',
            'refunds.amount_cents',
            'refunds.due_at',
            'refunds.done_at',
            'refunds.reason',
          ])
          .where(isOfPurchase('refunds.payment_id'))
          .whereRef('refunds.line', '=', 'bookings.line')
          .where('refunds.kind', '=', 'refund')
          .where('refunds.state', '<>', 'cancelled')
          .where(sql<boolean>`refunds.resolution is distinct from 'refunded_again'`)
          .orderBy('refunds.created_at')
          .orderBy('refunds.id'),
      ).as('refunds'),
      jsonArrayFrom(
        eb
          .selectFrom('instalments')
          .select([
            'instalments.amount_cents',
            'instalments.state',
            'instalments.due_at',
            'instalments.paid_at',
            'instalments.extended_at',
          ])
          .whereRef('instalments.payment_id', '=', 'bookings.payment_row_id')
          .orderBy('instalments.number'),
      ).as('instalments'),
      // A lost dispute, or another try, replaces the refund that has the reason.
      eb
        .selectFrom('payment_actions as reasons')
        .select('reasons.note')
        .where(isOfPurchase('reasons.payment_id'))
        .whereRef('reasons.line', '=', 'bookings.line')
        .where('bookings.status', '=', 'declined')
        .where('reasons.kind', '=', 'refund')
        .where('reasons.reason', '=', 'declined')
        .where('reasons.note', 'is not', null)
        .orderBy('reasons.created_at', 'desc')
        .orderBy('reasons.id', 'desc')
        .limit(1)
        .as('decline_reason'),
      jsonObjectFrom(
        eb
          .selectFrom('cancellations')
          .select([
            'cancellations.cancelled_by',
            'cancellations.refund_cents',
            'cancellations.kept_cents',
            'cancellations.uncollected_cents',
            'cancellations.reason',
            'cancellations.created_at',
          ])
          .whereRef('cancellations.booking_id', '=', 'bookings.id')
          .where('bookings.status', 'in', ['declined', 'withdrawn'])
          .orderBy('cancellations.created_at', 'desc')
          .limit(1),
      ).as('cancellation'),
      jsonObjectFrom(
        eb
          .selectFrom('changes')
          .select([
            'changes.id',
            'changes.proposed_by',
            'changes.state',
            'changes.sale_before',
            'changes.sale_after',
            'changes.expires_at',
          ])
          .whereRef('changes.booking_id', '=', 'bookings.id')
          .where('changes.state', 'in', OPEN_STATES),
      ).as('change'),
    ])
}

/** A row of `selectBookings`. */
export type BookingRow = InferResult<ReturnType<typeof selectBookings>>[number]

/** Converts a row into the record of the specification, section 3. */
export function toStoredBooking(row: {
  vendor_id: string
  vendor_name: string
  customer_name: string
  email: string
  phone: string
  date: string
  time: string
  quantity: number
  booking_type: PriceUnit
  total_price_cents: string | number
  payment_status: PaymentStatus
  payment_id: string
  status: BookingStatus
  created_at: Date
}): StoredBooking {
  return {
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    email: row.email,
    phone: row.phone,
    date: row.date,
    time: row.time,
    quantity: row.quantity,
    bookingType: row.booking_type,
    totalPrice: toNumericString(Number(row.total_price_cents)),
    paymentStatus: row.payment_status,
    paymentId: row.payment_id,
    createdAt: row.created_at.toISOString(),
    status: row.status,
  }
}

/** The refunds of a booking for screens: the one of its end, and what else an operator or a change has given back. */
function refundsOf(row: BookingRow): { refund: RefundView | null; otherRefunds: RefundView[] } {
  const refunds = row.refunds.map((refund) => ({
    state: refundStateOf({
      // The query leaves cancelled refunds out.
      state: refund.state as Exclude<RefundStatus, 'cancelled'>,
      providerStatus: refund.provider_status,
    }),
    resolution: refund.resolution,
    amountCents: Number(refund.amount_cents),
    // Times are text inside JSON.
    dueAt: new Date(refund.due_at),
    doneAt: refund.done_at ? new Date(refund.done_at) : null,
    reason: refund.reason,
  }))
  const isBesides = ({ reason }: (typeof refunds)[number]) => reason === 'operator' || reason === 'changed'
  const ofItsEnd = mergeRefunds(refunds.filter((refund) => !isBesides(refund)))
  return {
    refund: ofItsEnd && toRefundView(ofItsEnd),
    otherRefunds: refunds.filter(isBesides).map(toRefundView),
  }
}

/** How a booking was cancelled; null for any other booking. */
function cancellationOf({ cancellation }: BookingRow): CancellationView | null {
  return (
    cancellation && {
      by: cancellation.cancelled_by,
      // Times are text inside JSON.
      at: new Date(cancellation.created_at).toISOString(),
      refundCents: Number(cancellation.refund_cents),
      keptCents: Number(cancellation.kept_cents),
      uncollectedCents: Number(cancellation.uncollected_cents),
      reason: cancellation.reason,
    }
  )
}

/** When the decision's refund is due; null where there is none, or it has left. */
export function refundDueAtOf(row: BookingRow): Date | null {
  const { refund } = refundsOf(row)
  return refund && new Date(refund.dueAt)
}

/**
 * Lists the bookings of a vendor's own businesses, newest first (Specification, section 7).
 * @param input.businessId one business, or 'all'. Another owner's business gives an empty list
 * @param input.ids only these
 */
export async function listBookingsOfBusinesses(
  db: Database,
  input: { userId: string; businessId: string | 'all'; now: Date; ids?: readonly string[] },
): Promise<VendorBooking[]> {
  const { ids } = input
  if (ids?.length === 0) return []
  let query = selectBookings(db).where('payments.owner_user_id', '=', input.userId)
  if (input.businessId !== 'all') query = query.where('bookings.vendor_id', '=', input.businessId)
  if (ids) query = query.where('bookings.id', 'in', ids)
  const rows = await query
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .limit(ids?.length ?? LIST_LIMIT)
    .execute()
  return rows.map((row) => {
    const stored = toStoredBooking(row)
    const { refund, otherRefunds } = refundsOf(row)
    const terms = termsOf(row)
    return {
      id: row.id,
      listed: toListedBooking(stored),
      stored,
      span: spanText(row.sold),
      refund,
      otherRefunds,
      declineReason: row.decline_reason,
      cancellation: cancellationOf(row),
      paidCents: terms ? paidCentsOf(terms) : Number(row.total_price_cents),
      due: vendorDueOf(row, input.now),
      change: changeViewOf(row, input.now),
      canChange: refusalOf(row, input.now) === null,
      left: row.status === 'pending' ? timeLeft(row.decide_by, input.now) : null,
      timeZone: row.sold.timeZone,
      decisions: offeredDecisions({
        status: row.status,
        refund,
        isEventOver: hasEventEnded(row.sold.event, input.now),
      }),
    }
  })
}

/** Why a booking can't be changed; null if it can. */
export function refusalOf(row: BookingRow, now: Date) {
  const { status, payment_status: paymentStatus, sold } = row
  return changeRefusal({ status, paymentStatus, hasTerms: sold.terms !== undefined, event: sold.event }, now)
}

/** The open change of a booking, with what it costs or refunds at present; null for none. */
export function changeViewOf(row: BookingRow, now: Date): ChangeView | null {
  const { change } = row
  if (!change) return null
  const { sale_before: before, sale_after: after } = change
  const plan = replanOf(row, row.instalments, after, now)
  return {
    id: change.id,
    proposedBy: change.proposed_by,
    isAgreed: change.state === 'accepted',
    before,
    after,
    plan: plan.ok ? plan : null,
    shown: plan.ok ? shownText(after, plan) : '',
    freeUntil: freeUntilAfter(row, after, now),
    // Times are text inside JSON.
    expiresAt: new Date(change.expires_at).toISOString(),
  }
}

/** Until when cancelling would cost nothing after a change. */
export function freeUntilAfter(row: BookingRow, after: Pick<Sale, 'event'>, now: Date): Date | null {
  const terms = agreedTermsOf({ ...row.sold, event: after.event }, row.paid_at ?? row.created_at)
  return terms && freeUntilOf(terms, now)
}

/** How a booking would be paid after a change. @param instalments of its purchase, as they are now */
export function replanOf(
  row: Pick<BookingRow, 'total_price_cents' | 'date' | 'sold'>,
  instalments: readonly (Pick<BookingRow['instalments'][number], 'amount_cents' | 'state'> & {
    due_at: Date | string
  })[],
  after: { date: string; priceCents: number },
  now: Date,
): ({ ok: true } & Replan) | { ok: false; reason: ReplanRefusal } {
  return replan({
    instalments: instalments.map(({ amount_cents, due_at, state }) => ({
      cents: Number(amount_cents),
      dueAt: new Date(due_at),
      state,
    })),
    priceCents: Number(row.total_price_cents),
    newPriceCents: after.priceCents,
    day: row.date,
    newDay: after.date,
    timeZone: row.sold.timeZone,
    now,
  })
}

/** Returns the unpaid rest of a booking with the vendor's one extension; null once nothing is due. */
function vendorDueOf(row: BookingRow, now: Date): VendorDue | null {
  const terms = termsOf(row)
  const due = terms && partPaymentOf(terms)
  const next = row.instalments.find(({ state }) => state !== 'paid' && state !== 'ended')
  if (!due || !next) return null
  const { timeZone } = row.sold
  // Times are text inside JSON.
  const extendedAt = next.extended_at ? new Date(next.extended_at) : null
  const instalment = { state: next.state, dueAt: new Date(next.due_at), extendedAt }
  return {
    ...due,
    canExtend: canExtend(instalment, { now, timeZone }),
    extendedUntil: extendedAt && overdueAt(instalment, timeZone).toISOString(),
    endsAt: overdueAt(instalment, timeZone).toISOString(),
  }
}

/** The next payment of a booking, and when leaving it unpaid ends the booking; null once nothing is due. */
function customerDueOf(row: BookingRow): CustomerDue | null {
  const terms = termsOf(row)
  const due = terms && nextDue(terms)
  const next = row.instalments.find(({ state }) => state !== 'paid' && state !== 'ended')
  if (!due || !next) return null
  // Times are text inside JSON.
  const extendedAt = next.extended_at ? new Date(next.extended_at) : null
  const endsAt = overdueAt({ dueAt: new Date(next.due_at), extendedAt }, row.sold.timeZone)
  return { ...due, endsAt: endsAt.toISOString() }
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
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select('payments.id')
    .where('bookings.id', '=', bookingId)
    .where('payments.owner_user_id', '=', userId)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The payments of a price that is paid in parts, as JSON; null for one that is paid at once. */
export function partPayments(paymentRowId: string) {
  return sql<BookingTerms['payments'] | null>`(
    select json_agg(json_build_object('cents', i.amount_cents, 'at', coalesce(i.paid_at, i.due_at), 'state', i.state)
      order by i.number)
    from instalments i where i.payment_id = ${sql.ref(paymentRowId)} and i.amount_cents > 0)`
}

/** Whether the event of a booking has ended, in any zone. `payments` is in the query. */
export function isEventOver(now: Date) {
  return sql<boolean>`(payments.sold->'event'->>'until')::timestamptz <= ${now.toISOString()}::timestamptz`
}

/**
 * Whether a booking is open: paid and not refunded, neither declined nor withdrawn, its event not over. An open booking
 * keeps its business and its vendor's account from being deleted (Decision 19). `bookings` and `payments` are in the
 * query.
 */
export function isOpenBooking(now: Date) {
  return sql<boolean>`bookings.status in ('pending', 'approved') and bookings.payment_status = 'paid'
    and not ${isEventOver(now)}`
}

/** Counts the open bookings of each of these businesses. A business without any has no entry. */
export async function countOpenBookings(
  db: Database | DatabaseTransaction,
  businessIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (businessIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select(['bookings.vendor_id', sql<number>`count(*)::int`.as('count')])
    .where('bookings.vendor_id', 'in', businessIds)
    .where(isOpenBooking(now))
    .groupBy('bookings.vendor_id')
    .execute()
  return new Map(rows.map((row) => [row.vendor_id, row.count]))
}

type Customer = { userId: string; verifiedEmail: string | null }

/** The condition that a booking is this customer's. `bookings` and `payments` are in the query. */
function isOfCustomer({ userId, verifiedEmail }: Customer) {
  return sql<boolean>`(payments.customer_user_id = ${userId}
    or (${verifiedEmail}::text is not null and bookings.email = ${verifiedEmail}))`
}

/**
 * Lists where each of a customer's bookings stands in My Bookings. A page reads in full only the bookings that it shows.
 */
export async function listBookingPlaces(db: Database, customer: Customer): Promise<BookingPlace[]> {
  return db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.status',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      sql<string>`payments.sold->>'timeZone'`.as('timeZone'),
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

/** Finds the row of a booking by its unguessable link. */
export async function findRowByLink(db: Database, linkToken: string): Promise<BookingRow | undefined> {
  return selectBookings(db)
    .where('payments.link_hash', '=', await hashText(linkToken))
    .orderBy('bookings.line')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the row of a vendor's booking. */
export async function findRowOfVendor(
  db: Database,
  { bookingId, userId }: { bookingId: string; userId: string },
): Promise<BookingRow | undefined> {
  return selectBookings(db)
    .where('bookings.id', '=', bookingId)
    .where('payments.owner_user_id', '=', userId)
    .executeTakeFirst()
}

/** The columns of a booking that its terms follow from. Times inside JSON are text. */
export type SoldRow = Pick<BookingRow, 'sold' | 'paid_at' | 'created_at' | 'total_price_cents'> & {
  instalments: readonly (Pick<BookingRow['instalments'][number], 'amount_cents' | 'state'> & {
    due_at: Date | string
    paid_at: Date | string | null
  })[]
}

/** The terms that a booking was sold with, and its payments as they stand; null for a booking from before there were terms. */
export function termsOf(row: SoldRow): BookingTerms | null {
  const { terms } = row.sold
  if (!terms) return null
  const paidAt = (row.paid_at ?? row.created_at).toISOString()
  // One that an operator has taken off whole is no payment any more.
  const open = row.instalments.filter(({ amount_cents: cents }) => Number(cents) > 0)
  const instalments = open.map((instalment) => ({
    cents: Number(instalment.amount_cents),
    at: new Date(instalment.paid_at ?? instalment.due_at).toISOString(),
    state: instalment.state,
  }))
  const whole = { cents: Number(row.total_price_cents), at: paidAt, state: 'paid' } as const
  return { tiers: terms.policy.tiers, paidAt, payments: instalments.length > 0 ? instalments : [whole] }
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
    declineReason: row.decline_reason,
    cancellation: cancellationOf(row),
    canWithdraw: canWithdraw(row),
    terms,
    due: customerDueOf(row),
    decidedBy: row.decide_by.toISOString(),
    timeZone: row.sold.timeZone,
    span: spanText(row.sold),
    event: row.sold.event,
    place: row.sold.place,
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

/**
 * Finds the vendors' contact details for customers who have paid (Decision 20): the registration's, else the account's.
 * Mails to the vendor greet the account's owner.
 * @returns contacts by owner's user id; a deleted account has no entry
 */
export async function findVendorContacts(
  db: Database | DatabaseTransaction,
  ownerUserIds: readonly string[],
): Promise<Map<string, VendorReader>> {
  if (ownerUserIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .leftJoin('business_registrations', 'business_registrations.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.phone',
      'business_registrations.business_name',
      'business_registrations.business_email',
      'business_registrations.business_phone',
    ])
    .where('users.id', 'in', [...new Set(ownerUserIds)])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: row.business_name ?? row.name,
        person: row.name,
        phone: row.business_phone ?? row.phone,
        email: row.business_email ?? row.email,
      },
    ]),
  )
}

/**
 * Locks one booking in the transaction that decides about it.
 * @returns null when there is no such booking
 */
export async function lockBooking(tx: DatabaseTransaction, bookingId: string): Promise<BookingRow | null> {
  // A separate query, because PostgreSQL can't lock an outer join and the refund has to be read after the lock is held.
  const locked = await tx
    .selectFrom('bookings')
    .select('id')
    .where('id', '=', bookingId)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return null
  return (await selectBookings(tx).where('bookings.id', '=', bookingId).executeTakeFirst()) ?? null
}
