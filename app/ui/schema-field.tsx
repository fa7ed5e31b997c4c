import { getInputProps, getTextareaProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import type { SchemaInput } from '../shared/form-inputs.ts'
import { CheckboxField, SelectField, TextAreaField, TextField } from './field.tsx'

type Field = Parameters<typeof getInputProps>[0]

/** The properties of a text field that its declared input sets, for a field with a component of its own. */
export function lineProps({ label, hint, autoComplete = 'off', ...input }: SchemaInput) {
  const { inputMode, autoCapitalize, spellCheck } = input
  const maxLength = input.stopsAtLimit && input.limit
  return {
    label,
    hint,
    optional: input.isOptional,
    autoComplete,
    inputMode,
    autoCapitalize,
    spellCheck,
    maxLength,
  }
}

/** Properties that a form adds to a declared input. */
type Additions = {
  feedback?: ReactNode
  /** Called with the text or the option at every change. */
  onTyped?: (text: string) => void
  /** The earliest date. */
  min?: string
  /** The latest date. */
  max?: string
}

/**
 * The field of a declared input (app/shared/form-inputs.ts).
 * @param props.field Conform's, of `useSchemaForm`
 */
export function SchemaField({
  input,
  field,
  feedback,
  onTyped,
  ...dates
}: Additions & { input: SchemaInput; field: Field }) {
  const { label, hint, rows, options, isTick, isOptional, limit } = input
  const frame = { label, hint, error: field.errors, feedback }
  const onInput = (event: { currentTarget: { value: string } }) => onTyped?.(event.currentTarget.value)
  if (isTick) return <CheckboxField {...frame} control={getInputProps(field, { type: 'checkbox' })} />
  if (options) {
    const { key, id, name, initialValue } = field
    return (
      <SelectField
        {...frame}
        placeholder="Choose one"
        options={options.map((value) => ({ value, label: value }))}
        control={{ key, id, name, defaultValue: initialValue as string | undefined }}
        onChange={onInput}
      />
    )
  }
  if (rows) {
    const control = getTextareaProps(field)
    return (
      <TextAreaField {...frame} {...{ rows, control, onInput }} optional={isOptional} maxLength={limit} />
    )
  }
  const control = getInputProps(field, { type: input.type ?? 'text' })
  return <TextField {...frame} {...lineProps(input)} {...dates} control={control} onInput={onInput} />
}

/**
 * Fields of a form, one below the other.
 * @param props.rows their names, of all inputs by default. Those of an inner list stand beside each other where there is room
 * @param props.own the fields with a component of their own, by name
 */
export function SchemaFields<Name extends string>({
  inputs,
  fields,
  rows = Object.keys(inputs) as Name[],
  own = {},
  additions = {},
}: {
  inputs: Readonly<Record<Name, SchemaInput>>
  fields: Readonly<Record<NoInfer<Name>, Field>>
  rows?: readonly (NoInfer<Name> | readonly NoInfer<Name>[])[]
  own?: Partial<Record<NoInfer<Name>, ReactNode>>
  additions?: Partial<Record<NoInfer<Name>, Additions>>
}) {
  const shown = (name: Name) =>
    own[name] ?? <SchemaField key={name} input={inputs[name]} field={fields[name]} {...additions[name]} />
  return rows.map((row) =>
    typeof row === 'string' ? (
      shown(row)
    ) : (
      <div key={row[0]} className="grid items-start gap-6 sm:grid-cols-2">
        {row.map(shown)}
      </div>
    ),
  )
}
