import { FILTERS } from './filter-rules.ts'
import type { Chip } from './filter-schema.ts'
import type { Search } from './schema.ts'

/**
 * The search terms of a search in the order in which people say them. `parseQuery` understands each of them again, so they
 * can stand in the line to be edited.
 * @param withCategory false on the page of one category, which is no search term there
 */
export function searchTermsOf(search: Search, withCategory = true): Chip<Search>[] {
  const shown = withCategory ? search : { ...search, category: null }
  return FILTERS.flatMap((filter): Chip<Search>[] => filter.chips?.(shown) ?? [])
}

/** The search as one line, to be read and edited. */
export function queryOf(search: Search, withCategory = true): string {
  return searchTermsOf(search, withCategory)
    .map(({ text }) => text)
    .join(', ')
}
