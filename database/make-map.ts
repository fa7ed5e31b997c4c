/**
 * Draws the data of the embedded map: `node database/make-map.ts` writes app/map/australia.json. Run it after a change of
 * the gazetteer or of world-atlas. app/map/README.md names the sources.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Point = [longitude: number, latitude: number]
type Topology = {
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: { land: { geometries: { type: string; arcs: number[][][] }[] } }
}

/** The land that a narrow screen shows around Australia. */
const DRAWN = { south: -68, west: 70, north: 36, east: 180 }
/** Australia and its islands are drawn in more detail than its neighbours. */
const DETAILED = { south: -44.5, west: 112, north: -10, east: 155 }
const DETAIL = 0.006
const BESIDE_DETAIL = 0.08
/** Smaller islands are left out, in square degrees. */
const MIN_AREA = 0.0004
const BESIDE_MIN_AREA = 0.12
const DECIMALS = 3

/**
 * The borders of the states: meridians and parallels as their acts name them, and between those the Murray, the
 * Macintyre, the ranges and the territory's edge as lines through places on them.
 */
const BORDERS: Point[][] = [
  // Western Australia
  [
    [129, -31.69],
    [129, -14.88],
  ],
  // The Northern Territory and South Australia
  [
    [129, -26],
    [141, -26],
  ],
  [
    [138, -26],
    [138, -16.55],
  ],
  // South Australia with Queensland, New South Wales and Victoria
  [
    [141, -26],
    [141, -34.02],
    [140.963, -34.02],
    [140.966, -38.06],
  ],
  // Queensland and New South Wales
  [
    [141, -29],
    [148.96, -28.99],
    [149.4, -28.68],
    [149.75, -28.61],
    [150.3, -28.54],
    [150.75, -28.64],
    [151.0, -28.75],
    [151.28, -29.06],
    [151.55, -28.95],
    [151.93, -28.92],
    [152.03, -28.68],
    [152.0, -28.5],
    [152.3, -28.36],
    [152.49, -28.25],
    [152.72, -28.34],
    [153.0, -28.35],
    [153.24, -28.25],
    [153.36, -28.24],
    [153.55, -28.165],
  ],
  // New South Wales and Victoria: the Murray, then a line to Cape Howe
  [
    [140.963, -34.02],
    [141.5, -34.11],
    [141.91, -34.11],
    [142.17, -34.18],
    [142.39, -34.35],
    [142.5, -34.74],
    [142.77, -34.57],
    [143.2, -34.74],
    [143.34, -35.03],
    [143.57, -35.33],
    [144.13, -35.63],
    [144.4, -35.95],
    [144.76, -36.12],
    [144.97, -36.02],
    [145.0, -35.86],
    [145.35, -35.87],
    [145.56, -35.82],
    [145.66, -35.92],
    [146.0, -36.02],
    [146.4, -36.0],
    [146.63, -35.99],
    [146.92, -36.09],
    [147.05, -36.08],
    [147.35, -36.0],
    [147.7, -35.94],
    [147.95, -36.05],
    [148.05, -36.4],
    [148.2, -36.8],
    [149.976, -37.505],
  ],
  // The Australian Capital Territory
  [
    [149.12, -35.125],
    [149.2, -35.22],
    [149.4, -35.32],
    [149.34, -35.36],
    [149.21, -35.35],
    [149.15, -35.44],
    [149.13, -35.56],
    [149.1, -35.82],
    [149.05, -35.92],
    [148.9, -35.85],
    [148.78, -35.7],
    [148.77, -35.4],
    [148.81, -35.3],
    [148.97, -35.22],
    [149.12, -35.125],
  ],
]

/** Where the names of the states stand. */
const STATES: [name: string, longitude: number, latitude: number][] = [
  ['Western Australia', 121.5, -25.5],
  ['Northern Territory', 133.4, -19.6],
  ['South Australia', 135, -29.6],
  ['Queensland', 144.3, -23],
  ['New South Wales', 145.9, -31.9],
  ['Victoria', 143.9, -36.9],
  ['Tasmania', 146.6, -42.1],
]

const read = (name: string) => readFileSync(createRequire(import.meta.url).resolve(name), 'utf8')

/** The outlines of all land, from arcs of differences that neighbours share. */
function readRings({ transform: { scale, translate }, arcs, objects }: Topology): Point[][] {
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
  const lineOf = (arc: number) => (arc < 0 ? lines[~arc]?.toReversed() : lines[arc]) ?? []
  return objects.land.geometries
    .flatMap(({ arcs }) => arcs)
    .flat()
    .map((ring) => ring.flatMap((arc, index) => (index === 0 ? lineOf(arc) : lineOf(arc).slice(1))))
}

