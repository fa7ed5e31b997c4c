import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { href } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { useSuggested } from '../../../ui/suggestions.ts'
import { findPlaces } from '../../places/browser/places-client.ts'
import { tidyQuery, useTidySubmit } from '../browser/use-tidy-submit.ts'
import type { Field } from '../filter-schema.ts'
import { AMOUNT_PATTERN } from '../limits.ts'
import { AMOUNT_TITLE, SHOW_TEXT } from '../messages.ts'
import { FilterSheet, useFilterSheet } from './filter-sheet.tsx'

const WIDTHS = { narrow: 'field-narrow', wide: 'col-span-2', full: 'col-span-2 md:col-span-4' } as const

type FieldsProps = {
  /** The path of the list. */
  action: string
  /** The address of the present search; a different one resets the form. */
  search?: string
  fields: readonly Field[]
  /** Place suggestions before the visitor types. */
  places: readonly string[]
}

/** A field for each filter of a search: a plain GET form, which phones show as a sheet. */
export function SearchFields(props: FieldsProps) {
  const { box, sheet, isOpen, close } = useFilterSheet()
  return (
    <div ref={box}>
      {sheet ? (
        createPortal(
          <FilterSheet isOpen={isOpen} onClose={close}>
            <FieldsForm {...props} isOpenSheet={isOpen} onSubmitted={close} />
          </FilterSheet>,
          sheet,
        )
      ) : (
        <FieldsForm {...props} />
      )}
    </div>
  )
}

/**
 * @param isOpenSheet whether it is in an open sheet, whose button counts what it will show
 * @param onSubmitted called when the form is sent
 */
function FieldsForm({
  action,
  search = action,
  fields,
  places,
  isOpenSheet = false,
  onSubmitted,
}: FieldsProps & { isOpenSheet?: boolean; onSubmitted?: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const { text, count } = useFoundCount(form, action, isOpenSheet)
  // The server leaves out what it can't use, such as an end without a beginning. If nothing else changed, the address
  // stays the same, so the form starts again after each answer: it shows only what was searched. As a transition, like
  // the router's, so that both are shown at once.
  const [answers, setAnswers] = useState(0)
  const onSubmit = useTidySubmit(action, () => startTransition(() => setAnswers((count) => count + 1)))
  return (
    <form
      key={`${search} ${answers}`}
      ref={form}
      method="get"
      action={action}
      onSubmit={(event) => {
        onSubmit(event)
        onSubmitted?.()
      }}
      onInput={count}
      className="search-fields"
    >
      {fields.map((field) => (
        <SearchField key={keyOf(field)} field={field} places={places} />
      ))}
      <div className="show-found col-span-2">
        <Button type="submit" variant="brand" wide>
          <span aria-live="polite">{text ?? SHOW_TEXT}</span>
        </Button>
      </div>
    </form>
  )
}

const keyOf = (field: Field) => (field.kind === 'group' ? field.label : field.name)

/** @param isGrouped hides the label, since the group's legend and the placeholder name the field */
function SearchField({
  field,
  places,
  isGrouped = false,
}: {
  field: Field
  places: readonly string[]
  isGrouped?: boolean
}) {
  if (field.kind === 'hidden') return <input type="hidden" name={field.name} value={field.value} />
  if (field.kind === 'group') {
    return (
      <fieldset className={field.areChips ? 'search-flags' : 'search-price col-span-2 md:col-span-4'}>
        <legend className="field-label unstyled-legend">{field.label}</legend>
        {field.fields.map((each) => (
          <SearchField key={keyOf(each)} field={each} places={places} isGrouped />
        ))}
      </fieldset>
    )
  }
  if (field.kind === 'flag') {
    return (
      <label>
        <input
          className="unseen"
          type="checkbox"
          name={field.name}
          value="1"
          defaultChecked={field.value !== ''}
        />
        {field.label}
      </label>
    )
  }
  const frame = {
    name: field.name,
    label: field.label,
    labelUnseen: isGrouped,
    defaultValue: field.value,
    ...(field.width ? { className: WIDTHS[field.width] } : {}),
  }
  switch (field.kind) {
    case 'choice':
      return (
        <SelectField
          {...frame}
          options={field.options}
          {...(field.none ? { placeholder: field.none } : {})}
          isKept
        />
      )
    case 'words':
      return (
        <TextField {...frame} type="search" placeholder={field.placeholder} maxLength={field.maxLength} />
      )
    case 'place':
      return <PlaceField {...frame} field={field} places={places} />
    case 'date':
    case 'time':
      return <TextField {...frame} type={field.kind} />
    case 'count':
      return <TextField {...frame} type="number" inputMode="numeric" min={1} max={field.max} />
    case 'amount':
      return (
        <TextField
          {...frame}
          inputMode="decimal"
          prefix="$"
          placeholder={field.placeholder}
          pattern={AMOUNT_PATTERN}
          title={AMOUNT_TITLE}
        />
      )
  }
}

const COUNT_WAIT_MS = 400

/**
 * Counts what the fields would find, a moment after each change.
 * @returns `text`: of the button, null while it is unknown; `count`: to call at a change
 */
function useFoundCount(form: RefObject<HTMLFormElement | null>, action: string, isOn: boolean) {
  const [text, setText] = useState<string | null>(null)
  const stop = useRef<AbortController | null>(null)
  const count = useCallback(() => {
    stop.current?.abort()
    if (!isOn || !form.current) return
    const current = new AbortController()
    stop.current = current
    const { signal } = current
    const query = tidyQuery(form.current)
    query.set('list', action)
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(`${href('/api/count')}?${query}`, { signal })
        const answer = (await response.json()) as { text?: unknown }
        setText(typeof answer.text === 'string' ? answer.text : null)
      } catch {
        // Aborted by the next change; without a connection the button has no count.
        if (!signal.aborted) setText(null)
      }
    }, COUNT_WAIT_MS)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }, [form, action, isOn])
  useEffect(() => {
    count()
    return () => stop.current?.abort()
  }, [count])
  return { text: isOn ? text : null, count }
}

/** A place field with the browser's own suggestion list: the largest places first, then those matching the text. */
function PlaceField({
  field,
  places,
  ...frame
}: {
  name: string
  label: string
  defaultValue: string
  className?: string
  field: Extract<Field, { kind: 'words' | 'place' }>
  places: readonly string[]
}) {
  const [text, setText] = useState('')
  const suggested = useSuggested(text, places, findPlaces)
  return (
    <>
      <TextField
        {...frame}
        placeholder={field.placeholder}
        list="search-places"
        autoComplete="off"
        maxLength={field.maxLength}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <RenderedOnce as="datalist" id="search-places" inside={PlaceOptions} data={{ places: suggested }} />
    </>
  )
}

function PlaceOptions({ places }: { places: readonly string[] }) {
  return places.map((place) => <option key={place} value={place} />)
}
