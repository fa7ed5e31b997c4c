import {
  capital,
  type Fact,
  type FactValue,
  labelledOptions,
  listText,
  type SeveralFact,
} from '../businesses/fact-kind-rules.ts'
import { FACTS, GUEST_STEPS, STATED_FACTS } from '../businesses/fact-rules.ts'
import type { Category } from '../businesses/rules.ts'
import {
  type Chip,
  cachedParameter,
  choiceParameter,
  type Field,
  type Filter,
  flagParameter,
  type Parameter,
  type Relaxation,
  severalParameter,
} from './filter-schema.ts'
import { createTakeFacts } from './query-fact-schema.ts'
import { categoriesOf } from './rules.ts'

type Rows = typeof FACTS
type SearchedName = {
  [Name in keyof Rows]: Rows[Name]['search'] extends null ? never : Name
}[keyof Rows]
type SearchedValue<Row extends Fact> = Row extends { kind: 'several'; search: { isSingle: true } }
  ? FactValue<Row>[keyof FactValue<Row> & number] | null
  : Row extends { kind: 'several' }
    ? Readonly<FactValue<Row>>
    : Row extends { kind: 'count' }
      ? number | null
      : boolean

/**
 * The facts that a listing must have: all of a list's values. If it doesn't say, its words count
 * (`WORD_MARKERS` in businesses/fact-rules.ts).
 */
type FactFilter = { [Name in SearchedName]: SearchedValue<Rows[Name]> }

/** A row of the facts as the search sees it. The values of a filter are of its kind, which its parameter ensures. */
type Searched = { name: string; fact: Fact; parameter: Parameter<unknown> }
type Values = Readonly<Record<string, unknown>>
/** The rest of the search, which `tidy` has as well. */
type Kinds = Parameters<typeof categoriesOf>[0]

function searchedRows(rows: Readonly<Record<string, Fact>>): Searched[] {
  return Object.entries(rows).flatMap(([name, fact]) => {
    const parameter = parameterOf(fact)
    return parameter ? [{ name, fact, parameter }] : []
  })
}

function parameterOf(fact: Fact): Parameter<unknown> | null {
  if (!fact.search) return null
  const name = fact.search.parameter
  if (fact.kind === 'yesNo') return cachedParameter(flagParameter(name)) as Parameter<unknown>
  if (fact.kind === 'count') return stepParameter(name, fact.markers?.steps ?? []) as Parameter<unknown>
  const options = Object.keys(fact.options)
  if (fact.search.isSingle) return choiceParameter(name, options) as Parameter<unknown>
  return cachedParameter(severalParameter(name, options)) as Parameter<unknown>
}

/** One of several numbers. */
function stepParameter(name: string, steps: readonly number[]): Parameter<number | null> {
  return cachedParameter({
    name,
    empty: null,
    read: (text) => steps.find((step) => String(step) === text) ?? null,
    write: (value) => (value === null ? '' : String(value)),
  })
}

/** The chip of a set value, which the reader of queries reads back. */
function chipText(fact: Fact, value: unknown): string | null {
  if (fact.kind === 'yesNo') return value ? (fact.search?.chip ?? null) : null
  if (fact.kind === 'count') return value === null ? null : (fact.search?.chip(value as number) ?? null)
  const chosen = [value].flat().flatMap((option) => {
    const { chip, text } = fact.options[String(option)] ?? {}
    return chip ?? text ?? []
  })
  const text = listText(chosen)
  return chosen.length > 0 ? (fact.search?.chip?.(text) ?? text) : null
}

