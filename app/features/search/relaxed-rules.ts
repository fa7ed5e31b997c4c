import { FILTERS } from './filter-rules.ts'
import type { Relaxation } from './filter-schema.ts'
import { firstPage, isSet, type Search } from './schema.ts'

/** Each relaxed search costs a full search of the database. */
const MAX_RELAXED_SEARCHES = 6

/**
 * A search with one filter dropped or widened.
 * @property without what was dropped or widened
 * @property text the text of its link
 * @property km the distance of the other place
 */
export type RelaxedSearch = Pick<Relaxation<Search>, 'without' | 'word' | 'text'> & {
  km?: number
  search: Search
}

/** The searches to offer when nothing matches, each with one search term dropped or widened, smallest loss first. */
export function relaxedSearches(search: Search): RelaxedSearch[] {
  return FILTERS.flatMap((filter): Relaxation<Search>[] => {
    const others = FILTERS.filter((other) => other !== filter)
    return filter.relaxed?.(search, !isSet(others, search)) ?? []
  })
    .sort((a, b) => a.loss - b.loss)
    .slice(0, MAX_RELAXED_SEARCHES)
    .map(({ loss: _, change, ...step }) => ({ ...step, search: { ...firstPage(search), ...change } }))
}
