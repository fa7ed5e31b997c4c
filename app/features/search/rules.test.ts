import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDay } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { CATEGORIES, type Pricing } from '../businesses/rules.ts'
import { distanceKm } from '../places/rules.ts'
import { boxAround, pickApart, squaresOf } from './box-rules.ts'
import { eraOf, firstPosition, nextStretch } from './era-rules.ts'
import { comparedPrice, comparedTotalOf, priceMarkers, pricesOf, totalOf } from './price-rules.ts'
import { COUNT_CAP, categoriesOf, countSoFar, hoursOf } from './rules.ts'
import { NO_SEARCH, type Search } from './schema.ts'
import { nearestWeekday } from './weekday-rules.ts'
import { categoriesLike, editsOf, errorsForgiven, nameKey, searchWords, typingErrors } from './word-rules.ts'

const search = (searchTerms: Partial<Search>): Search => ({ ...NO_SEARCH, ...searchTerms })

describe('search words', () => {
  it('include up to eight distinct words in lower case, without accents and apostrophes', () => {
    expect(searchWords("Café & the O’Brien's CAFÉ, jazz-trio 100%")).toEqual([
      'cafe',
      'the',
      'obriens',
      'jazz',
      'trio',
      '100',
    ])
    expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
    expect(searchWords('_ % \\ ; 🎉 …')).toEqual([])
    expect(searchWords('福 Ελλάδα')).toEqual(['福', 'ελλαδα'])
  })

  it('form the key of a name without spaces', () => {
    expect(nameKey('  The Wild-Hedge  Flowers! ')).toBe('thewildhedgeflowers')
    expect(nameKey('???')).toBe('')
  })
})

describe('typing errors', () => {
  it('include an extra, missing or wrong letter, and two swapped letters', () => {
    const edits = editsOf('hall')
    for (const typed of ['hal', 'halls', 'hill', 'ahll', 'h4ll']) expect(edits).toContain(typed)
    for (const typed of ['hall', 'hills', 'ha', '']) expect(edits).not.toContain(typed)
  })

  it('count as one for each edit, and as the fewest edits between two words', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.nat(), (word, pick) => {
        const edits = editsOf(word)
        expect(typingErrors(word, edits[pick % edits.length] ?? '')).toBe(1)
      }),
    )
    expect(typingErrors('photograhper', 'photographer')).toBe(1)
    expect(typingErrors('fotographer', 'photographer')).toBe(2)
    expect(typingErrors('', 'abc')).toBe(3)
    expect(typingErrors('abc', 'abc')).toBe(0)
  })

  it('can be more numerous in longer words', () => {
    expect(['djx', 'gardn', 'photogr'].map(errorsForgiven)).toEqual([0, 1, 1])
    expect(errorsForgiven('photograph')).toBe(2)
  })

  it('don’t keep a category from being suggested', () => {
    expect(categoriesLike('photograhper')).toEqual(['Photographers'])
    expect(categoriesLike('pho')).toEqual(['Photographers'])
    expect(categoriesLike('DJ')).toEqual(['Sounds & DJ'])
    expect(categoriesLike('event pl')).toEqual(['Event Planners'])
    expect(categoriesLike('x')).toEqual([])
    expect(categoriesLike('woolshed')).toEqual([])
  })
})

