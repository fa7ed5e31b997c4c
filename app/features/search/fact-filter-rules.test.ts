import { describe, expect, it } from 'vitest'
import { type CountFact, markersOfFact } from '../businesses/fact-kind-rules.ts'
import { FACT_NAMES, FACTS, STATED_FACTS, STATED_NAMES } from '../businesses/fact-rules.ts'
import { createFactFilter, groupsOf } from './fact-filter-rules.ts'
import { createTakeFacts } from './query-fact-schema.ts'

/** A number that visitors filter by. */
const rooms = {
  kind: 'count',
  categories: ['Venues'],
  max: 40,
  label: 'Rooms',
  asks: 'the rooms',
  icon: 'house',
  text: (count) => `${count} rooms`,
  card: null,
  markers: { prefix: 'rooms/', steps: [2, 5, 10], isUnknownFound: false },
  search: {
    parameter: 'rooms',
    option: (step) => `${step} or more`,
    chip: (step) => `${step} rooms`,
    phrase: /\b(\d{1,2}) rooms\b/i,
  },
} satisfies CountFact

/** The filters in a query, and the rest of its text. */
function read(query: string) {
  const found: Record<string, unknown> = {}
  let rest = query
  createTakeFacts({ rooms })((pattern, use) => {
    const match = pattern.exec(rest)
    if (!match || use(match) === false) return false
    rest = rest.replace(match[0], '')
    return true
  }, found)
  return { found, rest }
}

describe('a filter by a number', () => {
  const filter = createFactFilter({ rooms })
  const parameter = filter.parameters.rooms

  it('offers its steps, for the categories that have it', () => {
    const [field] =
      filter.form?.fields({ rooms: null }, { nearKm: 25, withCategory: true, category: null }) ?? []
    expect(field).toMatchObject({
      kind: 'choice',
      name: 'rooms',
      label: 'Rooms',
      value: '',
      options: [
        { value: '2', label: '2 or more' },
        { value: '5', label: '5 or more' },
        { value: '10', label: '10 or more' },
      ],
    })
    const elsewhere = { nearKm: 25, withCategory: true, category: 'Catering' } as const
    expect(filter.form?.fields({ rooms: null }, elsewhere)).toEqual([])
  })

  it('reads its steps from an address, and ignores other numbers', () => {
    expect(['5', '6', '', 'x'].map((text) => parameter?.read(text))).toEqual([5, null, null, null])
    expect([5, null].map((value) => parameter?.write(value))).toEqual(['5', ''])
  })

  it('finds the listings that reach the step, and none that say nothing', () => {
    expect(groupsOf('rooms', rooms, 5)).toEqual([['rooms/5']])
    expect(groupsOf('rooms', rooms, null)).toEqual([])
    expect(markersOfFact('rooms', rooms, 7)).toEqual(['rooms/2', 'rooms/5'])
    expect(markersOfFact('rooms', rooms, undefined)).toEqual([])
  })

  it('writes a chip that a query reads back, and rounds a typed number up to a step', () => {
    expect(filter.chips?.({ rooms: 5 })).toEqual([{ text: '5 rooms', without: { rooms: null } }])
    expect(filter.chips?.({ rooms: null })).toEqual([])
    expect(read('5 rooms')).toEqual({ found: { rooms: 5 }, rest: '' })
    expect(read('hall with 3 rooms')).toEqual({ found: { rooms: 5 }, rest: 'hall with ' })
    expect(read('30 rooms')).toEqual({ found: {}, rest: '30 rooms' })
  })
})

describe('the rows of the facts', () => {
  it('share no marker', () => {
    const markers = STATED_NAMES.flatMap((name) => {
      const fact = STATED_FACTS[name]
      if (fact.kind === 'count') return fact.markers ? [fact.markers.prefix] : []
      return fact.kind === 'yesNo' ? [`k/${name}`] : Object.keys(fact.options).map((option) => `k/${option}`)
    })
    expect(markers.filter((marker, index) => markers.indexOf(marker) !== index)).toEqual([])
  })

  it('give each number that visitors filter by its steps', () => {
    const withoutSteps = FACT_NAMES.filter((name) => {
      const fact = STATED_FACTS[name]
      return fact.kind === 'count' && fact.search && !fact.markers
    })
    expect(withoutSteps).toEqual([])
    expect(FACT_NAMES.length).toBe(Object.keys(FACTS).length)
  })
})
