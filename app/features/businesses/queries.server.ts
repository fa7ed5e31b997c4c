import { type Selectable, sql } from 'kysely'
import { href } from 'react-router'
import type { Database, Tables } from '../../adapters/database/port.ts'
import { toNumericString, type UnitPrice } from '../../shared/money.ts'
import { type Coordinates, placeLabel, type State } from '../places/rules.ts'
import type { ListingTerms, PaymentPlan } from '../terms/rules.ts'
import type { FactLine } from './fact-messages.ts'
import { type Facts, factsOf } from './fact-rules.ts'
import type { BusinessImage, BusinessRating, Pricing } from './rules.ts'
import { type cardFieldsOfRow, fieldsOfRow, type ListingFields } from './schema.ts'
import { isVisibleRow } from './visible-queries.server.ts'

/** A suburb or town, never a street (Decision 20). */
export type PlaceView = { id: string; name: string; state: State } & Coordinates

/**
 * A business in pages, JSON and navigation state (Specification, section 3), with the price as a numeric string and the
 * location as text. Contains nothing private.
 */
export type BusinessView = ListingFields &
  Pricing & {
    id: string
    /** The first price in dollars, as a numeric string: '1200.50'. */
    price: string
    facts: Facts
    /** How new bookings are cancelled and paid. */
    terms: ListingTerms
    location: string
    /** The suburb or town of the business. */
    place: PlaceView
    /** The addresses of the images, as in the specification. */
    images: string[]
    /** The same images with sizes and colours, so that a page can lay them out before they load. */
    pictures: BusinessImage[]
    userId: string
    /** Whether the owner has registered a valid ABN, which shows the mark (Decision 8). */
    abnRegistered: boolean
    seoTitle: string
    seoDescription: string
    createdAt: string
    updatedAt: string
  }

/** A business on a card, with the beginning of its description. */
export type BusinessCardView = ReturnType<typeof cardFieldsOfRow> &
  Pick<
    BusinessView,
    | 'id'
    | 'description'
    | 'price'
    | 'priceCents'
    | 'priceUnit'
    | 'secondPrice'
    | 'location'
    | 'pictures'
    | 'abnRegistered'
  > & {
    /** How it is paid, unless at once. */
    plan?: Extract<PaymentPlan, { kind: 'deposit' }>
    /** The rating by approved reviews. null without any. */
    rating: BusinessRating | null
    /** The two or three facts that matter most. */
    factsOnCard: Pick<FactLine, 'icon' | 'text'>[]
  }

/** A row of `selectBusinesses`. */
export type BusinessRow = Selectable<Tables['businesses']> &
  Coordinates & { place_name: string; state: State; abn: string | null; register_problem: string | null }

/** Finds the first picture of each of these businesses that isn't deleted. */
export async function findFirstPictures(
  db: Database,
  ids: readonly string[],
): Promise<Record<string, BusinessImage>> {
  if (ids.length === 0) return {}
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'images'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
    .execute()
  return Object.fromEntries(rows.flatMap(({ id, images: [first] }) => (first ? [[id, first]] : [])))
}

/**
 * Reads one business by id.
 * @returns 'gone' for a deleted or hidden business (its page answers 410), null for an unknown one
 */
export async function findBusiness(db: Database, id: string): Promise<BusinessView | 'gone' | null> {
  const row = await selectBusinesses(db).where('businesses.id', '=', id).executeTakeFirst()
  if (!row) return null
  return isVisibleRow(row) ? toBusinessView(row) : 'gone'
}

/** Selects every business, including hidden and deleted ones, with its place and its owner's ABN. */
export function selectBusinesses(db: Database) {
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
      'business_registrations.register_problem',
    ])
}

/** Converts a row to the public view of a business. */
export function toBusinessView(row: BusinessRow): BusinessView {
  const priceCents = Number(row.price_cents)
  return {
    ...fieldsOfRow(row),
    id: row.id,
    price: toNumericString(priceCents),
    priceCents,
    priceUnit: row.price_unit,
    secondPrice: toSecondPrice(row),
    facts: factsOf(row.category, row.facts),
    terms: toListingTerms(row),
    location: placeLabel({ name: row.place_name, state: row.state }),
    place: {
      id: row.place_id,
      name: row.place_name,
      state: row.state,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    images: row.images.map((image) => image.url),
    pictures: row.images,
    userId: row.user_id,
    abnRegistered: row.abn !== null && row.register_problem === null,
    seoTitle: row.seo_title,
    seoDescription: row.seo_description,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The second price of a listing's row. null for a listing with one price. */
export function toSecondPrice(
  row: Pick<Selectable<Tables['businesses']>, 'second_price_cents' | 'second_price_unit'>,
): UnitPrice | null {
  return row.second_price_unit && { unit: row.second_price_unit, cents: Number(row.second_price_cents) }
}

/** The cancellation policy and payment plan of a listing's row. */
export function toListingTerms(
  row: Pick<Selectable<Tables['businesses']>, 'policy' | 'deposit_basis_points' | 'balance_days_before'>,
): ListingTerms {
  const { policy, deposit_basis_points: depositBasisPoints, balance_days_before: balanceDaysBefore } = row
  const hasDeposit = depositBasisPoints !== null && balanceDaysBefore !== null
  return {
    policy,
    plan: hasDeposit ? { kind: 'deposit', depositBasisPoints, balanceDaysBefore } : { kind: 'full' },
  }
}

/**
 * Whether a business shows this drawn picture, or its album does. The seed is the business's id and the number of its picture.
 * @param seed untrusted text from an address
 */
export async function hasDrawnPicture(db: Database, scene: string, seed: string): Promise<boolean> {
  const url = href('/illustrations/:scene/:seed/:ratio?', { scene, seed })
  const [, id = seed, isOfAlbum] = /^(.*?)(-album)?-\d+$/.exec(seed) ?? []
  const row = isOfAlbum
    ? await db
        .selectFrom('album_pictures')
        .select('url')
        .where('business_id', '=', id)
        .where('url', '=', url)
        .executeTakeFirst()
    : await db
        .selectFrom('businesses')
        .select('id')
        .where('id', '=', id)
        .where(sql<boolean>`images @> ${JSON.stringify([{ url }])}::jsonb`)
        .executeTakeFirst()
  return row !== undefined
}
