import { startTransition, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { useSuggested } from '../../../ui/suggestions.ts'
import { findPlaces } from '../../places/browser/places-client.ts'
import { useTidySubmit } from '../browser/use-tidy-submit.ts'
import type { Field } from '../filter-schema.ts'
import { AMOUNT_PATTERN } from '../limits.ts'
import { AMOUNT_TITLE } from '../messages.ts'

const WIDTHS = { narrow: 'field-narrow', wide: 'col-span-2', full: 'col-span-2 md:col-span-4' } as const

/**
 * A field for each filter of a search: a plain GET form.
 * @param action the path of the list
 * @param search the address of the present search; a different one resets the form
 * @param places place suggestions before the visitor types
 */
export function SearchFields({
  action,
  search = action,
  fields,
  places,
}: {
  action: string
  search?: string
  fields: readonly Field[]
  places: readonly string[]
}) {
  // The server leaves out what it can't use, such as an end without a beginning. If nothing else changed, the address
  // stays the same, so the form starts again after each answer: it shows only what was searched. As a transition, like
  // the router's, so that both are shown at once.
  const [answers, setAnswers] = useState(0)
  const onSubmit = useTidySubmit(action, () => startTransition(() => setAnswers((count) => count + 1)))
  return (
    <form
      key={`${search} ${answers}`}
      method="get"
      action={action}
      onSubmit={onSubmit}
      className="search-fields"
    >
      {fields.map((field) => (
        <SearchField key={keyOf(field)} field={field} places={places} />
      ))}
      <Button type="submit" variant="brand" className="self-end col-span-2">
        Show businesses
      </Button>
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
      <fieldset className="search-price col-span-2 md:col-span-4">
        <legend className="field-label unstyled-legend">{field.label}</legend>
        {field.fields.map((each) => (
          <SearchField key={keyOf(each)} field={each} places={places} isGrouped />
        ))}
      </fieldset>
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
