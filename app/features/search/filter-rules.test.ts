import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryOf, searchTermsOf } from './filter-messages.ts'
import { FILTERS, listPosition } from './filter-rules.ts'
import type { Field, Parameter } from './filter-schema.ts'
import { parseQuery } from './query-schema.ts'
import {
  fieldsOf,
  isSearching,
  KEPT_PARAMETERS,
  NO_SEARCH,
  readSearch,
  SEARCH_PARAMETERS,
  searchHref,
  tidySearch,
} from './schema.ts'

const FORM = { nearKm: 25, withCategory: true }
const read = (parameters: Record<string, string>) => readSearch(new URLSearchParams(parameters))

const flat = (fields: readonly Field[]): Exclude<Field, { kind: 'group' }>[] =>
  fields.flatMap((field) => (field.kind === 'group' ? flat(field.fields) : [field]))
/** All fields: that of the order is there only where an order is chosen. */
const FIELDS = flat(fieldsOf(read({ sort: 'price' }), FORM))

const distinct = <Value>(values: readonly Value[]) => [...new Set(values)]

/** Values that some parameter understands, every option of the form among them. */
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
    'Geelong, VIC',
    'jazz trio',
  ],
  ...['12.walled-garden', 'price'],
  ...FIELDS.flatMap((field) => (field.kind === 'choice' ? field.options.map(({ value }) => value) : [])),
])
const anyValue = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme', maxLength: 40 }))

const PARAMETERS = [...FILTERS, listPosition].flatMap(
  ({ parameters }) => Object.values(parameters) as Parameter<unknown>[],
)

/** Values without which other parameters mean nothing. */
const BESIDE = { place: 'Geelong, VIC', from: '16:00', date: '2027-03-14' }
/** A value of each parameter that a visitor may set. */
const SEARCHES = PARAMETERS.flatMap(({ name, empty, read: understand }) =>
  VALUES.filter((value) => understand(value) !== empty).map((value): [string, string] => [name, value]),
)

describe.each(PARAMETERS.map((parameter) => [parameter.name, parameter] as const))(
  '%s',
  (name, parameter) => {
    it('is read as it was written', () => {
      let understood = 0
      fc.assert(
        fc.property(anyValue, (text) => {
          const value = parameter.read(text)
          expect(parameter.read(parameter.write(value))).toEqual(value)
          expect(parameter.write(value) === '').toBe(value === parameter.empty)
          if (value !== parameter.empty) understood++
        }),
        { numRuns: 500 },
      )
      expect(understood).toBeGreaterThan(0)
    })

    it('has an address that leads to itself', () => {
      for (const [, value] of SEARCHES.filter(([other]) => other === name)) {
        const href = searchHref('', read({ ...BESIDE, [name]: value }))
        expect(searchHref('', readSearch(new URLSearchParams(href.slice(1))))).toBe(href)
      }
    })

    it('lets the page cache keep only values that it writes itself', () => {
      expect(KEPT_PARAMETERS[name]?.('') ?? false).toBe(name === 'place')
      for (const value of VALUES) {
        if (KEPT_PARAMETERS[name]?.(value)) expect(parameter.write(parameter.read(value))).toBe(value)
      }
    })
  },
)

describe('the form', () => {
  it('sends each of its parameters once, and no unknown one', () => {
    const names = FIELDS.map((field) => field.name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(SEARCH_PARAMETERS).toContain(name)
  })

  it('asks for every parameter but those that only links set', () => {
    const names = FIELDS.map((field) => field.name)
    const missing = SEARCH_PARAMETERS.filter((name) => !names.includes(name))
    expect(missing).toEqual(['weekday', 'after', 'before'])
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

describe('the search terms of a search', () => {
  it('taken back one by one leave none', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...SEARCH_PARAMETERS), anyValue), (parameters) => {
        const search = read(parameters)
        const without = searchTermsOf(search).map((searchTerm) => searchTerm.without)
        expect(isSearching(Object.assign({}, search, ...without))).toBe(false)
      }),
    )
  })

  const inNoQuery = ['q', 'place', 'weekday', 'sort', 'after', 'before']
  it.each([...SEARCHES.filter(([name]) => !inNoQuery.includes(name)), ['place', 'Geelong, VIC']] as const)(
    'are understood when they are typed: %s=%s',
    (name, value) => {
      const search = read({ ...BESIDE, [name]: value })
      const query = parseQuery(queryOf(search), {
        today: '2026-11-20',
        findPlace: (text) => (text === 'Geelong VIC' ? 'Geelong, VIC' : null),
      })
      expect({ ...NO_SEARCH, ...query }).toEqual(search)
    },
  )
})

describe('a smaller search', () => {
  it('asks for something else, and says what', () => {
    for (const [name, value] of SEARCHES) {
      const search = read({ ...BESIDE, [name]: value })
      for (const filter of FILTERS) {
        for (const { text, change } of filter.relaxed?.(search, false) ?? []) {
          expect(text).not.toBe('')
          expect(searchHref('', { ...search, ...change })).not.toBe(searchHref('', search))
        }
      }
    }
  })
})
