import { type InferResult, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { type LocalDate, type LocalTime, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { toNumericString } from '../../shared/money.ts'
import { hashText, readSignedList } from '../../shared/signed.ts'
import type { AgreedTime } from '../availability/queries.server.ts'
import { formatEventSpan } from '../availability/rules.ts'
import { toSecondPrice } from '../businesses/queries.server.ts'
import type { Pricing } from '../businesses/rules.ts'
import { BROWSER_PAYMENTS_COOKIE, type PaymentState } from '../payments/rules.ts'
import type { SoldSnapshot } from '../payments/tables.server.ts'
import { placeLabel } from '../places/rules.ts'
import {
  type BookingForm,
  type BookingStatus,
  bookingLinkToken,
  bookingPath,
  type CustomerBooking,
  canWithdraw,
  offeredDecisions,
  type PaymentStatus,
  type RefundReason,
  type RefundState,
  type RefundView,
  type StoredBooking,
  toListedBooking,
  toRefundView,
  type UnbookedReason,
  type VendorBooking,
  type VendorContact,
} from './rules.ts'

// One vendor's list; paging comes when a vendor has more.
const LIST_LIMIT = 500

/** What is needed to sell a business, from its present row. */
export type BookingOfferRow = Pricing & {
  businessId: string
  businessName: string
  ownerUserId: string
  place: string
  timeZone: string
  abn: string | null
  gstRegistered: boolean
}

/**
 * Reads what a business offers to somebody who books it.
 * @returns null when it is absent, deleted or hidden, or its owner is deactivated or disabled (Decisions 18, 19)
 */
export async function findBookingOffer(db: Database, businessId: string): Promise<BookingOfferRow | null> {
  const row = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .leftJoin('users', 'users.id', 'businesses.user_id')
    .leftJoin('business_registrations', 'business_registrations.user_id', 'businesses.user_id')
    .select([
      'businesses.id',
      'businesses.name',
      'businesses.user_id',
      'businesses.price_cents',
      'businesses.price_unit',
      'businesses.second_price_cents',
      'businesses.second_price_unit',
      'places.name as place_name',
      'places.state',
      'places.time_zone',
      'business_registrations.abn',
      'business_registrations.gst_registered',
    ])
    .where('businesses.id', '=', businessId)
    .where('businesses.deleted_at', 'is', null)
    .where('businesses.hidden_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    businessId: row.id,
    businessName: row.name,
    ownerUserId: row.user_id,
    place: placeLabel({ name: row.place_name, state: row.state }),
    timeZone: row.time_zone,
    priceCents: Number(row.price_cents),
    priceUnit: row.price_unit,
    secondPrice: toSecondPrice(row),
    abn: row.abn,
    gstRegistered: row.gst_registered ?? false,
  }
}

/** The time that was sold, as it was agreed when the payment began. */
export function agreedTime({ event, occupied, timeZone }: SoldSnapshot): AgreedTime {
  const span = ({ from, until }: typeof event) => ({ from: new Date(from), until: new Date(until) })
  return { event: span(event), occupied: span(occupied), timeZone }
}

/** When the event is, as people read it. */
export function spanText(sold: SoldSnapshot): string {
  return formatEventSpan(agreedTime(sold).event, sold.timeZone)
}

/** Every booking with its payment and its live refund, read once in one way. */
function selectBookings(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .leftJoin('payment_actions as refunds', (join) =>
      join
        .onRef('refunds.payment_id', '=', 'bookings.payment_row_id')
        .onRef('refunds.line', '=', 'bookings.line')
        .on('refunds.kind', '=', 'refund')
        .on('refunds.state', '<>', 'cancelled'),
    )
    .select([
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
      'payments.owner_user_id',
      'payments.customer_user_id',
      'refunds.state as refund_state',
      'refunds.amount_cents as refund_amount_cents',
      'refunds.due_at as refund_due_at',
      'refunds.done_at as refund_done_at',
      'refunds.reason as refund_reason',
    ])
}

/** A booking's row as `selectBookings` reads it. */
export type BookingRow = InferResult<ReturnType<typeof selectBookings>>[number]

/** Makes the record of the specification, section 3, from its row. */
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

function refundOf(row: BookingRow): RefundView | null {
  if (!row.refund_state || !row.refund_due_at) return null
  return toRefundView({
    // The join leaves cancelled refunds out.
    state: row.refund_state as RefundState,
    amountCents: Number(row.refund_amount_cents),
    dueAt: row.refund_due_at,
    doneAt: row.refund_done_at,
    reason: row.refund_reason as RefundReason,
  })
}

/**
 * The vendor's list: bookings of this user's own businesses, newest first (Specification, section 7).
 * @param input.businessId one business, or 'all'; another owner's business gives an empty list
 */
export async function listBookingsOfBusinesses(
  db: Database,
  input: { userId: string; businessId: string | 'all' },
): Promise<VendorBooking[]> {
  let query = selectBookings(db).where('payments.owner_user_id', '=', input.userId)
  if (input.businessId !== 'all') query = query.where('bookings.vendor_id', '=', input.businessId)
  const rows = await query
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .limit(LIST_LIMIT)
    .execute()
  return rows.map((row) => {
    const stored = toStoredBooking(row)
    const refund = refundOf(row)
    return {
      id: row.id,
      listed: toListedBooking(stored),
      stored,
      span: spanText(row.sold),
      refund,
      decisions: offeredDecisions({ status: row.status, refund }),
    }
  })
}

/** Whether the event of a booking has ended, wherever it is. `payments` is in the query. */
export function isEventOver(now: Date) {
  return sql<boolean>`(payments.sold->'event'->>'until')::timestamptz <= ${now.toISOString()}::timestamptz`
}

/**
 * Whether a booking is open: paid and not refunded, neither declined nor withdrawn, its event not over. It keeps its
 * business and its vendor's account from being deleted (Decision 19). `bookings` and `payments` are in the query.
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

/** One booking on the vendor's overview. */
export type OverviewBooking = {
  id: string
  vendorId: string
  vendorName: string
  customerName: string
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  totalCents: Cents
}

/** The bookings on My Dashboard that need the vendor's attention. */
export type VendorOverview = {
  /** The ones that wait longest, first. */
  toDecide: OverviewBooking[]
  toDecideCount: number
  /** Approved and not over, the next one first. */
  nextEvents: OverviewBooking[]
  /** Of bookings made since the month began, without what is or will be refunded. */
  paidThisMonthCents: Cents
  /** 'November 2026', where the vendor's oldest business is. */
  month: string
  hasEverBeenBooked: boolean
}

const OVERVIEW_ROWS = 5
const HOME_ZONE = 'Australia/Sydney'

/** Reads the overview of one vendor: the bookings of this user's businesses, deleted ones too. */
export async function findVendorOverview(db: Database, userId: string, now: Date): Promise<VendorOverview> {
  const zone = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select('places.time_zone')
    .where('businesses.user_id', '=', userId)
    .orderBy('businesses.created_at')
    .limit(1)
    .executeTakeFirst()
  const timeZone = zone?.time_zone ?? HOME_ZONE
  const monthStart = wallTimeToUtc(`${wallTimeAt(now, timeZone).date.slice(0, 7)}-01`, '00:00', timeZone)
  const owned = db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .where('payments.owner_user_id', '=', userId)
  const rows = owned.select([
    'bookings.id',
    'bookings.vendor_id',
    'bookings.vendor_name',
    'bookings.customer_name',
    sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('day'),
    sql<string>`to_char(bookings.time, 'HH24:MI')`.as('start'),
    'bookings.quantity',
    'bookings.booking_type',
    'bookings.total_price_cents',
  ])
  const [toDecide, nextEvents, sums] = await Promise.all([
    rows
      .where('bookings.status', '=', 'pending')
      .where('bookings.payment_status', '=', 'paid')
      .orderBy('bookings.created_at')
      .limit(OVERVIEW_ROWS)
      .execute(),
    rows
      .where('bookings.status', '=', 'approved')
      .where(isOpenBooking(now))
      .orderBy('bookings.date')
      .orderBy('bookings.time')
      .limit(OVERVIEW_ROWS)
      .execute(),
    owned
      .select([
        (eb) => eb.fn.countAll<string>().as('bookings'),
        sql<string>`count(*) filter (where bookings.status = 'pending' and bookings.payment_status = 'paid')`.as(
          'pending',
        ),
        sql<string>`coalesce(sum(bookings.total_price_cents) filter (where bookings.payment_status = 'paid'
          and bookings.created_at >= ${monthStart.toISOString()}::timestamptz), 0)`.as('paid_this_month'),
      ])
      .executeTakeFirstOrThrow(),
  ])
  return {
    toDecide: toDecide.map(toOverviewBooking),
    toDecideCount: Number(sums.pending),
    nextEvents: nextEvents.map(toOverviewBooking),
    paidThisMonthCents: Number(sums.paid_this_month),
    month: new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone }).format(now),
    hasEverBeenBooked: Number(sums.bookings) > 0,
  }
}

