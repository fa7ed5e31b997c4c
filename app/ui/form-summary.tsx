import { useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

export type FormError = {
  /** The control's id; without it, the message concerns the whole form. */
  fieldId?: string | undefined
  message: string
}

const NO_ATTEMPT = Symbol('no attempt')

/**
 * The errors of a form gathered at its top, each linked to its field. When a submit fails, the first field with an
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
                  {error.message}
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
