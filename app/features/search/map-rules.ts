import type { State } from '../places/rules.ts'

/** The part of the map that is on the screen, in degrees. */
export type Bounds = { south: number; west: number; north: number; east: number }

/** The map ends here: Australia with its islands, and a part of its neighbours. */
export const MAP_BOUNDS: Bounds = { south: -46, west: 108, north: -8, east: 162 }
/** Every place of the gazetteer is inside. A search in a larger part of the map is a search everywhere. */
const ALL_PLACES: Bounds = { south: -43.7, west: 113.1, north: -9.2, east: 159.2 }

/** Three decimals are 100 m: a place on the map is a whole suburb (Decision 20). */
const DECIMALS = 3
const BOUNDS_PATTERN = /^(?:-?\d{1,3}(?:\.\d{1,15})?_){3}-?\d{1,3}(?:\.\d{1,15})?$/

/**
 * Reads bounds as `writeBounds` writes them, cut to the map. West of its beginning, a box ends at the date line.
 * @returns null for other text, and for bounds that are empty, beside the map, or all of Australia
 */
export function readBounds(text: string): Bounds | null {
  if (text.length > 100 || !BOUNDS_PATTERN.test(text)) return null
  const [south = 0, west = 0, north = 0, east = 0] = text.split('_').map(Number)
  if (Math.abs(south) > 90 || Math.abs(north) > 90 || Math.abs(west) > 180 || Math.abs(east) > 180)
    return null
  return tidyBounds({ south, west, north, east: east < west ? 180 : east })
}

/** The bounds cut to the map and rounded. null if nothing is left, or all of Australia. */
export function tidyBounds({ south, west, north, east }: Bounds): Bounds | null {
  const cut: Bounds = {
    south: rounded(Math.max(south, MAP_BOUNDS.south)),
    west: rounded(Math.max(west, MAP_BOUNDS.west)),
    north: rounded(Math.min(north, MAP_BOUNDS.north)),
    east: rounded(Math.min(east, MAP_BOUNDS.east)),
  }
  if (!(cut.south < cut.north && cut.west < cut.east)) return null
  const isAll =
    cut.south <= ALL_PLACES.south &&
    cut.west <= ALL_PLACES.west &&
    cut.north >= ALL_PLACES.north &&
    cut.east >= ALL_PLACES.east
  return isAll ? null : cut
}

// Adding 0 turns -0 into 0, which is written the same.
const rounded = (degrees: number) => Math.round(degrees * 10 ** DECIMALS) / 10 ** DECIMALS + 0

/** The bounds in an address: 'south_west_north_east', or '' for none. */
export function writeBounds(bounds: Bounds | null): string {
  return bounds ? [bounds.south, bounds.west, bounds.north, bounds.east].join('_') : ''
}

/** The address of the same list in another part of the map: its first page, without a place. */
export function movedHref(href: string, bounds: Bounds | null): string {
  // Distances are measured from a place.
  const isByDistance = new URLSearchParams(href.split('?')[1]).get('sort') === 'distance'
  return withArea(href, { bounds: writeBounds(bounds), ...(isByDistance ? { sort: '' } : {}) })
}

/** The address of the same list around a place: its first page. */
export function nearHref(href: string, place: string): string {
  return withArea(href, { place, near: '1' })
}

function withArea(href: string, set: Readonly<Record<string, string>>): string {
  const [path = '', query = ''] = href.split('?')
  const parameters = new URLSearchParams(query)
  for (const name of ['place', 'near', 'after', 'before', 'seen', 'bounds']) parameters.delete(name)
  for (const [name, value] of Object.entries(set)) {
    if (value) parameters.set(name, value)
    else parameters.delete(name)
  }
  // In the order of `searchHref`: an address in another order is redirected.
  parameters.sort()
  const moved = parameters.toString()
  return moved ? `${path}?${moved}` : path
}

/** The bounds of a list's address, or null. */
export function boundsOf(href: string): Bounds | null {
  return readBounds(new URLSearchParams(href.split('?')[1] ?? '').get('bounds') ?? '')
}

/** A suburb or town on the map with the listings of a search there. */
export type MapGroup = {
  placeId: string
  name: string
  state: State
  latitude: number
  longitude: number
  count: number
  /** The lowest total for what was searched: see `lower`. null if the search asks for none, or no listing has one. */
  price: { cents: number; isTotal: boolean; compared: number } | null
}

/** Groups whose markers would overlap, under one marker at the largest of them. */
export type MapCluster = { lead: MapGroup; groups: MapGroup[]; count: number; price: MapGroup['price'] }

/** The room that a marker needs, in pixels. */
const MARKER_WIDTH = 104
const MARKER_HEIGHT = 40
/** The width of the world at zoom 0, in pixels. */
const TILE_SIZE = 512

/**
 * Clusters the groups for a zoom, so that no two markers overlap. The largest groups keep their own position.
 * @returns from north to south, then from west to east
 */
export function clusterGroups(groups: readonly MapGroup[], zoom: number): MapCluster[] {
  const scale = TILE_SIZE * 2 ** zoom
  const points = groups
    .map((group) => ({ group, x: mercatorX(group.longitude) * scale, y: mercatorY(group.latitude) * scale }))
    .sort((a, b) => b.group.count - a.group.count || (a.group.placeId < b.group.placeId ? -1 : 1))
  const clusters: { x: number; y: number; groups: MapGroup[] }[] = []
  for (const { group, x, y } of points) {
    const near = clusters.find(
      (cluster) => Math.abs(cluster.x - x) < MARKER_WIDTH && Math.abs(cluster.y - y) < MARKER_HEIGHT,
    )
    if (near) near.groups.push(group)
    else clusters.push({ x, y, groups: [group] })
  }
  return clusters
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
    .flatMap(({ groups: [lead, ...others] }) => {
      if (!lead) return []
      const all = [lead, ...others]
      return [
        {
          lead,
          groups: all,
          count: all.reduce((sum, { count }) => sum + count, 0),
          price: all.reduce<MapGroup['price']>((least, { price }) => lower(least, price), null),
        },
      ]
    })
}

/** The lower of two totals. A price per person or hour is none: beside others, '$84' says nothing of what is paid. */
export function lower(a: MapGroup['price'], b: MapGroup['price']): MapGroup['price'] {
  if (!b?.isTotal) return a
  if (!a) return b
  return b.compared < a.compared ? b : a
}

const mercatorX = (longitude: number) => (longitude + 180) / 360
const mercatorY = (latitude: number) =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI)

/** The bounds that contain all groups; null without any. */
export function extentOf(groups: readonly Pick<MapGroup, 'latitude' | 'longitude'>[]): Bounds | null {
  if (groups.length === 0) return null
  const latitudes = groups.map(({ latitude }) => latitude)
  const longitudes = groups.map(({ longitude }) => longitude)
  return {
    south: Math.min(...latitudes),
    west: Math.min(...longitudes),
    north: Math.max(...latitudes),
    east: Math.max(...longitudes),
  }
}
