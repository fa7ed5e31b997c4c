import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markerLabel, markerPrice, markerText, withinText } from './map-messages.ts'
import {
  boundsOf,
  clusterGroups,
  extentOf,
  type MapGroup,
  movedHref,
  nearHref,
  readBounds,
  tidyBounds,
  writeBounds,
} from './map-rules.ts'

const MELBOURNE = { south: -38.1, west: 144.5, north: -37.5, east: 145.3 }

describe('readBounds', () => {
  it('reads what writeBounds writes', () => {
    expect(writeBounds(MELBOURNE)).toBe('-38.1_144.5_-37.5_145.3')
    expect(readBounds('-38.1_144.5_-37.5_145.3')).toEqual(MELBOURNE)
  })

  it('rounds to three decimals and cuts to the map', () => {
    expect(readBounds('-38.12345_144.98765_-37.50049_145.3')).toEqual({
      south: -38.123,
      west: 144.988,
      north: -37.5,
      east: 145.3,
    })
    expect(readBounds('-60_100_-30_140')).toEqual({ south: -46, west: 108, north: -30, east: 140 })
  })

  it('ends a box that crosses the date line at the edge of the map', () => {
    expect(readBounds('-38_150_-30_-170')).toEqual({ south: -38, west: 150, north: -30, east: 162 })
    // Fiji.
    expect(readBounds('-20_170_-10_-170')).toBeNull()
  })

  it.each([
    ['', 'nothing'],
    ['-37.5_144.5_-38.1_145.3', 'north and south swapped'],
    ['-38.1_144.5_-38.1_145.3', 'no height'],
    ['-38.1_144.5_-37.5_144.5', 'no width'],
    ['-38.1_144.5_-38.09999_145.3', 'less than 100 m'],
    ['-91_144_-37_145', 'beyond the pole'],
    ['-38_144_-37_181', 'beyond the date line'],
    ['51_-1_52_0', 'London'],
    ['-46_108_-8_162', 'all of Australia'],
    ['-90_-180_90_180', 'the world'],
    ['-38.1_144.5_-37.5', 'three numbers'],
    ['-38.1_144.5_-37.5_145.3_1', 'five numbers'],
    ['-38.1,144.5,-37.5,145.3', 'commas'],
    ['NaN_NaN_NaN_NaN', 'no numbers'],
    ['Infinity_144_-37_145', 'infinity'],
    ['-38e0_144_-37_145', 'an exponent'],
    ['0x10_144_-37_145', 'hexadecimal'],
    ['-38._144_-37_145', 'a dot alone'],
    ['١_144_-37_145', 'other digits'],
    [' -38.1_144.5_-37.5_145.3', 'a space'],
    [`-38.1_144.5_-37.5_145.${'3'.repeat(99)}`, 'too many decimals'],
  ])('returns null for %j: %s', (text) => {
    expect(readBounds(text)).toBeNull()
  })

  it('reads any text without failing, and only boxes within the map', () => {
    const degrees = fc.oneof(fc.double({ min: -200, max: 200 }), fc.integer({ min: -200, max: 200 }))
    const text = fc.oneof(
      fc.string(),
      fc.array(degrees, { maxLength: 5 }).map((all) => all.join('_')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const bounds = readBounds(typed)
        if (!bounds) return
        expect(bounds.south).toBeLessThan(bounds.north)
        expect(bounds.west).toBeLessThan(bounds.east)
        expect(readBounds(writeBounds(bounds))).toEqual(bounds)
      }),
    )
  })
})

describe('movedHref', () => {
  it('leads to the first page of the same search in the bounds, without a place', () => {
    expect(
      movedHref('/venues?after=12.tide&guests=90&near=1&place=Geelong%2C+VIC&sort=price', MELBOURNE),
    ).toBe('/venues?bounds=-38.1_144.5_-37.5_145.3&guests=90&sort=price')
    expect(movedHref('/venues', MELBOURNE)).toBe('/venues?bounds=-38.1_144.5_-37.5_145.3')
  })

  it('leads to the whole list from a map of all Australia', () => {
    expect(
      movedHref(
        '/venues?bounds=-38.1_144.5_-37.5_145.3',
        tidyBounds({ south: -80, west: 20, north: 40, east: 170 }),
      ),
    ).toBe('/venues')
  })

  it('drops the order by distance, which needs a place', () => {
    expect(movedHref('/venues?near=1&place=Geelong%2C+VIC&sort=distance', null)).toBe('/venues')
  })

  it('writes bounds that boundsOf reads', () => {
    expect(boundsOf(movedHref('/venues?q=jazz', MELBOURNE))).toEqual(MELBOURNE)
    expect(boundsOf('/venues')).toBeNull()
  })
})

