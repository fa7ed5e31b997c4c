import { type Cents, PRICE_UNITS, type PriceUnit, type UnitPrice } from '../../shared/money.ts'

/** Specification, section 1. */
export const CATEGORIES = [
  'Venues',
  'Photographers',
  'Hairdresser',
  'Sounds & DJ',
  'Catering',
  'Videographers',
  'Event Planners',
  'Extras',
] as const

export type Category = (typeof CATEGORIES)[number]

/** The name of each category in addresses (Specification, section 2). app/routes.ts makes the categories' pages of them. */
export const CATEGORY_SLUGS = {
  Venues: 'venues',
  Photographers: 'photographers',
  Hairdresser: 'hairdressers',
  'Sounds & DJ': 'sounds-dj',
  Catering: 'catering',
  Videographers: 'videographers',
  'Event Planners': 'event-planners',
  Extras: 'extras',
} as const satisfies Record<Category, string>

/** The path of each category's page. */
export const CATEGORY_PATHS = Object.fromEntries(
  CATEGORIES.map((category) => [category, `/${CATEGORY_SLUGS[category]}`]),
) as { [Each in Category]: `/${(typeof CATEGORY_SLUGS)[Each]}` }

/** An image of a listing: its address takes ?w= for a width, and the colour stands while it loads. */
export type BusinessImage = { url: string; width: number; height: number; colour: string }

/** What the id of a business looks like; the database holds the same. */
export const BUSINESS_ID = /^[a-z0-9][a-z0-9-]{0,99}$/
export const MAX_ID_LENGTH = 100

/** Page views that are counted from one address: a household's evening, not a script's (Decision 23). */
export const VIEW_LIMIT = { max: 60, windowMs: 60_000 }

/** Listings of one account, hidden ones included, unless the setting says otherwise. */
export const MAX_LISTINGS = 50

/** Specification, section 9. */
export const MAX_IMAGES = 3
export const SEO_DESCRIPTION_LENGTH = 150

/** Default of Decision 5: venues and caterers charge per person, the other categories per hour. */
export function defaultPriceUnit(category: Category): PriceUnit {
  return category === 'Venues' || category === 'Catering' ? 'perPerson' : 'perHour'
}

/** The prices of a listing: the first, and the one per the other unit if it has one (Decision 28). */
export type Pricing = { priceCents: Cents; priceUnit: PriceUnit; secondPrice: UnitPrice | null }

/**
 * The prices of a listing, its first in front. Each is a booking type that the listing takes: a type without a price
 * can't be booked, whatever the vendor ticked.
 */
export function offeredPrices({ priceCents, priceUnit, secondPrice }: Pricing): UnitPrice[] {
  const first = { unit: priceUnit, cents: priceCents }
  return secondPrice ? [first, secondPrice] : [first]
}

/** The booking types that a listing takes, always in the same order. */
export function offeredBookingTypes(pricing: Pricing): PriceUnit[] {
  const offered = offeredPrices(pricing).map(({ unit }) => unit)
  return PRICE_UNITS.filter((unit) => offered.includes(unit))
}

/** The price of one person or one hour; null if the listing takes no bookings of that type. */
export function unitPriceFor(pricing: Pricing, bookingType: PriceUnit): Cents | null {
  return offeredPrices(pricing).find(({ unit }) => unit === bookingType)?.cents ?? null
}

/** The unit that a price is not per. */
export function otherUnit(unit: PriceUnit): PriceUnit {
  return unit === 'perPerson' ? 'perHour' : 'perPerson'
}

/** '{name} | {category} | {brand}' (Specification, section 3). */
export function seoTitle(name: string, category: Category, brand: string): string {
  return `${name} | ${category} | ${brand}`
}

/** The first 150 characters, counted as people count them, so that no emoji or accent is cut in half. */
export function seoDescription(description: string): string {
  const pieces = new Intl.Segmenter('en-AU', { granularity: 'grapheme' }).segment(description)
  return Array.from(pieces, (piece) => piece.segment)
    .slice(0, SEO_DESCRIPTION_LENGTH)
    .join('')
}

/** The party that hid a listing, and alone can show it again. 'disabling' and 'deactivation' of an account hide its listings. */
export type HidingParty = 'owner' | 'operator' | 'disabling' | 'deactivation'

/** A listing at $0 has no price to multiply: it shows 'Price on request' and can't be booked (Decision 5). */
export function isBookable(business: { priceCents: Cents }): boolean {
  return business.priceCents > 0
}

