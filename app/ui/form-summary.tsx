import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { summaryLine } from './summary-line.ts'

export type FormError = {
  /** The control's id; without it, the message concerns the whole form. */
  fieldId?: string | undefined
  /** The field's label, for a form that works without JavaScript. With it, the summary finds the label itself. */
  label?: string | undefined
  message: string
}

const NO_ATTEMPT = Symbol('no attempt')

/**
 * The errors of a form gathered at its top, each linked to its field and naming it. When a submit fails, the first field with an
 * error gets the focus, or the summary itself if no error names a field. That happens once per submit, so an error that
 * appears during typing never moves the focus.
 * @param props.attempt changes with every submit (a count, or the last result), so that the same errors move the focus
 * again
 */
export function FormSummary({
  errors,
  title = 'Please check these before you go on',
  attempt,
}: {
  errors: readonly FormError[]
  title?: string
  attempt?: unknown
}) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(errors)
  latest.current = errors
  const hasErrors = errors.length > 0
  const labels = useLabels(errors)
  const focusedFor = useRef<unknown>(NO_ATTEMPT)
  useEffect(() => {
    if (!hasErrors || focusedFor.current === attempt) return
    focusedFor.current = attempt
    const first = latest.current.find((error) => error.fieldId)?.fieldId
    const field = first ? document.getElementById(first) : null
    ;(field ?? box.current)?.focus()
  }, [hasErrors, attempt])
  if (!hasErrors) return null
  return (
    <div ref={box} className="notice notice-error" role="alert" tabIndex={-1}>
      <Icon name="circle-alert" />
      <div>
        <p className="font-semibold">{title}</p>
        <ul>
          {errors.map((error) => (
            <li key={`${error.fieldId ?? ''}${error.message}`}>
              {error.fieldId ? (
                <a
                  className="underline underline-offset-2"
                  href={`#${error.fieldId}`}
                  onClick={(event) => {
                    event.preventDefault()
                    document.getElementById(error.fieldId ?? '')?.focus()
                  }}
                >
                  {summaryLine(
                    labels[error.fieldId]?.label ?? error.label,
                    error.message,
                    labels[error.fieldId]?.others,
                  )}
                </a>
              ) : (
                error.message
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

type Named = { label: string; others: readonly string[] }

/** The labels of the fields with errors, and those of their forms' other fields, by the fields' ids. */
function useLabels(errors: readonly FormError[]): Readonly<Record<string, Named>> {
  const [labels, setLabels] = useState<Readonly<Record<string, Named>>>({})
  // In the same frame, so that no line is seen without its field.
  useLayoutEffect(() => {
    const found = errors.flatMap(({ fieldId }) => {
      const named = fieldId && namesOf(fieldId)
      return named && labels[fieldId]?.label !== named.label ? [[fieldId, named] as const] : []
    })
    if (found.length > 0) setLabels({ ...labels, ...Object.fromEntries(found) })
  }, [errors, labels])
  return labels
}

function namesOf(fieldId: string): Named | null {
  const field = document.getElementById(fieldId)
  if (!isField(field)) return null
  const fields = [...(field.form?.elements ?? [])].filter(isField)
  const label = labelOf(field)
  return label ? { label, others: fields.map(labelOf).filter((other) => other !== label) } : null
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isField(element: Element | null): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** A field's label without '(optional)'; of a radio button, the legend of its group. */
function labelOf(field: Field): string {
  if (field.type === 'radio') return field.closest('fieldset')?.querySelector('legend')?.textContent ?? ''
  const nodes = [...(field.labels?.[0]?.childNodes ?? [])].filter(
    (node) => !(node instanceof Element && node.matches('.field-optional')),
  )
  return nodes.map(({ textContent }) => textContent).join('')
}
