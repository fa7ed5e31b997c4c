import { type Coordinates, distanceKm } from '../places/rules.ts'

/**
 * A cell of a quadtree over Australia: its path from the whole square, a digit from 0 to 3 for each level. A cell of level 8 is
 * some 39 km high.
 */
type Cell = { path: string; south: number; west: number; degrees: number }

/** The square from the South Pole to the equator, with every place of places.tsv. */
const WHOLE: Cell = { path: '', south: -90, west: 90, degrees: 90 }
/** Cells of 2.4 km. The exact distance decides within a cell, so smaller ones would save nothing. */
const MAX_LEVEL = 12
/** More cells fit a circle better, but each is one more term of the index for every listing. */
const MAX_CELLS = 12
/** The nearest point of a large cell lies a little nearer than the one of its own latitude. */
const SLACK = 1.02

const marker = (path: string) => `w/${path}`

/**
 * The markers of at most twelve cells that cover a circle. They may cover more: the exact distance decides.
 * @param km the radius
 */
export function coverMarkers(centre: Coordinates, km: number): string[] {
  let cells = [WHOLE]
  for (;;) {
    const divided = cells
      .filter((cell) => cell.path.length < MAX_LEVEL && farthestKm(cell, centre) > km)
      .sort((a, b) => a.path.length - b.path.length)
      .map((cell) => ({
        cell,
        parts: quartersOf(cell).filter((part) => nearestKm(part, centre) <= km * SLACK),
      }))
      .find(({ parts }) => cells.length - 1 + parts.length <= MAX_CELLS)
    if (!divided) return cells.map(({ path }) => marker(path)).sort()
    cells = [...cells.filter((cell) => cell !== divided.cell), ...divided.parts]
  }
}

/** The markers of the cells that contain a point, one for each level. A circle around the point's vendor has one of them. */
export function pointMarkers(point: Coordinates): string[] {
  const markers = [marker('')]
  let cell = WHOLE
  while (cell.path.length < MAX_LEVEL) {
    const inside = quartersOf(cell).find((part) => contains(part, point))
    if (!inside) break
    cell = inside
    markers.push(marker(cell.path))
  }
  return markers
}

function quartersOf({ path, south, west, degrees }: Cell): Cell[] {
  const half = degrees / 2
  return [0, 1, 2, 3].map((quarter) => ({
    path: `${path}${quarter}`,
    south: south + (quarter >> 1) * half,
    west: west + (quarter & 1) * half,
    degrees: half,
  }))
}

const contains = ({ south, west, degrees }: Cell, { latitude, longitude }: Coordinates) =>
  latitude >= south && latitude < south + degrees && longitude >= west && longitude < west + degrees

function nearestKm({ south, west, degrees }: Cell, point: Coordinates): number {
  const within = (value: number, least: number) => Math.min(Math.max(value, least), least + degrees)
  return distanceKm(point, {
    latitude: within(point.latitude, south),
    longitude: within(point.longitude, west),
  })
}

function farthestKm({ south, west, degrees }: Cell, point: Coordinates): number {
  const corners = [south, south + degrees].flatMap((latitude) =>
    [west, west + degrees].map((longitude) => ({ latitude, longitude })),
  )
  return Math.max(...corners.map((corner) => distanceKm(point, corner)))
}
