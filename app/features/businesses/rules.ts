import { type Cents, PRICE_UNITS, type PriceUnit, type UnitPrice } from '../../shared/money.ts'
import { trimEndWhere } from '../../shared/trim-end.ts'

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

/**
 * The slug of each category in addresses (Specification, section 2). app/routes.ts derives the category pages from it.
 */
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

/**
 * An image of a listing. Its address takes `?w=` for a width. The colour is the placeholder while it loads, `alt` the
 * vendor's words for those who can't see it.
 */
export type BusinessImage = { url: string; width: number; height: number; colour: string; alt?: string }

/** The format of a business's id. The database enforces the same. */
export const BUSINESS_ID = /^[a-z0-9][a-z0-9-]{0,99}$/
export const MAX_ID_LENGTH = 100

/** The page views that a process counts per IP address: enough for a household's evening, not for a script (Decision 23). */
export const VIEW_LIMIT = { max: 60, windowMs: 60_000 }

/**
 * The version of a stored listing, which the listing form posts back. The availability screen changes the maximum number
 * of guests and leaves the date, so both are in it.
 */
export const listingVersion = ({ updatedAt, maxGuests }: { updatedAt: string; maxGuests: number | null }) =>
  `${updatedAt}/${maxGuests ?? ''}`
/** Longer than any version. */
export const MAX_VERSION_LENGTH = 60

/** The default limit of listings per account, including hidden ones. */
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
 * The prices of a listing, the first price first. They define the booking types: a type without a price can't be
 * booked, even if the vendor ticked it.
 */
export function offeredPrices({ priceCents, priceUnit, secondPrice }: Pricing): UnitPrice[] {
  const first = { unit: priceUnit, cents: priceCents }
  return secondPrice ? [first, secondPrice] : [first]
}

/** The booking types that a listing takes, in the order of `PRICE_UNITS`. */
export function offeredBookingTypes(pricing: Pricing): PriceUnit[] {
  const offered = offeredPrices(pricing).map(({ unit }) => unit)
  return PRICE_UNITS.filter((unit) => offered.includes(unit))
}

/** The price of one person or one hour. null if the listing takes no bookings of that type. */
export function unitPriceFor(pricing: Pricing, bookingType: PriceUnit): Cents | null {
  return offeredPrices(pricing).find(({ unit }) => unit === bookingType)?.cents ?? null
}

/** The other of the two price units. */
export function otherUnit(unit: PriceUnit): PriceUnit {
  return unit === 'perPerson' ? 'perHour' : 'perPerson'
}

/** '{name} | {category} | {brand}' (Specification, section 3). */
export function seoTitle(name: string, category: Category, brand: string): string {
  return `${name} | ${category} | ${brand}`
}

/**
 * The beginning of a text in whole sentences, for previews of links. A first sentence that is too long ends at a word, with an
 * ellipsis.
 * @param max the greatest length, in characters
 */
export function wholeSentences(text: string, max: number): string {
  let beginning = ''
  for (const { segment } of new Intl.Segmenter('en-AU', { granularity: 'sentence' }).segment(
    text.slice(0, SENTENCES_READ),
  )) {
    if ((beginning + segment).trim().length > max) break
    beginning += segment
  }
  if (beginning.trim()) return beginning.trim()
  // By code point, so that no emoji is halved.
  const cut = [...text.trim()].slice(0, max - 1).join('')
  const space = cut.lastIndexOf(' ')
  return text.trim().length <= max ? text.trim() : `${space > 0 ? cut.slice(0, space) : cut}…`
}

/** No preview shows more, and a description may be long. */
const SENTENCES_READ = 1_000

/** The first 150 graphemes of a description, so that no emoji or accent is cut in half. */
export function seoDescription(description: string): string {
  // Plain characters are one grapheme each, and finding graphemes takes longer than the rest of a page's head.
  if (PLAIN.test(description.slice(0, SEO_DESCRIPTION_LENGTH + 1)))
    return description.slice(0, SEO_DESCRIPTION_LENGTH)
  let beginning = ''
  let length = 0
  for (const { segment } of new Intl.Segmenter('en-AU', { granularity: 'grapheme' }).segment(description)) {
    if (++length > SEO_DESCRIPTION_LENGTH) break
    beginning += segment
  }
  return beginning
}

const PLAIN = /^[\n -~]*$/

/**
 * The party that hid a listing. Disabling or deactivating an account hides its listings. Only the same party can show
 * them. `agreement` means that the listing waits for its owner to accept the vendor agreement.
 */
export type HidingParty = 'owner' | 'operator' | 'disabling' | 'deactivation' | 'agreement'

/** A listing at $0 has no price to multiply: it shows 'Price on request' and can't be booked (Decision 5). */
export function isBookable(business: { priceCents: Cents }): boolean {
  return business.priceCents > 0
}

/** The category whose page has this path, or null. Ignores slashes at the end. */
export function categoryOfPath(path: string): Category | null {
  const bare = trimEndWhere(path, /\//)
  return CATEGORIES.find((category) => CATEGORY_PATHS[category] === bare) ?? null
}

/** Businesses per page of a list. */
export const PAGE_SIZE = 24
/** More pages than any numbered list has. Bounds the offset, since anything can be typed into the address. */
const MAX_PAGE = 500

/** The page number in an address, from 1. Anything invalid is page 1. */
export function readPage(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page'))
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1
}

/** Fewer results than this make a thin page. */
const MIN_RESULTS_TO_INDEX = 3

/**
 * Decides how search engines index a list. Each page of the unfiltered list has its own canonical address. A filtered
 * list is a view of the same content, so the unfiltered list is its canonical address. A list with words, which anyone
 * can make up, or with few results is not indexed.
 * @param path the unfiltered list, such as '/venues-vendors'
 * @param shown.pagePath the address of this page of the unfiltered list
 * @param shown.total the number of businesses on all pages
 * @returns the canonical address, and whether to keep the page out of the index
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

/** The radius of a place's surroundings, in km as the crow flies. */
export const SURROUNDINGS_KM = 25

/** The average and number of a business's approved ratings. */
export type BusinessRating = { average: number; count: number }

/** Fewer reviews than this prove little: one happy cousin is no reason to feature a business. */
export const MIN_REVIEWS_TO_FEATURE = 3

/**
 * Picks the featured businesses of the home page: the best rated, only one per category, so that the page shows the
 * range of categories.
 * @param ranked the businesses, best first
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

/** In km as the crow flies: the distance that vendors and guests drive in a day. */
export const NEARBY_KM = 150

/**
 * Picks the similar businesses within `NEARBY_KM`, or all of them if none is.
 * @param similar similar businesses, nearest first, with distances in km
 */
export function pickNearby<B extends { distanceKm: number }>(
  similar: readonly B[],
): { nearby: boolean; businesses: readonly B[] } {
  const near = similar.filter(({ distanceKm }) => distanceKm <= NEARBY_KM)
  return near.length > 0 ? { nearby: true, businesses: near } : { nearby: false, businesses: similar }
}

/** The occasions that people plan (Decision 16), in the order of the page. */
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

/** The categories that an occasion usually needs, in the order in which to book them. */
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
 * Formats an ABN in groups of 2-3-3-3 digits (Specification, section 5).
 * @param abn eleven digits
 */
export function groupAbn(abn: string): string {
  return abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')
}
