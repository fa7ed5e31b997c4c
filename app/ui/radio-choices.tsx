import type { ReactNode } from 'react'
import { FieldError } from './field.tsx'

/** One choice of a few, each with a sentence about it. */
export function RadioChoices<Value extends string>({
  legend,
  name,
  id,
  options,
  value,
  error,
  onChange,
}: {
  legend: ReactNode
  name: string
  /** The id of the first choice, to which a summary of errors leads. */
  id: string
  options: readonly { value: Value; label: ReactNode; hint: ReactNode }[]
  /** Anything else than a value of the options chooses none. */
  value: string
  /** The first is shown. */
  error: string[] | undefined
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="field" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="field-label unstyled-legend">{legend}</legend>
      {options.map((option, index) => {
        const optionId = index === 0 ? id : `${id}-${option.value}`
        return (
          <div key={option.value} className="choice">
            <input
              id={optionId}
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              aria-describedby={`${optionId}-description`}
              onChange={() => onChange(option.value)}
            />
            <label className="field-label" htmlFor={optionId}>
              {option.label}
            </label>
            <p className="field-hint" id={`${optionId}-description`}>
              {option.hint}
            </p>
          </div>
        )
      })}
      <FieldError id={`${id}-error`} message={error?.[0]} />
    </fieldset>
  )
}
