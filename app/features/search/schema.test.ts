import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT_PATTERN } from './limits.ts'
import {
  changesWithEdits,
  isSearching,
  NO_SEARCH,
  readSearch,
  SEARCH_PARAMETERS,
  searchHref,
  sortOf,
} from './schema.ts'

const read = (queryString: string) => readSearch(new URLSearchParams(queryString))

describe('a search in an address', () => {
  it('ignores values that it doesn’t understand', () => {
    expect(
      read(
        'q=+long++table+&category=Venues&occasion=wedding&place=Geelong&near=1&date=2027-03-14&from=16:00&until=23:00&guests=90&budget=8000&min=50&max=120.50&per=perPerson&sort=price',
      ),
    ).toEqual({
      ...NO_SEARCH,
      q: 'long table',
      category: 'Venues',
      occasion: 'wedding',
      place: 'Geelong',
      near: true,
      date: '2027-03-14',
      from: '16:00',
      until: '23:00',
      guests: 90,
      budgetCents: 800_000,
      minCents: 5_000,
      maxCents: 12_050,
      per: 'perPerson',
      sort: 'price',
    })
    expect(
      read(
        'category=Dragons&occasion=x&near=1&date=2027-02-31&from=25:00&until=23:00&guests=0&hours=25&budget=-1&min=x&max=1e9&per=x&sort=x&after=X&before=%27%3B&page=7',
      ),
    ).toEqual(NO_SEARCH)
    for (const guests of ['1.5', '10001', '1e3', '１２', 'NaN', ' 9'])
      expect(read(`guests=${guests}`).guests).toBeNull()
    expect(read(`q=${'a'.repeat(5_000)}`).q).toHaveLength(300)
    expect(read(`q=${encodeURIComponent('👩‍👩‍👧'.repeat(200))}`).q.isWellFormed()).toBe(true)
    expect(read('q=%ED%A0%80x').q.isWellFormed()).toBe(true)
  })

  it.each([
    ['8000', 800_000],
    ['$8,000.50', 800_050],
    [' 8k', 800_000],
    ['8K', 800_000],
    ['$2.5 k', 250_000],
    ['10 thousand', 1_000_000],
    ['999,999.99', 99_999_999],
    ['999.99k', 99_999_000],
    ['1000000', null],
    ['1000k', null],
    ['0', null],
    ['0k', null],
    ['k', null],
    ['-5', null],
    ['8kk', null],
    ['8.555', null],
    ['1,00', null],
    ['3,5oo', null],
    ['8k-10k', null],
    ['lots', null],
  ])('reads the amount %j as the pattern of the form does', (text, cents) => {
    expect(read(new URLSearchParams({ budget: text }).toString()).budgetCents).toBe(cents)
    // As browsers test the pattern of an input.
    expect(new RegExp(`^(?:${AMOUNT_PATTERN})$`, 'v').test(text)).toBe(cents !== null)
  })

  it('keeps only values that go together', () => {
    expect(read('near=1').near).toBe(false)
    expect(read('until=23:00').until).toBeNull()
    expect(read('from=16:00&until=16:00').until).toBeNull()
    expect(read('from=16:00&until=23:00&hours=3').hours).toBeNull()
    expect(read('min=120&max=50')).toMatchObject({ minCents: 5_000, maxCents: 12_000 })
    expect(read('after=5.a-b&before=5.c')).toMatchObject({ after: '5.a-b', before: '' })
    expect(read('weekday=Saturday').weekday).toBe('')
    expect(read('date=2027-03-14&weekday=Sunday').weekday).toBe('')
    expect(read('date=2027-03-14&weekday=Saturday').weekday).toBe('Saturday')
  })

  it('accepts only well-formed cursors', () => {
    for (const cursor of ['walled-garden', '12345.walled-garden', '9900.12345.walled-garden'])
      expect(read(`after=${cursor}`).after).toBe(cursor)
    for (const cursor of [
      '1.2.3.a',
      '-1.a',
      '1..a',
      `${'9'.repeat(19)}.a`,
      'A',
      'a b',
      '.',
      `1.${'a'.repeat(101)}`,
    ])
      expect(read(`after=${encodeURIComponent(cursor)}`).after).toBe('')
  })

  it('takes exactly one form, without empty and default values', () => {
    expect(searchHref('/venues-vendors', NO_SEARCH)).toBe('/venues-vendors')
    expect(searchHref('/venues-vendors', read('category=Sounds %26 DJ&q=jazz'))).toBe(
      '/venues-vendors?category=Sounds+%26+DJ&q=jazz',
    )
    // The default order is left out.
    expect(searchHref('/venues', read('sort=recommended'))).toBe('/venues')
    expect(searchHref('/venues', read('sort=distance'))).toBe('/venues')
    expect(searchHref('/venues', read('sort=newest'))).toBe('/venues?sort=newest')
    // The default of earlier addresses.
    expect(searchHref('/venues', read('q=garden&sort=relevance'))).toBe('/venues?q=garden')
    expect(searchHref('/venues', read('q=garden&sort=newest'))).toBe('/venues?q=garden&sort=newest')
    expect(isSearching(read('sort=price&after=a'))).toBe(false)
    expect(isSearching(read('hours=3'))).toBe(true)
  })

  it('depends on edits of listings unless it filters only by category, occasion and place', () => {
    for (const queryString of ['', 'category=Venues&occasion=wedding&place=Geelong&near=1&sort=newest'])
      expect(changesWithEdits(read(queryString))).toBe(false)
    for (const queryString of ['q=garden', 'guests=90', 'place=Geelong&max=100', 'date=2027-03-14'])
      expect(changesWithEdits(read(queryString))).toBe(true)
  })

  it('reads back from its own address as the same search', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...SEARCH_PARAMETERS, 'page'),
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 40 }),
            fc.constantFrom(
              '1',
              '90',
              '8000',
              '0.5',
              '2027-03-14',
              '16:00',
              '04:30',
              'Venues',
              'wedding',
              'perHour',
              'price',
              'Saturday',
              '12.a',
            ),
          ),
        ),
        (parameters) => {
          const search = readSearch(new URLSearchParams(parameters))
          const href = searchHref('', search)
          const again = readSearch(new URLSearchParams(href.slice(1)))
          expect({ ...again, sort: sortOf(again) }).toEqual({ ...search, sort: sortOf(search) })
          expect(searchHref('', again)).toBe(href)
        },
      ),
    )
  })
})
