import { useEffect, useState } from 'react'

/** A fast typist's pause: a shorter one would send a request for every letter. */
const WAIT_MS = 120

/**
 * Fetches suggestions each time the typing pauses.
 * @param none the result until something is typed
 * @param find asks the server; after a failure the previous suggestions stay
 */
export function useSuggested<Found>(
  text: string,
  none: Found,
  find: (text: string, signal: AbortSignal) => Promise<Found>,
): Found {
  const [found, setFound] = useState(none)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text needs another request
  useEffect(() => {
    if (!text.trim()) return setFound(none)
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        setFound(await find(text, stop.signal))
      } catch {
        // Superseded by the next letter, or no connection: the field works without suggestions.
      }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return found
}

/**
 * The list under a field (the combobox pattern of WAI-ARIA). The field keeps the focus; arrow keys mark an option,
 * Enter or a press chooses it, Escape closes the list.
 * @param combobox.text the typed text; new text or new options remove the mark
 * @param combobox.options in the order of the list; the same array while they are the same
 * @param combobox.onChoose receives the chosen option; the list closes afterwards
 */
export function useCombobox<Option>({
  listId,
  text,
  options,
  onChoose,
}: {
  listId: string
  text: string
  options: readonly Option[]
  onChoose: (option: Option) => void
}) {
  const [isClosed, setClosed] = useState(false)
  const [mark, setMark] = useState({ text, options, index: -1 })
  const indexOf = (each: typeof mark) => (each.text === text && each.options === options ? each.index : -1)
  const marked = indexOf(mark)
  const isOpen = !isClosed && text.trim() !== '' && options.length > 0

  const choose = (option: Option) => {
    onChoose(option)
    setClosed(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const option = options[marked]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options.length === 0) return
      event.preventDefault()
      setClosed(false)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMark((before) => {
        const index = indexOf(before)
        const next =
          index < 0 && step < 0 ? options.length - 1 : (index + step + options.length) % options.length
        return { text, options, index: next }
      })
    } else if (event.key === 'Escape' && isOpen) {
      // The first Escape closes the list, the next one its container.
      event.preventDefault()
      event.stopPropagation()
      setClosed(true)
    } else if (event.key === 'Enter' && isOpen && option) {
      // Otherwise Enter would also submit the form.
      event.preventDefault()
      choose(option)
    }
  }
  /** The properties of an option's element, apart from its `key`. */
  const optionProps = (index: number) => ({
    id: `${listId}-${index}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': index === marked,
    // The field keeps the focus: losing it would close the list under the pointer.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => {
      const option = options[index]
      if (option) choose(option)
    },
  })
  return {
    isOpen,
    /** The id of the marked option, for `aria-activedescendant`. */
    activeId: isOpen && marked >= 0 ? `${listId}-${marked}` : undefined,
    open: () => setClosed(false),
    close: () => setClosed(true),
    onKeyDown,
    optionProps,
  }
}
