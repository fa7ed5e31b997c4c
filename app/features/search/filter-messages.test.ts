import { describe, expect, it } from 'vitest'
import { queryOf, searchTermsOf } from './filter-messages.ts'
import { NO_SEARCH } from './schema.ts'

const whole = {
  ...NO_SEARCH,
  q: 'garden',
  category: 'Venues',
  date: '2027-03-14',
  weekday: 'Saturday',
  from: '16:00',
  until: '23:00',
  guests: 90,
  place: 'Geelong, VIC',
  near: true,
  budgetCents: 800_000,
} as const

describe('a search in words', () => {
  it('reads as a query that can be spoken and edited', () => {
    expect(queryOf(whole)).toBe(
      'garden, Venues, Sunday 14 March 2027, 4:00 pm to 11:00 pm, 90 guests, near Geelong VIC, up to $8,000',
    )
    expect(queryOf(whole, false)).not.toContain('Venues')
    expect(queryOf({ ...NO_SEARCH, minCents: 5_050, per: 'perHour', hours: 1 })).toBe(
      '1 hour, from $50.50 per hour',
    )
    expect(queryOf(NO_SEARCH)).toBe('')
  })

  it('becomes empty once all search terms are removed', () => {
    const searchTerms = searchTermsOf(whole)
    expect(searchTerms.find(({ text }) => text.startsWith('Sunday'))?.without).toEqual({
      date: null,
      weekday: '',
    })
    expect(Object.assign({}, whole, ...searchTerms.map(({ without }) => without))).toEqual(NO_SEARCH)
  })
})
