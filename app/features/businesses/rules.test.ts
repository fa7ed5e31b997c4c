import { describe, expect, it } from 'vitest'
import {
  CATEGORIES,
  CATEGORY_PATHS,
  categoryOfPath,
  defaultPriceUnit,
  groupAbn,
  isBookable,
  landingPath,
  listIndexing,
  NEARBY_KM,
  OCCASION_CATEGORIES,
  OCCASIONS,
  offeredBookingTypes,
  offeredPrices,
  type Pricing,
  pickFeatured,
  pickNearby,
  readPage,
  seoDescription,
  seoTitle,
  unitPriceFor,
  wholeSentences,
} from './rules.ts'

describe('categories', () => {
  it('match the specification, in its order', () => {
    expect(CATEGORIES).toEqual([
      'Venues',
      'Photographers',
      'Hairdresser',
      'Sounds & DJ',
      'Catering',
      'Videographers',
      'Event Planners',
      'Extras',
    ])
  })

  it('have the paths of the specification', () => {
    expect(Object.values(CATEGORY_PATHS)).toEqual([
      '/venues',
      '/photographers',
      '/hairdressers',
      '/sounds-dj',
      '/catering',
      '/videographers',
      '/event-planners',
      '/extras',
    ])
  })

  it('can be found by their path', () => {
    for (const category of CATEGORIES) expect(categoryOfPath(CATEGORY_PATHS[category])).toBe(category)
    expect(categoryOfPath('/venues/')).toBe('Venues')
    expect(categoryOfPath('/venues-vendors')).toBeNull()
    expect(categoryOfPath('/')).toBeNull()
  })

  it('charge per hour, except venues and catering per person (Decision 5)', () => {
    const perPerson = CATEGORIES.filter((category) => defaultPriceUnit(category) === 'perPerson')
    expect(perPerson).toEqual(['Venues', 'Catering'])
  })
})

describe('the prices of a listing', () => {
  const first = { priceCents: 8_400, priceUnit: 'perPerson' } as const
  const one: Pricing = { ...first, secondPrice: null }
  const two: Pricing = { ...first, secondPrice: { unit: 'perHour', cents: 45_000 } }

  it('come in order, the first price first', () => {
    expect(offeredPrices(one)).toEqual([{ unit: 'perPerson', cents: 8_400 }])
    expect(offeredPrices(two)).toEqual([
      { unit: 'perPerson', cents: 8_400 },
      { unit: 'perHour', cents: 45_000 },
    ])
  })

  it('define its booking types, always in the same order', () => {
    expect(offeredBookingTypes(one)).toEqual(['perPerson'])
    expect(offeredBookingTypes(two)).toEqual(['perPerson', 'perHour'])
    const turned: Pricing = { ...first, priceUnit: 'perHour', secondPrice: { unit: 'perPerson', cents: 1 } }
    expect(offeredBookingTypes(turned)).toEqual(['perPerson', 'perHour'])
  })

  it('can be found by unit, or null for a unit without a price', () => {
    expect(unitPriceFor(two, 'perPerson')).toBe(8_400)
    expect(unitPriceFor(two, 'perHour')).toBe(45_000)
    expect(unitPriceFor(one, 'perHour')).toBeNull()
  })
})

describe('the title and description for search engines', () => {
  it('include the first 150 characters of the description', () => {
    expect(seoDescription('a'.repeat(151))).toBe('a'.repeat(150))
    expect(seoDescription('short')).toBe('short')
  })

  it('cut the description between graphemes, not code units', () => {
    const text = `${'a'.repeat(149)}👩‍👩‍👧and on`
    expect(seoDescription(text)).toBe(`${'a'.repeat(149)}👩‍👩‍👧`)
    expect(seoDescription('é'.repeat(200))).toHaveLength(150)
  })

  it('include name, category and brand in the title', () => {
    expect(seoTitle('Saltbush House', 'Venues', 'Jubilee')).toBe('Saltbush House | Venues | Jubilee')
  })
})

