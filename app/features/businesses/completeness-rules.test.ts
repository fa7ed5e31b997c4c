import { describe, expect, it } from 'vitest'
import {
  COMPLETENESS_STEPS,
  type CompletenessFacts,
  completenessOf,
  FULL_DESCRIPTION_LENGTH,
} from './completeness-rules.ts'

/** A complete venue. */
const venue = (change: Partial<CompletenessFacts> = {}): CompletenessFacts => ({
  category: 'Venues',
  pictures: ['one', 'two', 'three'],
  description: 'a'.repeat(FULL_DESCRIPTION_LENGTH),
  priceCents: 1,
  unpricedUnit: null,
  facts: { seated: 80, standing: 120, minHours: 4, parking: false, stepFree: true },
  maxGuests: 120,
  hasHours: true,
  choseTerms: true,
  abnRegistered: true,
  canBePaid: true,
  ...change,
})
const of = (change: Partial<CompletenessFacts>) => completenessOf(venue(change))

describe('a listing', () => {
  it('scores 100 with every step done', () => {
    expect(completenessOf(venue())).toEqual({ percent: 100, next: null })
  })

  it.each([
    ['price', { priceCents: 0 }],
    ['price', { unpricedUnit: 'perHour' }],
    ['picture', { pictures: [] }],
    ['morePictures', { pictures: ['one', 'two'] }],
    ['description', { description: `${'a'.repeat(FULL_DESCRIPTION_LENGTH - 1)}  ` }],
    ['maxGuests', { maxGuests: null }],
    ['facts', { facts: { seated: 80, standing: 120, minHours: 4, parking: false } }],
    ['hours', { hasHours: false }],
    ['terms', { choseTerms: false }],
    ['registration', { abnRegistered: false }],
    ['payouts', { canBePaid: false }],
  ] as const)('needs %s', (step, change) => {
    const { percent, next } = of(change as Partial<CompletenessFacts>)
    expect(next).toBe(step)
    expect(percent).toBeLessThan(100)
  })

  it('isn’t asked for an account while vendors aren’t paid by us', () => {
    expect(of({ canBePaid: null })).toEqual({ percent: 100, next: null })
  })

  it('needs its maximum of guests only in categories that are chosen by it', () => {
    expect(of({ category: 'Photographers', maxGuests: null, facts: { minHours: 2, travelKm: 50 } })).toEqual({
      percent: 100,
      next: null,
    })
    expect(of({ category: 'Catering', maxGuests: null, facts: {} }).next).toBe('maxGuests')
  })

  it('scores 0 with nothing, and more with each step', () => {
    const empty = venue({
      pictures: [],
      description: '',
      priceCents: 0,
      facts: {},
      maxGuests: null,
      hasHours: false,
      choseTerms: false,
      abnRegistered: false,
      canBePaid: false,
    })
    expect(completenessOf(empty)).toEqual({ percent: 0, next: 'price' })
    const done: Partial<CompletenessFacts>[] = [
      { priceCents: 100 },
      { pictures: ['one'] },
      { description: venue().description },
      { pictures: venue().pictures },
      { maxGuests: 10 },
      { facts: venue().facts },
      { hasHours: true },
      { choseTerms: true },
      { abnRegistered: true },
      { canBePaid: true },
    ]
    expect(done).toHaveLength(COMPLETENESS_STEPS.length)
    let listing = empty
    let before = 0
    for (const [at, change] of done.entries()) {
      listing = { ...listing, ...change }
      const { percent, next } = completenessOf(listing)
      expect(percent).toBeGreaterThan(before)
      expect(next).toBe(COMPLETENESS_STEPS[at + 1] ?? null)
      before = percent
    }
    expect(before).toBe(100)
  })
})
