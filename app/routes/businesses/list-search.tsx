import { SearchBox } from '../../features/search/components/search-box.tsx'
import { SearchFields } from './fields-later.ts'
import type { loadSearch } from './load-search.server.ts'

/** The line and the fields of a list's search. */
export function ListSearch({
  view,
  path,
  withCategory,
}: {
  view: Awaited<ReturnType<typeof loadSearch>>['view']
  path: string
  withCategory: boolean
}) {
  return (
    <SearchBox
      action={path}
      line={view.line}
      wishCount={view.wishes.length}
      fields={
        <SearchFields
          action={path}
          search={view.search}
          places={view.places}
          nearKm={view.nearKm}
          withCategory={withCategory}
        />
      }
    />
  )
}
