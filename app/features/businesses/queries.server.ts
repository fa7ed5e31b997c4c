import { type Selectable, sql } from 'kysely'
import type { Database, Tables } from '../../adapters/database/port.ts'
import { type Cents, type PriceUnit, toNumericString, type UnitPrice } from '../../shared/money.ts'
import { type Coordinates, distanceKm, placeLabel, type State } from '../places/rules.ts'
import {
  type BusinessImage,
  type BusinessRating,
  CATEGORIES,
  type Category,
  type HidingParty,
  MIN_REVIEWS_TO_FEATURE,
  NEARBY_KM,
  otherUnit,
  PAGE_SIZE,
  type Pricing,
  SURROUNDINGS_KM,
} from './rules.ts'

/** A suburb or town, never a street (Decision 20). */
export type PlaceView = { id: string; name: string; state: State } & Coordinates

/**
 * A business as pages, JSON and navigation state carry it (Specification, section 3): the price as a numeric
 * string, the location as text. Nothing here is private.
 */
export type BusinessView = Pricing & {
  id: string
  name: string
  category: Category
  description: string
  /** That of the first unit, in dollars as a numeric string: '1200.50'. */
  price: string
  location: string
  /** The suburb or town in which it is. */
  place: PlaceView
  servicesOffered: string[]
  /** Addresses, as the specification has them. */
  images: string[]
  /** The same images with what a page needs to lay them out before they arrive. */
  pictures: BusinessImage[]
  userId: string
  /** Only a business whose owner has registered a valid ABN carries the mark (Decision 8). */
  abnRegistered: boolean
  seoTitle: string
  seoDescription: string
  createdAt: string
  updatedAt: string
}

/** What a card on a list shows: the beginning of the description, the first picture. */
export type BusinessCardView = Pick<
  BusinessView,
  | 'id'
  | 'name'
  | 'category'
  | 'description'
  | 'price'
  | 'priceCents'
  | 'priceUnit'
  | 'secondPrice'
  | 'location'
  | 'pictures'
  | 'abnRegistered'
> & {
  /** Of the approved reviews; null without any. */
  rating: BusinessRating | null
}

/** A vendor: the person or firm behind businesses, with what is public of the registration (Decision 20). */
export type VendorView = {
  userId: string
  /** The registered business name; without a registration the name of the first listing, never the account's. */
  name: string
  logoUrl: string | null
  description: string
  website: string | null
  /** Eleven digits, or null without a registration. */
  abn: string | null
}

/** Enough for a list that drops down; the field takes any other too. */
const SUGGESTED_PLACES = 100

type Row = Selectable<Tables['businesses']> &
  Coordinates & { place_name: string; state: State; abn: string | null }
type CardRow = Row & { rating_average: string | number | null; rating_count: string | number | null }

/**
 * Reads one business by id.
 * @returns 'gone' for one that was deleted or is hidden (its page answers 410), null for one that never was
 */
export async function findBusiness(db: Database, id: string): Promise<BusinessView | 'gone' | null> {
  const row = await selectBusinesses(db).where('businesses.id', '=', id).executeTakeFirst()
  if (!row) return null
  return row.deleted_at || row.hidden_at ? 'gone' : toView(row)
}

/**
 * The cards of these businesses, in the order of their ids; one that visitors may not see is left out.
 * @param ids few enough for one page
 */
export async function listBusinessCards(db: Database, ids: readonly string[]): Promise<BusinessCardView[]> {
  if (ids.length === 0) return []
  // Places and reviews are looked up for these businesses alone, where `selectCards` goes through all there are.
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

/** The newest businesses of all categories. */
export async function listNewestBusinesses(db: Database, limit: number): Promise<BusinessCardView[]> {
  const rows = await selectCards(db)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .limit(limit)
    .execute()
  return rows.map(toCard)
}

/** The best rated businesses, best first, of those with at least three approved reviews. */
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
 * Businesses of the same category by other vendors, the nearest first.
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
  // Degrees east shrink towards the pole; so corrected, the square of the flat distance sorts well enough.
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

/** How many businesses each category has; a category without any is missing. */
export async function countBusinessesByCategory(db: Database): Promise<Map<Category, number>> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', (eb) => eb.fn.sum<string | number>('listed').as('count')])
    .where('listed', '>', 0)
    .groupBy('category')
    .execute()
  return new Map(rows.map((row) => [row.category, Number(row.count)]))
}

