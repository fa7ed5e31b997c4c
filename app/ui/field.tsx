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

type Wiring = { id: string; message: string | undefined }

/** What the four kinds of control take of their field, and what stays for the control's own element. */
type Parts<Attributes> = { frame: FieldFrame<unknown>; wiring: Wiring; attributes: Attributes }

/** Takes a field's properties apart: the frame's, and the control's with its id and what it is described by. */
function useParts<Attributes extends { id?: string | undefined; 'aria-describedby'?: string | undefined }>(
  props: FieldFrame<Attributes> & Attributes,
): Parts<Attributes> {
  const { label, hint, error, optional, labelUnseen, feedback, control, ...rest } = props
  const { key: _key, ...given } = control ?? {}
  // What the frame does not take is the control's: TypeScript can't follow that through a generic rest.
  const own = { ...given, ...rest } as unknown as Attributes
  const madeId = useId()
  const id = own.id ?? madeId
  const message = Array.isArray(error) ? error[0] : error
  const ids = new Set(own['aria-describedby']?.split(' ').filter(Boolean))
  if (hint) ids.add(`${id}-description`)
  if (feedback) ids.add(`${id}-feedback`)
  // The same id that Conform makes, so its own aria-describedby points here as well.
  if (message) ids.add(`${id}-error`)
  else ids.delete(`${id}-error`)
  return {
    frame: { label, hint, error, optional, labelUnseen, feedback },
    wiring: { id, message },
    attributes: {
      ...own,
      id,
      'aria-invalid': message ? true : undefined,
      'aria-describedby': [...ids].join(' ') || undefined,
    },
  }
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
      <FieldLabel frame={frame} wiring={wiring} />
      <FieldHint frame={frame} wiring={wiring} />
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

function FieldLabel({ frame, wiring }: { frame: FieldFrame<unknown>; wiring: Wiring }) {
  return (
    <label className={classNames('field-label', frame.labelUnseen && 'unseen')} htmlFor={wiring.id}>
      {frame.label}
      {frame.optional ? <span className="field-optional">(optional)</span> : null}
    </label>
  )
}

function FieldHint({ frame, wiring }: { frame: FieldFrame<unknown>; wiring: Wiring }) {
  return frame.hint ? (
    <p className="field-hint" id={`${wiring.id}-description`}>
      {frame.hint}
    </p>
  ) : null
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
export function TextField({ className, prefix, ...props }: TextFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'input'>>(props)
  const input = <input key={props.control?.key} type="text" {...attributes} className="control" />
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
export function TextAreaField({ className, ...props }: TextAreaFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'textarea'>>(props)
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <textarea key={props.control?.key} {...attributes} className="control" />
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
export function SelectField({ className, options, placeholder, children, ...props }: SelectFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'select'>>(props)
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <div className="select">
        <select key={props.control?.key} {...attributes} className="control">
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
export function CheckboxField({ className, ...props }: CheckboxFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'input'>>(props)
  return (
    <div className={classNames('choice', className)}>
      <input key={props.control?.key} {...attributes} type="checkbox" />
      <FieldLabel frame={frame} wiring={wiring} />
      <FieldHint frame={frame} wiring={wiring} />
      <FieldError id={`${wiring.id}-error`} message={wiring.message} />
    </div>
  )
}
