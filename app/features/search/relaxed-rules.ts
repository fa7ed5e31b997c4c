import { withoutTime } from './day-filter-rules.ts'
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

/**
 * The searches to offer when nothing matches, each with one search term dropped or widened, smallest loss first. A
 * search that loses its day loses its time too: times are only checked on a day, so businesses that are never open then
 * would seem to match.
 */
export function relaxedSearches(search: Search): RelaxedSearch[] {
  const day = dayOf(search)
  return FILTERS.flatMap((filter): Relaxation<Search>[] => {
    const others = FILTERS.filter((other) => other !== filter)
    return filter.relaxed?.(search, { isAlone: !isSet(others, search), day }) ?? []
  })
    .sort((a, b) => a.loss - b.loss)
    .slice(0, MAX_RELAXED_SEARCHES)
    .map(({ loss: _, change, ...step }) => {
      const relaxed = { ...firstPage(search), ...change }
      const losesDay = day !== null && dayOf(relaxed) === null
      return { ...step, search: losesDay ? { ...relaxed, ...withoutTime(relaxed) } : relaxed }
    })
}

const dayOf = ({ date, months }: Search) => (date ? 'date' : months ? 'months' : null)