export type PriceRange = {
  category: Category
  priceUnit: PriceUnit
  lowest: Cents
  middle: Cents
  highest: Cents
  count: number
}

/** What businesses ask for, by category and unit: lowest, middle and highest, without those at price on request. */
export async function listPriceRanges(db: Database): Promise<PriceRange[]> {
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(ASKED_PRICES, (join) => join.onTrue())
    .select(['category', 'asked.unit', ...PRICE_RANGE])
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .where('asked.cents', '>', 0)
    .groupBy(['category', 'asked.unit'])
    .execute()
  return rows.map(toPriceRange)
}

/** Each price of a business in a row of its own. */
const ASKED_PRICES = sql<{ unit: PriceUnit; cents: string | number }>`(values
  (businesses.price_unit, businesses.price_cents),
  (businesses.second_price_unit, businesses.second_price_cents))`.as<'asked'>(sql`asked(unit, cents)`)

const PRICE_RANGE = [
  sql<string | number>`min(asked.cents)`.as('lowest'),
  // percentile_disc gives a price that somebody really asks, not one between two.
  sql<string | number>`percentile_disc(0.5) within group (order by asked.cents)`.as('middle'),
  sql<string | number>`max(asked.cents)`.as('highest'),
  sql<string | number>`count(*)`.as('count'),
]

function toPriceRange(row: {
  category: Category
  unit: PriceUnit
  lowest: string | number
  middle: string | number
  highest: string | number
  count: string | number
}): PriceRange {
  return {
    category: row.category,
    priceUnit: row.unit,
    lowest: Number(row.lowest),
    middle: Number(row.middle),
    highest: Number(row.highest),
    count: Number(row.count),
  }
}

/** The largest places where businesses are, as 'Geelong, VIC', for suggestions beside a field. */
export async function listBusinessPlaces(db: Database, limit = SUGGESTED_PLACES): Promise<string[]> {
  const rows = await db
    .selectFrom('places')
    .select(['name', 'state'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('listed_places')
          .whereRef('place_id', '=', 'places.id')
          .where('category', 'in', CATEGORIES)
          .where('listed', '>', 0),
      ),
    )
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('state')
    .limit(limit)
    .execute()
  return rows.map(placeLabel)
}

/** Every business of one vendor, newest first, for lists that anybody may see. */
export async function listBusinessesOfVendor(db: Database, userId: string): Promise<BusinessCardView[]> {
  const rows = await selectCards(db)
    .where('businesses.user_id', '=', userId)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  return rows.map(toCard)
}

/** One page of the vendors that have listings, by name, each with its listings. */
export async function listVendors(
  db: Database,
  wantedPage: number,
): Promise<{
  vendors: (VendorView & { businesses: BusinessCardView[] })[]
  total: number
  page: number
  pageCount: number
}> {
  const counted = await db
    .selectFrom('businesses')
    .select((eb) => eb.fn.count<string>('user_id').distinct().as('count'))
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .executeTakeFirstOrThrow()
  const total = Number(counted.count)
  const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = wantedPage > pageCount ? 1 : wantedPage
  const rows = await selectVendors(db)
    .orderBy(sql`lower(coalesce(business_registrations.business_name, listed.first_name))`)
    .orderBy('listed.user_id')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  const userIds = rows.map((row) => row.user_id)
  const listings =
    userIds.length === 0
      ? []
      : await selectCards(db)
          .where('businesses.user_id', 'in', userIds)
          .orderBy('businesses.created_at', 'desc')
          .orderBy('businesses.id')
          .execute()
  const vendors = rows.map((row) => ({
    ...toVendor(row),
    businesses: listings.filter((listing) => listing.user_id === row.user_id).map(toCard),
  }))
  return { vendors, total, page, pageCount }
}

