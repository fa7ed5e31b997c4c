import type { Topic } from '../adapters/live-updates/port.ts'
import { CATEGORIES, type Category, NEARBY_KM } from '../features/businesses/rules.ts'
import type { Coordinates } from '../features/places/rules.ts'
import { boxAround } from '../features/search/box-rules.ts'
import type { SearchArea } from '../features/search/queries.server.ts'

// A cached page depends on the topics of migration 0017. A listing whose card is on the page reports its own changes.
// The other topics report changes that could bring another listing onto the page.

/** The kinds of change that can bring another listing onto a page, or change what the page says about all of them. */
export type ListingChange = 'listings' | 'prices' | 'words'

/** For more squares of a quarter degree than this, squares of one degree are used. */
const MAX_SQUARES = 20

/** The places with the most listings of a category, to which every category page links. */
export const topPlacesTopic = (category: Category): Topic => `landings:${category}`
/** The places suggested by a place field. */
export const SUGGESTED_PLACES_TOPIC: Topic = 'places:listed'
/** The directory of vendors, ordered by name. */
export const VENDORS_TOPIC: Topic = 'vendors:all'
/** The best-rated listings. */
export const RATINGS_TOPIC: Topic = 'reviews:all'

export const businessTopic = (id: string): Topic => `business:${id}`
export const vendorTopic = (userId: string): Topic => `vendor:${userId}`

/** The topics of cards: one for each displayed listing. */
export function cardTopics(...lists: readonly (readonly { id: string }[])[]): Topic[] {
  return lists.flat().map(({ id }) => businessTopic(id))
}

/**
 * The topics of a set of listings.
 * @param categories for several, a change in any category counts
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

/** The squares that a circle touches; null if there are too many. */
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
 * The reach of a nearest-first list, in km: no listing beyond it can come onto the list.
 * @param nearest with distances in whole km
 * @param wanted the maximum length of the list
 * @param leastKm the minimum reach
 * @returns null if the list isn't full, because any listing can then come onto it
 */
export function reachKm(
  nearest: readonly { distanceKm: number }[],
  wanted: number,
  leastKm = 0,
): number | null {
  if (nearest.length < wanted) return null
  const farthest = Math.max(...nearest.map(({ distanceKm }) => distanceKm))
  // Allows for rounding, and for planar distances in one place but great-circle distances in another.
  const km = Math.max(leastKm, (farthest + 1) * 1.1)
  return km <= 2 * NEARBY_KM ? km : null
}
