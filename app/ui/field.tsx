import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { RenderedOnce } from './rendered-once.tsx'

/**
 * The properties of every field, apart from its control's own attributes. `control` accepts the complete result of
 * Conform's getInputProps, getSelectProps or getTextareaProps; its `key` is taken out here, because React refuses one
 * in a spread.
 */
type FieldFrame<Attributes> = {
  label: ReactNode
  /** Advice before typing: the format, or why we ask. */
  hint?: ReactNode
  /** One sentence that says what to do. Of an array, the first is shown. */
  error?: string | string[] | undefined
  /** Adds '(optional)' to the label. */
  optional?: boolean
  /** Hides the label visually; for a field whose position makes its purpose clear. */
  labelUnseen?: boolean
  /** Live feedback under the control that is not an error. */
  feedback?: ReactNode
  control?: Partial<Attributes> & { key?: string | undefined }
}

type Wiring = { id: string; message: string | undefined }

/** A field's properties, split for its frame and its control. */
type Parts<Attributes> = { frame: FieldFrame<unknown>; wiring: Wiring; attributes: Attributes }

/** Splits a field's properties into the frame's and the control's, and sets the control's id and aria-describedby. */
function useParts<Attributes extends { id?: string | undefined; 'aria-describedby'?: string | undefined }>(
  props: FieldFrame<Attributes> & Attributes,
): Parts<Attributes> {
  const { label, hint, error, optional, labelUnseen, feedback, control, ...rest } = props
  const { key: _key, ...given } = control ?? {}
  // The rest belongs to the control: TypeScript can't follow that through a generic rest.
  const own = { ...given, ...rest } as unknown as Attributes
  const madeId = useId()
  const id = own.id ?? madeId
  const message = Array.isArray(error) ? error[0] : error
  const ids = new Set(own['aria-describedby']?.split(' ').filter(Boolean))
  if (hint) ids.add(`${id}-description`)
  if (feedback) ids.add(`${id}-feedback`)
  // The id that Conform uses, so that its own aria-describedby points here as well.
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

/** The error message under a control. Exported for custom controls, such as a drop area. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  if (!message) return null
  return (
    <p className="field-error" id={id}>
      <Icon name="circle-alert" />
      <span>{message}</span>
    </p>
  )
}

export type TextFieldProps = FieldFrame<ComponentProps<'input'>> &
  ComponentProps<'input'> & {
    /** A symbol inside the control's left edge, such as '$'. */
    prefix?: string
  }

/** A labelled input of any text-like type. `className` applies to the surrounding frame. */
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

/** A labelled text area, which grows with its text. */
export function TextAreaField({ className, ...props }: TextAreaFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'textarea'>>(props)
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <textarea key={props.control?.key} {...attributes} className="control" />
    </Frame>
  )
}

type SelectOptions = {
  /** The options; or pass <option> children. */
  options?: readonly { value: string; label: string }[] | undefined
  /** An empty first option, such as 'Choose one'. */
  placeholder?: string | undefined
}

export type SelectFieldProps = FieldFrame<ComponentProps<'select'>> &
  ComponentProps<'select'> &
  SelectOptions & {
    /** Whether many documents show these options, so that they are rendered once. Without children, and with a string. */
    isKept?: boolean
  }

/** A labelled native select. */
export function SelectField({
  className,
  options,
  placeholder,
  isKept = false,
  children,
  ...props
}: SelectFieldProps) {
  const { frame, wiring, attributes } = useParts<ComponentProps<'select'>>(props)
  return (
    <Frame frame={frame} wiring={wiring} className={className}>
      <div className="select">
        {isKept ? (
          <RenderedOnce
            as="select"
            key={props.control?.key}
            {...attributes}
            className="control"
            inside={Options}
            data={{ options, placeholder, chosen: String(attributes.defaultValue) }}
          />
        ) : (
          <select key={props.control?.key} {...attributes} className="control">
            <Options options={options} placeholder={placeholder} />
            {children}
          </select>
        )}
        <Icon name="chevron-down" />
      </div>
    </Frame>
  )
}

/** @param props.chosen the value of the select, which options that are rendered alone can't know */
function Options({ options, placeholder, chosen }: SelectOptions & { chosen?: string }) {
  // React reads the select's value in the browser, and warns of this in development.
  const isChosen = (value: string) =>
    (import.meta.env.SSR && import.meta.env.PROD && value === chosen) || undefined
  return (
    <>
      {placeholder ? (
        <option value="" selected={isChosen('')}>
          {placeholder}
        </option>
      ) : null}
      {options?.map(({ value, label }) => (
        <option key={value} value={value} selected={isChosen(value)}>
          {label}
        </option>
      ))}
    </>
  )
}

export type CheckboxFieldProps = FieldFrame<ComponentProps<'input'>> & Omit<ComponentProps<'input'>, 'type'>

/** A checkbox with its label beside it. */
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