describe('prices of a search', () => {
  it('use the hours between the times, rounded up, or the hours given', () => {
    expect(hoursOf({ from: '16:00', until: '23:00', hours: null })).toBe(7)
    expect(hoursOf({ from: '18:00', until: '01:15', hours: null })).toBe(8)
    expect(hoursOf({ from: '16:00', until: null, hours: 4 })).toBe(4)
    expect(hoursOf({ from: '16:00', until: null, hours: null })).toBeNull()
  })

  it('add up to a total of the price times the guests or hours', () => {
    const asked = search({ guests: 90, from: '16:00', until: '23:00' })
    const listing = (priceUnit: PriceUnit, priceCents: number): Pricing => ({
      priceUnit,
      priceCents,
      secondPrice: null,
    })
    expect(totalOf(asked, listing('perPerson', 8_850))).toEqual({
      cents: 796_500,
      quantity: 90,
      unit: 'perPerson',
    })
    expect(totalOf(asked, listing('perHour', 20_000))).toEqual({
      cents: 140_000,
      quantity: 7,
      unit: 'perHour',
    })
    expect(totalOf(search({ guests: 90 }), listing('perHour', 20_000))).toBeNull()
    expect(totalOf(asked, listing('perHour', 0))).toBeNull()
    // Beside totals for guests, a price per hour counts for some hours, and its card says for how many.
    expect(comparedTotalOf(search({ guests: 90 }), listing('perHour', 20_000))).toEqual({
      cents: 80_000,
      quantity: 4,
      unit: 'perHour',
      isExample: true,
    })
    expect(comparedTotalOf(search({ guests: 90 }), listing('perPerson', 8_400))).toEqual({
      cents: 756_000,
      quantity: 90,
      unit: 'perPerson',
      isExample: false,
    })
    expect(comparedTotalOf(search({ guests: 90, per: 'perHour' }), listing('perHour', 20_000))).toBeNull()
    expect(comparedTotalOf(search({ guests: 90 }), listing('perHour', 0))).toBeNull()
    expect(comparedTotalOf(search({}), listing('perHour', 20_000))).toBeNull()
  })

  it.each<[Partial<Search>, PriceUnit, string]>([
    [{}, 'perPerson', 'the first price without a unit or quantity'],
    [{ per: 'perHour' }, 'perHour', 'the price of the named unit'],
    [{ per: 'perHour', guests: 90 }, 'perHour', 'the price of the named unit, whatever the quantity'],
    [{ guests: 90 }, 'perPerson', 'per person for guests'],
    [{ hours: 4 }, 'perHour', 'per hour for hours'],
    [{ from: '16:00', until: '20:00' }, 'perHour', 'per hour for a start and an end'],
    [{ guests: 90, hours: 4 }, 'perHour', 'the lower total for guests and hours'],
    [{ guests: 10, hours: 4 }, 'perPerson', 'the lower total for guests and hours'],
    // 84 x 15 = 420 x 3.
    [{ guests: 15, hours: 3 }, 'perPerson', 'the first price if both totals are the same'],
  ])('use one price of a listing with two: %j %s, %s', (searchTerms, unit) => {
    const listing: Pricing = {
      priceUnit: 'perPerson',
      priceCents: 8_400,
      secondPrice: { unit: 'perHour', cents: 42_000 },
    }
    expect(comparedPrice(search(searchTerms), listing).unit).toBe(unit)
    const turned: Pricing = {
      priceUnit: 'perHour',
      priceCents: 42_000,
      secondPrice: { unit: 'perPerson', cents: 8_400 },
    }
    const isFirst =
      Object.keys(searchTerms).length === 0 || (searchTerms.guests === 15 && searchTerms.hours === 3)
    expect(comparedPrice(search(searchTerms), turned).unit).toBe(isFirst ? 'perHour' : unit)
  })

  it('stay within the budget, to the cent', () => {
    const asked = search({ guests: 90, hours: 7, budgetCents: 800_000 })
    expect(pricesOf(asked, 'perPerson')).toEqual({ from: 1, to: 8_888 })
    expect(pricesOf(asked, 'perHour')).toEqual({ from: 1, to: 114_285 })
    // With guests alone, an hourly price counts for four hours, or $6,500 an hour would pass a budget of $7,000.
    expect(pricesOf(search({ guests: 90, budgetCents: 700_000 }), 'perHour')).toEqual({
      from: 1,
      to: 175_000,
    })
    // Without guests or hours, the least that can be booked is one.
    expect(pricesOf(search({ budgetCents: 800_000 }), 'perPerson')).toEqual({ from: 1, to: 800_000 })
    expect(pricesOf(search({ guests: 100, budgetCents: 50 }), 'perPerson')).toBe('none')
  })

  it('stay within the listed price and its unit', () => {
    expect(pricesOf(search({}), 'perHour')).toBeNull()
    expect(pricesOf(search({ minCents: 5_000, maxCents: 12_000 }), 'perHour')).toEqual({
      from: 5_000,
      to: 12_000,
    })
    expect(pricesOf(search({ per: 'perPerson' }), 'perHour')).toBe('none')
    expect(pricesOf(search({ per: 'perPerson' }), 'perPerson')).toBeNull()
    expect(pricesOf(search({ minCents: 900_000, guests: 10, budgetCents: 10_000 }), 'perPerson')).toBe('none')
  })

  it('have markers for every price of a range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        (a, b, price) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const marker = `d/perHour${Math.floor((Math.log(price + 1) / Math.log(2)) * 4)}`
          if (price >= from && price <= to) expect(priceMarkers('perHour', { from, to })).toContain(marker)
        },
      ),
    )
    expect(priceMarkers('perPerson', { from: 1, to: 99_999_999 }).length).toBeLessThan(120)
  })
})

