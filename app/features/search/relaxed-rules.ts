import { FILTERS } from './filter-rules.ts'
import type { Relaxation } from './filter-schema.ts'
import { firstPage, isSet, type Search } from './schema.ts'

/** Each of them is a search of its own. */
const MAX_LOOSER = 6

/**
 * A search that asks for less.
 * @property without what was let go, or widened
 * @property text what its link says
 * @property km how far away the other place is
 */
export type RelaxedSearch = Pick<Relaxation<Search>, 'without' | 'word' | 'text'> & {
  km?: number
  search: Search
}

/** The searches to offer when nothing fits: the same one with one search term less each, the smallest step first. */
export function relaxedSearches(search: Search): RelaxedSearch[] {
  return FILTERS.flatMap((filter): Relaxation<Search>[] => {
    const others = FILTERS.filter((other) => other !== filter)
    return filter.relaxed?.(search, !isSet(others, search)) ?? []
  })
    .sort((a, b) => a.loss - b.loss)
    .slice(0, MAX_LOOSER)
    .map(({ loss: _, change, ...step }) => ({ ...step, search: { ...firstPage(search), ...change } }))
}
