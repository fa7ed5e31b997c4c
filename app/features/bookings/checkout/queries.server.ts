import { sql } from 'kysely'
import type { Database } from '../../../adapters/database/port.ts'
import type { LocalDate, LocalTime } from '../../../shared/dates.ts'
import type { Cents } from '../../../shared/money.ts'
import { readSignedList } from '../../../shared/signed-cookie.server.ts'
import { bookableDays } from '../../availability/free-time-rules.ts'
import { findAvailability } from '../../availability/hours-queries.server.ts'
import type { AvailabilityRules } from '../../availability/rules.ts'
import { factsOf } from '../../businesses/fact-rules.ts'
import {
  type BusinessView,
  findBusiness,
  toListingTerms,
  toSecondPrice,
} from '../../businesses/queries.server.ts'
import type { Pricing } from '../../businesses/rules.ts'
import { isVisible } from '../../businesses/visible-queries.server.ts'
import { findNewestPayment, findUnfulfilledReason } from '../../payments/queries.server.ts'
import { BROWSER_PAYMENTS_COOKIE, type PaymentState, type UnfulfilledReason } from '../../payments/rules.ts'
import { placeLabel } from '../../places/rules.ts'
import { formOf, type Sale } from '../../sales/rules.ts'
import type { ListingTerms } from '../../terms/rules.ts'
import type { BookingServices } from '../deps.server.ts'
import type { BookingForm } from '../form-rules.ts'
import { findBookingByLink } from '../list/queries.server.ts'
import { wasCalledOff } from '../open-queries.server.ts'
import { bookingLinkToken, type CustomerBooking } from '../rules.ts'
import { isCalledOff } from '../status-rules.ts'

/** The properties of an offer that a sale keeps unchanged. */
const AS_OFFERED = [
  'ownerUserId',
  'businessId',
  'businessName',
  'place',
  'facts',
  'timeZone',
  'abn',
  'gstRegistered',
] as const satisfies (keyof Sale)[]
type AsOffered = Pick<Sale, (typeof AS_OFFERED)[number]>

/** The data of a business that a sale needs, from its current row. */
export type BookingOfferRow = Pricing &
  AsOffered & {
    category: string
    terms: ListingTerms
  }

/** The part of an offer that a sale keeps. */
export function saleAsOffered(offer: BookingOfferRow): AsOffered {
  return Object.fromEntries(AS_OFFERED.map((name) => [name, offer[name]])) as AsOffered
}

/**
 * Reads a business's offer to customers.
 * @returns null when it is missing, deleted or hidden, or its owner is deactivated or disabled (Decisions 18, 19)
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
      'businesses.category',
      'businesses.facts',
      'businesses.user_id',
      'businesses.price_cents',
      'businesses.price_unit',
      'businesses.second_price_cents',
      'businesses.second_price_unit',
      'businesses.policy',
      'businesses.deposit_basis_points',
      'businesses.balance_days_before',
      'places.name as place_name',
      'places.state',
      'places.time_zone',
      'business_registrations.abn',
      'business_registrations.gst_registered',
    ])
    .where('businesses.id', '=', businessId)
    .where(isVisible())
    .where('users.deactivated_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    businessId: row.id,
    businessName: row.name,
    category: row.category,
    ownerUserId: row.user_id,
    place: placeLabel({ name: row.place_name, state: row.state }),
    facts: factsOf(row.category, row.facts),
    timeZone: row.time_zone,
    priceCents: Number(row.price_cents),
    priceUnit: row.price_unit,
    secondPrice: toSecondPrice(row),
    abn: row.abn,
    gstRegistered: row.gst_registered ?? false,
    terms: toListingTerms(row),
  }
}

/** A business with the days and limits that its booking form needs. */
export type BookableBusiness = Pick<AvailabilityRules, 'timeZone' | 'eventMinutes' | 'maxGuests'> & {
  business: BusinessView
  days: { first: LocalDate; last: LocalDate }
  /** The server's time, ISO 8601, UTC: browsers' clocks may be wrong. */
  now: string
  payoutTimes: BookingServices['payoutTimes']
}