describe('the surroundings of a place', () => {
  const australia = fc.record({
    latitude: fc.double({ min: -44, max: -9, noNaN: true }),
    longitude: fc.double({ min: 112, max: 160, noNaN: true }),
  })

  it('lie within a box, and within squares, that contain the whole circle', () => {
    fc.assert(
      fc.property(
        australia,
        fc.double({ min: 0, max: 6.28, noNaN: true }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        (middle, angle, radiusKm) => {
          const point = {
            latitude: middle.latitude + (radiusKm / 111.2) * Math.sin(angle),
            longitude:
              middle.longitude +
              ((radiusKm / 111.2) * Math.cos(angle)) / Math.cos((middle.latitude * Math.PI) / 180),
          }
          if (distanceKm(middle, point) > radiusKm) return
          const box = boxAround(middle, radiusKm)
          expect(point.latitude >= box.south && point.latitude <= box.north).toBe(true)
          expect(point.longitude >= box.west && point.longitude <= box.east).toBe(true)
          const squares = squaresOf(box)
          if (squares)
            expect(squares).toContain(
              `g/${Math.floor(point.latitude * 4)}:${Math.floor(point.longitude * 4)}`,
            )
        },
      ),
    )
  })

  it('have no squares if there would be too many', () => {
    const geelong = { latitude: -38.147, longitude: 144.36 }
    expect(squaresOf(boxAround(geelong, 25))?.length).toBeLessThanOrEqual(12)
    expect(squaresOf(boxAround(geelong, 500))).toBeNull()
  })
})

describe('the next stretch of time', () => {
  it('covers a market of up to three eras at once', () => {
    expect(nextStretch(0, -1, null)).toEqual({ markers: ['e/0', 'e/-1'], eras: 1.5, next: -2 })
    expect(nextStretch(1, -1, null)).toEqual({ markers: ['e/1', 'e/0'], eras: 1.5, next: -1 })
    expect(nextStretch(2, -1, null)).toEqual({ markers: ['e/2', 'e/1', 'e/0'], eras: 2.5, next: -1 })
    expect(nextStretch(3, -1, null)).toEqual({ markers: ['e/3', 'e/2'], eras: 1.5, next: 1 })
    // The other way it is unknown how far the market reaches.
    expect(nextStretch(2, 1, null)).toEqual({ markers: ['e/2', 'e/3'], eras: 1.5, next: 4 })
  })

  it('grows with the number of missing matches, up to everything', () => {
    const next = (found: number, wanted = 500) =>
      nextStretch(242, -1, { eras: 1.5, found, wanted, stretches: 1 }, 1)
    // The current block as a whole if all of it is needed, then single eras while there are few.
    expect(next(250)).toEqual({ markers: ['f/15', 'e/239'], eras: 4, next: 238 })
    expect(next(400)).toEqual({ markers: ['f/15'], eras: 3, next: 239 })
    expect(next(100)?.markers).toEqual([
      'f/15',
      'e/239',
      'e/238',
      'e/237',
      'e/236',
      'e/235',
      'e/234',
      'e/233',
    ])
    expect(next(60)?.markers).toEqual(['f/15', 'f/14'])
    expect(next(20)?.markers).toEqual(['f/15', 'f/14', 'f/13', 'f/12', 'e/191', 'e/190', 'e/189'])
    // From half of all eras on, reading everything costs no more.
    expect(next(9)).toBeNull()
    expect(next(0)).toBeNull()
  })

  it('shrinks if the newest era has few listings', () => {
    const lengthOf = (filled: number) => {
      const first = nextStretch(244, -1, null, filled)
      if (!first) return null
      return nextStretch(first.next, -1, { eras: first.eras, found: 20, wanted: 480, stretches: 1 }, 1)?.eras
    }
    expect([lengthOf(0.1), lengthOf(0.5), lengthOf(1)]).toEqual([38, 52, 69])
  })

  it('doubles while what was read has all matches', () => {
    const lengths = [1, 2, 3, 4, 5].map(
      (stretches) => nextStretch(900, -1, { eras: 3, found: 499, wanted: 1, stretches }, 1)?.eras,
    )
    expect(lengths).toEqual([2, 4, 8, 21, 37])
  })

  it('follows the one before it, covers every era of its length, and ends', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.constantFrom<1 | -1>(1, -1),
        fc.array(fc.nat(200), { minLength: 1 }),
        (from, step, finds) => {
          let [start, eras, found, stretches] = [from, 0, 0, 0]
          for (;;) {
            const before = stretches > 0 ? { eras, found, wanted: 500 - found, stretches } : null
            const stretch = nextStretch(start, step, before)
            if (!stretch || stretch.next < 0 || stretch.next > 2_000) return
            const named = new Set(
              stretch.markers.flatMap((marker) => {
                const number = Number(marker.slice(2))
                return marker.startsWith('e/')
                  ? [number]
                  : Array.from({ length: 16 }, (_, index) => number * 16 + index)
              }),
            )
            for (let era = start; era !== stretch.next; era += step) expect(named).toContain(era)
            expect(named.size).toBeLessThanOrEqual(stretch.eras + 0.5 + 30)
            expect(stretches).toBeLessThan(10)
            start = stretch.next
            eras += stretch.eras
            found = Math.min(499, found + (finds[stretches % finds.length] ?? 0))
            stretches++
          }
        },
      ),
    )
  })

  it('begins at the era of a position', () => {
    expect(eraOf((244n << 43n) | 1_790_000_000_000n)).toBe(244)
    expect([eraOf(firstPosition(244)), eraOf(firstPosition(244) - 1n)]).toEqual([244, 243])
    expect(nextStretch(3, 1, null)?.markers).toEqual(['e/3', 'e/4'])
  })
})

