import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { placeLabel } from '../places/rules.ts'
import { ASKED_PRICES, PRICE_RANGE, type PriceRange, toPriceRange } from './market-queries.server.ts'
import type { BusinessCardView, PlaceView } from './queries.server.ts'
import { CATEGORIES, type Category, NEARBY_KM, SURROUNDINGS_KM } from './rules.ts'
import { isVisible } from './visible-queries.server.ts'

/** A place with its number of businesses in one category and its distance. */
export type NearPlace = { placeId: string; label: string; listed: number; distanceKm: number }

/** The landing page of a category in a place. Prices and services cover the place itself, without its surroundings. */
export type LandingView = {
  category: Category
  place: PlaceView
  /** The number of businesses in the place itself. */
  listed: number
  /** The newest of those businesses. */
  businesses: BusinessCardView[]
  /** The number of other businesses within `SURROUNDINGS_KM`. */
  listedAround: number
  /** The nearest of those businesses, with distances in whole km. */
  around: (BusinessCardView & { distanceKm: number })[]
  /** One range per unit. Empty if every price is on request. */
  prices: PriceRange[]
  /** Services that at least two of the newest businesses offer, most frequent first. */
  services: string[]
  /** The nearest other places with businesses of the category, within `NEARBY_KM`. */
  neighbours: NearPlace[]
  /** The other categories in the place itself. */
  otherCategories: { category: Category; listed: number }[]
}

/** Per degree of latitude, anywhere on Earth. */
const KM_PER_DEGREE = 111.195
/** One large card and eight rows of three. */
const LANDING_SIZE = 25
/** Only a few businesses of the surroundings if the place has its own. */
const AROUND_SIZE = 6
/** How many other places a landing page links to. */
export const NEIGHBOURS_SIZE = 12
const SERVICES_READ_OF = 200
const SERVICES_SIZE = 6

/**
 * Reads the landing page of a category in a place.
 * @param listCards reads the cards of businesses in order; passed in because ratings belong to a later feature
 * @returns null for an unknown place, or without a business in it or within `SURROUNDINGS_KM`
 */
export async function findLanding(
  db: Database,
  category: Category,
  placeId: string,
  listCards: (db: Database, ids: readonly string[]) => Promise<BusinessCardView[]>,
): Promise<LandingView | null> {
  const place = await db
    .selectFrom('places')
    .select(['id', 'name', 'state', 'latitude', 'longitude'])
    .where('id', '=', placeId)
    .executeTakeFirst()
  if (!place) return null
  const [inPlace, near] = await Promise.all([
    db
      .selectFrom('listed_places')
      .select(['category', 'listed'])
      .where('category', 'in', CATEGORIES)
      .where('place_id', '=', placeId)
      .where('listed', '>', 0)
      .execute(),
    listNearPlaces(db, category, place),
  ])
  const listed = inPlace.find((row) => row.category === category)?.listed ?? 0
  const surroundings = near.filter((other) => other.km <= SURROUNDINGS_KM)
  if (listed === 0 && surroundings.length === 0) return null
  const here = db
    .selectFrom('businesses')
    .where('category', '=', category)
    .where('place_id', '=', placeId)
    .where(isVisible())
  const newest = here.select('id').orderBy('created_at', 'desc').orderBy('id')
  const [own, around, prices, services] = await Promise.all([
    newest.limit(LANDING_SIZE).execute(),
    listIdsAround(db, category, surroundings, listed > 0 ? AROUND_SIZE : LANDING_SIZE),
    here
      .innerJoinLateral(ASKED_PRICES, (join) => join.onTrue())
      .where('asked.cents', '>', 0)
      .select(['category', 'asked.unit', ...PRICE_RANGE])
      .groupBy(['category', 'asked.unit'])
      .orderBy('asked.unit', 'desc')
      .execute(),
    db
      .selectFrom(
        here
          .select(sql<string>`unnest(services_offered)`.as('service'))
          .where('id', 'in', newest.limit(SERVICES_READ_OF))
          .as('offered'),
      )
      .select(sql<string>`min(service)`.as('service'))
      .groupBy(sql`lower(service)`)
      .having(sql`count(*)`, '>', 1)
      .orderBy(sql`count(*)`, 'desc')
      .orderBy('service')
      .limit(SERVICES_SIZE)
      .execute(),
  ])
  const cards = await listCards(
    db,
    [...own, ...around].map(({ id }) => id),
  )
  const kmOf = new Map(
    around.map(({ id, placeId }) => [id, surroundings.find((other) => other.id === placeId)?.km]),
  )
  return {
    category,
    place,
    listed,
    businesses: cards.filter(({ id }) => !kmOf.has(id)),
    listedAround: surroundings.reduce((sum, other) => sum + other.listed, 0),
    around: cards.flatMap((card) => {
      const km = kmOf.get(card.id)
      return km === undefined ? [] : { ...card, distanceKm: Math.round(km) }
    }),
    prices: prices.map(toPriceRange),
    services: services.map((row) => row.service),
    neighbours: near.slice(0, NEIGHBOURS_SIZE).map((other) => ({
      placeId: other.id,
      label: placeLabel(other),
      listed: other.listed,
      distanceKm: Math.round(other.km),
    })),
    otherCategories: CATEGORIES.flatMap((other) => {
      const row = inPlace.find((counted) => counted.category === other)
      return row && other !== category ? row : []
    }),
  }
}