function toOverviewBooking(row: {
  id: string
  vendor_id: string
  vendor_name: string
  customer_name: string
  day: string
  start: string
  quantity: number
  booking_type: PriceUnit
  total_price_cents: string | number
}): OverviewBooking {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    date: row.day,
    time: row.start,
    quantity: row.quantity,
    bookingType: row.booking_type,
    totalCents: Number(row.total_price_cents),
  }
}

/**
 * My Bookings: those made while signed in and those of the account's verified e-mail (Decision 3), newest first.
 * @param input.verifiedEmail null while the account's address is not verified
 * @param input.secret makes each booking's link
 */
export async function listBookingsOfCustomer(
  db: Database,
  input: { userId: string; verifiedEmail: string | null; secret: string },
): Promise<CustomerBooking[]> {
  const rows = await selectBookings(db)
    .where((eb) =>
      eb.or([
        eb('payments.customer_user_id', '=', input.userId),
        ...(input.verifiedEmail ? [eb('bookings.email', '=', input.verifiedEmail)] : []),
      ]),
    )
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .limit(LIST_LIMIT)
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
 * One booking by its unguessable link (Decision 3).
 * @returns null for a token that opens nothing, also while its payment is not settled
 */
export async function findBookingByLink(db: Database, linkToken: string): Promise<CustomerBooking | null> {
  const row = await selectBookings(db)
    .where('payments.link_hash', '=', await hashText(linkToken))
    .orderBy('bookings.line')
    .limit(1)
    .executeTakeFirst()
  return row ? toCustomerBooking(row, await findVendorContacts(db, [row.owner_user_id]), linkToken) : null
}

function toCustomerBooking(
  row: BookingRow,
  contacts: ReadonlyMap<string, VendorContact>,
  linkToken: string,
): CustomerBooking {
  return {
    id: row.id,
    stored: toStoredBooking(row),
    refund: refundOf(row),
    canWithdraw: canWithdraw(row),
    decidedBy: row.decide_by.toISOString(),
    timeZone: row.sold.timeZone,
    span: spanText(row.sold),
    event: row.sold.event,
    place: row.sold.place,
    contact: contacts.get(row.owner_user_id) ?? null,
    link: bookingPath(linkToken),
  }
}

/**
 * How a customer who has paid reaches the vendor (Decision 20): by the registration's contact, else the account's.
 * @returns by owner's user id; an account that is gone has no entry
 */
export async function findVendorContacts(
  db: Database | DatabaseTransaction,
  ownerUserIds: readonly string[],
): Promise<Map<string, VendorContact>> {
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
        phone: row.business_phone ?? row.phone,
        email: row.business_email ?? row.email,
      },
    ]),
  )
}

