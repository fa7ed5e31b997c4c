import { type ComponentProps, lazy, type RefObject, Suspense, useEffect, useId, useState } from 'react'
import type { ListState } from '../features/search/components/suggestions.tsx'
import { SEARCH_PARAMETER, SEARCH_PLACEHOLDER } from './site-links.ts'

// Visitors who never search never load it.
const Suggestions = lazy(async () => {
  try {
    const part = await import('../features/search/components/suggestions.tsx')
    return { default: part.Suggestions }
  } catch {
    // The box works without suggestions.
    return { default: () => <></> }
  }
})

const CLOSED: ListState = { isOpen: false, activeId: undefined }

/** The input of a search box, with suggestions from the first letter on. */
export function SearchInput({
  input,
  text,
  onText,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  input: RefObject<HTMLInputElement | null>
  text: string
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
        name={SEARCH_PARAMETER}
        placeholder={SEARCH_PLACEHOLDER}
        value={text}
        autoComplete="off"
        enterKeyHint="search"
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
        <Suspense>
          <Suggestions text={text} listId={listId} input={input} onState={setList} />
        </Suspense>
      ) : null}
    </>
  )
}
