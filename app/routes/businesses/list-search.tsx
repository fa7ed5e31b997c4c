import { SearchBox } from '../../features/search/components/search-box.tsx'
import { SearchFields } from './fields-later.ts'
import type { loadSearch } from './load-search.server.ts'

/** The line and the fields of a list's search. */
export function ListSearch({
  view,
  path,
}: {
  view: Awaited<ReturnType<typeof loadSearch>>['view']
  path: string
}) {
  return (
    <SearchBox
      action={path}
      line={view.line}
      wishCount={view.wishes.length}
      fields={<SearchFields action={path} search={view.href} fields={view.fields} places={view.places} />}
    />
  )
}
