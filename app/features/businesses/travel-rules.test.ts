import { describe, expect, it } from 'vitest'
import { type Coordinates, distanceKm } from '../places/rules.ts'
import { coverMarkers, pointMarkers } from './travel-rules.ts'

const KM_PER_DEGREE = 111.195

/** The point at a distance and bearing from another. */
function pointAt({ latitude, longitude }: Coordinates, km: number, bearing: number): Coordinates {
  const [from, angle] = [(latitude * Math.PI) / 180, (km / KM_PER_DEGREE) * (Math.PI / 180)]
  const turned = (bearing * Math.PI) / 180
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(turned))
  const east = Math.atan2(
    Math.sin(turned) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  )
  return { latitude: (to * 180) / Math.PI, longitude: longitude + (east * 180) / Math.PI }
}

const isCovered = (cover: readonly string[], point: Coordinates) =>
  pointMarkers(point).some((marker) => cover.includes(marker))

const CENTRES = {
  Melbourne: { latitude: -37.814, longitude: 144.963 },
  Darwin: { latitude: -12.463, longitude: 130.844 },
  Hobart: { latitude: -42.882, longitude: 147.328 },
  'Lord Howe Island': { latitude: -31.554, longitude: 159.083 },
  'Alice Springs': { latitude: -23.7, longitude: 133.881 },
  'a corner of cells': { latitude: -33.75, longitude: 151.875 },
}

describe.each(Object.entries(CENTRES))('the cells that cover a circle around %s', (_, centre) => {
  it.each([1, 5, 25, 99, 100, 250, 800, 2_000])(
    'are at most 12 for %i km, and leave out none of it',
    (km) => {
      const cover = coverMarkers(centre, km)
      expect(cover.length).toBeLessThanOrEqual(12)
      for (let bearing = 0; bearing < 360; bearing += 3) {
        for (const share of [0.02, 0.5, 0.9, 0.999]) {
          const point = pointAt(centre, km * share, bearing)
          // Beyond the square there are no places.
          if (point.latitude >= 0 || point.longitude >= 180) continue
          expect(distanceKm(centre, point)).toBeLessThanOrEqual(km)
          expect(isCovered(cover, point), `${bearing}° at ${km * share} km`).toBe(true)
        }
      }
      expect(isCovered(cover, centre)).toBe(true)
    },
  )

  it('leave out what is twice as far', () => {
    const cover = coverMarkers(centre, 50)
    const beyond = Array.from({ length: 36 }, (_, index) => pointAt(centre, 150, index * 10))
    expect(beyond.filter((point) => isCovered(cover, point))).toEqual([])
  })
})

it('a point has one cell of each level, each within the one before', () => {
  const markers = pointMarkers(CENTRES.Melbourne)
  expect(markers).toHaveLength(13)
  for (const [index, marker] of markers.entries()) expect(marker.length).toBe('w/'.length + index)
  expect(markers.slice(1).every((marker, index) => marker.startsWith(markers[index] ?? '?'))).toBe(true)
})
