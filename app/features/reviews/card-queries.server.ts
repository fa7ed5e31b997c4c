import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { toNumericString } from '../../shared/money.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { cardFacts } from '../businesses/fact-messages.ts'
import { factsOf } from '../businesses/fact-rules.ts'
import {
  type BusinessCardView,
  type BusinessRow,
  type BusinessView,
  toListingTerms,
  toSecondPrice,
} from '../businesses/queries.server.ts'
import { MIN_REVIEWS_TO_FEATURE } from '../businesses/rules.ts'
import { CARD_COLUMNS, cardFieldsOfRow } from '../businesses/schema.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import { distanceKm, placeLabel } from '../places/rules.ts'

/** A whole row with its description would take several times as long to read. */
const COLUMNS = [
  ...CARD_COLUMNS.map((column) => `businesses.${column}` as const),
  'businesses.id',
  'businesses.user_id',
  'businesses.seo_description',
  'businesses.max_guests',
  'businesses.facts',
  'businesses.price_cents',
  'businesses.price_unit',
  'businesses.second_price_cents',
  'businesses.second_price_unit',
  'businesses.policy',
  'businesses.deposit_basis_points',
  'businesses.balance_days_before',
  'businesses.images',
] as const

type Column = (typeof COLUMNS)[number] extends `businesses.${infer Name}` ? Name : never
type CardRow = Pick<BusinessRow, Column | 'place_name' | 'state' | 'abn' | 'register_problem'> & {
  rating_average: string | number | null
  rating_count: string | number | null
}

/**
 * Returns the cards of these businesses, in the order of their ids. Businesses hidden from visitors are left out.
 * @param ids at most a page of them
 */
export async function listBusinessCards(db: Database, ids: readonly string[]): Promise<BusinessCardView[]> {
  if (ids.length === 0) return []
  const rows = await selectCards(db).where('businesses.id', 'in', ids).execute()
  const cards = new Map(rows.map((row) => [row.id, toCard(row)]))
  return ids.flatMap((id) => cards.get(id) ?? [])
}

/** A business without what its card shows, to choose from many. */
export type ListedBusiness = Pick<BusinessCardView, 'id' | 'category' | 'priceCents'>

/** Returns the newest businesses of all categories. */
export async function listNewestBusinesses(db: Database, limit: number): Promise<ListedBusiness[]> {
  const rows = await selectRated(db)
    .select(LISTED_COLUMNS)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .limit(limit)
    .execute()
  return rows.map(toListed)
}

/** Returns the businesses with at least three approved reviews, best rated first. */
export async function listBestRatedBusinesses(db: Database, limit: number): Promise<ListedBusiness[]> {
  const rows = await selectBestRated(db, limit).execute()
  return rows.map(toListed)
}

/** Returns the cards of the same businesses in the same order, for a page that shows most of them. */
export async function listBestRatedCards(db: Database, limit: number): Promise<BusinessCardView[]> {
  const rows = await selectCards(db)
    .innerJoin(selectBestRated(db, limit).as('best'), 'best.id', 'businesses.id')
    .orderBy('best.average', 'desc')
    .orderBy('best.count', 'desc')
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  return rows.map(toCard)
}

/**
 * Returns businesses of the same category by other vendors, the nearest first, and the newest first in one place.
 * @returns each with its distance in whole km as the crow flies, 0 in the same place
 */
export async function listSimilarNearby(
  db: Database,
  business: Pick<BusinessView, 'category' | 'userId'> & { place: { latitude: number; longitude: number } },
  limit: number,
): Promise<(BusinessCardView & { distanceKm: number })[]> {
  const { latitude, longitude } = business.place
  // Degrees of longitude get shorter towards the poles. With that correction, the squared planar distance sorts well
  // enough.
  const shrink = Math.cos((latitude * Math.PI) / 180)
  const away = sql<number>`power(places.latitude - ${latitude}, 2) + power((places.longitude - ${longitude}) * ${shrink}, 2)`
  const rows = await selectCards(db)
    .innerJoin(
      (eb) =>
        eb
          // Reads listings only in the nearest places, since a category may have hundreds of thousands.
          .selectFrom(
            eb
              .selectFrom('listed_places')
              .innerJoin('places', 'places.id', 'listed_places.place_id')
              .select(['places.id', 'places.latitude', 'places.longitude', away.as('away')])
              .where('listed_places.category', '=', business.category)
              .where('listed_places.listed', '>', 0)
              .orderBy('away')
              .as('around'),
          )
          .innerJoinLateral(
            (of) =>
              of
                .selectFrom('businesses as other')
                .select(['other.id', 'other.created_at'])
                .where('other.category', '=', business.category)
                .whereRef('other.place_id', '=', 'around.id')
                .where('other.user_id', '!=', business.userId)
                .where(isVisible('other'))
                .orderBy('other.created_at', 'desc')
                .orderBy('other.id')
                .limit(limit)
                .as('other'),
            (join) => join.onTrue(),
          )
          .select(['other.id', 'around.away', 'around.latitude', 'around.longitude'])
          .orderBy('around.away')
          .orderBy('other.created_at', 'desc')
          .orderBy('other.id')
          .limit(limit)
          .as('near'),
      (join) => join.onRef('near.id', '=', 'businesses.id'),
    )
    .select(['near.latitude', 'near.longitude'])
    .orderBy('near.away')
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  return rows.map((row) => ({ ...toCard(row), distanceKm: Math.round(distanceKm(business.place, row)) }))
}

