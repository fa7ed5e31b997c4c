import { FILTERS } from './filter-rules.ts'
import type { Chip } from './filter-schema.ts'
import type { Search } from './schema.ts'

/**
 * The search terms of a search in the order in which people say them. `parseQuery` parses each one back to the same
 * filter, so that they can be edited as a query.
 * @param withCategory false on the page of a category, where the category is no search term
 */
export function searchTermsOf(search: Search, withCategory = true): Chip<Search>[] {
  const shown = withCategory ? search : { ...search, category: null }
  return FILTERS.flatMap((filter): Chip<Search>[] => filter.chips?.(shown) ?? [])
}

/** The search as a query that can be read and edited. */
export function queryOf(search: Search, withCategory = true): string {
  return searchTermsOf(search, withCategory)
    .map(({ text }) => text)
    .join(', ')
}