/**
 * Reads a business for its booking form.
 * @returns null when there is no such business; 'gone' when it can't be booked, for now or for good
 */
export async function findBookable(
  db: Database,
  businessId: string,
  { now, payoutTimes }: { now: Date; payoutTimes: BookingServices['payoutTimes'] },
): Promise<BookableBusiness | 'gone' | null> {
  const [business, offer, rules] = await Promise.all([
    findBusiness(db, businessId),
    findBookingOffer(db, businessId),
    findAvailability(db, businessId),
  ])
  if (!business) return null
  if (business === 'gone' || !offer || !rules) return 'gone'
  const { timeZone, eventMinutes, maxGuests } = rules
  return {
    business,
    timeZone,
    eventMinutes,
    maxGuests,
    days: bookableDays(rules, now),
    now: now.toISOString(),
    payoutTimes,
  }
}

/** A payment that this browser began. */
export type BrowserPayment = {
  paymentId: string
  /** The provider's id; null until the provider has created the payment. */
  reference: string | null
  state: PaymentState
  /** The charge of this payment: the whole price, or a deposit. */
  amountCents: Cents
  /** The whole price. */
  totalCents: Cents
  /** ISO 8601, UTC. */
  expiresAt: string
  submitKey: string
  businessId: string
  businessName: string
  form: BookingForm
  /** The id of the quote that it accepts; null for a booking from the form. */
  quoteId: string | null
  /** Null until the payment is settled, and for a payment that became no booking. */
  booking: CustomerBooking | null
  /** Why the charged payment became no booking and is refunded in full; null for every other. */
  unbooked: UnfulfilledReason | null
}

/**
 * Finds a payment that this browser began, by its signed cookie: for the success screen, and to resume an unfinished
 * booking (Decision 9).
 * @param input.reference the provider's id, or null for the newest
 * @returns null when this browser began no such payment
 */
export async function findBrowserPayment(
  db: Database,
  input: { cookieHeader: string | null; secret: string; reference: string | null },
): Promise<BrowserPayment | null> {
  const ids = await readSignedList(input.cookieHeader, BROWSER_PAYMENTS_COOKIE, input.secret)
  if (ids.length === 0) return null
  const row = await findNewestPayment(db, { paymentIds: ids, reference: input.reference })
  if (!row) return null
  const { sale } = row
  return {
    paymentId: row.id,
    reference: row.provider_reference,
    state: row.state,
    amountCents: Number(row.amount_cents),
    totalCents: sale.priceCents,
    expiresAt: row.expires_at.toISOString(),
    submitKey: row.submit_key,
    businessId: sale.businessId,
    businessName: sale.businessName,
    form: formOf(sale),
    quoteId: sale.quote?.id ?? null,
    booking: await findBookingByLink(db, await bookingLinkToken(input.secret, row.id)),
    unbooked: await findUnfulfilledReason(db, row.id),
  }
}

/**
 * Finds what this browser has just booked with a business, for whoever comes back to its form.
 * @returns the day of the event, with the path of the booking; null if the browser's newest payment is of something else, or off
 */
export async function findBookedHere(
  db: Database,
  { businessId, ...browser }: { cookieHeader: string | null; secret: string; businessId: string },
): Promise<{ date: string; link: string } | null> {
  const payment = await findBrowserPayment(db, { ...browser, reference: null })
  if (payment?.businessId !== businessId || !payment.booking) return null
  const { stored, link } = payment.booking
  return isCalledOff(stored.status) ? null : { date: stored.date, link }
}

/** How many of a vendor's newest bookings show when their events start. */
const RECENT_STARTS = 50

/** The start times of a business's newest bookings that stand or wait. */
export async function listRecentStarts(db: Database, businessId: string): Promise<LocalTime[]> {
  const rows = await db
    .selectFrom('bookings')
    .select(sql<LocalTime>`to_char(time, 'HH24:MI')`.as('time'))
    .where('vendor_id', '=', businessId)
    .where((eb) => eb.not(wasCalledOff()))
    .orderBy('created_at', 'desc')
    .limit(RECENT_STARTS)
    .execute()
  return rows.map(({ time }) => time)
}
