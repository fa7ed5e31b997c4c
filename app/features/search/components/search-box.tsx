import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useTidySubmit } from '../browser/use-tidy-submit.ts'
import { MAX_QUERY_LENGTH } from '../limits.ts'
import { QUERY_EXAMPLE, QUERY_LABEL, SEARCH_TEXT } from '../messages.ts'
import { SearchInput } from './search-input.tsx'

/**
 * The search as one text input, and below it the form with a field for each filter. Both are plain GET forms.
 * @param action the path of the list
 * @param query the present search, to be edited
 * @param example the placeholder of the empty input
 * @param fields the form with a field for each filter
 * @param searchTermCount the number of active search terms
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
  return (
    <search className="search-box">
      {/* Remounts the form for another search, so that old text doesn't stay in the input. */}
      <QueryForm key={query} action={action} query={query} example={example} />
      <details className="search-more">
        <summary>
          <Icon name="sliders-horizontal" />
          More filters
          {searchTermCount > 0 ? <span className="figures text-quiet">{searchTermCount} set</span> : null}
        </summary>
        {fields}
      </details>
    </search>
  )
}

function QueryForm({ action, query, example }: { action: string; query: string; example: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(query)
  const onSubmit = useTidySubmit(action)
  return (
    <form method="get" action={action} onSubmit={onSubmit} className="search-query">
      <label htmlFor={id}>{QUERY_LABEL}</label>
      <SearchInput
        input={input}
        id={id}
        text={text}
        known={query}
        onText={setText}
        placeholder={example}
        maxLength={MAX_QUERY_LENGTH}
      />
      <Button type="submit" variant="primary" icon={<Icon name="search" />}>
        <span className="max-sm:sr-only">{SEARCH_TEXT}</span>
      </Button>
    </form>
  )
}
