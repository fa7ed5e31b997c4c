import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, NEARBY_KM } from '../features/businesses/rules.ts'
import { distanceKm } from '../features/places/rules.ts'
import { cardTopics, listTopics, reachKm } from './page-topics.ts'

const geelong = { latitude: -38.1471, longitude: 144.3607 }

describe('the topics of a list', () => {
  it('name the only category, or ‘any’ for several', () => {
    expect(listTopics('listings', ['Sounds & DJ'])).toEqual(['listings:Sounds & DJ'])
    expect(listTopics('listings', ['Venues', 'Catering'])).toEqual(['listings:any'])
    expect(listTopics('prices')).toEqual(['prices:any'])
    expect(listTopics('words', CATEGORIES, { state: 'VIC' })).toEqual(['words:any:VIC'])
    expect(listTopics('words', ['Venues'], { placeId: 'geelong-vic' })).toEqual(['words:Venues:geelong-vic'])
  })

  it('name squares of a quarter degree or of one degree, or no area, depending on the list’s reach', () => {
    const around = (km: number) => listTopics('listings', ['Venues'], { around: geelong, km })
    expect(around(1)).toEqual(['listings:Venues:q-153:577'])
    expect(around(60)).toContain('listings:Venues:d-39:144')
    expect(around(1_000)).toEqual(['listings:Venues'])
    for (const km of [1, 25, 60, 150, 300, 1_000]) expect(around(km).length).toBeLessThanOrEqual(20)
  })

  it('name the square of every place within reach', () => {
    const degree = { noNaN: true, noDefaultInfinity: true }
    fc.assert(
      fc.property(
        fc.double({ min: -44, max: -10, ...degree }),
        fc.double({ min: 113, max: 154, ...degree }),
        fc.double({ min: -3, max: 3, ...degree }),
        fc.double({ min: -3, max: 3, ...degree }),
        fc.double({ min: 1, max: 300, ...degree }),
        (latitude, longitude, north, east, km) => {
          const other = { latitude: latitude + north, longitude: longitude + east }
          fc.pre(distanceKm({ latitude, longitude }, other) <= km)
          const topics = listTopics('listings', ['Venues'], { around: { latitude, longitude }, km })
          // The names used by migration 0017.
          const square = (name: string, perDegree: number) =>
            `listings:Venues:${name}${Math.floor(other.latitude * perDegree)}:${Math.floor(other.longitude * perDegree)}`
          expect(
            ['listings:Venues', square('q', 4), square('d', 1)].some((topic) =>
              topics.some((named) => named === topic),
            ),
          ).toBe(true)
        },
      ),
    )
  })
})

describe('the reach of a nearest-first list', () => {
  const nearest = (...km: number[]) => km.map((distanceKm) => ({ distanceKm }))

  it('goes a little beyond the farthest listing of a full list', () => {
    expect(reachKm(nearest(3, 40, 12), 3)).toBeCloseTo(45.1)
    expect(reachKm(nearest(0, 0, 0), 3)).toBeCloseTo(1.1)
    expect(reachKm(nearest(1, 2), 2, 26)).toBe(26)
  })

  it('stays unknown for a list that is not full or reaches too far for squares', () => {
    expect(reachKm(nearest(3, 40), 3)).toBeNull()
    expect(reachKm([], 3)).toBeNull()
    expect(reachKm(nearest(1, 2, 2 * NEARBY_KM), 3)).toBeNull()
  })
})

it('names each displayed card', () => {
  expect(cardTopics([{ id: 'a' }], [], [{ id: 'b' }])).toEqual(['business:a', 'business:b'])
})
