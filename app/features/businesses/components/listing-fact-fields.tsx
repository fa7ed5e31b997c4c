import { getInputProps } from '@conform-to/react'
import { CheckboxField, FieldError, SelectField, TextField } from '../../../ui/field.tsx'
import type { FieldsOf } from '../../../ui/schema-form.ts'
import type { ListingDraft } from '../browser/listing-draft.ts'
import {
  COUNT_LABELS,
  DIET_TEXTS,
  FACT_HINTS,
  FACT_LABELS,
  FACTS_HINT,
  FACTS_LEGEND,
  NO_CATEGORY_HINT,
  SETTING_TEXTS,
  UNSAID_TEXT,
  usualText,
  YES_NO_OPTIONS,
} from '../fact-messages.ts'
import { DIETS, type FactName, hasFact, LANGUAGES, SETTINGS, USUAL_FACTS } from '../fact-rules.ts'
import { CATEGORIES, CATEGORY_SLUGS } from '../rules.ts'
import './listing-fact-fields.css'

type PartProps = { start: ListingDraft; fields: FieldsOf<ListingDraft> }

/** The slugs of the categories whose form asks for a fact. CSS shows it for these, so that it works without JavaScript. */
function slugsWith(name: FactName): string {
  return CATEGORIES.filter((category) => hasFact(category, name))
    .map((category) => CATEGORY_SLUGS[category])
    .join(' ')
}

/** The facts of the listing form: the maximum number of guests, then those of the chosen category. */
export function FactFields({
  start,
  fields,
  category,
  disabled,
}: PartProps & { category: string; disabled: boolean }) {
  const chosen = CATEGORIES.find((each) => each === category)
  const usual = chosen ? USUAL_FACTS[chosen] : {}
  return (
    <fieldset className="listing-facts grid gap-6" disabled={disabled}>
      <legend className="mb-6 text-xl">{FACTS_LEGEND}</legend>
      <p className="field-hint -mt-3">{FACTS_HINT}</p>
      <input type="hidden" name="factsAsked" value="1" />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <CountField name="maxGuests" fields={fields} label={FACT_LABELS.maxGuests} />
        <CountField name="seated" fields={fields} />
        <CountField name="standing" fields={fields} />
        <CountField name="minHours" fields={fields} usual={usual.minHours} />
        <CountField name="travelKm" fields={fields} usual={usual.travelKm} />
        <YesNoField name="stepFree" start={start} fields={fields} />
        <YesNoField name="parking" start={start} fields={fields} />
        <YesNoField name="byo" start={start} fields={fields} />
      </div>
      <SeveralField
        name="setting"
        start={start}
        fields={fields}
        options={SETTINGS.map((value) => ({ value, label: SETTING_TEXTS[value] }))}
      />
      <SeveralField
        name="dietary"
        start={start}
        fields={fields}
        options={DIETS.map((value) => ({
          value,
          label: DIET_TEXTS[value].charAt(0).toUpperCase() + DIET_TEXTS[value].slice(1),
        }))}
      />
      <details data-for={slugsWith('languages')} open={start.languages.length > 0 || undefined}>
        <summary className="field-label cursor-pointer py-2.5">{FACT_LABELS.languages}</summary>
        <SeveralField
          name="languages"
          start={start}
          fields={fields}
          labelUnseen
          options={LANGUAGES.map((value) => ({ value, label: value }))}
        />
      </details>
      <p className="field-hint listing-facts-none">{NO_CATEGORY_HINT}</p>
    </fieldset>
  )
}

function CountField({
  name,
  fields,
  label,
  usual,
}: {
  name: 'maxGuests' | 'seated' | 'standing' | 'minHours' | 'travelKm'
  fields: FieldsOf<ListingDraft>
  label?: string
  /** An example that isn't sent: the vendor chooses what is published. */
  usual?: number | undefined
}) {
  const field = (
    <TextField
      label={label ?? (name === 'maxGuests' ? FACT_LABELS[name] : (COUNT_LABELS[name] ?? FACT_LABELS[name]))}
      optional
      className={name === 'maxGuests' ? 'sm:col-span-2' : ''}
      hint={FACT_HINTS[name]}
      inputMode="numeric"
      autoComplete="off"
      error={fields[name].errors}
      control={{
        ...getInputProps(fields[name], { type: 'text' }),
        placeholder: usual === undefined ? undefined : usualText(usual),
      }}
    />
  )
  return name === 'maxGuests' ? field : <div data-for={slugsWith(name)}>{field}</div>
}

function YesNoField({ name, start, fields }: PartProps & { name: 'stepFree' | 'parking' | 'byo' }) {
  return (
    <div data-for={slugsWith(name)}>
      <SelectField
        label={FACT_LABELS[name]}
        hint={FACT_HINTS[name]}
        placeholder={UNSAID_TEXT}
        options={YES_NO_OPTIONS}
        error={fields[name].errors}
        id={fields[name].id}
        name={name}
        defaultValue={start[name]}
      />
    </div>
  )
}

function SeveralField({
  name,
  start,
  fields,
  options,
  labelUnseen = false,
}: PartProps & {
  name: 'setting' | 'dietary' | 'languages'
  options: readonly { value: string; label: string }[]
  /** The summary around it has the same text. */
  labelUnseen?: boolean
}) {
  const { id, errors } = fields[name]
  return (
    <fieldset
      className="field"
      data-for={slugsWith(name)}
      aria-describedby={errors ? `${id}-error` : undefined}
    >
      <legend className={labelUnseen ? 'unseen' : 'field-label unstyled-legend'}>{FACT_LABELS[name]}</legend>
      <div className="listing-facts-several">
        {options.map(({ value, label }, index) => (
          <CheckboxField
            key={value}
            {...(index === 0 ? { id } : {})}
            label={label}
            name={name}
            value={value}
            defaultChecked={start[name].includes(value)}
          />
        ))}
      </div>
      <FieldError id={`${id}-error`} message={errors?.[0]} />
    </fieldset>
  )
}
