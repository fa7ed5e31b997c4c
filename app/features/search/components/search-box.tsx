import { Search as SearchIcon, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useTidySubmit } from '../browser/use-tidy-submit.ts'
import { MAX_LINE_LENGTH } from '../limits.ts'
import { LINE_EXAMPLE, LINE_LABEL, SEARCH_TEXT } from '../wording.ts'

/**
 * What, where and when in one line, and below it the same in fields. Both are plain GET forms.
 * @param action the list that answers
 * @param line the present search, to be edited
 * @param example what the empty line shows
 * @param fields the form with a field for each wish
 * @param wishCount how many of them are set
 */
export function SearchBox({
  action,
  line = '',
  example = LINE_EXAMPLE,
  fields,
  wishCount = 0,
}: {
  action: string
  line?: string
  example?: string
  fields: ReactNode
  wishCount?: number
}) {
  const id = useId()
  const onSubmit = useTidySubmit(action)
  return (
    <search className="search-box">
      <form
        // Another address is another search: what was typed before must not stay.
        key={line}
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
          defaultValue={line}
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
          {wishCount > 0 ? <span className="figures text-quiet">{wishCount} set</span> : null}
        </summary>
        {fields}
      </details>
    </search>
  )
}
