import { trimEndWhere } from '../../shared/trim-end.ts'
/** The states and territories of Australia, as written after the name of a place. */
export const STATES = ['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT'] as const
export type State = (typeof STATES)[number]

export const stateNames: Readonly<Record<State, string>> = {
  NSW: 'New South Wales',
  VIC: 'Victoria',
  QLD: 'Queensland',
  WA: 'Western Australia',
  SA: 'South Australia',
  TAS: 'Tasmania',
  ACT: 'Australian Capital Territory',
  NT: 'Northern Territory',
}

/** A point in decimal degrees, with south and west negative (WGS 84, as in database/places.tsv). */
export type Coordinates = { latitude: number; longitude: number }

/** Mean radius of the Earth in km (IUGG's R1). */
const EARTH_RADIUS_KM = 6371.0088

/**
 * The label of a place on screens: suburb or town and state, such as 'Geelong, VIC'. Never a street (Decision 20).
 */
export function placeLabel(place: { name: string; state: State }): string {
  return `${place.name}, ${place.state}`
}

/** The state that a text names, abbreviated or in full: 'vic', 'Western Australia'. null for any other text. */
export function stateNamed(text: string): State | null {
  const wanted = text.trim().toLowerCase()
  if (wanted === 'tassie') return 'TAS'
  return (
    STATES.find((state) => state.toLowerCase() === wanted || stateNames[state].toLowerCase() === wanted) ??
    null
  )
}

/** The ways to write 'Mount' and 'St', which places.tsv always writes so. */
const MOUNT = /(?<!\S)mt(?:\.\s*|\s+)(?=\S)/i
const SAINT = /(?<!\S)(?:saint\s+|st\.\s*)(?=\S)/i

/**
 * Splits a typed place into name and state: 'Geelong, VIC', 'geelong vic' and 'Geelong, Victoria' mean the same, and so
 * do 'Mt Eliza' and 'Mount Eliza', 'Saint Kilda', 'St. Kilda' and 'St Kilda'.
 * @returns the trimmed name, and the state or null
 */
export function parsePlaceText(text: string): { name: string; state: State | null } {
  const tidy = text.replace(/\s+/g, ' ').trim().replace(MOUNT, 'Mount ').replace(SAINT, 'St ')
  for (const state of STATES) {
    for (const ending of [state, stateNames[state]]) {
      if (!tidy.toLowerCase().endsWith(ending.toLowerCase())) continue
      const before = tidy.slice(0, -ending.length)
      const name = trimEndWhere(before, /[\s,]/)
      // 'Bovic' does not end with a state, and 'Victoria' alone is a name.
      if (name && name !== before) return { name, state }
    }
  }
  return { name: trimEndWhere(tidy, /[\s,]/), state: null }
}

/**
 * The distance between two points in km as the crow flies, by the haversine formula. Accurate to about 0.5 %: enough to
 * sort by distance and to show 'about 12 km away', but no driving distance.
 */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const latitudeA = toRadians(a.latitude)
  const latitudeB = toRadians(b.latitude)
  const halfLatitude = (latitudeB - latitudeA) / 2
  const halfLongitude = toRadians(b.longitude - a.longitude) / 2
  const haversine =
    Math.sin(halfLatitude) ** 2 + Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin(halfLongitude) ** 2
  // Rounding can push the haversine of opposite points just above 1, where asin is NaN.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
