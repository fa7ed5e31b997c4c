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
  // Asked too often, or down: none, rather than those of other words.
  return response.ok ? ((await response.json()) as Answer) : NONE
}

/** What the input of a combobox has to say of its list. */
export type ListState = { isOpen: boolean; activeId: string | undefined }

/**
 * The list under a search box: the input keeps the focus; arrows move, Enter goes, Escape closes. Loaded on first use.
 * @param input whose keys move in the list
 * @param onState told what the input's attributes must say
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
