import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { wasCalledOff } from '../bookings/open-queries.server.ts'
import type { BookingStatus } from '../bookings/status-rules.ts'
import type { HidingParty } from '../businesses/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { listAccounts, type OperatorAccount } from './account-queries.server.ts'
import { likePart } from './list-queries.server.ts'
import { type LogEntry, toLogEntry } from './log-queries.server.ts'
import { may, type Role } from './role-rules.ts'
import {
  COUNT_LIMIT,
  phoneCore,
  type ReviewState,
  reviewStateOf,
  VENDOR_REVIEWS,
  VENDOR_ROWS,
} from './rules.ts'

/** A vendor in the results of a search. */
export type FoundVendor = {
  userId: string
  /** The registration's, else the oldest listing's, else the person's. */
  name: string
  email: string
  /** The oldest listing; null without one. */
  businessId: string | null
  listings: number
}

/** A vendor as operators know them: by their registration, their oldest listing, or their own name. Of a row of `users`. */
export const VENDOR_NAME = sql<string>`coalesce(
  (select business_name from business_registrations where user_id = users.id),
  (select name from businesses where user_id = users.id and deleted_at is null order by created_at, id limit 1),
  users.name)`

/** Lists the vendors that match the words of a search, newest first. */
export async function listVendors(
  db: Database,
  { words, limit }: { words: string; limit: number },
): Promise<FoundVendor[]> {
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      'users.email',
      VENDOR_NAME.as('name'),
      eb
        .selectFrom('businesses')
        .select('businesses.id')
        .whereRef('businesses.user_id', '=', 'users.id')
        .where('businesses.deleted_at', 'is', null)
        .orderBy('businesses.created_at')
        .orderBy('businesses.id')
        .limit(1)
        .as('business_id'),
      eb
        .selectFrom('businesses')
        .select((owned) => owned.fn.countAll().as('count'))
        .whereRef('businesses.user_id', '=', 'users.id')
        .where('businesses.deleted_at', 'is', null)
        .as('listings'),
    ])
    .where(matchesVendor(words))
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    userId: row.id,
    name: row.name,
    email: row.email,
    businessId: row.business_id,
    listings: Number(row.listings ?? 0),
  }))
}

/** Counts the vendors that match the words of a search, up to `COUNT_LIMIT` + 1. */
export async function countVendors(db: Database, words: string): Promise<number> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where(matchesVendor(words))
    .limit(COUNT_LIMIT + 1)
    .execute()
  return found.length
}

/**
 * The condition that an account is a vendor's who matches the words of a search: part of their name, of a listing's or of the
 * registration's, part of an email address, a whole ABN, or a phone number. One query for each index.
 */
function matchesVendor(words: string): RawBuilder<boolean> {
  const part = likePart(words)
  const abn = words.replace(/\D/g, '')
  const phone = phoneCore(words)
  const numbers = [
    ...(abn.length === 11 ? [sql`select user_id from business_registrations where abn = ${abn}`] : []),
    ...(phone
      ? [
          sql`select user_id from business_registrations
            where regexp_replace(business_phone, '\\D', '', 'g') like ${`%${phone}`}
              or regexp_replace(owner_phone, '\\D', '', 'g') like ${`%${phone}`}`,
          sql`select id from users where regexp_replace(phone, '\\D', '', 'g') like ${`%${phone}`}`,
        ]
      : []),
  ]
  const found = [
    sql`select id from users where name ilike ${part} or email::text ilike ${part}`,
    sql`select user_id from businesses where name ilike ${part} and deleted_at is null`,
    sql`select user_id from business_registrations where business_name ilike ${part} or business_email ilike ${part}`,
    ...numbers,
  ]
  return sql<boolean>`users.id in (${sql.join(found, sql` union `)})
    and (exists (select from businesses where user_id = users.id and deleted_at is null)
      or exists (select from business_registrations where user_id = users.id))`
}

/** Everything about a vendor but their money, as far as the operator's role may open its lists. Times are ISO 8601, UTC. */
export type VendorFacts = {
  account: OperatorAccount
  /** '' without one. */
  phone: string
  registration: { businessName: string; abn: string; phone: string; email: string } | null
  listings: {
    id: string
    name: string
    category: string
    hiddenBy: HidingParty | null
    reason: string | null
  }[]
  /** The next paid bookings that aren't called off, and how many there are. */
  ahead: {
    count: number
    bookings: {
      id: string
      paymentId: string
      customerName: string
      span: string
      status: BookingStatus
      cents: Cents
    }[]
  }
  disputes: {
    id: string
    customerName: string
    status: DisputeStatus
    cents: Cents
    dueAt: string | null
    isOpen: boolean
  }[]
  reviews:
    | {
        id: string
        businessName: string
        authorName: string
        rating: number
        body: string
        state: ReviewState
        createdAt: string
      }[]
    | null
  reports:
    | { id: string; customerName: string; reason: string; createdAt: string; outcome: string | null }[]
    | null
  log: LogEntry[]
}

/**
 * Finds a vendor's account and what belongs to it: the newest `VENDOR_ROWS` of each. No message is read: a reported conversation
 * is opened on its own page, which logs that.
 * @returns null when there is no such account
 */
