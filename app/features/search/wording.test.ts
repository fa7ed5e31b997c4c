import { describe, expect, it } from 'vitest'
import { NO_SEARCH } from './schema.ts'
import { foundText, headingOf, lineOf, looserText, notesOf, wishesOf } from './wording.ts'

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
  it('is a line that can be read aloud and edited', () => {
    expect(lineOf(whole)).toBe(
      'garden, Venues, Sunday 14 March 2027, 4:00 pm to 11:00 pm, 90 guests, near Geelong VIC, up to $8,000',
    )
    expect(lineOf(whole, false)).not.toContain('Venues')
    expect(lineOf({ ...NO_SEARCH, minCents: 5_050, per: 'perHour', hours: 1 })).toBe(
      '1 hour, from $50.50 per hour',
    )
    expect(lineOf(NO_SEARCH)).toBe('')
  })

  it('can be taken back wish by wish', () => {
    const wishes = wishesOf(whole)
    expect(wishes.find(({ text }) => text.startsWith('Sunday'))?.without).toEqual({ date: null, weekday: '' })
    expect(Object.assign({}, whole, ...wishes.map(({ without }) => without))).toEqual(NO_SEARCH)
  })

  it('heads its list', () => {
    expect(headingOf(whole, 'Venues & vendors')).toBe('Venues near Geelong, VIC with “garden”')
    expect(headingOf({ ...NO_SEARCH, occasion: 'anniversary' }, 'Venues & vendors')).toBe(
      'Venues & vendors for an anniversary',
    )
    expect(headingOf(NO_SEARCH, 'Venues & vendors')).toBe('Venues & vendors')
  })

  it('counts as far as it was counted', () => {
    expect(foundText({ total: 0, isOpenEnded: false })).toBe('0 businesses')
    expect(foundText({ total: 1, isOpenEnded: false })).toBe('1 business')
    expect(foundText({ total: 501, isOpenEnded: true })).toBe('500+ businesses')
    expect(foundText({ total: 24, isOpenEnded: true }, true)).toBe('24+ businesses can be booked then')
  })
})

describe('notes beside an answer', () => {
  const answer = { place: null, corrections: [] }

  it('say what day it really is, and lead to the one that may be meant', () => {
    const [note] = notesOf(whole, answer, '2026-11-20')
    expect(note?.text).toBe('Sunday, 14 March 2027 is not a Saturday.')
    expect(note?.links?.[0]).toMatchObject({
      label: 'Saturday 13 March 2027 instead',
      search: { date: '2027-03-13', weekday: '' },
    })
  })

  it('say that a day is over', () => {
    const past = { ...NO_SEARCH, date: '2026-11-19' }
    expect(notesOf(past, answer, '2026-11-20')).toHaveLength(1)
    expect(notesOf({ ...past, date: '2026-11-20' }, answer, '2026-11-20')).toHaveLength(0)
  })

  it('say what was guessed, and what else it could be', () => {
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

describe('ways out of nothing', () => {
  it('name the wish that they let go', () => {
    const say = (without: Parameters<typeof looserText>[0]['without']) =>
      looserText({ without, search: NO_SEARCH }, { ...whole, occasion: 'engagement' })
    expect(say('date')).toBe('On any day, not only Sunday 14 March 2027')
    expect(say('budget')).toBe('Over $8,000 too')
    expect(say('category')).toBe('Not only venues')
    expect(say('occasion')).toBe('Not only for an engagement')
    expect(looserText({ without: 'word', word: 'long', search: NO_SEARCH }, whole)).toBe('Without “long”')
    const there = { ...NO_SEARCH, place: 'Werribee, VIC' }
    expect(looserText({ without: 'elsewhere', km: 35, search: there }, whole)).toBe(
      'Near Werribee, VIC, about 35 km away',
    )
    for (const without of ['distance', 'price', 'guests', 'place', 'words'] as const)
      expect(say(without)).not.toBe('')
  })
})
