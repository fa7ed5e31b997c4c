import { describe, expect, it } from 'vitest'
import { relaxedSearches } from './relaxed-rules.ts'
import { NO_SEARCH, type Search } from './schema.ts'

const search = (searchTerms: Partial<Search>): Search => ({ ...NO_SEARCH, ...searchTerms })

describe('relaxedSearches', () => {
  it('drops or widens one search term each, smallest loss first', () => {
    const asked = search({
      q: 'long table',
      category: 'Venues',
      place: 'Geelong',
      date: '2027-03-14',
      guests: 90,
      budgetCents: 800_000,
      after: '1.a',
    })
    const relaxed = relaxedSearches(asked)
    expect(relaxed.map(({ without }) => without)).toEqual([
      'distance',
      'date',
      'budget',
      'guests',
      'words',
      'place',
    ])
    expect(relaxed[0]?.search).toEqual({ ...asked, near: true, after: '' })
    const words = relaxedSearches(search({ q: 'long garden table' }))
    expect(words.map(({ word, search: { q } }) => [word, q])).toEqual([
      ['long', 'garden table'],
      ['garden', 'long table'],
      ['table', 'long garden'],
    ])
    expect(relaxedSearches(search({ q: 'jazz' }))).toEqual([])
    expect(relaxedSearches(NO_SEARCH)).toEqual([])
  })

  it('offers another time first when a time on a day is searched, with the same length', () => {
    const night = { date: '2027-03-14', from: '05:00', until: '09:00', guests: 90 }
    const [time, day] = relaxedSearches(search(night))
    expect(time).toMatchObject({ without: 'time', text: 'At another time that day' })
    expect(time?.search).toEqual(search({ date: '2027-03-14', guests: 90, hours: 4 }))
    // Without a day no time is checked, so the search can't claim one.
    expect(day).toMatchObject({ without: 'date', search: search({ guests: 90, hours: 4 }) })
    const open = relaxedSearches(search({ date: '2027-03-14', from: '05:00' }))
    expect(open.map(({ search: relaxed }) => relaxed)).toEqual([search({ date: '2027-03-14' }), NO_SEARCH])
    const months = search({ months: { first: '2027-03', last: '2027-03' }, from: '05:00' })
    expect(relaxedSearches(months)[0]).toMatchObject({ text: 'At another time of day' })
    for (const timeless of [{ from: '05:00' }, { date: '2027-03-14', hours: 4 }])
      expect(relaxedSearches(search(timeless)).map(({ without }) => without)).not.toContain('time')
  })

  it('names the dropped search term in the text of each link', () => {
    const texts = (searchTerms: Partial<Search>) =>
      Object.fromEntries(relaxedSearches(search(searchTerms)).map(({ without, text }) => [without, text]))
    const searchTerms: Partial<Search> = { place: 'Geelong, VIC', date: '2027-03-14', guests: 90 }
    expect(texts({ ...searchTerms, budgetCents: 800_000, minCents: 5_000 })).toEqual({
      distance: 'Near Geelong, VIC as well',
      date: 'On any day, not only Sunday 14 March 2027',
      budget: 'Over $8,000 too',
      price: 'At any price',
      guests: 'For fewer than 90 guests',
      place: 'Anywhere in Australia',
    })
    expect(texts({ q: 'garden', category: 'Venues', occasion: 'engagement' })).toEqual({
      words: 'Without “garden”',
      category: 'Not only venues',
      occasion: 'Not only for an engagement',
    })
    expect(texts({ q: 'long table' })).toEqual({ word: 'Without “table”' })
  })
})
