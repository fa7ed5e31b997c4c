import { describe, expect, it } from 'vitest'
import { FULL_SEARCH } from '../../../tests/searches.ts'
import { orderNote, queryOf, searchTermsOf } from './filter-messages.ts'
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

  it('says each fact as its parser reads it', () => {
    const facts = {
      setting: ['outdoor'],
      stepFree: true,
      parking: true,
      byo: true,
      dietary: ['halal'],
    } as const
    expect(queryOf({ ...NO_SEARCH, ...facts, languages: 'Greek', guests: 120, seated: true })).toBe(
      'outdoor, step-free access, parking on site, BYO, halal, speaks Greek, 120 guests seated',
    )
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

describe('the line about the order of a list', () => {
  it('explains the recommended order, and the totals that lowest price compares', () => {
    const note = (terms: Partial<typeof NO_SEARCH>) => orderNote({ ...NO_SEARCH, ...terms })
    expect(note({})).toBe(
      'Recommended: well reviewed first, then those with a price and facts, then the newest. No one can pay for a place.',
    )
    expect(note({ q: 'jazz' })).toBe('Recommended: the closest matches first. No one can pay for a place.')
    expect(note({ sort: 'price', guests: 90 })).toBe(
      'The lowest total for 90 guests first. A price per hour counts for 4 hours.',
    )
    expect(note({ sort: 'price', guests: 90, hours: 7 })).toBe(
      'The lowest total for 90 guests and 7 hours first.',
    )
    expect(note({ sort: 'price', hours: 1 })).toBe('The lowest total for 1 hour first.')
    expect([note({ sort: 'price' }), note({ sort: 'newest' }), note({ sort: 'rating' })]).toEqual([
      '',
      '',
      '',
    ])
  })
})
