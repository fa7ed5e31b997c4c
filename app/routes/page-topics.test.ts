import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, NEARBY_KM } from '../features/businesses/rules.ts'
import { distanceKm } from '../features/places/rules.ts'
import { cardTopics, listTopics, reachKm } from './page-topics.ts'

const geelong = { latitude: -38.1471, longitude: 144.3607 }

describe('the topics of a list', () => {
  it('name one category, or any where there are several', () => {
    expect(listTopics('listings', ['Sounds & DJ'])).toEqual(['listings:Sounds & DJ'])
    expect(listTopics('listings', ['Venues', 'Catering'])).toEqual(['listings:any'])
    expect(listTopics('prices')).toEqual(['prices:any'])
    expect(listTopics('words', CATEGORIES, { state: 'VIC' })).toEqual(['words:any:VIC'])
    expect(listTopics('words', ['Venues'], { placeId: 'geelong-vic' })).toEqual(['words:Venues:geelong-vic'])
  })

  it('name squares of a quarter degree, of a whole one, or nothing, by how far the list reaches', () => {
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
          // As migration 0017 names them.
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

describe('the reach of a list of the nearest', () => {
  const nearest = (...km: number[]) => km.map((distanceKm) => ({ distanceKm }))

  it('goes a little beyond the farthest once the list is full', () => {
    expect(reachKm(nearest(3, 40, 12), 3)).toBeCloseTo(45.1)
    expect(reachKm(nearest(0, 0, 0), 3)).toBeCloseTo(1.1)
    expect(reachKm(nearest(1, 2), 2, 26)).toBe(26)
  })

  it('is unknown while there is room, or where it is too far to tell squares apart', () => {
    expect(reachKm(nearest(3, 40), 3)).toBeNull()
    expect(reachKm([], 3)).toBeNull()
    expect(reachKm(nearest(1, 2, 2 * NEARBY_KM), 3)).toBeNull()
  })
})

it('names each card that is shown', () => {
  expect(cardTopics([{ id: 'a' }], [], [{ id: 'b' }])).toEqual(['business:a', 'business:b'])
})
