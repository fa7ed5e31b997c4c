import { useId, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { TextField, type TextFieldProps } from '../../../ui/field.tsx'
import { setTyped } from '../../../ui/set-typed.ts'
import { useCombobox, useSuggested } from '../../../ui/suggestions.ts'
import { findPlaces } from '../../places/browser/places-client.ts'

const NONE: readonly string[] = []

/**
 * A field for a suburb or town with suggestions, chosen with the arrow keys and Enter or by pressing. Accepts any text,
 * which the server resolves to a place.
 */
export function PlaceField(props: Omit<TextFieldProps, 'className'>) {
  const [query, setQuery] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const listId = useId()
  const places = useSuggested(query, NONE, findPlaces)
  const list = useCombobox({
    listId,
    text: query,
    options: places,
    onChoose(place) {
      const input = box.current?.querySelector('input')
      if (input) setTyped(input, place)
    },
  })

  return (
    <div ref={box} className="relative">
      <TextField
        {...props}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={list.isOpen}
        aria-controls={listId}
        aria-activedescendant={list.activeId}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          list.open()
        }}
        onKeyDown={(event) => list.onKeyDown(event.nativeEvent)}
        onBlur={list.close}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Places"
        hidden={!list.isOpen}
        className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-control border border-line bg-surface py-1 shadow-float"
      >
        {places.map((place, index) => {
          const option = list.optionProps(index)
          return (
            <div
              key={place}
              {...option}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center px-4 hover:bg-brand-soft',
                option['aria-selected'] && 'bg-brand-soft',
              )}
            >
              {place}
            </div>
          )
        })}
      </div>
    </div>
  )
}