/**
 * A vendor's public profile.
 * @param userId the owner of listings
 * @returns null for somebody without a visible listing: that an account exists is nobody's business
 */
export async function findVendor(db: Database, userId: string): Promise<VendorView | null> {
  const row = await selectVendors(db).where('listed.user_id', '=', userId).executeTakeFirst()
  return row ? toVendor(row) : null
}

function selectBusinesses(db: Database) {
  return db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .leftJoin('business_registrations', 'business_registrations.user_id', 'businesses.user_id')
    .selectAll('businesses')
    .select([
      'places.name as place_name',
      'places.state',
      'places.latitude',
      'places.longitude',
      'business_registrations.abn',
    ])
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

function selectVendors(db: Database) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('businesses')
        .where('deleted_at', 'is', null)
        .where('hidden_at', 'is', null)
        .groupBy('user_id')
        .select(['user_id', sql<string>`(array_agg(name order by created_at, id))[1]`.as('first_name')])
        .as('listed'),
    )
    .leftJoin('business_registrations', 'business_registrations.user_id', 'listed.user_id')
    .select([
      'listed.user_id',
      'listed.first_name',
      'business_registrations.business_name',
      'business_registrations.logo_url',
      'business_registrations.business_description',
      'business_registrations.website',
      'business_registrations.abn',
    ])
}

type VendorRow = Awaited<ReturnType<ReturnType<typeof selectVendors>['executeTakeFirstOrThrow']>>

function toVendor(row: VendorRow): VendorView {
  return {
    userId: row.user_id,
    name: row.business_name ?? row.first_name,
    logoUrl: row.logo_url,
    description: row.business_description ?? '',
    website: webAddress(row.website),
    abn: row.abn,
  }
}