/** Returns every public business of these vendors by owner, newest first. */
export async function listBusinessCardsByVendor(
  db: Database,
  userIds: readonly string[],
): Promise<Map<string, BusinessCardView[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await selectCards(db)
    .where('businesses.user_id', 'in', userIds)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  const byOwner = Map.groupBy(rows, (row) => row.user_id)
  return new Map([...byOwner].map(([userId, owned]) => [userId, owned.map(toCard)]))
}

/** Returns every public business of one vendor, newest first. */
export async function listBusinessesOfVendor(db: Database, userId: string): Promise<BusinessCardView[]> {
  return (await listBusinessCardsByVendor(db, [userId])).get(userId) ?? []
}

const LISTED_COLUMNS = ['businesses.id', 'businesses.category', 'businesses.price_cents'] as const

function selectBestRated(db: Database, limit: number) {
  return selectRated(db)
    .select([...LISTED_COLUMNS, 'ratings.average', 'ratings.count'])
    .where('ratings.count', '>=', MIN_REVIEWS_TO_FEATURE)
    .orderBy('ratings.average', 'desc')
    .orderBy('ratings.count', 'desc')
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .limit(limit)
}

/** Selects every visible business with its ratings. */
function selectRated(db: Database) {
  return db
    .selectFrom('businesses')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('reviews')
          .where('approved', '=', true)
          .groupBy('business_id')
          .select(['business_id', sql<string>`avg(rating)`.as('average'), sql<number>`count(*)`.as('count')])
          .as('ratings'),
      (join) => join.onRef('ratings.business_id', '=', 'businesses.id'),
    )
    .where(isVisible())
}

/** Selects cards, with ratings of these businesses only. `selectRated` aggregates the reviews of all. */
function selectCards(db: Database) {
  return db
    .selectFrom('businesses')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('places')
          .whereRef('places.id', '=', 'businesses.place_id')
          .select(['places.name as place_name', 'places.state'])
          .limit(1)
          .as('place'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('reviews')
          .whereRef('reviews.business_id', '=', 'businesses.id')
          .where('reviews.approved', '=', true)
          .select([
            sql<string | null>`avg(rating)`.as('rating_average'),
            sql<number>`count(*)`.as('rating_count'),
          ])
          .as('ratings'),
      (join) => join.onTrue(),
    )
    .leftJoin('business_registrations', 'business_registrations.user_id', 'businesses.user_id')
    .select(COLUMNS)
    .select([
      'place.place_name',
      'place.state',
      'business_registrations.abn',
      'business_registrations.register_problem',
      'ratings.rating_average',
      'ratings.rating_count',
    ])
    .where(isVisible())
    .modifyEnd(PREPARED)
}

function toListed(row: Pick<BusinessRow, 'id' | 'category' | 'price_cents'>): ListedBusiness {
  return { id: row.id, category: row.category, priceCents: Number(row.price_cents) }
}

function toCard(row: CardRow): BusinessCardView {
  const priceCents = Number(row.price_cents)
  const facts = factsOf(row.category, row.facts)
  const { plan } = toListingTerms(row)
  return {
    ...cardFieldsOfRow(row),
    id: row.id,
    description: row.seo_description,
    price: toNumericString(priceCents),
    priceCents,
    priceUnit: row.price_unit,
    secondPrice: toSecondPrice(row),
    ...(plan.kind === 'deposit' ? { plan } : {}),
    location: placeLabel({ name: row.place_name, state: row.state }),
    pictures: row.images,
    abnRegistered: row.abn !== null && row.register_problem === null,
    factsOnCard: cardFacts({ category: row.category, maxGuests: row.max_guests, facts }),
    // One driver returns the count as text: '0' is true.
    rating: Number(row.rating_count)
      ? { average: Math.round(Number(row.rating_average) * 10) / 10, count: Number(row.rating_count) }
      : null,
  }
}
