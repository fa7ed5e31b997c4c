import { deferred } from '../../../ui/deferred.tsx'
import type { GridBusiness } from '../../businesses/components/business-grid.tsx'
import { SearchBox } from '../components/search-box.tsx'
import type { Field } from '../filter-schema.ts'

/** The fields of a search, collapsed below its query. */
export const SearchFields = deferred(
  'search-fields',
  async () => (await import('../components/search-fields.tsx')).SearchFields,
)

/** The question where 'near me' is. */
export const NearMe = deferred('near-me', async () => (await import('../components/near-me.tsx')).NearMe)

/** The switch between the list and its map, with the map. */
export const MapSwitch = deferred(
  'map-switch',
  async () => (await import('./map-switch-sections.tsx')).MapSwitch,
)

/** Everything that a list with a search shows. */
export type SearchView = {
  /** The IP address is over its rate limit. The form shows the search, but nothing was searched. */
  isRefused: boolean
  /** The address of this list with its search. */
  href: string
  isSearching: boolean
  /** A search 'near me': the list asks where that is. */
  asksPlace: boolean
  isLaterPage: boolean
  query: string
  searchTerms: readonly { text: string; href: string }[]
  notes: readonly { text: string; links: { label: string; href: string }[] }[]
  /** One line about the order; '' for none. */
  orderNote: string
  orders: readonly { label: string; href: string; isPresent: boolean }[]
  count: string
  /** Nothing is on this page. Other pages may still have matches. */
  isEmpty: boolean
  businesses: readonly GridBusiness[]
  previous: string | null
  next: string | null
  /** The address of the full list, if only the best matches are ranked here. */
  rest: string | null
  /** Links to relaxed searches. */
  relaxed: readonly { label: string; found: string; href: string }[]
  /** The text of an empty list that only its place keeps from finding anything. */
  noneText: string | null
  closeMatches: readonly GridBusiness[]
  /** Place suggestions before the visitor types. */
  places: readonly string[]
  fields: readonly Field[]
}

/** The query and the fields of a list's search. */
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
