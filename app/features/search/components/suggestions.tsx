import { type RefObject, useEffect, useState } from 'react'
import { href, useNavigate } from 'react-router'
import { SUGGESTION_TEXTS, suggestionCountText } from '../wording.ts'

/** A fast typist's pause: shorter would ask for every letter. */
const WAIT_MS = 120

type Suggestion = { label: string; detail?: string; to: string }
type Group = keyof typeof SUGGESTION_TEXTS
type Answer = Record<Group, Suggestion[]>

const GROUPS = Object.keys(SUGGESTION_TEXTS) as Group[]
const NONE: Answer = { categories: [], businesses: [], places: [] }

/** What the input of a combobox has to say of its list. */
export type ListState = { isOpen: boolean; activeId: string | undefined }

/**
 * The list under a search box (the combobox pattern of WAI-ARIA): the input keeps the focus; arrows move, Enter goes,
 * Escape closes. Loaded on first use.
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
  const [answer, setAnswer] = useState(NONE)
  const [isClosed, setClosed] = useState(false)
  const [active, setActive] = useState(-1)
  const wanted = text.trim()

  useEffect(() => {
    setActive(-1)
    setClosed(false)
    if (!wanted) return setAnswer(NONE)
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(`${href('/api/suggestions')}?q=${encodeURIComponent(wanted)}`, {
          signal: stop.signal,
        })
        // Asked too often, or down: none, rather than those of other words.
        setAnswer(response.ok ? ((await response.json()) as Answer) : NONE)
        setActive(-1)
      } catch {
        // Overtaken by the next letter, or no connection: Enter searches all the same.
      }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [wanted])

  const all = GROUPS.flatMap((group) => answer[group])
  const isOpen = !isClosed && wanted !== '' && all.length > 0
  const activeId = isOpen && active >= 0 ? `${listId}-${active}` : undefined
  useEffect(() => onState({ isOpen, activeId }), [isOpen, activeId, onState])

  useEffect(() => {
    const box = input.current
    if (!box) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing) return
      const chosen = all[active]
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        if (all.length === 0) return
        event.preventDefault()
        setClosed(false)
        const step = event.key === 'ArrowDown' ? 1 : -1
        setActive((at) => (at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length))
      } else if (event.key === 'Escape' && isOpen) {
        // The first Escape closes the list, the next one what it stands in.
        event.preventDefault()
        event.stopPropagation()
        setClosed(true)
      } else if (event.key === 'Enter' && isOpen && chosen) {
        event.preventDefault()
        setClosed(true)
        void navigate(chosen.to)
      }
    }
    const close = () => setClosed(true)
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
              {answer[group].map((suggestion) => {
                const index = all.indexOf(suggestion)
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard, as the pattern asks
                  <div
                    key={suggestion.to}
                    id={`${listId}-${index}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === active}
                    // The input keeps the focus: losing it would close the list under the pointer.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => {
                      setClosed(true)
                      void navigate(suggestion.to)
                    }}
                  >
                    {suggestion.label}
                    {suggestion.detail ? (
                      <span className="text-sm text-quiet">{suggestion.detail}</span>
                    ) : null}
                  </div>
                )
              })}
            </div>
          ) : null,
        )}
      </div>
    </>
  )
}
