import { describe, expect, it } from 'vitest'
import { cardFacts, factLines } from './fact-messages.ts'
import { CATEGORY_FACTS, FACT_NAMES, FACTS, type Facts, factsOf, guestBound } from './fact-rules.ts'
import { CATEGORIES } from './rules.ts'

const EVERY_FACT: Facts = {
  included: ['room', 'furniture', 'staff'],
  seated: 150,
  standing: 220,
  minHours: 1,
  setting: ['indoor', 'outdoor'],
  stepFree: true,
  parking: false,
  byo: true,
  dietary: Object.keys(FACTS.dietary.options) as Facts['dietary'] & string[],
  languages: ['Greek', 'Italian', 'Tamil'],
  travelKm: 1_200,
}

describe('the facts of a page', () => {
  it('include a stated ‘no’, but nothing unknown and nothing of other categories', () => {
    expect(factLines({ category: 'Venues', maxGuests: 220, facts: EVERY_FACT }, 450)).toEqual([
      { icon: 'users', label: 'Maximum guests', text: '220 guests' },
      { icon: 'clock', label: 'Lasts', text: '7 hours 30 minutes, if booked per person' },
      { icon: 'list-checks', label: 'Price includes', text: 'Room, furniture and staff' },
      { icon: 'armchair', label: 'Seated', text: '150 guests' },
      { icon: 'person-standing', label: 'Standing', text: '220 guests' },
      { icon: 'hourglass', label: 'Shortest booking', text: '1 hour, if booked per hour' },
      { icon: 'trees', label: 'Indoors or outdoors', text: 'Indoors and outdoors' },
      { icon: 'accessibility', label: 'Step-free access', text: 'Yes' },
      { icon: 'square-parking', label: 'Parking on site', text: 'No' },
      { icon: 'wine', label: 'BYO drinks', text: 'Yes' },
      {
        icon: 'salad',
        label: 'Dietary needs',
        text: 'Vegetarian, vegan, gluten-free, dairy-free, nut-free, halal and kosher',
      },
      { icon: 'languages', label: 'Languages besides English', text: 'Greek, Italian and Tamil' },
    ])
    expect(factLines({ category: 'Venues', maxGuests: null, facts: {} }, null)).toEqual([])
  })

  it('say each fact in some category', () => {
    const asked = CATEGORIES.flatMap((category): string[] => [...CATEGORY_FACTS[category]])
    expect(FACT_NAMES.filter((name) => !asked.includes(name))).toEqual([])
  })
})

describe('the facts of a card', () => {
  it('show at most three facts, and never a ‘no’', () => {
    for (const category of CATEGORIES) {
      const facts = factsOf(category, EVERY_FACT)
      const shown = cardFacts({ category, maxGuests: 220, facts })
      expect(shown.length, category).toBeGreaterThanOrEqual(2)
      expect(shown.length, category).toBeLessThanOrEqual(3)
      expect(shown.map(({ icon }) => icon)).not.toContain('square-parking')
      expect(cardFacts({ category, maxGuests: null, facts: {} })).toEqual([])
    }
    expect(cardFacts({ category: 'Catering', maxGuests: 1_200, facts: EVERY_FACT })).toEqual([
      { icon: 'users', text: 'Up to 1,200 guests' },
      { icon: 'salad', text: 'Kosher, halal' },
      { icon: 'route', text: 'Travels 1,200 km' },
    ])
  })
})

describe('stored facts', () => {
  it('lose facts of other categories, unknown keys and values out of range', () => {
    const stored = {
      ...EVERY_FACT,
      seated: 0,
      standing: 10_001,
      minHours: 2.5,
      stepFree: 'yes',
      setting: ['underwater'],
      included: 'food',
      dietary: ['halal', 'x'],
      rooms: 3,
    }
    expect(factsOf('Venues', stored)).toEqual({
      parking: false,
      byo: true,
      dietary: ['halal'],
      languages: ['Greek', 'Italian', 'Tamil'],
    })
  })

  it('bound the guests by seats or standing room only while the vendor gives no bound', () => {
    expect(guestBound(null, {})).toBeNull()
    expect(guestBound(null, { seated: 90, standing: 60 })).toBe(90)
    expect(guestBound(50, { seated: 40 })).toBe(50)
  })
})
