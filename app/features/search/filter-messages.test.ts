import { describe, expect, it } from 'vitest'
import { FULL_SEARCH } from '../../../tests/searches.ts'
import { queryOf, searchTermsOf } from './filter-messages.ts'
import { NO_SEARCH } from './schema.ts'

describe('a search in words', () => {
  it('reads as a query that can be spoken and edited', () => {
    expect(queryOf(FULL_SEARCH)).toBe(
      'garden, Venues, Sunday 14 March 2027, 4:00 pm to 11:00 pm, 90 guests, near Geelong VIC, up to $8,000',
    )
    expect(queryOf(FULL_SEARCH, false)).not.toContain('Venues')
    expect(queryOf({ ...NO_SEARCH, minCents: 5_050, per: 'perHour', hours: 1 })).toBe(
      '1 hour, from $50.50 per hour',
    )
    expect(queryOf(NO_SEARCH)).toBe('')
  })

  it('becomes empty once all search terms are removed', () => {
    const searchTerms = searchTermsOf(FULL_SEARCH)
    expect(searchTerms.find(({ text }) => text.startsWith('Sunday'))?.without).toEqual({
      date: null,
      weekday: '',
      months: null,
    })
    expect(Object.assign({}, FULL_SEARCH, ...searchTerms.map(({ without }) => without))).toEqual(NO_SEARCH)
  })
})
