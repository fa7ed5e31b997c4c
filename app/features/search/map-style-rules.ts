import type { ExpressionSpecification, StyleSpecification } from 'maplibre-gl'

/** The data of the embedded map (app/map/australia.json). */
export type MapData = {
  /** Outlines as differences of thousandths of a degree. */
  land: number[][]
  borders: [longitude: number, latitude: number][][]
  states: [name: string, longitude: number, latitude: number][]
  /** The gazetteer, the largest first. */
  places: [name: string, longitude: number, latitude: number][]
}

/** The colours of the embedded map, of the day or of the night. */
export type MapColours = Record<'water' | 'land' | 'coast' | 'border' | 'text' | 'quiet', string>

const THOUSANDTHS = 1_000
/** A web font of the site: without a source of glyphs, MapLibre draws each letter with the browser's fonts. */
const FONT = ['Figtree Variable']

/** How many of the largest places may have their name on the map, by zoom. Names that overlap are left out. */
const NAMED_PLACES: ExpressionSpecification = [
  'step',
  ['zoom'],
  8,
  4.2,
  16,
  5.5,
  60,
  6.5,
  200,
  7.5,
  600,
  8.5,
  1_500,
  9.5,
  4_000,
]

/** The points of an outline. */
export function readOutline(steps: readonly number[]): [number, number][] {
  const points: [number, number][] = []
  let [x, y] = [0, 0]
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    points.push([x / THOUSANDTHS, y / THOUSANDTHS])
  }
  return points
}

/** The embedded map: coast, borders of the states and names of towns, all from the package. */
export function mapStyle(data: MapData, colours: MapColours): StyleSpecification {
  const point = (longitude: number, latitude: number) => ({
    type: 'Point' as const,
    coordinates: [longitude, latitude],
  })
  return {
    version: 8,
    sources: {
      land: {
        type: 'geojson',
        data: {
          type: 'Feature',
          properties: {},
          geometry: { type: 'MultiPolygon', coordinates: data.land.map((steps) => [readOutline(steps)]) },
        },
      },
      borders: {
        type: 'geojson',
        data: {
          type: 'Feature',
          properties: {},
          geometry: { type: 'MultiLineString', coordinates: data.borders },
        },
      },
      states: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: data.states.map(([name, longitude, latitude]) => ({
            type: 'Feature',
            properties: { name },
            geometry: point(longitude, latitude),
          })),
        },
      },
      places: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: data.places.map(([name, longitude, latitude], rank) => ({
            type: 'Feature',
            properties: { name, rank },
            geometry: point(longitude, latitude),
          })),
        },
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      {
        id: 'coast',
        type: 'line',
        source: 'land',
        paint: {
          'line-color': colours.coast,
          'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 10, 1.4],
        },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': colours.border, 'line-width': 1, 'line-dasharray': [3, 3] },
      },
      {
        id: 'states',
        type: 'symbol',
        source: 'states',
        maxzoom: 6,
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 12,
          'text-transform': 'uppercase',
          'text-letter-spacing': 0.12,
          'text-max-width': 8,
        },
        paint: { 'text-color': colours.quiet, 'text-halo-color': colours.land, 'text-halo-width': 1 },
      },
      {
        id: 'places',
        type: 'symbol',
        source: 'places',
        filter: ['<', ['get', 'rank'], NAMED_PLACES],
        layout: {
          'symbol-sort-key': ['get', 'rank'],
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': ['interpolate', ['linear'], ['zoom'], 4, 11.5, 11, 14],
          'text-padding': 6,
          'text-max-width': 9,
        },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.land, 'text-halo-width': 1.4 },
      },
    ],
  }
}