/** The part of a ring within the map, by Sutherland and Hodgman. */
function cut(ring: readonly Point[]): Point[] {
  const { south, west, north, east } = DRAWN
  const edges: { isIn: (point: Point) => boolean; meet: (a: Point, b: Point) => Point }[] = [
    ...[west, east].map((x, side) => ({
      isIn: (point: Point) => (side === 0 ? point[0] >= x : point[0] <= x),
      meet: (a: Point, b: Point): Point => [x, a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0])],
    })),
    ...[south, north].map((y, side) => ({
      isIn: (point: Point) => (side === 0 ? point[1] >= y : point[1] <= y),
      meet: (a: Point, b: Point): Point => [a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]), y],
    })),
  ]
  return edges.reduce<Point[]>(
    (points, { isIn, meet }) =>
      points.flatMap((point, index) => {
        const before = points.at(index - 1) ?? point
        const enters = isIn(point) !== isIn(before) ? [meet(before, point)] : []
        return isIn(point) ? [...enters, point] : enters
      }),
    [...ring],
  )
}

/** A line with fewer points that stays within `tolerance` degrees, by Douglas and Peucker. */
function simplify(line: readonly Point[], tolerance: number): Point[] {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last || line.length < 3) return [...line]
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]]
  const length = Math.hypot(dx, dy)
  let farthest = 0
  let at = 0
  line.forEach((point, index) => {
    const [px, py] = [point[0] - first[0], point[1] - first[1]]
    const distance = length === 0 ? Math.hypot(px, py) : Math.abs(px * dy - py * dx) / length
    if (distance > farthest) [farthest, at] = [distance, index]
  })
  if (farthest <= tolerance) return [first, last]
  return [...simplify(line.slice(0, at + 1), tolerance), ...simplify(line.slice(at), tolerance).slice(1)]
}

const areaOf = (ring: readonly Point[]) =>
  Math.abs(
    ring.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y]
      return sum + x * nextY - nextX * y
    }, 0) / 2,
  )

const round = (degrees: number) => Math.round(degrees * 10 ** DECIMALS) / 10 ** DECIMALS

/** The outlines as differences of thousandths of a degree, which take half the room. `readLand` reads them. */
function land(): number[][] {
  return (
    readRings(JSON.parse(read('world-atlas/land-10m.json')) as Topology)
      // Fiji lies on the date line: its outline would cross the whole map.
      .filter((ring) => Math.max(...ring.map(([x]) => x)) - Math.min(...ring.map(([x]) => x)) < 180)
      .map(cut)
      .flatMap((ring) => {
        if (ring.length < 4) return []
        const isBeside = !ring.every(
          ([x, y]) => x > DETAILED.west && x < DETAILED.east && y > DETAILED.south && y < DETAILED.north,
        )
        if (areaOf(ring) < (isBeside ? BESIDE_MIN_AREA : MIN_AREA)) return []
        const simple = simplify([...ring, ring[0] ?? [0, 0]], isBeside ? BESIDE_DETAIL : DETAIL)
        if (simple.length < 4) return []
        let [lastX, lastY] = [0, 0]
        const steps = simple.flatMap(([degreesX, degreesY]) => {
          const [x, y] = [degreesX, degreesY].map((degrees) => Math.round(degrees * 10 ** DECIMALS))
          const step = [(x ?? 0) - lastX, (y ?? 0) - lastY]
          ;[lastX, lastY] = [x ?? 0, y ?? 0]
          return step
        })
        return [steps]
      })
  )
}

/** The gazetteer's places, the largest first. */
function places(): [name: string, longitude: number, latitude: number][] {
  const [, ...lines] = readFileSync('database/places.tsv', 'utf8').trimEnd().split('\n')
  return lines
    .map((line) => line.split('\t'))
    .sort((a, b) => Number(b[6]) - Number(a[6]))
    .map(([, name = '', , latitude, longitude]) => [
      // 'Richmond (Melbourne)' is one of several in its state.
      name.replace(/ \(.*\)$/, ''),
      round(Number(longitude)),
      round(Number(latitude)),
    ])
}

const data = { land: land(), borders: BORDERS, states: STATES, places: places() }
writeFileSync('app/map/australia.json', `${JSON.stringify(data)}\n`)
