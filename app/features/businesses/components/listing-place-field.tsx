import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { href } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { TextField, type TextFieldProps } from '../../../ui/field.tsx'
import { setTyped } from '../../../ui/set-typed.ts'

const WAIT_MS = 120

/**
 * A field for a suburb or town with suggestions (the combobox pattern of WAI-ARIA): arrow keys, Enter and Escape, or a
 * press. Any text may stand in it; which place it means is for the server to say.
 */
export function PlaceField(props: Omit<TextFieldProps, 'className'>) {
  const [places, setPlaces] = useState<string[]>([])
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [query, setQuery] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const listId = useId()
  const isOpen = open && places.length > 0

  useEffect(() => {
    if (!query.trim()) return setPlaces([])
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(`${href('/api/places')}?q=${encodeURIComponent(query)}`, {
          signal: stop.signal,
        })
        const found = (await response.json()) as { places: string[] }
        setPlaces(found.places)
        setActive(-1)
      } catch {
        // Overtaken by the next letter, or no connection: without suggestions the field is still a field.
      }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [query])

  const choose = (place: string) => {
    const input = box.current?.querySelector('input')
    if (input) setTyped(input, place)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setOpen(false)
    } else if (event.key === 'Enter' && isOpen) {
      const place = places[active]
      // Enter on a suggestion takes it; it must not send the form as well.
      if (place) {
        event.preventDefault()
        choose(place)
      }
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (places.length === 0) return
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((at) =>
        at < 0 && step < 0 ? places.length - 1 : (at + step + places.length) % places.length,
      )
    }
  }

  return (
    <div ref={box} className="relative">
      <TextField
        {...props}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Places"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-control border border-line bg-surface py-1 shadow-float"
      >
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, as the pattern asks
          <div
            key={place}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classNames(
              'flex min-h-11 cursor-pointer items-center px-4 hover:bg-brand-soft',
              index === active && 'bg-brand-soft',
            )}
            // The field keeps the focus: losing it would close the list under the pointer.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            {place}
          </div>
        ))}
      </div>
    </div>
  )
}
