import { type Coordinates, distanceKm } from '../places/rules.ts'

/** A rectangle on the map, in degrees. */
export type Box = { south: number; north: number; west: number; east: number }

const KM_PER_DEGREE = 111.195

/** The smallest box that contains a circle. Works for Australia, but not at the poles or the date line. */
export function boxAround({ latitude, longitude }: Coordinates, radiusKm: number): Box {
  const height = radiusKm / KM_PER_DEGREE
  const width = height / Math.cos(((Math.abs(latitude) + height) * Math.PI) / 180)
  return {
    south: latitude - height,
    north: latitude + height,
    west: longitude - width,
    east: longitude + width,
  }
}

const SQUARES_PER_DEGREE = 4
/** With more squares than this, the box alone is faster. */
const MAX_SQUARES = 40

/** The markers of all quarter-degree squares that a box touches. null if there are more than `MAX_SQUARES`. */
export function squaresOf(box: Box): string[] | null {
  const index = (degrees: number) => Math.floor(degrees * SQUARES_PER_DEGREE)
  const squares: string[] = []
  for (let row = index(box.south); row <= index(box.north); row++) {
    for (let column = index(box.west); column <= index(box.east); column++) {
      if (squares.length === MAX_SQUARES) return null
      squares.push(`g/${row}:${column}`)
    }
  }
  return squares
}

/**
 * Picks up to `max` places in order, skipping each that is within `apartKm` of one already picked, so that no two have
 * the same surroundings.
 */
export function pickApart<P extends Coordinates>(places: readonly P[], apartKm: number, max: number): P[] {
  const picked: P[] = []
  for (const place of places) {
    if (picked.length === max) break
    if (picked.every((other) => distanceKm(other, place) > apartKm)) picked.push(place)
  }
  return picked
}
