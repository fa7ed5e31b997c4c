import { getInputProps } from '@conform-to/react'
import { CheckboxField, FieldError, SelectField, TextField } from '../../../ui/field.tsx'
import type { FieldsOf } from '../../../ui/schema-form.ts'
import type { ListingDraft } from '../browser/listing-draft.ts'
import {
  type CountFact,
  differsByCategory,
  type Fact,
  labelledOptions,
  type SeveralFact,
  type YesNoFact,
} from '../fact-kind-rules.ts'
import {
  FACTS_HINT,
  FACTS_LEGEND,
  NO_CATEGORY_HINT,
  suggestedServicesText,
  UNSAID_TEXT,
  usualText,
  YES_NO_OPTIONS,
} from '../fact-messages.ts'
import { STATED_FACTS, STATED_NAMES, type StatedName } from '../fact-rules.ts'
import { SEVERAL_FACTS } from '../fact-schema.ts'
import { CATEGORIES, CATEGORY_SLUGS, type Category } from '../rules.ts'
import { servicesShown } from '../service-match-rules.ts'
import { SERVICES } from '../service-rules.ts'
import './listing-fact-fields.css'

type PartProps = { start: ListingDraft; fields: FieldsOf<ListingDraft> }

/** A longer list is folded until the vendor opens it. */
const MAX_OPEN_OPTIONS = 12

type RowOf<Kind extends Fact['kind']> = { name: StatedName; fact: Extract<Fact, { kind: Kind }> }

function rowsOf<Kind extends Fact['kind']>(kind: Kind): RowOf<Kind>[] {
  return STATED_NAMES.flatMap((name) => {
    const fact = STATED_FACTS[name]
    return fact.kind === kind ? [{ name, fact: fact as RowOf<Kind>['fact'] }] : []
  })
}

/**
 * The slugs of the categories whose form asks for a fact. CSS shows it for these, so that it works without JavaScript.
 * undefined if the form always asks for it.
 */
function slugsOf(name: StatedName): string | undefined {
  if (name === 'maxGuests') return undefined
  return STATED_FACTS[name].categories.map((category) => CATEGORY_SLUGS[category]).join(' ')
}

/** The facts of the listing form: the maximum number of guests, then those of the chosen category. */
export function FactFields({
  start,
  fields,
  category,
  disabled,
}: PartProps & { category: string; disabled: boolean }) {
  const chosen = CATEGORIES.find((each) => each === category)
  return (
    <fieldset className="listing-facts grid gap-6" disabled={disabled}>
      <legend className="mb-6 text-xl">{FACTS_LEGEND}</legend>
      <p className="field-hint -mt-3">{FACTS_HINT}</p>
      <input type="hidden" name="factsAsked" value="1" />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        {rowsOf('count').map((row) => (
          <CountField key={row.name} {...row} fields={fields} category={chosen} />
        ))}
        {rowsOf('yesNo').map((row) => (
          <YesNoField key={row.name} {...row} start={start} fields={fields} />
        ))}
      </div>
      {rowsOf('several').flatMap((row) =>
        listsOf(row.fact).map((only) => (
          <SeveralField key={row.name + (only ?? '')} {...row} only={only} start={start} fields={fields} />
        )),
      )}
      <p className="field-hint listing-facts-none">{NO_CATEGORY_HINT}</p>
    </fieldset>
  )
}

function CountField({
  name,
  fact,
  fields,
  category,
}: {
  name: StatedName
  fact: CountFact
  fields: FieldsOf<ListingDraft>
  /** Its usual number is an example that isn't sent: the vendor chooses what is published. */
  category: Category | undefined
}) {
  const usual = category && fact.usual?.[category]
  const field = fields[name] as FieldsOf<ListingDraft>['maxGuests']
  const input = (
    <TextField
      label={fact.formLabel ?? fact.label}
      optional
      className={name === 'maxGuests' ? 'sm:col-span-2' : ''}
      hint={fact.hint}
      inputMode="numeric"
      autoComplete="off"
      error={field.errors}
      control={{
        ...getInputProps(field, { type: 'text' }),
        placeholder: usual === undefined ? undefined : usualText(usual),
      }}
    />
  )
  return name === 'maxGuests' ? input : <div data-for={slugsOf(name)}>{input}</div>
}

function YesNoField({ name, fact, start, fields }: PartProps & { name: StatedName; fact: YesNoFact }) {
  return (
    <div data-for={slugsOf(name)}>
      <SelectField
        label={fact.formLabel ?? fact.label}
        hint={fact.hint}
        placeholder={UNSAID_TEXT}
        options={YES_NO_OPTIONS}
        error={fields[name].errors}
        id={fields[name].id}
        name={name}
        defaultValue={String(start[name])}
      />
    </div>
  )
}

/** A list for each category, if their options differ; otherwise one for all: null. */
function listsOf(fact: SeveralFact): (Category | null)[] {
  return differsByCategory(fact) ? [...fact.categories] : [null]
}

function SeveralField({
  name,
  fact,
  only,
  start,
  fields,
}: PartProps & {
  name: StatedName
  fact: SeveralFact
  /** The category whose options these are, null for all. */
  only: Category | null
}) {
  const { id: fieldId, errors } = fields[name]
  // The first list has the id to which an error leads.
  const id = only && only !== fact.categories[0] ? `${fieldId}-${CATEGORY_SLUGS[only]}` : fieldId
  const chosen = SEVERAL_FACTS.flatMap((each) => (each === name ? start[each] : []))
  const options = labelledOptions(fact, only)
  const label = fact.formLabel ?? fact.label
  const isFolded = only === null && options.length > MAX_OPEN_OPTIONS
  const slugs = only ? CATEGORY_SLUGS[only] : slugsOf(name)
  const suggested = name === 'services' && only ? <SuggestedServices category={only} fields={fields} /> : null
  const group = (
    <fieldset className="field" data-for={slugs} aria-describedby={errors ? `${id}-error` : undefined}>
      {/* The summary around a folded list has the same text. */}
      <legend className={isFolded ? 'unseen' : 'field-label unstyled-legend'}>{label}</legend>
      {fact.hint ? <p className="field-hint">{fact.hint}</p> : null}
      {suggested}
      <div className="listing-facts-several">
        {options.map(({ value, label }, index) => (
          <CheckboxField
            key={value}
            {...(index === 0 ? { id } : {})}
            label={label}
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
          />
        ))}
      </div>
      <FieldError id={`${id}-error`} message={errors?.[0]} />
    </fieldset>
  )
  if (!isFolded) return group
  return (
    <details data-for={slugs} open={chosen.length > 0 || undefined}>
      <summary className="field-label cursor-pointer py-2.5">{label}</summary>
      {group}
    </details>
  )
}

/** The services that the typed texts show. None is ticked for the vendor, who may mention what others offer. */
function SuggestedServices({ category, fields }: { category: Category; fields: FieldsOf<ListingDraft> }) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const shown = servicesShown({
    category,
    name: textOf(fields.name.value),
    servicesOffered: [textOf(fields.servicesOffered.value)],
    description: textOf(fields.description.value),
  })
  return shown.length > 0 ? (
    <p className="field-hint" role="status">
      {suggestedServicesText(shown.map((id) => SERVICES[id].one))}
    </p>
  ) : null
}
