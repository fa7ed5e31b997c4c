import type { Topic } from '../adapters/live-updates/port.ts'
import { CATEGORIES, type Category, NEARBY_KM } from '../features/businesses/rules.ts'
import type { Coordinates } from '../features/places/rules.ts'
import type { SearchArea } from '../features/search/queries.server.ts'
import { boxAround } from '../features/search/rules.ts'

// What a cached page depends on, by the topics of migration 0017. A listing whose card is on a page tells by itself that it
// changed. The others say what could bring another one onto the page.

/** What can put another listing onto a page, or change what the page says of all of them. */
export type ListingChange = 'listings' | 'prices' | 'words'

/** Beyond this many squares of a quarter degree, squares of a whole one say it. */
const MAX_SQUARES = 20

/** The places with most listings of a category, as every category page links to them. */
export const topPlacesTopic = (category: Category): Topic => `landings:${category}`
/** The places that a place field suggests. */
export const SUGGESTED_PLACES_TOPIC: Topic = 'places:listed'
/** Which vendors there are, in the order of their names. */
export const VENDORS_TOPIC: Topic = 'vendors:all'
/** What is best rated. */
export const RATINGS_TOPIC: Topic = 'reviews:all'

export const businessTopic = (id: string): Topic => `business:${id}`
export const vendorTopic = (userId: string): Topic => `vendor:${userId}`

/** The topics of cards: each listing that is shown. */
export function cardTopics(...lists: readonly (readonly { id: string }[])[]): Topic[] {
  return lists.flat().map(({ id }) => businessTopic(id))
}

/**
 * The topics of a set of listings.
 * @param categories of several, a change in any category counts
 * @param area null for all of Australia
 */
export function listTopics(
  change: ListingChange,
  categories: readonly Category[] = CATEGORIES,
  area: SearchArea = null,
): Topic[] {
  const [only] = categories
  const scope = only && categories.length === 1 ? only : 'any'
  return areaMarks(area).map((mark): Topic => `${change}:${scope}${mark}`)
}

function areaMarks(area: SearchArea): string[] {
  if (!area) return ['']
  if ('state' in area) return [`:${area.state}`]
  if ('placeId' in area) return [`:${area.placeId}`]
  return squares(area, 4, 'q') ?? squares(area, 1, 'd') ?? ['']
}

/** The squares that a circle touches; null where they are too many. */
function squares(
  { around, km }: { around: Coordinates; km: number },
  perDegree: number,
  name: string,
): string[] | null {
  const box = boxAround(around, km)
  const index = (degrees: number) => Math.floor(degrees * perDegree)
  const rows = index(box.north) - index(box.south) + 1
  const columns = index(box.east) - index(box.west) + 1
  if (rows * columns > MAX_SQUARES) return null
  return Array.from({ length: rows * columns }, (_, at) => {
    const row = index(box.south) + Math.floor(at / columns)
    return `:${name}${row}:${index(box.west) + (at % columns)}`
  })
}

/**
 * How far a list of the nearest reaches: a listing that is farther away can't come onto it.
 * @param nearest with distances in whole km
 * @param wanted how many the list shows at most
 * @param leastKm it always looks this far
 * @returns null where it isn't full: then anything can come onto it
 */
export function reachKm(
  nearest: readonly { distanceKm: number }[],
  wanted: number,
  leastKm = 0,
): number | null {
  if (nearest.length < wanted) return null
  const farthest = Math.max(...nearest.map(({ distanceKm }) => distanceKm))
  // Rounded, and measured on a flat map in one place and on the globe in another.
  const km = Math.max(leastKm, (farthest + 1) * 1.1)
  return km <= 2 * NEARBY_KM ? km : null
}
