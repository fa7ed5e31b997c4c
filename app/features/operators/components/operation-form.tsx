import { useRef } from 'react'
import { useFetcher } from 'react-router'
import { Button, type ButtonVariant } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { MAX_REASON_LENGTH } from '../messages.ts'
import type { Operation } from '../schema.ts'

const TOAST_LIFE_MS = 4000

/** The result of an operation, for the operator; `field` holds the reason's error. */
export type OperationAnswer = { ok: boolean; message: string; field?: string }

/** One operation: a button, preceded by a field for the reason if it needs one. */
export function OperationForm({
  intent,
  id,
  label,
  pendingLabel,
  variant = 'secondary',
  reason,
}: {
  intent: Operation['intent']
  id?: string
  label: string
  pendingLabel: string
  variant?: ButtonVariant
  /** The reason to enter first; the hint says who will read it. */
  reason?: { label: string; hint: string }
}) {
  const fetcher = useFetcher<OperationAnswer>()
  const details = useRef<HTMLDetailsElement>(null)
  useAnswer(fetcher, ({ ok, field, message }) => {
    if (!field) showToast({ type: ok ? 'success' : 'error', text: message, lifeMs: TOAST_LIFE_MS })
    if (ok && details.current) details.current.open = false
  })

  const form = (
    <fetcher.Form method="post" className="grid gap-4">
      <input type="hidden" name="intent" value={intent} />
      {id ? <input type="hidden" name="id" value={id} /> : null}
      {reason ? (
        <TextField
          name="reason"
          label={reason.label}
          hint={reason.hint}
          error={fetcher.data?.field}
          required
          maxLength={MAX_REASON_LENGTH}
          autoComplete="off"
        />
      ) : null}
      <Button
        type="submit"
        variant={variant}
        className="justify-self-start"
        pending={fetcher.state !== 'idle'}
        pendingText={pendingLabel}
      >
        {label}
      </Button>
      <SendFailure />
    </fetcher.Form>
  )
  if (!reason) return form
  return (
    <details ref={details} className="w-full max-w-column">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">{label}…</summary>
      <div className="mt-2 rounded-card bg-sunk p-4">{form}</div>
    </details>
  )
}