/** The other places within `NEARBY_KM` with businesses of this category, nearest first. */
async function listNearPlaces(db: Database, category: Category, { id, latitude, longitude }: PlaceView) {
  // A degree of longitude shrinks towards the poles. Over this distance the Earth is flat enough.
  const shrink = Math.cos((latitude * Math.PI) / 180)
  const degrees = NEARBY_KM / KM_PER_DEGREE
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('listed_places')
        .innerJoin('places', 'places.id', 'listed_places.place_id')
        .select([
          'places.id',
          'places.name',
          'places.state',
          'listed_places.listed',
          sql<number>`${KM_PER_DEGREE} * sqrt((places.latitude - ${latitude}) ^ 2
            + ((places.longitude - ${longitude}) * ${shrink}) ^ 2)`.as('km'),
        ])
        .where('listed_places.category', '=', category)
        .where('listed_places.listed', '>', 0)
        .where('places.id', '!=', id)
        .where('places.latitude', '>', latitude - degrees)
        .where('places.latitude', '<', latitude + degrees)
        .where('places.longitude', '>', longitude - degrees / shrink)
        .where('places.longitude', '<', longitude + degrees / shrink)
        .as('near'),
    )
    .selectAll()
    .where('km', '<=', NEARBY_KM)
    .orderBy('km')
    .orderBy('id')
    .execute()
}

/** The businesses of the nearest places with their place, newest first within each place. */
async function listIdsAround(
  db: Database,
  category: Category,
  near: readonly { id: string }[],
  limit: number,
): Promise<{ id: string; placeId: string }[]> {
  // Each of these places has at least one business, so `limit` places are enough.
  const placeIds = near.slice(0, limit).map(({ id }) => id)
  const { rows } = await sql<{ id: string; place_id: string }>`select newest.id, near.place_id
    from unnest(${placeIds}::text[]) with ordinality as near (place_id, nth)
    cross join lateral (select id, created_at from businesses
      where category = ${category} and place_id = near.place_id and ${isVisible()}
      order by created_at desc, id limit ${limit}) newest
    order by near.nth, newest.created_at desc, newest.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ id: row.id, placeId: row.place_id }))
}

/** The places with the most businesses of a category, for links to their landing pages. */
export async function listPlacesOfCategory(
  db: Database,
  category: Category,
  limit: number,
): Promise<{ placeId: string; label: string; listed: number }[]> {
  const rows = await db
    .selectFrom('listed_places')
    .innerJoin('places', 'places.id', 'listed_places.place_id')
    .select(['places.id', 'places.name', 'places.state', 'listed_places.listed'])
    .where('listed_places.category', '=', category)
    .where('listed_places.listed', '>', 0)
    .orderBy('listed_places.listed', 'desc')
    .orderBy('listed_places.place_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ placeId: row.id, label: placeLabel(row), listed: row.listed }))
}
