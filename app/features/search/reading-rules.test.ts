import { describe, expect, it } from 'vitest'
import { parseQuery } from './query-schema.ts'
import { searchKey, shorterQueries } from './reading-rules.ts'
import { NO_SEARCH, type Search, tidySearch } from './schema.ts'

const PLACES = new Map([
  ['geelong', 'Geelong, VIC'],
  ['melbourne', 'Melbourne'],
])
const parse = (query: string): Search =>
  tidySearch({
    ...NO_SEARCH,
    ...parseQuery(query, {
      today: '2026-11-23',
      findPlace: (text) => PLACES.get(text.toLowerCase()) ?? null,
    }),
  })

/** The query without the words that set these properties of its search. */
function without(query: string, removed: Partial<Search>): string | undefined {
  return shorterQueries(query, parse).get(searchKey({ ...parse(query), ...removed }))
}

describe('taking a term out of a query', () => {
  it('leaves the other words as they were typed', () => {
    const query = 'dj near Geelong, 90 guests, up to $25,000'
    expect(without(query, { guests: null })).toBe('dj near Geelong, up to $25,000')
    expect(without(query, { budgetCents: null })).toBe('dj near Geelong, 90 guests')
    expect(without(query, { place: '', near: false })).toBe('dj, 90 guests, up to $25,000')
    expect(without('garden wedding melbourne march 2027', { months: null })).toBe('garden wedding melbourne')
  })

  it('takes the words along that say nothing without it', () => {
    expect(without('dj melbourne for 90 guests', { guests: null })).toBe('dj melbourne')
    expect(without('vegan in melbourne', { place: '', near: false })).toBe('vegan')
  })

  it('leaves nothing of a query with a single term', () => {
    expect(without('90 guests', { guests: null })).toBe('')
  })

  it('finds no run of words for a term that is in two places', () => {
    expect(without('dj 90 guests melbourne 90 guests', { guests: null })).toBeUndefined()
  })

  it('gives up on a long query', () => {
    const words = Array.from({ length: 17 }, (_, index) => `word${index}`).join(' ')
    expect(shorterQueries(`90 guests ${words}`, parse).size).toBe(0)
  })
})
