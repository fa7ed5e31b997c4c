import { type ComponentProps, lazy, type RefObject, Suspense, useEffect, useId, useState } from 'react'
import { PartBoundary } from '../../../ui/part-boundary.tsx'
import type { ListState } from './suggestions.tsx'

// Visitors who never search never load it.
const load = async () => {
  try {
    const part = await import('./suggestions.tsx')
    return { default: part.Suggestions }
  } catch {
    // The box works without suggestions.
    return { default: () => <></> }
  }
}
const Suggestions = lazy(load)

const CLOSED: ListState = { isOpen: false, activeId: undefined }

/**
 * The input of a search box. From the first letter on, it suggests where to go and shows what was understood; the
 * script for that is fetched when the input gets the focus.
 * @param known the query of the present search, which the page itself explains
 */
export function SearchInput({
  input,
  text,
  known = '',
  onText,
  onFocus,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  input: RefObject<HTMLInputElement | null>
  text: string
  known?: string
  onText: (text: string) => void
}) {
  const listId = useId()
  const [isUsed, setUsed] = useState(false)
  const [list, setList] = useState(CLOSED)
  // Typed before this ran.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on hydration of the document's input
  useEffect(() => {
    if (!input.current?.value || input.current.value === text) return
    setUsed(true)
    onText(input.current.value)
  }, [])
  return (
    <>
      <input
        {...rest}
        ref={input}
        type="search"
        name="q"
        value={text}
        autoComplete="off"
        enterKeyHint="search"
        onFocus={(event) => {
          void load()
          onFocus?.(event)
        }}
        onChange={(event) => {
          setUsed(true)
          onText(event.target.value)
        }}
        {...(isUsed
          ? {
              role: 'combobox',
              'aria-autocomplete': 'list',
              'aria-expanded': list.isOpen,
              'aria-controls': listId,
              'aria-activedescendant': list.activeId,
            }
          : {})}
      />
      {isUsed ? (
        <PartBoundary part="suggestions">
          <Suspense>
            <Suggestions
              text={text}
              known={known}
              listId={listId}
              input={input}
              onText={onText}
              onState={setList}
            />
          </Suspense>
        </PartBoundary>
      ) : null}
    </>
  )
}
