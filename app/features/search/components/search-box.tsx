import { Search as SearchIcon, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useTidySubmit } from '../browser/use-tidy-submit.ts'
import { MAX_LINE_LENGTH } from '../limits.ts'
import { LINE_LABEL, QUERY_EXAMPLE, SEARCH_TEXT } from '../messages.ts'

/**
 * What, where and when in one line, and below it the same in fields. Both are plain GET forms.
 * @param action the list that answers
 * @param line the present search, to be edited
 * @param example what the empty line shows
 * @param fields the form with a field for each search term
 * @param searchTermCount how many of them are set
 */
export function SearchBox({
  action,
  query = '',
  example = QUERY_EXAMPLE,
  fields,
  searchTermCount = 0,
}: {
  action: string
  query?: string
  example?: string
  fields: ReactNode
  searchTermCount?: number
}) {
  const id = useId()
  const onSubmit = useTidySubmit(action)
  return (
    <search className="search-box">
      <form
        // Another address is another search: what was typed before must not stay.
        key={query}
        method="get"
        action={action}
        onSubmit={onSubmit}
        className="search-line"
      >
        <label htmlFor={id}>{LINE_LABEL}</label>
        <input
          id={id}
          name="q"
          type="search"
          defaultValue={query}
          placeholder={example}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={MAX_LINE_LENGTH}
        />
        <Button type="submit" variant="primary" icon={<SearchIcon aria-hidden="true" />}>
          <span className="max-sm:sr-only">{SEARCH_TEXT}</span>
        </Button>
      </form>
      <details className="search-more">
        <summary>
          <SlidersHorizontal aria-hidden="true" />
          Fill in fields instead
          {searchTermCount > 0 ? <span className="figures text-quiet">{searchTermCount} set</span> : null}
        </summary>
        {fields}
      </details>
    </search>
  )
}
