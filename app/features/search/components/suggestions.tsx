import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { href, useNavigate } from 'react-router'
import { useCombobox, useSuggested } from '../../../ui/suggestions.ts'
import { readingText, SUGGESTION_TEXTS, suggestionCountText, takenBackText } from '../messages.ts'
import type { ReadTerm } from '../reading-queries.server.ts'
import { ReadingChips } from './reading-chips.tsx'

type Suggestion = { label: string; detail?: string; to: string }
type Group = keyof typeof SUGGESTION_TEXTS
type Answer = Record<Group, Suggestion[]> & {
  /** The text that this answers. */
  text: string
  reading?: ReadTerm[]
}

const GROUPS = Object.keys(SUGGESTION_TEXTS) as Group[]
const NONE: Answer = { text: '', categories: [], businesses: [], places: [] }

async function findSuggestions(text: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(`${href('/api/suggestions')}?q=${encodeURIComponent(text)}`, { signal })
    if (response.ok) return { ...((await response.json()) as Answer), text }
  } catch (error) {
    if (signal.aborted) throw error
  }
  // On a rate limit, an outage or without a connection, shows nothing instead of the answer to earlier text.
  return { ...NONE, text }
}

/** The state of the list for the ARIA attributes of its input. */
export type ListState = { isOpen: boolean; activeId: string | undefined }

/**
 * The list below a search box while someone types, loaded on first use: the understood search terms, each of which can be
 * removed, and suggestions. The input keeps the focus: arrows move the selection, Enter follows it,
 * Escape closes the list.
 * @param known the query of the present search, whose terms the page shows
 * @param input the input whose keys control the list
 * @param onState called with the state for the input's attributes
 */
export function Suggestions({
  text,
  known,
  listId,
  input,
  onText,
  onState,
}: {
  text: string
  known: string
  listId: string
  input: RefObject<HTMLInputElement | null>
  onText: (text: string) => void
  onState: (state: ListState) => void
}) {
  const navigate = useNavigate()
  const [takenBack, setTakenBack] = useState('')
  const isQuiet = useRef(false)
  const typed = text.trim()
  const wanted = typed === known ? '' : typed
  const answer = useSuggested(wanted, NONE, findSuggestions)
  const all = useMemo(() => GROUPS.flatMap((group) => answer[group]), [answer])
  const { isOpen, activeId, open, close, onKeyDown, optionProps } = useCombobox({
    listId,
    text: wanted,
    options: all,
    onChoose: ({ to }) => void navigate(to),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing opens the list again
  useEffect(() => {
    if (isQuiet.current) close()
    else {
      open()
      setTakenBack('')
    }
    isQuiet.current = false
  }, [wanted])
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

  const terms = wanted ? (answer.reading ?? []) : []
  // On a slow connection the terms may belong to an earlier text: taking one back would lose what was typed since.
  const isOutdated = answer.text !== wanted
  const takeBack = ({ text: term, rest }: ReadTerm) => {
    if (isOutdated) return
    isQuiet.current = true
    setTakenBack(takenBackText(term))
    onText(rest)
    input.current?.focus()
  }
  const announced = [
    takenBack,
    isOutdated ? '' : readingText(terms.map((term) => term.text)),
    isOpen ? suggestionCountText(all.length) : '',
  ]
  return (
    <div className="suggest">
      <p role="status" className="unseen">
        {announced.filter(Boolean).join('. ')}
      </p>
      <ReadingChips terms={terms} isOutdated={isOutdated} onTakeBack={takeBack} />
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
    </div>
  )
}
