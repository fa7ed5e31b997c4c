import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { cardFacts } from '../businesses/fact-messages.ts'
import {
  type BusinessCardView,
  type BusinessRow,
  type BusinessView,
  selectBusinesses,
  toBusinessView,
} from '../businesses/queries.server.ts'
import { MIN_REVIEWS_TO_FEATURE } from '../businesses/rules.ts'
import { fieldsOnCard } from '../businesses/schema.ts'
import { distanceKm } from '../places/rules.ts'

type CardRow = BusinessRow & { rating_average: string | number | null; rating_count: string | number | null }

/**
 * Returns the cards of these businesses, in the order of their ids. Businesses hidden from visitors are left out.
 * @param ids at most a page of them
 */
export async function listBusinessCards(db: Database, ids: readonly string[]): Promise<BusinessCardView[]> {
  if (ids.length === 0) return []
  // Joins places and reviews for these businesses only; `selectCards` aggregates all of them.
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('places')
          .whereRef('places.id', '=', 'businesses.place_id')
          .select(['places.name as place_name', 'places.state', 'places.latitude', 'places.longitude'])
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
    .selectAll('businesses')
    .select([
      'place.place_name',
      'place.state',
      'place.latitude',
      'place.longitude',
      'business_registrations.abn',
      'ratings.rating_average',
      'ratings.rating_count',
    ])
    .where('businesses.id', 'in', ids)
    .where('businesses.deleted_at', 'is', null)
    .where('businesses.hidden_at', 'is', null)
    .execute()
  const cards = new Map(rows.map((row) => [row.id, toCard(row)]))
  return ids.flatMap((id) => cards.get(id) ?? [])
}

/** Returns the newest businesses of all categories. */
export async function listNewestBusinesses(db: Database, limit: number): Promise<BusinessCardView[]> {
  const rows = await selectCards(db)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .limit(limit)
    .execute()
  return rows.map(toCard)
}

/** Returns the businesses with at least three approved reviews, best rated first. */
export async function listBestRatedBusinesses(db: Database, limit: number): Promise<BusinessCardView[]> {
  const rows = await selectCards(db)
    .where('ratings.count', '>=', MIN_REVIEWS_TO_FEATURE)
    .orderBy('ratings.average', 'desc')
    .orderBy('ratings.count', 'desc')
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .limit(limit)
    .execute()
  return rows.map(toCard)
}

/**
 * Returns businesses of the same category by other vendors, the nearest first.
 * @returns each with its distance in whole km as the crow flies, 0 in the same place
 */
export async function listSimilarNearby(
  db: Database,
  business: Pick<BusinessView, 'id' | 'category' | 'userId'>,
  limit: number,
): Promise<(BusinessCardView & { distanceKm: number })[]> {
  const here = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['places.latitude', 'places.longitude'])
    .where('businesses.id', '=', business.id)
    .executeTakeFirst()
  if (!here) return []
  const { latitude, longitude } = here
  // Degrees of longitude get shorter towards the poles. With that correction, the squared planar distance sorts well
  // enough.
  const shrink = Math.cos((latitude * Math.PI) / 180)
  const rows = await selectCards(db)
    .where('businesses.category', '=', business.category)
    .where('businesses.user_id', '!=', business.userId)
    .where('businesses.id', '!=', business.id)
    .orderBy(
      sql`power(places.latitude - ${latitude}, 2) + power((places.longitude - ${longitude}) * ${shrink}, 2)`,
    )
    .orderBy('businesses.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toCard(row), distanceKm: Math.round(distanceKm(here, row)) }))
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

function selectCards(db: Database) {
  return selectBusinesses(db)
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
    .select(['ratings.average as rating_average', 'ratings.count as rating_count'])
    .where('businesses.deleted_at', 'is', null)
    .where('businesses.hidden_at', 'is', null)
}

function toCard(row: CardRow): BusinessCardView {
  const view = toBusinessView(row)
  return {
    ...fieldsOnCard(view),
    id: view.id,
    description: view.seoDescription,
    price: view.price,
    priceCents: view.priceCents,
    priceUnit: view.priceUnit,
    secondPrice: view.secondPrice,
    location: view.location,
    pictures: view.pictures,
    abnRegistered: view.abnRegistered,
    factsOnCard: cardFacts(view),
    // One driver returns the count as text: '0' is true.
    rating: Number(row.rating_count)
      ? { average: Math.round(Number(row.rating_average) * 10) / 10, count: Number(row.rating_count) }
      : null,
  }
}