it('nearHref replaces the bounds by a place', () => {
  expect(nearHref('/venues?before=1.a&bounds=-38.1_144.5_-37.5_145.3&q=jazz', 'Fitzroy, VIC')).toBe(
    '/venues?near=1&place=Fitzroy%2C+VIC&q=jazz',
  )
})

const price = (cents: number) => ({ cents, isTotal: true, compared: cents })
const group = (
  placeId: string,
  latitude: number,
  longitude: number,
  count = 1,
  cents?: number,
): MapGroup => ({
  placeId,
  name: placeId,
  state: 'VIC',
  latitude,
  longitude,
  count,
  price: cents === undefined ? null : price(cents),
})
const FITZROY = group('fitzroy', -37.798, 144.978, 3, 8_400)
const CARLTON = group('carlton', -37.8, 144.967, 5)
const GEELONG = group('geelong', -38.147, 144.361, 2, 4_500)
const PERTH = group('perth', -31.952, 115.861, 1, 9_900)

describe('clusterGroups', () => {
  const namesAt = (zoom: number) =>
    clusterGroups([FITZROY, CARLTON, GEELONG, PERTH], zoom).map(({ groups }) =>
      groups.map(({ name }) => name),
    )

  it('joins suburbs whose markers would overlap, at the one with the most listings', () => {
    expect(namesAt(3)).toEqual([['perth'], ['carlton', 'fitzroy', 'geelong']])
    expect(namesAt(9)).toEqual([['perth'], ['carlton', 'fitzroy'], ['geelong']])
    expect(namesAt(13)).toEqual([['perth'], ['fitzroy'], ['carlton'], ['geelong']])
  })

  it('counts the listings of a cluster and gives its lowest price', () => {
    const [, melbourne] = clusterGroups([FITZROY, CARLTON, GEELONG, PERTH], 3)
    expect(melbourne).toMatchObject({ count: 10, price: { cents: 4_500 }, lead: { name: 'carlton' } })
  })

  it('gives no price that isn’t a total for what was searched', () => {
    const perPerson = { ...FITZROY, price: { ...price(100), isTotal: false } }
    expect(clusterGroups([perPerson], 3)[0]?.price).toBeNull()
    const [cluster] = clusterGroups([perPerson, GEELONG], 3)
    expect(cluster?.price).toEqual(price(4_500))
  })

  it('loses no listing, whatever the zoom', () => {
    const anyGroup = fc
      .tuple(
        fc.integer({ min: 0, max: 500 }),
        fc.double({ min: -44, max: -10, noNaN: true }),
        fc.double({ min: 113, max: 154, noNaN: true }),
      )
      .map(([id, latitude, longitude]) => group(`p${id}`, latitude, longitude))
    fc.assert(
      fc.property(
        fc.uniqueArray(anyGroup, { selector: ({ placeId }) => placeId, maxLength: 60 }),
        fc.double({ min: 0, max: 13, noNaN: true }),
        (groups, zoom) => {
          const clusters = clusterGroups(groups, zoom)
          expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(groups.length)
          expect(clusters.flatMap((cluster) => cluster.groups).length).toBe(groups.length)
        },
      ),
    )
  })
})

it('extentOf contains every group', () => {
  expect(extentOf([FITZROY, PERTH])).toEqual({ south: -37.798, west: 115.861, north: -31.952, east: 144.978 })
  expect(extentOf([])).toBeNull()
})

describe('the texts of a marker', () => {
  it('name the lowest price in whole dollars', () => {
    expect(markerPrice(8_400)).toBe('$84')
    expect(markerPrice(756_000)).toBe('$7,560')
    expect(markerPrice(8_450)).toBe('$85')
    expect(markerText(1, 8_400)).toBe('$84')
    expect(markerText(3, 8_400)).toBe('3 from $84')
    expect(markerText(1, null)).toBe('1 listing')
    expect(markerText(4, null)).toBe('4 listings')
  })

  it('say the place, the number and the price to a screen reader', () => {
    expect(markerLabel('Fitzroy, VIC', 2, 3, 756_000)).toBe(
      'Fitzroy, VIC and 2 more places: 3 from $7,560 in total',
    )
    expect(markerLabel('Fitzroy, VIC', 1, 1, null)).toBe('Fitzroy, VIC and 1 more place: 1 listing')
    expect(markerLabel('Fitzroy, VIC', 0, 1, 756_000)).toBe('Fitzroy, VIC: $7,560 in total')
  })
})

it('withinText says how far', () => {
  expect([false, true, 50 as const].map(withinText)).toEqual(['in', 'near', 'within 50 km of'])
})