/** The category whose page has this path, or null. A slash at the end does not matter. */
export function categoryOfPath(path: string): Category | null {
  const bare = path.replace(/\/+$/, '')
  return CATEGORIES.find((category) => CATEGORY_PATHS[category] === bare) ?? null
}

/** How many businesses a list shows at once. */
export const PAGE_SIZE = 24
/** No list with numbered pages is this long; it keeps the offset small whatever is typed into the address. */
const MAX_PAGE = 500

/** The number of a page in an address, from 1. What is no such number is the first. */
export function readPage(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page'))
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1
}

/** Fewer results than this make a thin page. */
const MIN_RESULTS_TO_INDEX = 3

/**
 * How search engines keep a list. Each page of the whole list is kept for itself; what a filter leaves of it is a view of
 * the same, so it names the whole list as its address. Words are anybody's to make up, and few results are thin: those
 * stay out.
 * @param path of the whole list, such as '/venues-vendors'
 * @param shown.pagePath the whole list's page that shows where nothing is filtered
 * @param shown.total how many businesses there are on all its pages
 * @returns the address to keep it under, and whether to leave it out
 */
export function listIndexing(
  path: string,
  shown: { pagePath: string; isFiltering: boolean; hasWords: boolean; total: number },
): { path: string; noIndex: boolean } {
  if (!shown.isFiltering) return { path: shown.pagePath, noIndex: false }
  return { path, noIndex: shown.hasWords || shown.total < MIN_RESULTS_TO_INDEX }
}

/** The landing page of a category in a place: '/venues/in/geelong-vic'. */
export function landingPath(category: Category, placeId: string): string {
  return `${CATEGORY_PATHS[category]}/in/${placeId}`
}

/** What is near a place, as the crow flies, in km. */
export const SURROUNDINGS_KM = 25

/** What its approved reviews say of a business. */
export type BusinessRating = { average: number; count: number }

/** Fewer reviews than this say little: a single happy cousin is no reason to be shown first. */
export const MIN_REVIEWS_TO_FEATURE = 3

/**
 * Picks the businesses that the home page puts first: the best rated, and of each category only one, so that the
 * page shows the range of the trade.
 * @param ranked best first
 */
export function pickFeatured<B extends { category: Category }>(ranked: readonly B[], count: number): B[] {
  const categories = new Set<Category>()
  return ranked
    .filter((business) => {
      if (categories.has(business.category)) return false
      categories.add(business.category)
      return true
    })
    .slice(0, count)
}

/** As the crow flies, in km: a drive that vendors and guests still make in a day. */
export const NEARBY_KM = 150

/**
 * Of similar businesses, those near enough to be called so; if there is none, all of them, as a hint beyond.
 * @param similar the nearest first, with distances in km
 */
export function pickNearby<B extends { distanceKm: number }>(
  similar: readonly B[],
): { nearby: boolean; businesses: readonly B[] } {
  const near = similar.filter(({ distanceKm }) => distanceKm <= NEARBY_KM)
  return near.length > 0 ? { nearby: true, businesses: near } : { nearby: false, businesses: similar }
}

/** What people plan (Decision 16), in the order of the page. */
export const OCCASIONS = [
  'wedding',
  'birthday',
  'corporate',
  'engagement',
  'christening',
  'anniversary',
  'end-of-year',
  'memorial',
] as const

export type Occasion = (typeof OCCASIONS)[number]

/** The categories that an occasion usually needs, the one to book first at the front. */
export const OCCASION_CATEGORIES = {
  wedding: ['Venues', 'Photographers', 'Catering', 'Hairdresser', 'Sounds & DJ', 'Videographers'],
  birthday: ['Venues', 'Catering', 'Sounds & DJ', 'Extras'],
  corporate: ['Venues', 'Event Planners', 'Catering', 'Sounds & DJ'],
  engagement: ['Venues', 'Photographers', 'Catering', 'Sounds & DJ'],
  christening: ['Venues', 'Catering', 'Photographers', 'Extras'],
  anniversary: ['Venues', 'Catering', 'Videographers', 'Sounds & DJ'],
  'end-of-year': ['Venues', 'Catering', 'Event Planners', 'Extras'],
  memorial: ['Venues', 'Catering', 'Videographers', 'Extras'],
} as const satisfies Record<Occasion, readonly Category[]>

/**
 * An ABN as people write it, grouped 2-3-3-3 (Specification, section 5).
 * @param abn eleven digits
 */
export function groupAbn(abn: string): string {
  return abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')
}
