import { deferred } from '../../../ui/deferred.tsx'
import type { GridBusiness } from '../../businesses/components/business-grid.tsx'
import { SearchBox } from '../components/search-box.tsx'
import type { Field } from '../filter-schema.ts'

/** The fields of a search, which lie folded up below its line. */
export const SearchFields = deferred(
  'search-fields',
  async () => (await import('../components/search-fields.tsx')).SearchFields,
)

/** Everything that a list with a search shows. */
export type SearchView = {
  /** The address has searched too often: what was asked is shown, and nothing was looked for. */
  isRefused: boolean
  /** Its own address. */
  href: string
  isSearching: boolean
  isLaterPage: boolean
  query: string
  searchTerms: readonly { text: string; href: string }[]
  notes: readonly { text: string; links: { label: string; href: string }[] }[]
  orders: readonly { label: string; href: string; isPresent: boolean }[]
  count: string
  isEmpty: boolean
  businesses: readonly GridBusiness[]
  previous: string | null
  next: string | null
  /** The best are ranked, not all: the way to the rest. */
  rest: string | null
  /** What smaller searches would find. */
  relaxed: readonly { label: string; found: string; href: string }[]
  closeMatches: readonly GridBusiness[]
  /** Suggestions for a place, before anything is typed. */
  places: readonly string[]
  fields: readonly Field[]
}

/** The line and the fields of a list's search. */
export function ListSearch({ view, path }: { view: SearchView; path: string }) {
  return (
    <SearchBox
      action={path}
      query={view.query}
      searchTermCount={view.searchTerms.length}
      fields={<SearchFields action={path} search={view.href} fields={view.fields} places={view.places} />}
    />
  )
}
