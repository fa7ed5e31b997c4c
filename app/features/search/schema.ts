import { FILTERS, listPosition, type Sort } from './filter-rules.ts'
import type { Field, Filter, FormContext, Parameter } from './filter-schema.ts'
import { HERE } from './place-rules.ts'

const PARTS = [...FILTERS, listPosition] as const

type ValuesOf<Each> = Each extends Filter<infer Values> ? Values : never
type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
type ValuesOfAll = UnionToIntersection<ValuesOf<(typeof PARTS)[number]>>

/** A visitor's whole search. The address holds all of it, so a search can be shared and the Back button works. */
export type Search = { [Key in keyof ValuesOfAll]: ValuesOfAll[Key] }

/** Each parameter with the property of a search that it sets. */
const PARAMETERS = PARTS.flatMap(
  ({ parameters }) => Object.entries(parameters) as [keyof Search, Parameter<unknown>][],
)

export const NO_SEARCH = Object.fromEntries(PARAMETERS.map(([key, { empty }]) => [key, empty])) as Search

/** The parameters that `readSearch` reads. */
export const SEARCH_PARAMETERS: readonly string[] = PARAMETERS.map(([, { name }]) => name)

/** The parameters of lists that the page cache accepts, each with a test of its value. */
export const CACHED_PARAMETERS: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  PARAMETERS.flatMap(([, { name, isCacheable }]) => (isCacheable ? [[name, isCacheable]] : [])),
)

/**
 * Reads a search from an address. Never fails: ignores values that it doesn't understand and takes the first of a
 * repeated parameter. Old addresses with `page`, which lists once used, lead to the first page.
 */
export function readSearch(parameters: URLSearchParams): Search {
  const read = PARAMETERS.map(([key, parameter]) => [
    key,
    parameter.read(parameters.get(parameter.name) ?? ''),
  ])
  return tidySearch(Object.fromEntries(read) as Search)
}

/** The search in its canonical form, without values that don't go together. */
export function tidySearch(search: Search): Search {
  const tidied = { ...search }
  for (const { tidy } of PARTS) Object.assign(tidied, tidy?.(tidied))
  // The default order is left out.
  return sortOf(tidied) === sortOf({ ...tidied, sort: null }) ? { ...tidied, sort: null } : tidied
}

/**
 * The address of a list with a search. Leaves out empty parameters and sorts the others by name, as the keys of cached
 * pages do, so that each search has exactly one address.
 * @param path the list's path, such as '/venues-vendors'
 */
export function searchHref(path: string, search: Partial<Search>): string {
  const tidied = tidySearch({ ...NO_SEARCH, ...search })
  const parameters = new URLSearchParams()
  for (const [key, { name, write }] of PARAMETERS) {
    const text = write(tidied[key])
    if (text) parameters.set(name, text)
  }
  parameters.sort()
  const queryString = parameters.toString()
  return queryString ? `${path}?${queryString}` : path
}

/** The sort that applies to a search. Nearest first needs a point from which distances are measured. */
export function sortOf(search: Pick<Search, 'sort' | 'near' | 'place'>): Sort {
  const hasNoPoint = !search.near || search.place === HERE
  return search.sort === null || (search.sort === 'distance' && hasNoPoint) ? 'recommended' : search.sort
}

/** Whether the best matches of words or of an occasion come first. Without them, recommended is an order of all. */
export function sortsByMatch(search: Pick<Search, 'sort' | 'q' | 'occasion' | 'near' | 'place'>): boolean {
  return sortOf(search) === 'recommended' && Boolean(search.q || search.occasion)
}

/** The first page of the same search. */
export function firstPage(search: Search): Search {
  return { ...search, after: '', before: '', seen: null }
}

/** Whether the search sets at least one of the filters. */
export function isSet(filters: readonly { parameters: object }[], search: Search): boolean {
  return filters.some(({ parameters }) =>
    (Object.keys(parameters) as (keyof Search)[]).some((key) => search[key] !== NO_SEARCH[key]),
  )
}

/** Whether the search sets any filter. Its order and page don't count. */
export function isSearching(search: Search): boolean {
  return isSet(FILTERS, search)
}

/** Whether editing a listing without moving it can change the search's results. */
export function changesWithEdits(search: Search): boolean {
  return PARTS.some((part) => !part.changesWithMovesOnly && isSet([part], search))
}

/** The fields of the search form with their values, in order. */
export function fieldsOf(search: Search, context: FormContext): Field[] {
  return PARTS.flatMap(({ form }) => form ?? [])
    .sort((a, b) => a.order - b.order)
    .flatMap(({ fields }) => fields(search, context))
}
