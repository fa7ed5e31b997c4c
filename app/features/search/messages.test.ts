import { describe, expect, it } from 'vitest'
import { FULL_SEARCH } from '../../../tests/searches.ts'
import { elsewhereText, foundText, headingOf, notesOf } from './messages.ts'
import { NO_SEARCH } from './schema.ts'

describe('the heading and count of a list', () => {
  it('names category, occasion, place and words in the heading', () => {
    expect(headingOf(FULL_SEARCH, 'Venues & vendors')).toBe('Venues near Geelong, VIC with “garden”')
    expect(headingOf({ ...NO_SEARCH, occasion: 'anniversary' }, 'Venues & vendors')).toBe(
      'Venues & vendors for an anniversary',
    )
    expect(headingOf(NO_SEARCH, 'Venues & vendors')).toBe('Venues & vendors')
  })

  it('shows an open-ended count with a plus', () => {
    expect(foundText({ total: 0, isOpenEnded: false })).toBe('0 businesses')
    expect(foundText({ total: 1, isOpenEnded: false })).toBe('1 business')
    expect(foundText({ total: 501, isOpenEnded: true })).toBe('500+ businesses')
    expect(foundText({ total: 24, isOpenEnded: true }, true)).toBe('24+ businesses can be booked then')
    expect(foundText({ total: 0, isOpenEnded: true }, true)).toBe('None of these can be booked then')
    expect(foundText({ total: 0, isOpenEnded: true })).toBe('None of these match')
  })
})

describe('notesOf', () => {
  const answer = { place: null, corrections: [] }

  it('points out a weekday that doesn’t match its date, and links to the nearest date that does', () => {
    const [note] = notesOf(FULL_SEARCH, answer, '2026-11-20')
    expect(note?.text).toBe('Sunday, 14 March 2027 is not a Saturday.')
    expect(note?.links?.[0]).toMatchObject({
      label: 'Saturday 13 March 2027 instead',
      search: { date: '2027-03-13', weekday: '' },
    })
  })

  it('points out a day in the past', () => {
    const past = { ...NO_SEARCH, date: '2026-11-19' }
    expect(notesOf(past, answer, '2026-11-20')).toHaveLength(1)
    expect(notesOf({ ...past, date: '2026-11-20' }, answer, '2026-11-20')).toHaveLength(0)
  })

  it('names guessed places and corrected words, and links to other places of the same name', () => {
    const place = (found: Parameters<typeof notesOf>[1]['place']) =>
      notesOf({ ...NO_SEARCH, place: 'x' }, { ...answer, place: found }, '2026-11-20')
    expect(place('unknown')[0]?.text).toContain('“x”')
    expect(place({ label: 'Geelong, VIC', others: [], isGuess: true })[0]?.text).toContain('Geelong, VIC')
    expect(
      place({ label: 'Richmond, VIC', others: ['Richmond, NSW'], isGuess: false })[0]?.links?.[0]?.search
        .place,
    ).toBe('Richmond, NSW')
    expect(place({ label: 'Geelong, VIC', others: [], isGuess: false })).toEqual([])
    expect(
      notesOf(
        NO_SEARCH,
        { ...answer, corrections: [{ typed: 'gardn', used: ['garden', 'warden'] }] },
        '2026-11-20',
      )[0]?.text,
    ).toBe('Showing “garden” or “warden” for “gardn”.')
  })
})

describe('elsewhereText', () => {
  it('names the place with its distance', () => {
    expect(elsewhereText('Werribee, VIC', 35)).toBe('Near Werribee, VIC, about 35 km away')
  })
})
