import type { ReactNode } from 'react'

/** A choice between a few views of the same page: a radio group, so it also submits with a form. */
export function SegmentedControl<Value extends string>({
  label,
  name,
  options,
  value,
  defaultValue,
  onChange,
}: {
  label: string
  name: string
  options: readonly { value: Value; label: ReactNode; icon?: ReactNode }[]
  /** For a controlled group. Omit it and pass defaultValue in a plain form. */
  value?: Value
  defaultValue?: Value
  onChange?: (value: Value) => void
}) {
  return (
    <fieldset className="segments">
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            className="unseen"
            type="radio"
            name={name}
            value={option.value}
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={() => onChange?.(option.value)}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