describe('categoriesOf', () => {
  it('returns the named category, else those of the occasion, else all', () => {
    expect(categoriesOf({ category: null, service: null, occasion: null })).toEqual(CATEGORIES)
    expect(categoriesOf({ category: null, service: null, occasion: 'memorial' })).toEqual([
      'Venues',
      'Catering',
      'Videographers',
      'Extras',
    ])
    expect(categoriesOf({ category: 'Hairdresser', service: null, occasion: 'memorial' })).toEqual([
      'Hairdresser',
    ])
  })
})

describe('pickApart', () => {
  const at = (longitude: number) => ({ latitude: 0, longitude })

  it('keeps the order and skips places within the surroundings of one already picked', () => {
    // At the equator a degree is 111 km.
    const places = [at(0), at(0.2), at(0.3), at(0.5), at(5), at(6)]
    expect(pickApart(places, 25, 3)).toEqual([at(0), at(0.3), at(5)])
    expect(pickApart(places, 25, 0)).toEqual([])
    expect(pickApart([], 25, 3)).toEqual([])
  })
})

describe('nearestWeekday', () => {
  it('returns the nearest date with that weekday', () => {
    expect(nearestWeekday('2027-03-14', 'Saturday')).toBe('2027-03-13')
    expect(nearestWeekday('2027-03-14', 'Monday')).toBe('2027-03-15')
    expect(nearestWeekday('2027-03-14', 'Wednesday')).toBe('2027-03-17')
    expect(nearestWeekday('2027-03-14', 'Thursday')).toBe('2027-03-11')
    expect(formatDay(nearestWeekday('2027-01-01', 'Monday'))).toBe('Monday 4 January 2027')
  })
})

describe('the count of a list so far', () => {
  const page = (total: number, next: string | null = '9.x', previous: string | null = '1.x') => ({
    total,
    isOpenEnded: next !== null || previous !== null,
    next,
    previous,
  })
  const forwards = (seen: number | null) => search({ guests: 40, after: '5.x', seen })
  const backwards = (seen: number | null) => search({ guests: 40, before: '5.x', seen })
  const count = (total: number, isOpenEnded: boolean) => ({ total, isOpenEnded })

  it('adds a page to those before it', () => {
    expect(countSoFar(page(24, '9.x', null), search({ guests: 40 }))).toEqual({
      count: count(24, true),
      before: null,
      after: 24,
    })
    expect(countSoFar(page(24), forwards(24))).toEqual({ count: count(48, true), before: 24, after: 48 })
    expect(countSoFar(page(4, null), forwards(72))).toMatchObject({ count: count(76, false), before: 72 })
  })

  it('stays the same on the way back', () => {
    expect(countSoFar(page(24), backwards(48))).toEqual({ count: count(48, true), before: 24, after: 48 })
    expect(countSoFar(page(24), backwards(7))).toEqual({ count: count(24, true), before: null, after: 24 })
  })

  it('starts again with a list that does', () => {
    expect(countSoFar(page(24, '9.x', null), forwards(48))).toMatchObject({
      count: count(24, true),
      after: 24,
    })
  })

  it('says of an empty page that none of its businesses match', () => {
    expect(countSoFar(page(0), forwards(24))).toEqual({ count: count(0, true), before: 24, after: 24 })
  })

  it('counts the page alone where an address doesn’t know the pages before', () => {
    expect(countSoFar(page(4, null), forwards(null))).toEqual({
      count: count(4, true),
      before: null,
      after: null,
    })
  })

  it('stays open from the highest exact count on', () => {
    expect(countSoFar(page(24, null), forwards(COUNT_CAP))).toMatchObject({
      count: count(COUNT_CAP + 24, true),
      before: COUNT_CAP,
      after: COUNT_CAP,
    })
  })

  it('covers the whole list where nothing has to be checked', () => {
    const all = { total: 76, isOpenEnded: false, next: '9.x', previous: '1.x' }
    expect(countSoFar(all, search({ after: '5.x', seen: 24 }))).toEqual({
      count: count(76, false),
      before: null,
      after: null,
    })
  })
})
