import { later } from '../../ui/later.tsx'

/** The fields of a search, which lie folded up below its line. */
export const SearchFields = later(
  'search-fields',
  async () => (await import('../../features/search/components/search-fields.tsx')).SearchFields,
)
