import { Icon } from '../../../ui/icon.tsx'
import { READING_LABEL } from '../messages.ts'

/**
 * The search terms of the typed query, as buttons that take one back.
 * @param isOutdated whether they belong to an earlier text
 */
export function ReadingChips<Term extends { text: string }>({
  terms,
  isOutdated,
  onTakeBack,
}: {
  terms: readonly Term[]
  isOutdated: boolean
  onTakeBack: (term: Term) => void
}) {
  if (terms.length === 0) return null
  return (
    <div className="reading">
      <span aria-hidden="true">{READING_LABEL}</span>
      <ul className="search-term-chips" aria-label={READING_LABEL}>
        {terms.map((term) => (
          <li key={term.text}>
            <button
              type="button"
              aria-disabled={isOutdated}
              // The input keeps the focus: losing it would close the list under the pointer.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onTakeBack(term)}
            >
              <span className="unseen">Without </span>
              {term.text}
              <Icon name="x" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
