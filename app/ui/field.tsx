import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/**
 * What every field takes beside its control's own attributes. `control` accepts what Conform's getInputProps,
 * getSelectProps or getTextareaProps return, whole: its `key` is taken out here, since React refuses it in a spread.
 */
type FieldFrame<Attributes> = {
  label: ReactNode
  /** Said before the person types: format, why it is asked. */
  hint?: ReactNode
  /** One sentence that says what to do. A list shows its first. */
  error?: string | string[] | undefined
  /** Adds '(optional)' to the label. */
  optional?: boolean
  /** The label is read aloud only; for a field whose place says what it is. */
  labelUnseen?: boolean
  /** Live feedback under the control which is no error. */
  feedback?: ReactNode
  control?: Partial<Attributes> & { key?: string | undefined }
}

type Wiring = {
  id: string
  describedBy: string | undefined
  invalid: true | undefined
  message: string | undefined
}

function useWiring(
  frame: FieldFrame<unknown>,
  own: { id?: string | undefined; 'aria-describedby'?: string | undefined },
): Wiring {
  const madeId = useId()
  const id = own.id ?? madeId
  const message = Array.isArray(frame.error) ? frame.error[0] : frame.error
  const ids = new Set(own['aria-describedby']?.split(' ').filter(Boolean))
  if (frame.hint) ids.add(`${id}-description`)
  if (frame.feedback) ids.add(`${id}-feedback`)
  // The same id that Conform makes, so its own aria-describedby points here as well.
  if (message) ids.add(`${id}-error`)
  else ids.delete(`${id}-error`)
  return { id, describedBy: [...ids].join(' ') || undefined, invalid: message ? true : undefined, message }
}

function Frame({
  frame,
  wiring,
  className,
  children,
}: {
  frame: FieldFrame<unknown>
  wiring: Wiring
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div className={classNames('field', className)}>
      <label className={classNames('field-label', frame.labelUnseen && 'unseen')} htmlFor={wiring.id}>
        {frame.label}
        {frame.optional ? <span className="field-optional">(optional)</span> : null}
      </label>
      {frame.hint ? (
        <p className="field-hint" id={`${wiring.id}-description`}>
          {frame.hint}
        </p>
      ) : null}
      {children}
      {frame.feedback ? (
        <div className="field-hint" id={`${wiring.id}-feedback`} aria-live="polite">
          {frame.feedback}
        </div>
      ) : null}
      <FieldError id={`${wiring.id}-error`} message={wiring.message} />
    </div>
  )
}

/** The message under a control. Exported for controls that a form makes itself, such as a drop area. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  if (!message) return null
  return (
    <p className="field-error" id={id}>
      <CircleAlert aria-hidden="true" />
      <span>{message}</span>
    </p>
  )
}

export type TextFieldProps = FieldFrame<ComponentProps<'input'>> &
  ComponentProps<'input'> & {
    /** A sign inside the control's left edge, such as '$'. */
    prefix?: string
  }

/** A labelled input of any text-like type. `className` goes to the frame around it. */
export function TextField({
  label,
  hint,
  error,
  optional,
  labelUnseen,
  feedback,
  control,
  className,
  prefix,
  ...rest
}: TextFieldProps) {
  const { key, ...given } = control ?? {}
  const frame = { label, hint, error, optional, labelUnseen, feedback }
  const wiring = useWiring(frame, { ...given, ...rest })
  const input = (
    <input
      key={key}
      type="text"
      {...given}
      {...rest}
      id={wiring.id}
      className="control"
      aria-invalid={wiring.invalid}
      aria-describedby={wiring.describedBy}
    />
  )
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      {prefix ? (
        <div className="field-affix">
          <span aria-hidden="true">{prefix}</span>
          {input}
        </div>
      ) : (
        input
      )}
    </Frame>
  )
}

export type TextAreaFieldProps = FieldFrame<ComponentProps<'textarea'>> & ComponentProps<'textarea'>

/** A labelled field of several lines, which grows with its text. */
export function TextAreaField({
  label,
  hint,
  error,
  optional,
  labelUnseen,
  feedback,
  control,
  className,
  ...rest
}: TextAreaFieldProps) {
  const { key, ...given } = control ?? {}
  const frame = { label, hint, error, optional, labelUnseen, feedback }
  const wiring = useWiring(frame, { ...given, ...rest })
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <textarea
        key={key}
        {...given}
        {...rest}
        id={wiring.id}
        className="control"
        aria-invalid={wiring.invalid}
        aria-describedby={wiring.describedBy}
      />
    </Frame>
  )
}

export type SelectFieldProps = FieldFrame<ComponentProps<'select'>> &
  ComponentProps<'select'> & {
    /** The choices; or give <option> children. */
    options?: readonly { value: string; label: string }[]
    /** A first, empty choice, such as 'Choose one'. */
    placeholder?: string
  }

/** A labelled native select. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  labelUnseen,
  feedback,
  control,
  className,
  options,
  placeholder,
  children,
  ...rest
}: SelectFieldProps) {
  const { key, ...given } = control ?? {}
  const frame = { label, hint, error, optional, labelUnseen, feedback }
  const wiring = useWiring(frame, { ...given, ...rest })
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <div className="select">
        <select
          key={key}
          {...given}
          {...rest}
          id={wiring.id}
          className="control"
          aria-invalid={wiring.invalid}
          aria-describedby={wiring.describedBy}
        >
          {placeholder ? <option value="">{placeholder}</option> : null}
          {options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          {children}
        </select>
        <ChevronDown aria-hidden="true" />
      </div>
    </Frame>
  )
}

export type CheckboxFieldProps = FieldFrame<ComponentProps<'input'>> & Omit<ComponentProps<'input'>, 'type'>

/** A box to tick, with its label beside it. */
export function CheckboxField({
  label,
  hint,
  error,
  optional,
  labelUnseen,
  feedback,
  control,
  className,
  ...rest
}: CheckboxFieldProps) {
  const { key, ...given } = control ?? {}
  const frame = { label, hint, error, optional, labelUnseen, feedback }
  const wiring = useWiring(frame, { ...given, ...rest })
  return (
    <div className={classNames('choice', className)}>
      <input
        key={key}
        {...given}
        {...rest}
        type="checkbox"
        id={wiring.id}
        aria-invalid={wiring.invalid}
        aria-describedby={wiring.describedBy}
      />
      <label className={classNames('field-label', labelUnseen && 'unseen')} htmlFor={wiring.id}>
        {label}
        {optional ? <span className="field-optional">(optional)</span> : null}
      </label>
      {hint ? (
        <p className="field-hint" id={`${wiring.id}-description`}>
          {hint}
        </p>
      ) : null}
      <FieldError id={`${wiring.id}-error`} message={wiring.message} />
    </div>
  )
}