/** Only an address that a browser opens as a page becomes a link: what a vendor typed is not trusted further. */
function webAddress(text: string | null): string | null {
  if (!text || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

function toCard(row: CardRow): BusinessCardView {
  const {
    id,
    name,
    category,
    price,
    priceCents,
    priceUnit,
    secondPrice,
    location,
    pictures,
    abnRegistered,
    seoDescription,
  } = toView(row)
  return {
    id,
    name,
    category,
    description: seoDescription,
    price,
    priceCents,
    priceUnit,
    secondPrice,
    location,
    pictures: pictures.slice(0, 1),
    abnRegistered,
    rating: row.rating_count
      ? { average: Math.round(Number(row.rating_average) * 10) / 10, count: Number(row.rating_count) }
      : null,
  }
}

function toView(row: Row): BusinessView {
  const priceCents = Number(row.price_cents)
  return {
    id: row.id,
    name: row.name,
    category: row.category,
    description: row.description,
    price: toNumericString(priceCents),
    priceCents,
    priceUnit: row.price_unit,
    secondPrice: toSecondPrice(row),
    location: placeLabel({ name: row.place_name, state: row.state }),
    place: {
      id: row.place_id,
      name: row.place_name,
      state: row.state,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    servicesOffered: row.services_offered,
    images: row.images.map((image) => image.url),
    pictures: row.images,
    userId: row.user_id,
    abnRegistered: row.abn !== null,
    seoTitle: row.seo_title,
    seoDescription: row.seo_description,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The second price of a listing's row; null for a listing that has one price. */
export function toSecondPrice(
  row: Pick<Selectable<Tables['businesses']>, 'second_price_cents' | 'second_price_unit'>,
): UnitPrice | null {
  return row.second_price_unit && { unit: row.second_price_unit, cents: Number(row.second_price_cents) }
}

/** The ids of a vendor's businesses, deleted ones too: their bookings are still the vendor's. */
export async function listBusinessIdsOfOwner(db: Database, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('businesses').select('id').where('user_id', '=', userId).execute()
  return rows.map((row) => row.id)
}

const VIEW_DAYS = 30
const DAY_MS = 86_400_000

/** A business as its owner sees it: hidden ones too, and what is going on with it. */
export type OwnListing = BusinessView & {
  /** `reason`: what the operator said; empty unless one hid it. */
  hidden: { by: HidingParty; reason: string } | null
  /** Page views of the last 30 days. */
  recentViews: number
  /** A unit that the listing was once booked by and has no price for; null where there is none. */
  unpricedUnit: PriceUnit | null
}

/** Every business of this user that is not deleted, newest first, for its owner alone. */
export async function listOwnListings(db: Database, userId: string, now: Date): Promise<OwnListing[]> {
  const rows = await selectOwn(db, now)
    .where('businesses.user_id', '=', userId)
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  return rows.map(toOwnListing)
}

/**
 * One business of this user, to be edited.
 * @returns null when there is none, it is deleted, or it is somebody else's
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
    .select(
      sql<string>`(select coalesce(sum(views), 0) from business_views
        where business_id = businesses.id and day > ${firstDay})`.as('recent_views'),
    )
}

function toOwnListing(row: Row & { recent_views: string | number }): OwnListing {
  const view = toView(row)
  const isUnpriced = row.booking_types.length > 1 && view.priceCents > 0 && !view.secondPrice
  return {
    ...view,
    unpricedUnit: isUnpriced ? otherUnit(view.priceUnit) : null,
    hidden: row.hidden_by ? { by: row.hidden_by, reason: row.operator_reason ?? '' } : null,
    recentViews: Number(row.recent_views),
  }
}

/** How many businesses of one category a place has, and how far away it is. */
export type NearPlace = { placeId: string; label: string; listed: number; distanceKm: number }

/** What a landing page says of a category in a place. Prices and services are those of the place itself. */
export type LandingView = {
  category: Category
  place: PlaceView
  /** How many there are in the place itself. */
  listed: number
  /** The newest of those. */
  businesses: BusinessCardView[]
  /** How many more there are within SURROUNDINGS_KM. */
  listedAround: number
  /** The nearest of those, with distances in whole km. */
  around: (BusinessCardView & { distanceKm: number })[]
  /** For each unit; none where every price is on request. */
  prices: PriceRange[]
  /** What at least two of the newest offer, the most frequent first. */
  services: string[]
  /** The nearest other places that have some, within NEARBY_KM. */
  neighbours: NearPlace[]
  /** What else the place itself has. */
  otherCategories: { category: Category; listed: number }[]
}

/** Of latitude, anywhere. */
const KM_PER_DEGREE = 111.195
/** One large, and eight rows of three. */
const LANDING_SIZE = 25
/** Beside businesses of the place itself, its surroundings are a hint. */
const AROUND_SIZE = 6
/** How many other places a landing page links to. */
export const NEIGHBOURS_SIZE = 12
const SERVICES_READ_OF = 200
const SERVICES_SIZE = 6

/**
 * Reads the landing page of a category in a place.
 * @returns null where there is nothing to show: no such place, or no business in it nor within SURROUNDINGS_KM
 */
export async function findLanding(
  db: Database,
  category: Category,
  placeId: string,
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
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
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
  const cards = await listBusinessCards(
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

/** The other places within NEARBY_KM that have businesses of this category, the nearest first. */
async function listNearPlaces(db: Database, category: Category, { id, latitude, longitude }: PlaceView) {
  // As in listSimilarNearby; over this far the Earth is flat enough.
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

/** Businesses of the nearest places, those of one place the newest first, and in which place each is. */
async function listIdsAround(
  db: Database,
  category: Category,
  near: readonly { id: string }[],
  limit: number,
): Promise<{ id: string; placeId: string }[]> {
  // Each of these places has at least one, so more places are never needed.
  const placeIds = near.slice(0, limit).map(({ id }) => id)
  const { rows } = await sql<{ id: string; place_id: string }>`select newest.id, near.place_id
    from unnest(${placeIds}::text[]) with ordinality as near (place_id, nth)
    cross join lateral (select id, created_at from businesses
      where category = ${category} and place_id = near.place_id and deleted_at is null and hidden_at is null
      order by created_at desc, id limit ${limit}) newest
    order by near.nth, newest.created_at desc, newest.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ id: row.id, placeId: row.place_id }))
}

/** The places that have most businesses of a category, for links to their landing pages. */
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

/**
 * Every landing page that search engines are told of, and when a business on it last changed: those with a business in
 * the place itself. There are at most as many as places times categories.
 */
export async function listLandings(
  db: Database,
): Promise<{ category: Category; placeId: string; changedAt: Date }[]> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', 'place_id', 'changed_at'])
    .where('listed', '>', 0)
    .orderBy('category')
    .orderBy('place_id')
    .execute()
  return rows.map((row) => ({ category: row.category, placeId: row.place_id, changedAt: row.changed_at }))
}

/** When a business of each category last changed, came or went; a category that never had one is missing. */
export async function listCategoryChanges(db: Database): Promise<Map<Category, Date>> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', (eb) => eb.fn.max('changed_at').as('changed_at')])
    .groupBy('category')
    .execute()
  return new Map(rows.map((row) => [row.category, row.changed_at]))
}

/** A stretch of the businesses in the order of their ids: after the one, up to the other; null is open. */
export type IdRange = { after: string | null; to: string | null }

/**
 * Parts the businesses that visitors may see into stretches, one query for each, so that however many there are no query
 * reads more than one stretch.
 * @param size businesses in a stretch; the last has fewer
 * @returns stretches without gaps, the first and the last open, each with its newest change; none without businesses
 */
export async function* readIdRanges(
  db: Database,
  size: number,
): AsyncGenerator<IdRange & { changedAt: Date }> {
  for (let after: string | null = null; ; ) {
    const row: { last: string | null; changed_at: Date | null; count: string | number } = await db
      .selectFrom(selectListedIds(db, { after, to: null }).orderBy('id').limit(size).as('stretch'))
      .select((eb) => [
        eb.fn.max('id').as('last'),
        eb.fn.max('updated_at').as('changed_at'),
        eb.fn.countAll<string>().as('count'),
      ])
      .executeTakeFirstOrThrow()
    if (!row.last || !row.changed_at) return
    const isLast = Number(row.count) < size
    yield { after, to: isLast ? null : row.last, changedAt: row.changed_at }
    if (isLast) return
    after = row.last
  }
}

/** The businesses of a stretch that visitors may see, in batches, each read when the one before has been used. */
export async function* readListedIds(
  db: Database,
  range: IdRange,
  batchSize: number,
): AsyncGenerator<{ id: string; changedAt: Date }[]> {
  for (let after = range.after; ; ) {
    const rows: { id: string; updated_at: Date }[] = await selectListedIds(db, { ...range, after })
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (rows.length > 0) yield rows.map((row) => ({ id: row.id, changedAt: row.updated_at }))
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? null
  }
}

function selectListedIds(db: Database, { after, to }: IdRange) {
  let query = db
    .selectFrom('businesses')
    .select(['id', 'updated_at'])
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
  if (after !== null) query = query.where('id', '>', after)
  if (to !== null) query = query.where('id', '<=', to)
  return query
}

/**
 * Whether a business shows this drawn picture. The seed is the business's id and the picture's number among its own.
 * @param seed from an address: anything may be in it
 */
export async function hasDrawnPicture(db: Database, scene: string, seed: string): Promise<boolean> {
  const picture = JSON.stringify([{ url: `/illustrations/${scene}/${seed}` }])
  const row = await db
    .selectFrom('businesses')
    .select('id')
    .where('id', '=', seed.replace(/-\d+$/, ''))
    .where(sql<boolean>`images @> ${picture}::jsonb`)
    .executeTakeFirst()
  return row !== undefined
}
