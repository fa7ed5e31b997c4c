import type { Occasion } from '../businesses/rules.ts'
import { FILTERS, listPosition, type Sort } from './filter-rules.ts'
import type { Field, Filter, FormContext, Parameter } from './filter-schema.ts'

const PARTS = [...FILTERS, listPosition] as const

type ValuesOf<Each> = Each extends Filter<infer Values> ? Values : never
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
type ValuesOfAll = Together<ValuesOf<(typeof PARTS)[number]>>

/** Everything that a visitor looks for. All of it is in the address, so that it can be shared and gone back to. */
export type Search = { [Key in keyof ValuesOfAll]: ValuesOfAll[Key] }

/** The parameters by the property of a search that they write. */
const PARAMETERS = PARTS.flatMap(
  ({ parameters }) => Object.entries(parameters) as [keyof Search, Parameter<unknown>][],
)

export const NO_SEARCH = Object.fromEntries(PARAMETERS.map(([key, { empty }]) => [key, empty])) as Search

/** The parameters that `readSearch` reads. */
export const SEARCH_PARAMETERS: readonly string[] = PARAMETERS.map(([, { name }]) => name)

/** The parameters of lists that are worth keeping in the page cache, each with a test of its value. */
export const KEPT_PARAMETERS: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  PARAMETERS.flatMap(([, { name, isWorthKeeping }]) => (isWorthKeeping ? [[name, isWorthKeeping]] : [])),
)

/**
 * Reads a search from an address. Nothing there can be wrong: what is not understood is left out, and of a repeated
 * parameter the first counts. `page`, by which lists were once addressed, is no longer understood: it leads to the
 * beginning.
 */
export function readSearch(parameters: URLSearchParams): Search {
  const read = PARAMETERS.map(([key, parameter]) => [
    key,
    parameter.read(parameters.get(parameter.name) ?? ''),
  ])
  return tidySearch(Object.fromEntries(read) as Search)
}

/** The same search with what goes together, as an address keeps it. */
export function tidySearch(search: Search): Search {
  const tidied = { ...search }
  for (const { tidy } of PARTS) Object.assign(tidied, tidy?.(tidied))
  // The order that the search has anyway is not said.
  return sortOf(tidied) === sortOf({ ...tidied, sort: null }) ? { ...tidied, sort: null } : tidied
}

/**
 * The address of a list with a search; what is empty is left out and the order is that of the alphabet, as in the names
 * of cached pages, so that one search has one address.
 * @param path of the list, such as '/venues-vendors'
 */
export function searchHref(path: string, search: Partial<Search>): string {
  const tidied = tidySearch({ ...NO_SEARCH, ...search })
  const parameters = new URLSearchParams()
  for (const [key, { name, write }] of PARAMETERS) {
    const text = write(tidied[key])
    if (text) parameters.set(name, text)
  }
  parameters.sort()
  const query = parameters.toString()
  return query ? `${path}?${query}` : path
}

/** The sort that a search has when it names none: by relevance where something can be more or less relevant. */
export function sortOf(search: { sort: Sort | null; q: string; occasion: Occasion | null }): Sort {
  const usual = search.q || search.occasion ? 'relevance' : 'newest'
  return search.sort === null || (search.sort === 'relevance' && usual === 'newest') ? usual : search.sort
}

/** The first page of the same search. */
export function firstPage(search: Search): Search {
  return { ...search, after: '', before: '' }
}

/** Whether a filter is set, or any of several. */
export function isSet(filters: readonly { parameters: object }[], search: Search): boolean {
  return filters.some(({ parameters }) =>
    (Object.keys(parameters) as (keyof Search)[]).some((key) => search[key] !== NO_SEARCH[key]),
  )
}

/** Whether the search leaves anything out or asks for anything, whatever its order and page. */
export function isSearching(search: Search): boolean {
  return isSet(FILTERS, search)
}

/** Whether an edit of a listing that doesn't move it can change what the search finds. */
export function changesWithEdits(search: Search): boolean {
  return PARTS.some((part) => !part.changesWithMovesOnly && isSet([part], search))
}

/** The fields of the search form, filled in. */
export function fieldsOf(search: Search, context: FormContext): Field[] {
  return PARTS.flatMap(({ form }) => form ?? [])
    .sort((a, b) => a.order - b.order)
    .flatMap(({ fields }) => fields(search, context))
}