describe('a price of $0', () => {
  it('can’t be booked (Decision 5)', () => {
    expect(isBookable({ priceCents: 0 })).toBe(false)
    expect(isBookable({ priceCents: 1 })).toBe(true)
  })
})

describe('readPage', () => {
  it('returns the page number, or 1 for anything invalid', () => {
    expect(readPage(new URLSearchParams('page=3'))).toBe(3)
    for (const page of ['', '0', '-1', '1.5', 'x', '1e9', '501', 'NaN'])
      expect(readPage(new URLSearchParams({ page }))).toBe(1)
  })
})

describe('listIndexing', () => {
  const shown = { pagePath: '/venues?page=3', isFiltering: false, hasWords: false, total: 500 }

  it('gives each page of the unfiltered list its own address, however short', () => {
    expect(listIndexing('/venues', shown)).toEqual({ path: '/venues?page=3', noIndex: false })
    expect(listIndexing('/venues', { ...shown, total: 1 }).noIndex).toBe(false)
  })

  it('gives a filtered list the address of the unfiltered list', () => {
    const filtered = { ...shown, isFiltering: true, total: 3 }
    expect(listIndexing('/venues', filtered)).toEqual({ path: '/venues', noIndex: false })
  })

  it('keeps few results, and words that anyone can make up, out of the index', () => {
    expect(listIndexing('/venues', { ...shown, isFiltering: true, total: 2 }).noIndex).toBe(true)
    expect(listIndexing('/venues', { ...shown, isFiltering: true, hasWords: true }).noIndex).toBe(true)
  })
})

describe('landingPath', () => {
  it('returns a path below that of the category', () => {
    expect(landingPath('Sounds & DJ', 'geelong-vic')).toBe('/sounds-dj/in/geelong-vic')
  })
})

describe('pickFeatured', () => {
  it('picks the best business of each category', () => {
    const ranked = [
      { id: 'a', category: 'Venues' },
      { id: 'b', category: 'Venues' },
      { id: 'c', category: 'Catering' },
      { id: 'd', category: 'Extras' },
    ] as const
    expect(pickFeatured(ranked, 2).map(({ id }) => id)).toEqual(['a', 'c'])
    expect(pickFeatured(ranked, 9).map(({ id }) => id)).toEqual(['a', 'c', 'd'])
    expect(pickFeatured([], 4)).toEqual([])
  })
})

describe('pickNearby', () => {
  const near = { distanceKm: NEARBY_KM }
  const far = { distanceKm: NEARBY_KM + 1 }

  it('returns the businesses nearby, or all if none is', () => {
    expect(pickNearby([near, far])).toEqual({ nearby: true, businesses: [near] })
    expect(pickNearby([far])).toEqual({ nearby: false, businesses: [far] })
    expect(pickNearby([])).toEqual({ nearby: false, businesses: [] })
  })
})

describe('occasions', () => {
  it('have at least three categories, without repeats', () => {
    for (const occasion of OCCASIONS) {
      const categories = OCCASION_CATEGORIES[occasion]
      expect(categories.length).toBeGreaterThan(2)
      expect(new Set(categories).size).toBe(categories.length)
    }
  })
})

describe('groupAbn', () => {
  it('groups the digits 2-3-3-3', () => {
    expect(groupAbn('51824753556')).toBe('51 824 753 556')
  })
})

describe('the beginning of a description in whole sentences', () => {
  it('ends at the last sentence that fits, at its very end as well', () => {
    expect(wholeSentences('One garden. Two rooms. Three cooks.', 22)).toBe('One garden. Two rooms.')
    expect(wholeSentences('One garden. Two rooms. Three cooks.', 21)).toBe('One garden.')
    expect(wholeSentences('Is it free? Ask us!', 100)).toBe('Is it free? Ask us!')
    expect(wholeSentences('', 100)).toBe('')
  })

  it('ends a first sentence that is too long at a word', () => {
    expect(wholeSentences('A walled garden with room for a long table', 20)).toBe('A walled garden…')
    expect(wholeSentences('a'.repeat(30), 10)).toBe(`${'a'.repeat(9)}…`)
    expect(wholeSentences('🎉'.repeat(30), 10)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
  })
})
