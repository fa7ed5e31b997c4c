import { type RefObject, useEffect, useMemo } from 'react'
import { href, useNavigate } from 'react-router'
import { useCombobox, useSuggested } from '../../../ui/suggestions.ts'
import { SUGGESTION_TEXTS, suggestionCountText } from '../messages.ts'

type Suggestion = { label: string; detail?: string; to: string }
type Group = keyof typeof SUGGESTION_TEXTS
type Answer = Record<Group, Suggestion[]>

const GROUPS = Object.keys(SUGGESTION_TEXTS) as Group[]
const NONE: Answer = { categories: [], businesses: [], places: [] }

async function findSuggestions(text: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(`${href('/api/suggestions')}?q=${encodeURIComponent(text)}`, { signal })
  // On a rate limit or an outage, shows no suggestions instead of those for earlier text.
  return response.ok ? ((await response.json()) as Answer) : NONE
}

/** The state of the list for the ARIA attributes of its input. */
export type ListState = { isOpen: boolean; activeId: string | undefined }

/**
 * The suggestions under a search box, loaded on first use. The input keeps the focus: arrows move the selection, Enter
 * follows it, Escape closes the list.
 * @param input the input whose keys control the list
 * @param onState called with the state for the input's attributes
 */
export function Suggestions({
  text,
  listId,
  input,
  onState,
}: {
  text: string
  listId: string
  input: RefObject<HTMLInputElement | null>
  onState: (state: ListState) => void
}) {
  const navigate = useNavigate()
  const wanted = text.trim()
  const answer = useSuggested(wanted, NONE, findSuggestions)
  const all = useMemo(() => GROUPS.flatMap((group) => answer[group]), [answer])
  const { isOpen, activeId, open, close, onKeyDown, optionProps } = useCombobox({
    listId,
    text: wanted,
    options: all,
    onChoose: ({ to }) => void navigate(to),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text opens the list again
  useEffect(open, [wanted])
  useEffect(() => onState({ isOpen, activeId }), [isOpen, activeId, onState])

  useEffect(() => {
    const box = input.current
    if (!box) return
    box.addEventListener('keydown', onKeyDown)
    box.addEventListener('blur', close)
    return () => {
      box.removeEventListener('keydown', onKeyDown)
      box.removeEventListener('blur', close)
    }
  })

  return (
    <>
      <p role="status" className="unseen">
        {isOpen ? suggestionCountText(all.length) : ''}
      </p>
      <div id={listId} role="listbox" aria-label="Suggestions" className="site-suggestions" hidden={!isOpen}>
        {GROUPS.map((group) =>
          answer[group].length > 0 ? (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
            <div key={group} role="group" aria-label={SUGGESTION_TEXTS[group]}>
              <span aria-hidden="true" className="site-suggestions-head">
                {SUGGESTION_TEXTS[group]}
              </span>
              {answer[group].map((suggestion) => (
                <div key={suggestion.to} {...optionProps(all.indexOf(suggestion))}>
                  {suggestion.label}
                  {suggestion.detail ? <span className="text-sm text-quiet">{suggestion.detail}</span> : null}
                </div>
              ))}
            </div>
          ) : null,
        )}
      </div>
    </>
  )
}