/** A payment that this browser began. */
export type BrowserPayment = {
  paymentId: string
  /** The provider's id; null while the provider has not answered. */
  reference: string | null
  state: PaymentState
  amountCents: Cents
  /** ISO 8601, UTC. */
  expiresAt: string
  submitKey: string
  businessId: string
  businessName: string
  draft: BookingForm
  /** Null until the payment is settled, and for one that became no booking. */
  booking: CustomerBooking | null
  /** Why it became no booking though it was charged; all of it goes back. */
  unbooked: UnbookedReason | null
}

/**
 * Finds a payment that this browser began, by its signed cookie: for the success screen, and to go on with an
 * unfinished booking (Decision 9).
 * @param input.reference the provider's id, or null for the newest
 * @returns null when this browser began no such payment
 */
export async function findBrowserPayment(
  db: Database,
  input: { cookieHeader: string | null; secret: string; reference: string | null },
): Promise<BrowserPayment | null> {
  const ids = await readSignedList(input.cookieHeader, BROWSER_PAYMENTS_COOKIE, input.secret)
  if (ids.length === 0) return null
  let query = db
    .selectFrom('payments')
    .select([
      'id',
      'provider_reference',
      'state',
      'amount_cents',
      'expires_at',
      'submit_key',
      'sold',
      'draft',
    ])
    .where('id', 'in', ids)
  if (input.reference !== null) query = query.where('provider_reference', '=', input.reference)
  const row = await query.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
  if (!row) return null
  const back = await db
    .selectFrom('payment_actions')
    .select('reason')
    .where('payment_id', '=', row.id)
    .where('kind', '=', 'refund')
    .where('line', 'is', null)
    .executeTakeFirst()
  return {
    paymentId: row.id,
    reference: row.provider_reference,
    state: row.state,
    amountCents: Number(row.amount_cents),
    expiresAt: row.expires_at.toISOString(),
    submitKey: row.submit_key,
    businessId: row.sold.businessId,
    businessName: row.sold.businessName,
    draft: row.draft,
    booking: await findBookingByLink(db, await bookingLinkToken(input.secret, row.id)),
    // Only what was never booked is refunded as a whole.
    unbooked: (back?.reason as UnbookedReason | undefined) ?? null,
  }
}

/**
 * One booking under a lock, inside the transaction that decides about it.
 * @returns null when there is no such booking
 */
export async function lockBooking(tx: DatabaseTransaction, bookingId: string): Promise<BookingRow | null> {
  // Locked apart: an outer join can't be locked, and the refund has to be read after the wait for the lock.
  const locked = await tx
    .selectFrom('bookings')
    .select('id')
    .where('id', '=', bookingId)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return null
  return (await selectBookings(tx).where('bookings.id', '=', bookingId).executeTakeFirst()) ?? null
}
