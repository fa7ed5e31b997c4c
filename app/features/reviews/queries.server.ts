import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import { saleJson } from '../sales/queries.server.ts'
import { isByItsVendor } from './invitation-queries.server.ts'
import type { REVIEW_REFUSALS } from './messages.ts'
import { averageRating, MAX_RATING, reviewRefusal } from './rules.ts'

/** A published review. */
export type ReviewView = {
  id: string
  authorName: string
  /** Whole stars from 1 to 5. */
  rating: number
  body: string
  createdAt: string
}

export type BusinessReviews = {
  /** Rounded to one decimal; null without reviews. */
  average: number | null
  count: number
  /** Newest first. */
  reviews: ReviewView[]
}

/**
 * Returns the approved reviews of a business with their average (Decision 12). Reviews that wait for a moderator or
 * were rejected are neither shown nor counted.
 */
export async function findApprovedReviews(db: Database, businessId: string): Promise<BusinessReviews> {
  const rows = await db
    .selectFrom('reviews')
    .select(['id', 'author_name', 'rating', 'body', 'created_at'])
    .where('business_id', '=', businessId)
    .where('approved', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .modifyEnd(PREPARED)
    .execute()
  return {
    average: averageRating(rows.map((row) => row.rating)),
    count: rows.length,
    reviews: rows.map((row) => ({
      id: row.id,
      authorName: row.author_name,
      rating: row.rating,
      body: row.body,
      createdAt: row.created_at.toISOString(),
    })),
  }
}

/** The published reviews of all listings of a vendor. */
export type VendorRatings = {
  /** Rounded to one decimal. */
  average: number
  count: number
  /** How many gave each number of stars, from five stars down to one. */
  byStars: { stars: number; count: number }[]
  newest: ReviewView & { businessId: string; businessName: string }
}

/** Adds up the published reviews of a vendor's listings, without deleted ones; null without any. */
export async function findVendorRatings(db: Database, userId: string): Promise<VendorRatings | null> {
  const rows = await db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .select([
      'reviews.id',
      'reviews.author_name',
      'reviews.rating',
      'reviews.body',
      'reviews.created_at',
      'reviews.business_id',
      'businesses.name',
    ])
    .where('businesses.user_id', '=', userId)
    .where('businesses.deleted_at', 'is', null)
    .where('reviews.approved', '=', true)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id')
    .execute()
  const [newest] = rows
  const average = averageRating(rows.map(({ rating }) => rating))
  if (!newest || average === null) return null
  return {
    average,
    count: rows.length,
    byStars: Array.from({ length: MAX_RATING }, (_, index) => MAX_RATING - index).map((stars) => ({
      stars,
      count: rows.filter(({ rating }) => rating === stars).length,
    })),
    newest: {
      id: newest.id,
      authorName: newest.author_name,
      rating: newest.rating,
      body: newest.body,
      createdAt: newest.created_at.toISOString(),
      businessId: newest.business_id,
      businessName: newest.name,
    },
  }
}

/** A booking that its customer may review. */
export type Reviewable = {
  bookingId: string
  businessId: string
  /** The account that booked; null for a guest. */
  customerUserId: string | null
  vendorName: string
  customerName: string
  date: LocalDate
}

/**
 * The person who writes a review: a signed-in customer, with their address only if it is verified; or the holder of the
 * booking's link, whose account is `userId` if they are signed in.
 */
export type Reviewer =
  | { bookingId: string; userId: string; verifiedEmail: string | null }
  | { linkToken: string; userId: string | null }

/** The condition that a booking is this reviewer's. `bookings` and `sales` are in the query. */
async function isOfReviewer(by: Reviewer): Promise<RawBuilder<boolean>> {
  // A deleted account leaves its bookings without an address: their links write nothing any more.
  if ('linkToken' in by)
    return sql<boolean>`(sales.link_hash = ${await hashText(by.linkToken)} and bookings.email <> '')`
  return sql<boolean>`(bookings.id = ${by.bookingId} and (sales.customer_user_id = ${by.userId}
    or (${by.verifiedEmail}::text is not null and bookings.email = ${by.verifiedEmail})))`
}

/** Returns the booking and its business if this customer may review it (Decision 12), or the reason why not. */
export async function findReviewable(
  db: Database,
  { by, now }: { by: Reviewer; now: Date },
): Promise<{ ok: true; booking: Reviewable } | { ok: false; reason: keyof typeof REVIEW_REFUSALS }> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .leftJoin('businesses', 'businesses.id', 'bookings.vendor_id')
    .leftJoin('reviews', 'reviews.booking_id', 'bookings.id')
    .select([
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.status',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      saleJson().as('sale'),
      'sales.owner_user_id',
      'businesses.id as business_id',
      'businesses.user_id as present_owner',
      'businesses.deleted_at',
      'reviews.id as review_id',
      'bookings.id',
      'sales.customer_user_id',
      isByItsVendor().as('is_by_vendor'),
    ])
    .where(await isOfReviewer(by))
    .executeTakeFirst()
  if (!row) return refuse('not_found')
  const isOwner = by.userId !== null && [row.owner_user_id, row.present_owner].includes(by.userId)
  if (isOwner || row.is_by_vendor) return refuse('own_business')
  const refusal = reviewRefusal({ status: row.status, date: row.date, timeZone: row.sale.timeZone }, now)
  if (refusal) return refuse(refusal)
  if (row.review_id) return refuse('already_written')
  if (!row.business_id || row.deleted_at) return refuse('business_gone')
  return {
    ok: true,
    booking: {
      bookingId: row.id,
      businessId: row.business_id,
      customerUserId: row.customer_user_id,
      vendorName: row.vendor_name,
      customerName: row.customer_name,
      date: row.date,
    },
  }
}

/** The condition that a review is this person's, also one that a guest with their verified email wrote by the booking's link. */
export function isByReviewer(person: { userId: string; verifiedEmail: string | null }): RawBuilder<boolean> {
  return sql<boolean>`(reviews.user_id = ${person.userId} or reviews.user_id is null and reviews.booking_id in (
    select id from bookings where bookings.email = ${person.verifiedEmail}::text))`
}

/** Returns those of these bookings that have a review, whatever the moderator decided. */
export async function findReviewedBookings(
  db: Database,
  bookingIds: readonly string[],
): Promise<Set<string>> {
  if (bookingIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('reviews')
    .select('booking_id')
    .where('booking_id', 'in', bookingIds)
    .execute()
  return new Set(rows.map((row) => row.booking_id ?? ''))
}
