import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryOf, searchTermsOf } from './filter-messages.ts'
import { FILTERS, listPosition } from './filter-rules.ts'
import type { Field, Parameter } from './filter-schema.ts'
import { parseQuery } from './query-schema.ts'
import {
  CACHED_PARAMETERS,
  fieldsOf,
  isSearching,
  NO_SEARCH,
  readSearch,
  SEARCH_PARAMETERS,
  searchHref,
  tidySearch,
} from './schema.ts'

const FORM = { nearKm: 25, withCategory: true, category: null }
const read = (parameters: Record<string, string>) => readSearch(new URLSearchParams(parameters))

const flat = (fields: readonly Field[]): Exclude<Field, { kind: 'group' }>[] =>
  fields.flatMap((field) => (field.kind === 'group' ? flat(field.fields) : [field]))
/** All fields. The order has a hidden field only if the search sets one. */
const FIELDS = flat(fieldsOf(read({ sort: 'price' }), FORM))

const distinct = <Value>(values: readonly Value[]) => [...new Set(values)]

/** Values that at least one parameter understands, including every option of the form. */
const VALUES = distinct([
  ...[
    '1',
    '8',
    '90',
    '8000',
    '120.50',
    '2027-03-14',
    '16:00',
    '04:30',
    'Saturday',
    '2027-03',
    '2026-12..2027-02',
    'Geelong, VIC',
    'jazz trio',
  ],
  ...['12.walled-garden', 'price', '-38.1_144.5_-37.5_145.3'],
  ...FIELDS.flatMap((field) => (field.kind === 'choice' ? field.options.map(({ value }) => value) : [])),
])
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })
const anyValue = fc.oneof(fc.constantFrom(...VALUES), anyText)

const PARAMETERS = [...FILTERS, listPosition].flatMap(
  ({ parameters }) => Object.values(parameters) as Parameter<unknown>[],
)

/** Values that other parameters depend on. */
const BESIDE = { place: 'Geelong, VIC', from: '16:00', date: '2027-03-14', guests: '80' }
/** Every parameter with each value that it understands. */
const SEARCHES = PARAMETERS.flatMap(({ name, empty, read: understand }) =>
  VALUES.filter((value) => understand(value) !== empty).map((value): [string, string] => [name, value]),
)

describe.each(PARAMETERS.map((parameter) => [parameter.name, parameter] as const))(
  '%s',
  (name, parameter) => {
    it('reads back the value that it wrote', () => {
      const readsBack = (text: string) => {
        const value = parameter.read(text)
        expect(parameter.read(parameter.write(value))).toEqual(value)
        expect(parameter.write(value) === '').toBe(value === parameter.empty)
        return value !== parameter.empty
      }
      expect(VALUES.map(readsBack)).toContain(true)
      fc.assert(
        fc.property(anyText, (text) => void readsBack(text)),
        { numRuns: 500 },
      )
    })

    it('never redirects from its own address', () => {
      for (const [, value] of SEARCHES.filter(([other]) => other === name)) {
        const href = searchHref('', read({ ...BESIDE, [name]: value }))
        expect(searchHref('', readSearch(new URLSearchParams(href.slice(1))))).toBe(href)
      }
    })

    it('lets the page cache keep only values in their canonical form', () => {
      expect(CACHED_PARAMETERS[name]?.('') ?? false).toBe(name === 'place')
      for (const value of VALUES) {
        if (CACHED_PARAMETERS[name]?.(value)) expect(parameter.write(parameter.read(value))).toBe(value)
      }
    })
  },
)

describe('the search form', () => {
  it('sends each parameter once, and no unknown one', () => {
    const names = FIELDS.map((field) => field.name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(SEARCH_PARAMETERS).toContain(name)
  })

  it('offers a field for every parameter except those that only links set', () => {
    const names = FIELDS.map((field) => field.name)
    const missing = SEARCH_PARAMETERS.filter((name) => !names.includes(name))
    expect(missing).toEqual(['weekday', 'months', 'bounds', 'after', 'before', 'seen'])
  })

  it('sends the search that it shows', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...SEARCH_PARAMETERS), anyValue), (parameters) => {
        const search = { ...read(parameters), weekday: '', after: '', before: '' }
        const sent = flat(fieldsOf(search, FORM)).map(({ name, value }) => [name, value])
        expect(readSearch(new URLSearchParams(sent))).toEqual(tidySearch(search))
      }),
    )
  })
})

describe('search terms', () => {
  it('leave an empty search once all are removed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...SEARCH_PARAMETERS), anyValue), (parameters) => {
        const search = read(parameters)
        const without = searchTermsOf(search).map((searchTerm) => searchTerm.without)
        expect(isSearching(Object.assign({}, search, ...without))).toBe(false)
      }),
    )
  })

  const inNoQuery = ['q', 'place', 'weekday', 'sort', 'after', 'before', 'seen']
  it.each([...SEARCHES.filter(([name]) => !inNoQuery.includes(name)), ['place', 'Geelong, VIC']] as const)(
    'parse back to the same search when typed: %s=%s',
    (name, value) => {
      const search = read({ ...BESIDE, [name]: value })
      const parsed = parseQuery(queryOf(search), {
        today: '2026-11-20',
        findPlace: (text) => (text === 'Geelong VIC' ? 'Geelong, VIC' : null),
      })
      expect({ ...NO_SEARCH, ...parsed }).toEqual(search)
    },
  )
})

describe('a relaxed search', () => {
  it('differs from the original, and has a text for its link', () => {
    for (const [name, value] of SEARCHES) {
      const search = read({ ...BESIDE, [name]: value })
      for (const filter of FILTERS) {
        for (const { text, change } of filter.relaxed?.(search, { isAlone: false, day: 'date' }) ?? []) {
          expect(text).not.toBe('')
          expect(searchHref('', { ...search, ...change })).not.toBe(searchHref('', search))
        }
      }
    }
  })
})
