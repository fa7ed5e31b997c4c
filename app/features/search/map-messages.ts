import type { Near } from './place-rules.ts'

export const LIST_TEXT = 'List'
export const MAP_TEXT = 'Map'
export const VIEW_LABEL = 'View'
export const MAP_LABEL = 'Map of the businesses'
/** The accessible name of the drawing itself, which takes the keys. */
export const CANVAS_LABEL = 'Map: arrow keys move it, plus and minus zoom'
/** The search term of a search in the part of the map that is on the screen. */
export const BOUNDS_TEXT = 'in this part of the map'
export const FOLLOW_TEXT = 'Search as I move the map'
export const SEARCH_HERE_TEXT = 'Search this area'
export const SKIP_MAP_TEXT = 'Skip the map'
export const POSITION_TEXT = 'Near my location'
export const ZOOM_IN_TEXT = 'Zoom in'
export const ZOOM_OUT_TEXT = 'Zoom out'
export const CLOSE_CARDS_TEXT = 'Close this place'
export const MAP_LOADING_TEXT = 'Loading the map'
export const NO_WEBGL_TEXT = 'This browser can’t draw the map. The list has the same businesses.'
export const MAP_LOST_TEXT = 'The map couldn’t be loaded. The list has the same businesses.'
export const GROUPS_LOST_TEXT = 'The places on the map couldn’t be loaded. The list has the same businesses.'
export const NONE_HERE_TEXT = 'No businesses here. Move the map, or zoom out.'
export const PART_TEXT = 'The map doesn’t show all of them. Zoom in for the rest.'
export const CARDS_LOADING_TEXT = 'Loading'
export const CARDS_LOST_TEXT = 'These businesses couldn’t be loaded. They’re in the list too.'
/** The credit of the embedded map's coast. */
export const MAP_CREDIT = 'Natural Earth'

/** The relation of a search to its place: 'in', 'near', 'within 50 km of'. */
export function withinText(near: Near): string {
  if (typeof near === 'number') return `within ${near} km of`
  return near ? 'near' : 'in'
}

/** '1 listing', '24 listings'. */
export function listingsText(count: number): string {
  return count === 1 ? '1 listing' : `${count} listings`
}

/** The price on a marker, in whole dollars: '$7,560'. */
export function markerPrice(cents: number): string {
  return `$${Math.ceil(cents / 100).toLocaleString('en-AU')}`
}

/** The text on a marker: '$7,560', '3 from $7,560', '3 listings'. @param cents the lowest total that was asked for */
export function markerText(count: number, cents: number | null): string {
  if (cents === null) return listingsText(count)
  return count === 1 ? markerPrice(cents) : `${count} from ${markerPrice(cents)}`
}

/**
 * The accessible name of a marker, with its text: 'Fitzroy, VIC and 3 more places: 12 from $7,560 in total'.
 * @param cents the lowest total for what was searched; null without one
 */
export function markerLabel(label: string, others: number, count: number, cents: number | null): string {
  const places = others === 0 ? label : `${label} and ${others} more ${others === 1 ? 'place' : 'places'}`
  return `${places}: ${markerText(count, cents)}${cents === null ? '' : ' in total'}`
}