/** The filter by the facts of some rows. */
export function createFactFilter(rows: Readonly<Record<string, Fact>>): Filter<Record<string, unknown>> {
  const searched = searchedRows(rows)
  const setRows = (values: Values) =>
    searched.flatMap(({ name, fact, parameter: { empty } }) => {
      const text = chipText(fact, values[name])
      return values[name] !== empty && text ? [{ name, text, unset: { [name]: empty } }] : []
    })
  return {
    parameters: Object.fromEntries(searched.map(({ name, parameter }) => [name, parameter])),
    // No caterer says what a venue's price includes, so a search for both would find nobody.
    tidy(values) {
      const categories = categoriesOf(values as Kinds)
      const foreign = searched.filter(
        ({ fact }) => !categories.some((each) => fact.categories.includes(each)),
      )
      return {
        ...values,
        ...Object.fromEntries(foreign.map(({ name, parameter }) => [name, parameter.empty])),
      }
    },
    // Several groups, of each of which a listing must have one: see `factGroups`.
    markers: null,
    changesWithMovesOnly: false,
    chips: (values) =>
      setRows(values).map(({ text, unset }): Chip<Record<string, unknown>> => ({ text, without: unset })),
    relaxed: (values) =>
      setRows(values).map(
        ({ name, text, unset }): Relaxation<Record<string, unknown>> => ({
          without: name,
          loss: 45,
          text: `Without “${text}”`,
          change: unset,
        }),
      ),
    query: { anywhere: { order: 4, take: createTakeFacts(rows) } },
    form: {
      order: 8,
      fields(values, { category }) {
        const asked = searched.filter(
          ({ name, fact, parameter: { empty } }) =>
            category === null || fact.categories.includes(category) || values[name] !== empty,
        )
        const flags = asked.filter(({ fact }) => fact.kind === 'yesNo')
        return [
          ...asked
            .filter(({ fact }) => fact.kind !== 'yesNo')
            .map(({ name, fact, parameter }) => fieldOf(fact, parameter, values[name])),
          ...(flags.length > 0 ? [flagsOf(flags, values)] : []),
        ]
      },
    },
  }
}

/** The facts of a listing. */
export const facts = createFactFilter(FACTS) as unknown as Filter<FactFilter>

const searchedFacts = searchedRows(FACTS)

/** The markers of each fact, of which a listing must have one. A search for seats without a category means venues. */
export function factGroups(values: FactFilter & { seated: boolean; category: Category | null }): string[][] {
  const { seated, category } = values
  return [
    ...(seated && !category ? [['c/Venues']] : []),
    ...searchedFacts.flatMap(({ name, fact }) => groupsOf(name, fact, (values as Values)[name])),
  ]
}

/** The groups of markers for a value of a filter by one fact. */
export function groupsOf(name: string, fact: Fact, value: unknown): string[][] {
  switch (fact.kind) {
    case 'yesNo':
      return value ? [[`k/${name}`]] : []
    case 'count':
      return value === null ? [] : [[`${fact.markers?.prefix}${value}`]]
    case 'several':
      return [value ?? []].flat().map((option) => {
        const { suitedBy = [] } = fact.options[String(option)] ?? {}
        return [option, ...suitedBy].map((each) => `k/${each}`)
      })
  }
}

const FLAGS_LABEL = 'Needed'

function flagsOf(flags: readonly Searched[], values: Values): Field {
  return {
    kind: 'group',
    areChips: true,
    label: FLAGS_LABEL,
    fields: flags.map(({ name, fact, parameter }) => ({
      kind: 'flag',
      name: parameter.name,
      label: fact.search?.label ?? fact.label,
      value: parameter.write(values[name]),
    })),
  }
}

function fieldOf(fact: Fact, { name, write }: Parameter<unknown>, value: unknown): Field {
  return {
    kind: 'choice',
    name,
    label: fact.search?.label ?? fact.label,
    none: fact.search?.none ?? 'Any',
    options: optionsOf(fact, value, write),
    value: write(value),
  }
}

function optionsOf(fact: Fact, value: unknown, write: (value: unknown) => string) {
  if (fact.kind === 'yesNo') return []
  if (fact.kind === 'count') {
    const steps = fact.markers?.steps ?? []
    return steps.map((step) => ({ value: String(step), label: capital(fact.search?.option(step) ?? '') }))
  }
  return severalOptions(fact, value, write)
}

function severalOptions(fact: SeveralFact, value: unknown, write: (value: unknown) => string) {
  const options = labelledOptions(fact)
  if (!Array.isArray(value) || value.length < 2) return options
  // Several values, which only a query can ask for, are one option more.
  return [...options, { value: write(value), label: capital(chipText(fact, value) ?? '') }]
}

/**
 * The markers of listings with room for a number of guests, or of unknown size. None for fewer than the first step:
 * most listings have room for them, so checking each of a page is faster. The exact number is checked there anyway.
 */
export function guestMarkers(guests: number | null, isSeated: boolean): string[] {
  const { markers } = STATED_FACTS[isSeated ? 'seated' : 'maxGuests'] as Extract<Fact, { kind: 'count' }>
  const step = GUEST_STEPS.findLast((each) => each <= (guests ?? 0))
  return step && markers ? [`${markers.prefix}${step}`, `${markers.prefix}any`] : []
}