export async function findVendorFacts(
  db: Database,
  about: { userId: string; role: Role; now: Date; adminEmails: ReadonlySet<string> },
): Promise<VendorFacts | null> {
  const { userId, role, now, adminEmails } = about
  const [account] = await listAccounts(db, { words: '', userId, disabled: false, now, adminEmails, limit: 1 })
  if (!account) return null
  const [person, registration, listings, ahead, disputes, reviews, reports, log] = await Promise.all([
    db.selectFrom('users').select('phone').where('id', '=', userId).executeTakeFirst(),
    findRegistration(db, userId),
    findListings(db, userId),
    findAhead(db, userId, now),
    findDisputes(db, userId),
    may(role, 'moderate') ? findReviews(db, userId) : null,
    may(role, 'read-reports') ? findReports(db, userId) : null,
    findLog(db, userId),
  ])
  return {
    account,
    phone: person?.phone ?? '',
    registration,
    listings,
    ahead,
    disputes,
    reviews,
    reports,
    log,
  }
}

async function findRegistration(db: Database, userId: string): Promise<VendorFacts['registration']> {
  const row = await db
    .selectFrom('business_registrations')
    .select(['business_name', 'abn', 'business_phone', 'business_email'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  return {
    businessName: row.business_name,
    abn: row.abn,
    phone: row.business_phone,
    email: row.business_email,
  }
}

async function findListings(db: Database, userId: string): Promise<VendorFacts['listings']> {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'name', 'category', 'hidden_by', 'operator_reason'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(VENDOR_ROWS)
    .execute()
  return rows.map(({ hidden_by: hiddenBy, operator_reason: reason, ...listing }) => ({
    ...listing,
    ...{ hiddenBy, reason },
  }))
}

async function findAhead(db: Database, userId: string, now: Date): Promise<VendorFacts['ahead']> {
  const rows = await db
    .selectFrom('sales')
    .innerJoin('bookings', 'bookings.payment_row_id', 'sales.id')
    .select((eb) => [
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.customer_name',
      'bookings.status',
      'bookings.total_price_cents',
      saleJson().as('sale'),
      eb.fn.countAll().over().as('count'),
    ])
    .where('sales.owner_user_id', '=', userId)
    .where('sales.event_until', '>', now)
    .where((eb) => eb.not(wasCalledOff()))
    .orderBy('sales.event_from')
    .orderBy('bookings.id')
    .limit(VENDOR_ROWS)
    .execute()
  return {
    count: Number(rows[0]?.count ?? 0),
    bookings: rows.map((row) => ({
      id: row.id,
      paymentId: row.payment_row_id,
      customerName: row.customer_name,
      span: spanText(row.sale),
      status: row.status,
      cents: Number(row.total_price_cents),
    })),
  }
}

async function findDisputes(db: Database, userId: string): Promise<VendorFacts['disputes']> {
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select([
      'disputes.id',
      'disputes.status',
      'disputes.amount_cents',
      'disputes.evidence_due_at',
      'disputes.closed_at',
      'sales.customer_name',
    ])
    .where('sales.owner_user_id', '=', userId)
    .orderBy('disputes.opened_at', 'desc')
    .orderBy('disputes.id')
    .limit(VENDOR_ROWS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    customerName: row.customer_name,
    status: row.status,
    cents: Number(row.amount_cents),
    dueAt: row.evidence_due_at?.toISOString() ?? null,
    isOpen: row.closed_at === null,
  }))
}

async function findReviews(db: Database, userId: string): Promise<NonNullable<VendorFacts['reviews']>> {
  const rows = await db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .select([
      'reviews.id',
      'businesses.name',
      'reviews.author_name',
      'reviews.rating',
      'reviews.body',
      'reviews.approved',
      'reviews.rejected_reason',
      'reviews.created_at',
    ])
    .where('businesses.user_id', '=', userId)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id')
    .limit(VENDOR_REVIEWS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    businessName: row.name,
    authorName: row.author_name,
    rating: row.rating,
    body: row.body,
    state: reviewStateOf(row),
    createdAt: row.created_at.toISOString(),
  }))
}

async function findReports(db: Database, userId: string): Promise<NonNullable<VendorFacts['reports']>> {
  const rows = await db
    .selectFrom('conversation_reports')
    .innerJoin('conversations', 'conversations.id', 'conversation_reports.conversation_id')
    .select([
      'conversation_reports.id',
      'conversation_reports.reason',
      'conversation_reports.created_at',
      'conversation_reports.outcome',
      'conversations.customer_name',
    ])
    .where('conversations.owner_user_id', '=', userId)
    .orderBy('conversation_reports.created_at', 'desc')
    .orderBy('conversation_reports.id')
    .limit(VENDOR_ROWS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    customerName: row.customer_name,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    outcome: row.outcome,
  }))
}

/** The operators' acts on the account or one of its listings. */
async function findLog(db: Database, userId: string): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('operator_log')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('subject_kind', '=', 'account'), eb('subject_id', '=', userId)]),
        eb.and([
          eb('subject_kind', '=', 'listing'),
          eb('subject_id', 'in', eb.selectFrom('businesses').select('id').where('user_id', '=', userId)),
        ]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(VENDOR_ROWS)
    .execute()
  return rows.map(toLogEntry)
}
