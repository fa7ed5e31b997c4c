import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { CATEGORIES, OCCASIONS } from '../../businesses/rules.ts'
import { OCCASION_NAMES } from '../../businesses/wording.ts'
import { useTidySubmit } from '../browser/use-tidy-submit.ts'
import { MAX_GUESTS, MAX_HOURS } from '../limits.ts'
import type { Search } from '../schema.ts'

const PLACES_PATH = '/api/places'
const dollars = (cents: number | null) => (cents === null ? '' : cents / 100)

/**
 * A field for each wish of a search: a plain GET form.
 * @param places suggestions for the place, before anything is typed
 * @param nearKm how far 'around it' reaches
 * @param withCategory false on the page of one category
 */
export function SearchFields({
  action,
  search,
  places,
  nearKm,
  withCategory = true,
}: {
  action: string
  search?: Search
  places: readonly string[]
  nearKm: number
  withCategory?: boolean
}) {
  const onSubmit = useTidySubmit(action)
  return (
    <form
      key={JSON.stringify(search)}
      method="get"
      action={action}
      onSubmit={onSubmit}
      className="search-fields"
    >
      {withCategory ? (
        <SelectField
          label="What"
          name="category"
          defaultValue={search?.category ?? ''}
          placeholder="Anything"
        >
          {CATEGORIES.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </SelectField>
      ) : null}
      <SelectField
        label="For which occasion"
        name="occasion"
        defaultValue={search?.occasion ?? ''}
        placeholder="Any"
        options={OCCASIONS.map((value) => ({ value, label: OCCASION_NAMES[value] }))}
      />
      <TextField
        label="In a few words"
        name="q"
        type="search"
        defaultValue={search?.q}
        placeholder="Garden, jazz, vegan …"
        maxLength={100}
        className={withCategory ? 'col-span-2' : 'col-span-2 md:col-span-4'}
      />
      <PlaceField defaultValue={search?.place} places={places} />
      <SelectField label="How far" name="near" defaultValue={search?.near ? '1' : ''}>
        <option value="">Only there</option>
        <option value="1">Up to {nearKm} km around</option>
      </SelectField>
      <TextField label="Day" name="date" type="date" defaultValue={search?.date ?? ''} />
      <TextField
        label="From"
        name="from"
        type="time"
        className="field-narrow"
        defaultValue={search?.from ?? ''}
      />
      <TextField
        label="Until"
        name="until"
        type="time"
        className="field-narrow"
        defaultValue={search?.until ?? ''}
      />
      <TextField
        label="Or hours"
        className="field-narrow"
        name="hours"
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_HOURS}
        defaultValue={search?.hours ?? ''}
      />
      <TextField
        label="Guests"
        className="field-narrow"
        name="guests"
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_GUESTS}
        defaultValue={search?.guests ?? ''}
      />
      <TextField
        label="Budget in all"
        className="col-span-2"
        name="budget"
        inputMode="decimal"
        prefix="$"
        defaultValue={dollars(search?.budgetCents ?? null)}
      />
      <fieldset className="search-price col-span-2 md:col-span-4">
        <legend className="field-label unstyled-legend">Listed price</legend>
        <TextField
          label="From"
          labelUnseen
          placeholder="from"
          name="min"
          inputMode="decimal"
          prefix="$"
          defaultValue={dollars(search?.minCents ?? null)}
        />
        <TextField
          label="To"
          labelUnseen
          placeholder="to"
          name="max"
          inputMode="decimal"
          prefix="$"
          defaultValue={dollars(search?.maxCents ?? null)}
        />
        <SelectField label="Per" labelUnseen name="per" defaultValue={search?.per ?? ''}>
          <option value="">person or hour</option>
          <option value="perPerson">person</option>
          <option value="perHour">hour</option>
        </SelectField>
      </fieldset>
      {search?.sort ? <input type="hidden" name="sort" value={search.sort} /> : null}
      <Button type="submit" variant="brand" className="self-end col-span-2">
        Show businesses
      </Button>
    </form>
  )
}

/** A place with the browser's own list of suggestions: the largest at first, then what fits the letters. */
function PlaceField({
  defaultValue,
  places,
}: {
  defaultValue: string | undefined
  places: readonly string[]
}) {
  const [suggested, setSuggested] = useState(places)
  const latest = useRef('')
  const suggest = async (text: string) => {
    latest.current = text
    if (!text.trim()) return setSuggested(places)
    try {
      const response = await fetch(`${PLACES_PATH}?q=${encodeURIComponent(text)}`)
      const found = (await response.json()) as { places: string[] }
      if (latest.current === text) setSuggested(found.places)
    } catch {
      // Without a connection the field is still a field.
    }
  }
  return (
    <>
      <TextField
        label="Where"
        className="col-span-2"
        name="place"
        defaultValue={defaultValue}
        placeholder="Suburb, town or state"
        list="search-places"
        autoComplete="off"
        maxLength={100}
        onInput={(event) => void suggest(event.currentTarget.value)}
      />
      <datalist id="search-places">
        {suggested.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
    </>
  )
}
