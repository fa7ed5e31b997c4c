import { type ReactNode, useId } from 'react'
import type { z } from 'zod'
import { Button } from './button.tsx'
import { type FieldErrors, useCheckedForm } from './checked-form.ts'
import { FormSummary } from './form-summary.tsx'

/**
 * The form in a dialog: its fields under an error summary, Cancel and the submit button.
 * @param props.submitLabel null where the fields have submit buttons of their own
 * @param props.intent identifies the form to the action
 * @param props.answered the server's errors of the fields; `problem` is its message for the whole form
 * @param props.problemTitle the heading above that message
 * @param props.leftOut names of controls that only change what the form shows
 * @param props.children renders the fields; `field` gives a control its id, name and error, `errors` has those of
 * nested names
 */
export function DialogForm({
  intent,
  schema,
  answered,
  problem,
  problemTitle,
  leftOut,
  submitLabel,
  cancelLabel = 'Cancel',
  pendingLabel,
  pending,
  onChecked,
  onClose,
  children,
}: {
  intent: string
  schema: z.ZodType
  answered: FieldErrors | null
  problem: string | null
  problemTitle: string
  leftOut?: readonly string[]
  submitLabel: string | null
  cancelLabel?: string
  pendingLabel: string
  pending: boolean
  onChecked: (form: FormData) => void
  onClose: () => void
  children: (form: {
    id: string
    errors: FieldErrors
    field: (name: string) => { id: string; name: string; error: string | undefined }
  }) => ReactNode
}) {
  const id = useId()
  const { errors, attempt, onSubmit, messageOf } = useCheckedForm({
    schema,
    pending,
    answered,
    onChecked,
    ...(leftOut ? { leftOut } : {}),
  })
  const listed = Object.entries(errors).flatMap(([name, messages]) =>
    messages?.[0] ? [{ fieldId: `${id}-${name}`, message: messages[0] }] : [],
  )
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={onSubmit}>
      <input type="hidden" name="intent" value={intent} />
      {listed.length > 0 || problem ? (
        <FormSummary
          errors={listed.length > 0 ? listed : [{ message: problem ?? '' }]}
          attempt={attempt}
          {...(listed.length > 0 ? {} : { title: problemTitle })}
        />
      ) : null}
      {children({
        id,
        errors,
        field: (name) => ({ id: `${id}-${name}`, name, error: messageOf(name) }),
      })}
      <div className="dialog-actions">
        <Button onClick={onClose}>{cancelLabel}</Button>
        {submitLabel === null ? null : (
          <Button type="submit" variant="brand" pending={pending} pendingText={pendingLabel}>
            {submitLabel}
          </Button>
        )}
      </div>
    </form>
  )
}
