import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { HOME_ZONE } from '../../shared/dates.ts'
import { type PriceUnit, toNumericString } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { DOCUMENTS } from '../agreements/rules.ts'
import type { Coordinates } from '../places/rules.ts'
import { factsOf } from './fact-rules.ts'
import {
  type BusinessRow,
  type BusinessView,
  selectBusinesses,
  toBusinessView,
  toListingTerms,
} from './queries.server.ts'
import { type HidingParty, otherUnit } from './rules.ts'
import { fieldsOfRow } from './schema.ts'
import { isVisible } from './visible-queries.server.ts'

/** The ids of a vendor's businesses, including deleted ones, whose bookings still belong to the vendor. */
export async function listBusinessIdsOfOwner(db: Database, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('businesses').select('id').where('user_id', '=', userId).execute()
  return rows.map((row) => row.id)
}

/** Counts a vendor's listings that were saved and wait for them to accept the vendor agreement. */
export async function countWaitingListings(db: Database, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('waiting_since', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Lists vendors with a public listing who have accepted no version of the vendor agreement, and haven't been told of the one
 * in force: they began before it was asked for.
 * @returns user ids
 */
export async function listOwnersWithoutAgreement(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('users.id')
    .where(({ exists, not, selectFrom }) =>
      exists(
        selectFrom('businesses')
          .select('businesses.id')
          .whereRef('businesses.user_id', '=', 'users.id')
          .where(isVisible()),
      ).and(
        not(
          exists(
            selectFrom('acceptances')
              .select('acceptances.id')
              .whereRef('acceptances.user_id', '=', 'users.id')
              .where('document', '=', 'vendor_agreement'),
          ),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('agreement_notices')
            .select('version')
            .whereRef('agreement_notices.user_id', '=', 'users.id')
            .where('version', '=', DOCUMENTS.vendor_agreement.version),
        ),
      ),
    )
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

const VIEW_DAYS = 30

/** A business as its owner sees it, hidden or not, with its activity. */
export type OwnListing = BusinessView & {
  /** `reason` is the operator's text. Empty if no operator hid it. */
  hidden: { by: HidingParty; reason: string } | null
  /** Page views of the last 30 days. */
  recentViews: number
  /** A ticked booking type without a price, from the time when one price covered both. null for none. */
  unpricedUnit: PriceUnit | null
  /** Whether the vendor has chosen the cancellation policy and the payment plan. */
  choseTerms: boolean
}

/** Every business of this user except deleted ones, newest first. Only for its owner. */
export async function listOwnListings(db: Database, userId: string, now: Date): Promise<OwnListing[]> {
  const rows = await selectOwn(db, now)
    .where('businesses.user_id', '=', userId)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  return rows.map(toOwnListing)
}

/**
 * Reads one business of this user for editing.
 * @returns null if it's unknown, deleted or another user's
 */
export async function findOwnListing(
  db: Database,
  input: { userId: string; businessId: string; now: Date },
): Promise<OwnListing | null> {
  const row = await selectOwn(db, input.now)
    .where('businesses.id', '=', input.businessId)
    .where('businesses.user_id', '=', input.userId)
    .executeTakeFirst()
  return row ? toOwnListing(row) : null
}

function selectOwn(db: Database, now: Date) {
  const firstDay = new Date(now.getTime() - VIEW_DAYS * DAY_MS).toISOString().slice(0, 10)
  return selectBusinesses(db)
    .where('businesses.deleted_at', 'is', null)
    .select('businesses.chose_terms')
    .select(
      sql<string>`(select coalesce(sum(views), 0) from business_views
        where business_id = businesses.id and day > ${firstDay})`.as('recent_views'),
    )
}

function toOwnListing(
  row: BusinessRow & { recent_views: string | number; chose_terms: boolean },
): OwnListing {
  const view = toBusinessView(row)
  const isUnpriced = row.booking_types.length > 1 && view.priceCents > 0 && !view.secondPrice
  return {
    ...view,
    unpricedUnit: isUnpriced ? otherUnit(view.priceUnit) : null,
    choseTerms: row.chose_terms,
    hidden: row.hidden_by ? { by: row.hidden_by, reason: row.operator_reason ?? '' } : null,
    recentViews: Number(row.recent_views),
  }
}

/** A listing in the account's data export: every form field, under the names of the specification. */
export function toExportedListing(row: Omit<BusinessRow, 'abn' | 'register_problem' | keyof Coordinates>) {
  return {
    id: row.id,
    ...fieldsOfRow(row),
    price: toNumericString(Number(row.price_cents)),
    priceUnit: row.price_unit,
    secondPrice: row.second_price_unit === null ? null : toNumericString(Number(row.second_price_cents)),
    secondPriceUnit: row.second_price_unit,
    bookingTypes: row.booking_types,
    facts: factsOf(row.category, row.facts),
    ...toListingTerms(row),
    location: `${row.place_name} ${row.state}`,
    images: row.images.map((image) => image.url),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The zone of a vendor's oldest business, in which their months begin. */
export async function findVendorZone(db: Database, userId: string): Promise<string> {
  const row = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select('places.time_zone')
    .where('businesses.user_id', '=', userId)
    .orderBy('businesses.created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.time_zone ?? HOME_ZONE
}

/** Locks a listing of this user: changes of several tabs follow each other. Nothing for another's, or a deleted one. */
export function lockOwnListing(tx: DatabaseTransaction, input: { userId: string; businessId: string }) {
  return tx
    .selectFrom('businesses')
    .select([
      'category',
      'images',
      'hidden_at',
      'hidden_by',
      'waiting_since',
      'max_guests',
      'facts',
      'updated_at',
    ])
    .where('id', '=', input.businessId)
    .where('user_id', '=', input.userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
